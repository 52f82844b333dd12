/** A trace as HAR 1.2, which browsers, proxies and editors read. What no HAR has stands in members that begin with `_`. */
import { version } from '../contract/version.js'
import type { Exchange } from '../oracle/exchange.js'

export interface Har {
  readonly log: {
    readonly version: '1.2'
    readonly creator: { readonly name: string; readonly version: string }
    readonly entries: readonly HarEntry[]
  }
}

type Pairs = readonly { readonly name: string; readonly value: string }[]

interface HarEntry {
  /** Place in the trace. */
  readonly _n: number
  readonly _caller: string
  readonly _lost?: Exchange['lost']
  readonly startedDateTime: string
  /** Milliseconds; -1 where the end is not known. */
  readonly time: number
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Pairs
    readonly queryString: Pairs
    readonly postData?: { readonly mimeType: string; readonly text: string }
    readonly [member: string]: unknown
  }
  readonly response: {
    /** 0: no answer arrived. */
    readonly status: number
    readonly headers: Pairs
    readonly content: { readonly size: number; readonly mimeType: string; readonly text: string }
    readonly [member: string]: unknown
  }
  readonly cache: object
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number }
}

const JSON_TYPE = 'application/json'
const common = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 }

/** `baseUrl` is where the exchanges were: the requests of a HAR have whole addresses. */
export function toHar(trace: readonly Exchange[], { baseUrl }: { readonly baseUrl: string }): Har {
  const { origin } = new URL(baseUrl)
  return {
    log: {
      ...{ version: '1.2', creator: { name: 'tracker-kit', version } },
      entries: trace.map((exchange) => entryOf(exchange, origin)),
    },
  }
}

function entryOf(exchange: Exchange, origin: string): HarEntry {
  const { n, caller, lost, method, path, query, headers, body, status, responseHeaders, text } = exchange
  const { startedAt = n, endedAt } = exchange
  const time = endedAt === undefined ? -1 : Math.round((endedAt - startedAt) * 1000) / 1000
  const type = headers['content-type'] ?? JSON_TYPE
  const sent = body === null || type === '' ? headers : { ...headers, 'content-type': type }
  return {
    ...{ _n: n, _caller: caller, ...(lost ? { _lost: lost } : {}) },
    ...{ startedDateTime: isoOf(startedAt), time },
    request: {
      ...{
        method,
        url: `${origin}${path}${query}`,
        headers: pairsOf(sent).filter(({ value }) => value !== ''),
      },
      queryString: pairsOf(Object.fromEntries(new URLSearchParams(query))),
      ...(body === null ? {} : { postData: { mimeType: type, text: body } }),
      ...{ bodySize: lost?.includes('body') ? -1 : Buffer.byteLength(body ?? ''), ...common },
    },
    response: {
      ...{ status, statusText: '', redirectURL: responseHeaders.location ?? '', bodySize: -1, ...common },
      headers: pairsOf(responseHeaders),
      content: { size: Buffer.byteLength(text), mimeType: responseHeaders['content-type'] ?? '', text },
    },
    ...{ cache: {}, timings: { send: 0, wait: time, receive: 0 } },
  }
}

const pairsOf = (values: Readonly<Record<string, string>>): Pairs =>
  Object.entries(values).map(([name, value]) => ({ name, value }))

/** To the microsecond. */
function isoOf(milliseconds: number): string {
  const micros = Math.round((milliseconds % 1) * 1000)
  return new Date(milliseconds)
    .toISOString()
    .replace('Z', micros === 0 ? 'Z' : `${String(micros).padStart(3, '0')}Z`)
}
