/** Turns requests and answers into the exchanges of a trace, without secrets. */
import type { Exchange } from '../oracle/exchange.js'
import { belowExtension, match } from '../oracle/operations.js'
import { parseJson } from './body.js'
import { createLabels, type Headers, type Others } from './labels.js'
import { membersOf } from './look.js'
import { type Profiled, type Redact, redactor } from './redact.js'

/** The request as it was sent, with its secrets; the trace masks them. */
export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  /** Undefined where it is lost. */
  readonly body: string | null | undefined
}

export interface Heard {
  readonly status: number
  readonly headers: Headers
  /** Undefined where it is lost. */
  readonly text: string | undefined
}

type Times = { readonly [Name in 'startedAt' | 'endedAt']?: number | undefined }

/** Headers that clients, browsers and proxies add by themselves. */
const usual =
  /^(accept-.*|authorization|baggage|cache-control|connection|content-(length|encoding)|dnt|expect|host|keep-alive|origin|pragma|priority|referer|sec-.*|te|traceparent|tracestate|transfer-encoding|upgrade-insecure-requests|user-agent|via|x-forwarded-(for|host|port|proto)|x-request(-id|ed-with)|:.*)$/

/** The exchanges are numbered in the order of their answers. */
export function createTracer(profile: Profiled, others: Others, ext = profile.ext) {
  const redact = redactor(profile)
  const labels = createLabels(profile, others)
  let last = 0

  const masked = ([name, content]: readonly [string, string]) => [name, redact.header(name, content)] as const

  function headersOf({ headers, body }: Sent): Exchange['headers'] {
    const own = Object.entries(headers).filter(([name, content]) => !isUsual(name, content))
    // Clients always send a type with a body, so an absent type is kept.
    const isUntyped = typeof body === 'string' && headers['content-type'] === undefined
    return Object.fromEntries([...own.map(masked), ...(isUntyped ? [['content-type', ''] as const] : [])])
  }

  return (sent: Sent, heard: Heard | null, { startedAt, endedAt }: Times = {}): Exchange => {
    const { path, query } = partsOf(sent.url)
    last += 1
    const caller = labels.of(sent.headers)
    for (const name of namesIn(sent.body)) redact.show(name)
    const { status = 0, headers: received = {}, text = '' } = heard ?? {}
    if (status === 200 && meantBy(sent, ext)?.operation.id === 'impersonateUser')
      labels.handedOut({ headers: received, text })
    const lost = [
      ...(sent.body === undefined ? ['body' as const] : []),
      ...(heard && heard.text === undefined ? ['text' as const] : []),
    ]
    return {
      ...{ n: last, caller, method: sent.method, path: redact.text(path), query: redact.text(query) },
      ...{ headers: headersOf(sent), body: typeof sent.body === 'string' ? redact.raw(sent.body) : null },
      ...{ status, responseHeaders: Object.fromEntries(Object.entries(received).map(masked)) },
      text: redact.raw(text),
      ...(lost.length > 0 ? { lost } : {}),
      ...(startedAt === undefined ? {} : { startedAt }),
      ...(endedAt === undefined ? {} : { endedAt }),
    }
  }
}

/** The names that a request gives to a user or a field. A client may make its passwords and wrong tokens of them. */
function namesIn(body: Sent['body']): string[] {
  const { custom_field: field, ...user } = membersOf(parseJson(body ?? ''))
  const { username, email, realname, name } = { ...user, ...membersOf(field) }
  return [username, email, realname, name].filter((one) => typeof one === 'string')
}

/** Masks secrets again that became known after the exchange. */
export const withoutSecrets = (trace: readonly Exchange[], redact: Redact): Exchange[] =>
  trace.map(({ caller, ...exchange }) => ({ ...redact.literals(exchange), caller }))

const isUsual = (name: string, content: string) =>
  usual.test(name) ||
  (name === 'accept' && /json|\*\/\*/i.test(content)) ||
  (name === 'content-type' && /^application\/json\b/i.test(content))

/** The literal path and query of an address. */
export function partsOf(url: string): { path: string; query: string } {
  const [, path = '', query = ''] = /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?/i.exec(url) ?? []
  return { path, query }
}

/**
 * The operation that a request means, and the REST root that it was sent to, which has no origin where the address has
 * none; null where it is no operation of the interface.
 */
export function meantBy({ method, url }: Pick<Sent, 'method' | 'url'>, ext = 'Ext') {
  const { path } = partsOf(url)
  const below = belowExtension(path, ext)
  const operation = below === undefined ? undefined : match(method.toUpperCase(), below)?.operation
  if (operation === undefined || below === undefined) return null
  const before = path.slice(0, path.length - below.length).replace(/\/plugins\/[^/]*$/, '')
  return { operation, root: originOf(url) + before }
}

/** Empty for other protocols than HTTP. */
export const originOf = (url: string): string =>
  /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).origin : ''

/** Milliseconds since the epoch, to the microsecond, so that the order of quick exchanges can be told. */
export const now = (): number => Math.round((performance.timeOrigin + performance.now()) * 1000) / 1000
