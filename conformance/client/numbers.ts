/** Numbers in path identifiers, which some trackers cast. */

/** The number that a path identifier begins with; undefined where it begins with none. */
export const leadingNumber = (address: string): string | undefined => /^[-+\s]*(\d+)/.exec(address)?.[1]

/** An integer that no tracker has come to by counting, and that is none where only its last 32 bits are kept. */
export const isLarge = (text: string): boolean =>
  /^-?[1-9]\d{9,}$/.test(text) && BigInt.asUintN(32, BigInt(text)) > 1_000_000_000n
