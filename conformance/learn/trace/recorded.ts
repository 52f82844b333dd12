/** The calls of a trace, as they are sent to the emulator again. */

import { parseJson } from '../../client/body.js'
import type { Call } from '../../client/call.js'
import { below } from '../../client/look.js'
import { type OperationId, type Profile, SUCCESS } from '../../contract/index.js'
import type { Exchange } from '../../oracle/exchange.js'
import { isObject, scalars } from '../../oracle/json.js'
import type { Request } from '../../oracle/request.js'

/** An answer, as far as two trackers can be compared by it. */
export interface Seen {
  readonly status: number
  readonly json: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** A request without its answer. */
export interface Sent {
  readonly operation: OperationId
  /** What stands behind the path of the operation, so that the path leads to none. */
  readonly suffix?: string
  /** A person of the mirror, a session, or a label of somebody who is nobody there. */
  readonly caller: string
  /** The header in place of the caller's own; null: none is sent. */
  readonly authorization?: string | null
  /** What the path addresses, decoded. */
  readonly address?: string
  /** Without its `?`. */
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** The body as it is sent; null: none. */
  readonly text: string | null
  /** The body as JSON; undefined where it is none. */
  readonly body: unknown
}

export interface Recorded extends Sent {
  /** Place in the trace. */
  readonly n: number
  /** Which of several traces, from 0. */
  readonly part: number
  readonly seen: Seen
  /** What it made on the target; null where no answer tells the id. */
  readonly makes?: { readonly kind: 'user' | 'customField'; readonly id: number | null }
  /** The label of the session that it started. */
  readonly starts?: string
  /** Texts that were sent before about the same thing. */
  readonly given: readonly string[]
  /** What the document does not allow. */
  readonly isWrong: boolean
}

/** Puts passwords in the place of their pseudonyms. */
export type Reveal = (text: string) => string

/** No tracker of the family takes one that is longer. */
const REFUSED = 'x'.repeat(1025)

/**
 * A trace has pseudonyms for passwords. Where `known` has none of them, the emulator is given one that is likely to be
 * taken, or refused, as the target took or refused it.
 */
export function revealing(
  requests: readonly Request[],
  known: (pseudonym: string) => string | undefined,
): Reveal {
  const refused = new Set<unknown>()
  const taken = new Set<unknown>()
  for (const { body, status, isRead } of requests) {
    const password = isRead || !isObject(body) ? undefined : body.password
    if (password !== undefined && (status === SUCCESS || status === 400))
      (status === SUCCESS ? taken : refused).add(password)
  }
  const madeUp = (word: string) =>
    refused.has(word) && !taken.has(word) ? REFUSED : `Given-Word-${word.replace(/\D/g, '') || '0'}-2024`
  return (text) => text.replace(/SECRET\.[\w.]*\w/g, (word) => known(word) ?? madeUp(word))
}

/** Whoever the trace says nothing of by which the emulator could know the caller. */
const OPAQUE = 'opaque'

/**
 * Who asks, in the words of the mirror: a label of a person or session, or null for a request without credentials.
 * `opaque`: the trace does not hold how the credentials were written.
 */
export function callersOf(requests: readonly Request[]): (request: Request) => string | null {
  const hasNone = requests.some(({ caller }) => caller === 'none')
  const refused = new Map<string, boolean>()
  for (const { caller, status } of requests)
    refused.set(caller, (refused.get(caller) ?? true) && status === 401)
  return ({ caller, role, gate, status }) => {
    if (caller === 'none') return null
    if (role === 'somebody' && refused.get(caller)) return `stranger:${caller}`
    if (caller !== 'unknown') return caller
    if (hasNone) return OPAQUE
    if (status === 401) return null
    return gate === 'gated' && status === 403 ? 'unknown:restricted' : 'unknown'
  }
}

/** The header of credentials that let nobody in; undefined for a caller that has its own. */
export function authorizationOf(caller: string | null): string | null | undefined {
  if (caller === null) return null
  const [role, how = ''] = caller.split(/:(.*)/s)
  if (role !== 'stranger') return undefined
  const [, scheme] = /^the scheme (\S+)$/.exec(how) ?? []
  if (scheme !== undefined) return `${scheme} nobodys-credentials`
  if (how === 'an empty header') return ''
  if (how === 'a scheme alone') return 'Bearer'
  return how === 'one word' ? 'nobodys-credentials' : 'Bearer nobodys-token'
}

/**
 * `requests`: those of a trace, with the things that they are about. Those without an answer are left out, and those of
 * which the recording has lost what was sent.
 */
export function recordedOf(
  requests: readonly Request[],
  idOf: (request: Request) => number | null,
  { part, wrong, reveal }: { part: number; wrong: ReadonlySet<number>; reveal: Reveal },
): Recorded[] {
  const callerOf = callersOf(requests)
  const given = givenBefore()
  let sessions = 0
  return requests.flatMap((request) => {
    const { n, op, address, exchange, status, answer, isLost } = request
    const starts = op === 'impersonateUser' && status === SUCCESS ? `session:${++sessions}` : undefined
    const before = given(request)
    const caller = callerOf(request)
    if (status === 0 || isLost || caller === OPAQUE) return []
    const authorization = authorizationOf(caller)
    const text = exchange.body === null ? null : reveal(exchange.body)
    return [
      {
        ...{ n, part, isWrong: wrong.has(n) },
        ...{ operation: op, caller: caller ?? 'none', query: exchange.query.slice(1), text },
        ...(authorization === undefined ? {} : { authorization }),
        ...(address === undefined ? {} : { address }),
        headers: headersOf(exchange),
        body: text === exchange.body ? request.body : parseJson(text ?? ''),
        seen: { status, json: answer, headers: exchange.responseHeaders },
        ...(op === 'createUser' && status === SUCCESS
          ? { makes: { kind: 'user' as const, id: idOf(request) } }
          : {}),
        ...(op === 'createCustomField' && status === SUCCESS
          ? { makes: { kind: 'customField' as const, id: idOf(request) } }
          : {}),
        ...(starts === undefined ? {} : { starts }),
        given: before,
      },
    ]
  })
}

/** By which a person of the mirror asks. */
export const secretOf = (label: string) => `secret-of-${label}`

/** A token or cookie of an impersonated session that an answer hands out. */
export function sessionIn({ json, headers }: Seen): { cookie?: string; token?: string } {
  const [cookie] = /^[^;,]+=[^;,]+/.exec(headers['set-cookie'] ?? '') ?? []
  const token = [...below(json, /token/i)].find((text) => text.length >= 16)
  return { ...(cookie === undefined ? {} : { cookie }), ...(token === undefined ? {} : { token }) }
}

/** What later calls send for it. */
export function sessionOf(seen: Seen): string | null {
  const { token, cookie } = sessionIn(seen)
  return token ?? cookie ?? null
}

/** A call as it is sent to the emulator, in whose words its credentials are. */
export function sentOf(call: Call, { tokens }: Pick<Profile, 'tokens'>): Sent {
  const { operation, suffix, as = 'administrator', authorization, path = {}, query = '', headers = {} } = call
  const [address] = Object.values(path)
  const text = call.rawBody ?? (call.body === undefined ? null : JSON.stringify(call.body))
  const written = Object.entries({
    ...(text === null ? {} : { 'content-type': 'application/json' }),
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  })
  const known = Object.entries(tokens).find(([, token]) => token && authorization?.includes(token))
  const own = known ? authorization?.replace(known[1] ?? '', secretOf(known[0])) : authorization
  return {
    ...{ operation, caller: as, query, text, body: text === null ? undefined : parseJson(text) },
    ...(suffix === undefined ? {} : { suffix }),
    ...(own === undefined ? {} : { authorization: own }),
    ...(address === undefined ? {} : { address: String(address) }),
    headers: Object.fromEntries(written.filter((one): one is [string, string] => one[1] !== null)),
  }
}

function headersOf({ headers, body }: Exchange): Record<string, string> {
  const { 'content-type': type = 'application/json', ...others } = headers
  return { ...others, ...(body === null || type === '' ? {} : { 'content-type': type }) }
}

const MOST_GIVEN = 30

/** Texts by the thing that they were sent about, and by the caller where there is none. */
function givenBefore() {
  const known = new Map<unknown, string[]>()
  return ({ subject, caller, body, op }: Request): string[] => {
    const about = subject ?? `${caller} ${op}`
    const texts = scalars(body).filter((one): one is string => typeof one === 'string' && one.length > 2)
    const all = [...new Set([...(known.get(about) ?? []), ...texts])].slice(-MOST_GIVEN)
    if (texts.length > 0) known.set(about, all)
    return all
  }
}
