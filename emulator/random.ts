/** mulberry32: a small generator with the same results everywhere. It is for repeatable values, not for secrets. */
export function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789-_'

/** Letters and digits that look random but depend only on the seed. */
export function letters(length: number, seed: number): string {
  const random = generator(seed)
  return Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('')
}
