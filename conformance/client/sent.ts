/**
 * What was sent for an answer, secrets and all, for whoever repeats it. It stands beside the answer and not in it, so that
 * nothing that shows an answer shows a token.
 */
import type { Answer } from './call.js'

export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

const all = new WeakMap<Answer, Sent>()

export const rememberSent = (answer: Answer, sent: Sent): void => void all.set(answer, sent)

export const sentFor = (answer: Answer): Sent | undefined => all.get(answer)
