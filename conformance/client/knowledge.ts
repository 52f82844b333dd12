import { type Knowledge, nothingKnown } from '../oracle/knowledge.js'
import type { OfflineProfile } from './profile.js'
import { redactorOf } from './redact.js'

/** What a trace may be judged by: all of a profile but its secrets, for which the pseudonyms of the trace stand. */
export function knowledgeOf(profile: OfflineProfile | undefined): Knowledge {
  if (profile === undefined) return nothingKnown
  const { tokens, ...rest } = redactorOf(profile).promised as OfflineProfile
  return { ...rest, callers: Object.keys(tokens) }
}
