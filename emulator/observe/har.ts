/** The journal as a HAR, which `tracker-kit judge` reads. */
import { type Har, harEntry, harOf } from '../../conformance/contract/har.js'
import type { Call } from '../request/call.js'
import type { JournalEntry } from '../types.js'

/** `roleOf` gives the role of a token in the profile of the tracker. */
export const journalHar = (
  pairs: readonly (readonly [JournalEntry, Call])[],
  roleOf: (token: string) => string | undefined,
): Har => harOf(pairs.map(([entry, call]) => ({ ...marksOf(entry, call, roleOf), ...partsOf(entry, call) })))

function partsOf({ at, path, method, headers, body, response, durationMs }: JournalEntry, { url }: Call) {
  return harEntry({
    startedDateTime: at,
    time: durationMs,
    request: { method, url: new URL(url).origin + path, headers, body: textOf(body) },
    response: { ...response, body: textOf(response.body) ?? '' },
  })
}

/** The kit's own: place, caller, and what a mask keeps from being judged. */
function marksOf({ sequence, body, response }: JournalEntry, call: Call, roleOf: (token: string) => unknown) {
  const authorization = call.headers.get('authorization')
  const role = roleOf(authorization?.replace(/^Bearer /, '') ?? '')
  const isLost = (text: string | null, given: string) =>
    (text ?? '').includes('***') || (text === null && given !== '')
  const lost = [
    ...(isLost(textOf(body), call.text) ? ['body'] : []),
    ...(isLost(textOf(response.body), call.answer) ? ['text'] : []),
  ]
  return {
    _n: sequence,
    _caller: role ?? (authorization === null ? 'none' : 'unknown'),
    ...(lost.length === 0 ? {} : { _lost: lost }),
  }
}

const textOf = (body: unknown) => (body === null ? null : JSON.stringify(body))
