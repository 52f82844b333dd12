/** Types that the rules on requests share. */
import type { Profile, Safety } from '../contract/index.js'
import type { Answer, Ask, Call, Identity } from './call.js'
import type { Caller } from './callers.js'
import type { Ledger } from './ledger.js'
import type { Proofs } from './proofs.js'

/** The request was not sent; the message tells why. */
export class Withheld extends Error {}

/** Records the effect of a request in the ledger, after its answer; null where no answer came. */
export type Touch = (answer: Answer | null) => void

export interface Judge {
  readonly profile: Profile
  readonly ledger: Ledger
  readonly proofs: Proofs
  readonly ask: Ask
  readonly allows: (level: Safety) => boolean
  /** Throws `Withheld` below this level. */
  need(level: Safety, what: string): void
  caller(call: Call): Promise<Caller>
  /** The username behind a token of the profile. */
  nameOf(as: Identity): Promise<string | null>
  /** Whether a text contains a made-up word of this run. */
  isMadeUp(text: unknown): text is string
}

/** What a request touches; throws `Withheld` where it must not leave. `again`: after the target has asked to come back later. */
export type Rule = (call: Call, again: boolean) => Promise<readonly Touch[]>

export const isDone = (answer: Pick<Answer, 'status'> | null) =>
  answer !== null && answer.status >= 200 && answer.status < 300
export const stateAfter = (answer: Answer | null) =>
  isDone(answer) ? 'done' : answer && answer.status >= 400 && answer.status < 500 ? 'refused' : 'asked'
