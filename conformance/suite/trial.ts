/** What a trial of one field of the profile is, and when an answer speaks against the field. */

import type { Answer } from '../client/call.js'
import type { OperationId, Profile, Safety } from '../contract/index.js'
import { errorBodyFault } from './error-body.js'
import { type ProfileField, profileFields } from './profile-fields.js'
import type { Check } from './types.js'

/** The answer that shows the mistake; `words` where it is not a refusal that has its own. */
export interface Refusal {
  readonly answer: Answer
  readonly words?: string
}

/**
 * Null where the field holds, and where the fault may be the tracker's. `in part`: the trial has left out what does not, and
 * a check may be made again with the rest.
 */
export type Verdict = Refusal | 'in part' | null

export interface FieldTrial {
  readonly field: ProfileField
  readonly level: Safety
  /** Checks about these may use it. */
  readonly of: readonly OperationId[]
  /** Checks about these may use it too, and can do without it: it is tried once one of them could not. */
  readonly inDoubtOf?: readonly OperationId[]
  /** Not before something has failed: trying it changes what is shared, or uses it up. */
  readonly late?: true
  /** What it is tried with beside it. */
  readonly with?: readonly ProfileField[]
  readonly try: (t: Check) => Promise<Verdict>
}

/** Whether the profile has what a trial needs. */
export const isGiven = (profile: Profile, { field, with: others = [] }: FieldTrial): boolean =>
  [field, ...others].every((one) => profileFields[one](profile) !== undefined)

/** The profile without one of its fields. */
export function leaveOut(profile: Profile, field: string): Profile {
  const copy = structuredClone(profile)
  const names = field.split('.')
  const last = names.pop() ?? ''
  const parent = names.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], copy)
  delete (parent as Record<string, unknown>)[last]
  return copy
}

/**
 * Whether a target refuses in the documented way what it was asked for. Another status, or a refusal that does not say
 * what it is about, is the tracker's own fault, and for the checks to judge.
 */
export const isRefused = (answer: Answer, statuses: readonly number[] = [400, 403, 404]): boolean =>
  statuses.includes(answer.status) && errorBodyFault(answer) === null

export const isAccepted = ({ status }: Answer): boolean => status >= 200 && status < 300
