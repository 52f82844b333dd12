/** The calls of a trace, in the form in which they are sent to the emulator. */
import { parseJson } from '../../client/body.js'
import type { Call } from '../../client/call.js'
import { below } from '../../client/look.js'
import { canBeSecret, isSecretName } from '../../client/secret-names.js'
import { type OperationId, type Profile, SUCCESS } from '../../contract/index.js'
import type { Exchange } from '../../oracle/exchange.js'
import { membersOf, type Request } from '../../oracle/request.js'

/** The parts of an answer by which two trackers can be compared. */
export type Seen = Readonly<{ status: number; json: unknown; headers: Readonly<Record<string, string>> }>

/** A request without its answer. */
export interface Sent {
  readonly operation: OperationId
  /** What follows the path of the operation, so that the whole path leads to no operation. */
  readonly suffix?: string | undefined
  /** The label of a person of the mirror, of a session, or of a caller that the tracker does not know. */
  readonly caller: string
  /** The header that replaces the caller's own; null: none is sent. */
  readonly authorization?: string | null | undefined
  /** The decoded user, field or other thing in the path. */
  readonly address?: string | undefined
  /** Without its `?`. */
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** The body as it is sent; null: none. */
  readonly text: string | null
  /** The body as JSON; undefined where it is not JSON. */
  readonly body: unknown
}

export interface Recorded extends Sent {
  /** The number of the exchange in the trace. */
  readonly n: number
  /** The index of the trace that it belongs to, from 0. */
  readonly part: number
  readonly seen: Seen
  /** The user or field that it created on the target; its id is null where no answer shows it. */
  readonly makes?: { readonly kind: 'user' | 'customField'; readonly id: number | null }
  /** The label of the session that it started. */
  readonly starts?: string | undefined
  /** Whether the document forbids this answer. */
  readonly isWrong: boolean
}

/** No tracker of the family accepts a longer password. */
const REFUSED = 'x'.repeat(1025)

/** Replaces pseudonyms of passwords: for an unknown one stands a password that the emulator accepts or refuses likewise. */
export function revealing(requests: readonly Request[], known: (pseudonym: string) => string | undefined) {
  const changes = requests.filter(({ isRead }) => !isRead)
  const passwordsOf = (answer: number) =>
    new Set(changes.filter(({ status }) => status === answer).map((one) => membersOf(one).password))
  const [taken, refused] = [passwordsOf(SUCCESS), passwordsOf(400)]
  const numberOf = (word: string) =>
    word.replace('SECRET.', '').replace(/\D/g, (sign) => `${sign.charCodeAt(0)}`)
  const madeUp = (word: string) =>
    refused.has(word) && !taken.has(word) ? REFUSED : `Given-Word-${numberOf(word)}-2024`
  return (text: string) => text.replace(/SECRET\.[\w.]*\w/g, (word) => known(word) ?? madeUp(word))
}

/** What trackers say of a token whose user is disabled. */
const saysDisabled =
  /(account|user)\b[^"]*\b(disabled|closed|locked|inactive|deactivated|blocked|suspended|(switched|turned) off|not (active|enabled))\b/i

/** The label of callers of whom the trace does not show enough for the emulator to identify them. */
const OPAQUE = 'opaque'

/** Returns the label of the person or session that sent a request; null for a request without credentials. */
export function callersOf(requests: readonly Request[]): (request: Request) => string | null {
  const hasNone = requests.some(({ caller }) => caller === 'none')
  const refused = new Map<string, boolean>()
  const disabled = new Set<string>()
  for (const { caller, status, exchange } of requests) {
    refused.set(caller, (refused.get(caller) ?? true) && status === 401)
    if (status === 401 && saysDisabled.test(exchange.text)) disabled.add(caller)
  }
  return ({ caller, role, gate, status }) => {
    if (caller === 'none') return null
    if (role === 'somebody' && refused.get(caller))
      return disabled.has(caller) ? 'disabled' : `stranger:${caller}`
    if (caller !== 'unknown') return caller
    if (hasNone) return OPAQUE
    if (status === 401) return null
    return gate === 'gated' && status === 403 ? 'unknown:restricted' : 'unknown'
  }
}

/** The authorization header of credentials that no user has; undefined for a caller that has its own. */
function authorizationOf(caller: string | null): string | null | undefined {
  if (caller === null) return null
  const [role, how = ''] = caller.split(/:(.*)/s)
  if (role !== 'stranger') return undefined
  const [, scheme] = /^the scheme (\S+)$/.exec(how) ?? []
  if (scheme !== undefined) return `${scheme} nobodys-credentials`
  if (how === 'an empty header') return ''
  if (how === 'a scheme alone') return 'Bearer'
  return how === 'one word' ? 'nobodys-credentials' : 'Bearer nobodys-token'
}

/** The calls of the requests of one trace, without those that have no answer or whose sent content is lost. */
export function recordedOf(
  requests: readonly Request[],
  idOf: (request: Request) => number | null,
  { part, wrong, reveal }: { part: number; wrong: ReadonlySet<number>; reveal: (text: string) => string },
): Recorded[] {
  const callerOf = callersOf(requests)
  let sessions = 0
  return requests.flatMap((request) => {
    const { n, op, address, exchange, status, answer, isLost } = request
    const starts = op === 'impersonateUser' && status === SUCCESS ? `session:${++sessions}` : undefined
    const caller = callerOf(request)
    if (status === 0 || isLost || caller === OPAQUE) return []
    const text = exchange.body === null ? null : reveal(exchange.body)
    const kind = op === 'createUser' ? 'user' : op === 'createCustomField' ? 'customField' : undefined
    return [
      {
        ...{ n, part, isWrong: wrong.has(n) },
        ...{ operation: op, caller: caller ?? 'none', query: exchange.query.slice(1), text },
        ...{ authorization: authorizationOf(caller), address, starts },
        headers: headersOf(exchange),
        body: text === exchange.body ? request.body : parseJson(text ?? ''),
        seen: { status, json: answer, headers: exchange.responseHeaders },
        ...(kind !== undefined && status < 300 && { makes: { kind, id: idOf(request) } }),
      },
    ]
  })
}

/** The token of a person of the mirror on the emulator. */
export const secretOf = (label: string) => `secret-of-${label}`

/** The token or cookie of an impersonated session that an answer returns. */
export function sessionIn({ json, headers }: Seen): { cookie?: string; token?: string } {
  const [cookie] = /^[^;,]+=[^;,]+/.exec(headers['set-cookie'] ?? '') ?? []
  const secrets = [...below(json, /token/i), ...below(json, { test: isSecretName })]
  const token = secrets.find((one) => one.length >= 16 && canBeSecret(one))
  return { ...(cookie === undefined ? {} : { cookie }), ...(token === undefined ? {} : { token }) }
}

/** A call in the form in which it is sent to the emulator; the emulator's tokens replace those of the profile. */
export function sentOf(call: Call, { tokens }: Pick<Profile, 'tokens'>): Sent {
  const { operation, suffix, as = 'administrator', authorization, path = {}, query = '', headers = {} } = call
  const [address] = Object.values(path)
  const text = call.rawBody ?? (call.body === undefined ? null : JSON.stringify(call.body))
  const type = text === null ? {} : { 'content-type': 'application/json' }
  const written = Object.entries<string | null>({ ...type, ...headers })
  const known = Object.entries(tokens).find(([, token]) => token && authorization?.includes(token))
  const own = known ? authorization?.replace(known[1] ?? '', secretOf(known[0])) : authorization
  return {
    ...{ operation, suffix, caller: as, authorization: own, query, text },
    address: address === undefined ? undefined : String(address),
    body: text === null ? undefined : parseJson(text),
    headers: Object.fromEntries(written.filter((one): one is [string, string] => one[1] !== null)),
  }
}

function headersOf({ headers, body }: Exchange): Record<string, string> {
  const { 'content-type': type = 'application/json', ...others } = headers
  return { ...others, ...(body === null || type === '' ? {} : { 'content-type': type }) }
}
