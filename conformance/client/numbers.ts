/** Numbers at the beginning of path identifiers, which some trackers read as ids. */

/** The number at the beginning of a path identifier; undefined where there is none. */
export const leadingNumber = (address: string): string | undefined => /^[-+\s]*(\d+)/.exec(address)?.[1]

/** An integer that no tracker has reached by counting, neither as a whole nor in its last 32 bits. */
export const isLarge = (text: string): boolean =>
  /^-?[1-9]\d{9,}$/.test(text) && BigInt.asUintN(32, BigInt(text)) > 1_000_000_000n
