import { type Knowledge, nothingKnown } from '../oracle/knowledge.js'
import type { OfflineProfile } from './profile.js'
import { redactor } from './redact.js'

/** The knowledge for judging a trace: the profile, with pseudonyms in place of its secrets. */
export function knowledgeOf(profile: OfflineProfile | undefined): Knowledge {
  if (profile === undefined) return nothingKnown
  const { tokens = {}, ...rest } = redactor(profile).promised as OfflineProfile
  return { ...rest, callers: Object.keys(tokens) }
}
