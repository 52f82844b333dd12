/** HAR 1.2, the format of browsers, proxies and editors. Members outside the format begin with `_`. */
import { version } from './version.js'

interface HarParts {
  readonly startedDateTime: string
  /** Milliseconds; -1 if the end is unknown. */
  readonly time: number
  readonly request: { method: string; url: string; headers: Record<string, string>; body: string | null }
  /** The status is 0 if no answer arrived. */
  readonly response: { status: number; headers: Record<string, string>; body: string }
}

export type Har = ReturnType<typeof harOf>

export const harOf = (entries: readonly ReturnType<typeof harEntry>[]) => ({
  log: { version: '1.2' as const, creator: { name: 'tracker-kit', version }, entries },
})

export function harEntry({ startedDateTime, time, request, response }: HarParts) {
  const { method, url, headers, body } = request
  const type = response.headers['content-type'] ?? ''
  const common = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 }
  const mimeType = headers['content-type'] ?? ''
  return {
    ...{ startedDateTime, time, cache: {}, timings: { send: 0, wait: time, receive: 0 } },
    request: {
      ...{ method, url, bodySize: sizeOf(body ?? ''), ...common, headers: pairsOf(Object.entries(headers)) },
      queryString: pairsOf(new URL(url).searchParams),
      ...(body === null ? {} : { postData: { mimeType, text: body } }),
    },
    response: {
      ...{ status: response.status, statusText: '', redirectURL: response.headers.location ?? '' },
      ...{ bodySize: -1, ...common, headers: pairsOf(Object.entries(response.headers)) },
      content: { size: sizeOf(response.body), mimeType: type, text: response.body },
    },
  }
}

const sizeOf = (text: string) => new TextEncoder().encode(text).length
const pairsOf = (pairs: Iterable<readonly [string, string]>) =>
  [...pairs].map(([name, value]) => ({ name, value }))
