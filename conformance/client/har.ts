/** A trace as HAR 1.2. */
import { type Har, harEntry, harOf } from '../contract/har.js'
import type { Exchange } from '../oracle/exchange.js'

/** `baseUrl` is where the exchanges were: the requests of a HAR have whole addresses. */
export function toHar(trace: readonly Exchange[], { baseUrl }: { readonly baseUrl: string }): Har {
  const { origin } = new URL(baseUrl)
  return harOf(trace.map((exchange) => entryOf(exchange, origin)))
}

function entryOf(exchange: Exchange, origin: string) {
  const { n, caller, lost, method, path, query, headers, body, status, responseHeaders, text } = exchange
  const { startedAt = n, endedAt } = exchange
  const type = headers['content-type'] ?? 'application/json'
  const typed = body === null || type === '' ? headers : { ...headers, 'content-type': type }
  const sent = Object.entries(typed).filter(([, value]) => value !== '')
  return {
    ...{ _n: n, _caller: caller, ...(lost ? { _lost: lost } : {}) },
    ...harEntry({
      startedDateTime: isoOf(startedAt),
      time: endedAt === undefined ? -1 : Math.round((endedAt - startedAt) * 1000) / 1000,
      request: { method, url: `${origin}${path}${query}`, headers: Object.fromEntries(sent), body },
      response: { status, headers: responseHeaders, body: text },
    }),
  }
}

/** To the microsecond. */
function isoOf(milliseconds: number): string {
  const micros = Math.round((milliseconds % 1) * 1000)
  const digits = micros === 0 ? '' : String(micros).padStart(3, '0')
  return new Date(milliseconds).toISOString().replace('Z', `${digits}Z`)
}
