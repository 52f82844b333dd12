/** Bodies that say nothing, and texts of a length. */
import type { Request } from '../script.js'

export const long = (length: number) => 'k'.repeat(length)

export const strange: readonly Request[] = [
  { rawBody: '{' },
  { body: {} },
  { body: [] },
  {},
  { rawBody: 'null' },
  { body: 'text' },
]

/** Lengths that texts are often limited to. */
const limits = [32, 40, 48, 50, 60, 64, 80, 100, 128, 191, 255, 1000]

/** Asks in some four steps between which two of them the limit of a text lies. */
export async function longestOf(fits: (length: number) => Promise<boolean>): Promise<void> {
  let [low, high] = [-1, limits.length]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (await fits(limits[middle] ?? 0)) low = middle
    else high = middle
  }
}
