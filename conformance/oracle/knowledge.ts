import type { Profile } from '../contract/index.js'

/**
 * What a profile promises, as plain data: the profile without secrets, with pseudonyms in the place of passwords, and the
 * roles whose tokens it has.
 */
export type Knowledge = Omit<Profile, 'tokens'> & { readonly callers: readonly string[] }

/** The knowledge without a profile. */
export const nothingKnown: Knowledge = { baseUrl: 'http://tracker.invalid', callers: [] }
