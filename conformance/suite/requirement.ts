import type { Requirement } from './types.js'

type Common = Partial<Omit<Requirement, 'id' | 'statement' | 'check'>>

/** Requirements with what they have in common; what one says for itself is its own. */
export const group = <C extends Common>(
  common: C,
  rows: readonly (Omit<Requirement, keyof C> & Partial<Requirement>)[],
): readonly Requirement[] =>
  rows.map((row) => {
    const whole = { ...common, ...row } as unknown as Requirement
    // As the contract shows them, whichever of them are common.
    const { id, level, section, statement, operations, safety, ...rest } = whole
    return { id, level, section, statement, operations, safety, ...rest }
  })
