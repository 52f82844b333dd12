import type { Requirement } from './types.js'

/** Of these requirements those that have no rank of their own have this one. */
export const ranked = (rank: number, rows: readonly Requirement[]): readonly Requirement[] =>
  rows.map((row) => ({ rank, ...row }))
