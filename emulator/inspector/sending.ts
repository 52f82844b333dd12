/** Requests that the inspector sends to the tracker: a new one as a role, or one of the journal again. */
import { z } from 'zod'
import { ConnectionDropped } from '../arrange/faults.js'
import type { Tracker, TrackerTokens } from '../types.js'

export interface SentAnswer {
  /** 0 if a fault ended the connection. */
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
  /** The sequence number of the call in the journal. */
  readonly sequence: number
}

const requestSchema = z.strictObject({
  /** A role, or null for no token. */
  as: z.string().nullable(),
  method: z.string(),
  /** The path below the REST root, with the query. */
  path: z.string().startsWith('/'),
  body: z.string().nullable(),
})

export function sent(tracker: Tracker, value: unknown): Promise<SentAnswer> {
  const result = requestSchema.safeParse(value)
  if (!result.success) throw new TypeError('A request has as, method, path and body')
  const { as, method, path, body } = result.data
  const headers = new Headers()
  if (as !== null) {
    if (!Object.hasOwn(tracker.tokens, as)) throw new RangeError(`There is no role "${as}"`)
    headers.set('authorization', `Bearer ${tracker.tokens[as as keyof TrackerTokens]}`)
  }
  if (body !== null) headers.set('content-type', 'application/json')
  return answerTo(tracker, tracker.fetch(new Request(tracker.baseUrl + path, { method, headers, body })))
}

export function sentAgain(tracker: Tracker, value: unknown): Promise<SentAnswer> {
  const { sequence } = z.object({ sequence: z.int() }).parse(value)
  return answerTo(tracker, tracker.replay(sequence))
}

async function answerTo(tracker: Tracker, answer: Promise<Response>): Promise<SentAnswer> {
  const sequence = () => tracker.journal.at(-1)?.sequence ?? 0
  try {
    const response = await answer
    const number = sequence()
    const { status, headers } = response
    return { status, headers: [...headers], body: await response.text(), sequence: number }
  } catch (error) {
    if (!(error instanceof ConnectionDropped)) throw error
    return { status: 0, headers: [], body: 'A fault ended the connection.', sequence: sequence() }
  }
}
