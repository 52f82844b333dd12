/** The journal as a HAR, which `tracker-kit judge` reads. */
import { type Har, harEntry, harOf } from '../../conformance/contract/har.js'
import type { Call } from '../request/call.js'
import type { JournalEntry } from '../types.js'

/** The entries whose calls are still kept. `roleOf` returns the role of a token in the tracker's profile. */
export function journalHar(
  pairs: readonly (readonly [JournalEntry, Call | undefined])[],
  roleOf: (token: string) => string | undefined,
): Har {
  const entries = pairs.flatMap(([entry, call]) => {
    if (!call) return []
    const { at, path, method, headers, body, response, durationMs } = entry
    const exchange = harEntry({
      startedDateTime: at,
      time: durationMs,
      request: { method, url: new URL(call.url).origin + path, headers, body: textOf(body) },
      response: { ...response, body: textOf(response.body) ?? '' },
    })
    return [{ ...marksOf(entry, call, roleOf), ...exchange }]
  })
  return harOf(entries)
}

/** Members of the kit: number, caller, and the parts that cannot be judged because of a mask. */
function marksOf({ sequence, body, response }: JournalEntry, call: Call, roleOf: (token: string) => unknown) {
  const authorization = call.headers.get('authorization')
  const role = roleOf(authorization?.replace(/^Bearer /, '') ?? '')
  const isLost = (shown: unknown, given: string) => textOf(shown)?.includes('***') ?? given !== ''
  const lost = [
    ...(isLost(body, call.text) ? ['body'] : []),
    ...(isLost(response.body, call.answer) ? ['text'] : []),
  ]
  return {
    _n: sequence,
    _caller: role ?? (authorization === null ? 'none' : 'unknown'),
    ...(lost.length === 0 ? {} : { _lost: lost }),
  }
}

const textOf = (body: unknown) => (body === null ? null : JSON.stringify(body))
