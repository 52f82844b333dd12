/** Tests the base URL and the tokens of a profile by GET requests only. Each test returns one line, or throws one. */
import { type Answer, type Call, type Identity, NoAnswer } from '../client/call.js'
import { type Client, createClient, unanswered } from '../client/client.js'
import { Withheld } from '../client/judge.js'
import { below } from '../client/look.js'
import { troubleWith } from '../client/profile.js'
import { type OperationId, type Profile, pathOf } from '../contract/index.js'
import { UnreachableError, UsageError } from '../contract/trouble.js'
import { contact, readsOf, unreachable } from '../drive/contact.js'
import type { Draft } from './init-set.js'

export interface Tester {
  readonly timeout: number
  /** Ends a test at once, even while it waits. */
  readonly signal: AbortSignal
}

/** The base URL or the extension is wrong, whatever was tested. */
export class WrongTarget extends UnreachableError {}

/** Operations that need administrative permission. */
const administrative: readonly OperationId[] = ['listPlugins', 'getCustomFieldCreatePage']

export async function withClient<T>(
  draft: Draft,
  { timeout, signal }: Tester,
  work: (client: Client, profile: Profile) => Promise<T>,
): Promise<T> {
  const { baseUrl = '', tokens } = draft
  const profile = { ...draft, baseUrl, tokens: { administrator: '', ...tokens } } as Profile
  const client = createClient(profile, { safety: 'read', timeout, rate: 0, signal })
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
  })
  try {
    signal.throwIfAborted()
    return await Promise.race([work(lenient(client), profile), aborted])
  } catch (error) {
    if (error instanceof NoAnswer) throw unreachable(baseUrl, error)
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    client.close()
  }
}

/** A client that does not fail if the profile has no token for a call, but returns an empty answer. */
const lenient = (client: Client): Client => ({
  ...client,
  send: (call) =>
    client.send(call).catch((error: unknown) => {
      if (error instanceof Withheld) return unanswered(call)
      throw error
    }),
})

const pageName = (operation: OperationId) => (operation === 'getAccountPage' ? 'the account page' : operation)

/** The answer to the first read that the tracker has, since each operation may be missing. */
async function answerOf(client: Client, profile: Profile, call: Omit<Call, 'operation'>, wanted: number) {
  let first: Answer | undefined
  for (const operation of readsOf(profile)) {
    const answer = await client.send({ ...call, operation })
    // Another operation can help only if this one may be missing.
    if (answer.status === wanted || (answer.status !== 404 && answer.status !== 501)) return answer
    first ??= answer
  }
  return first ?? client.send({ ...call, operation: 'getAccountPage' })
}

/** The REST root in the form of the profile. */
export function baseUrlOf(text: string): string {
  const given = text.trim().replace(/\/+$/, '')
  const trouble = troubleWith(given)
  if (trouble !== null) throw new UsageError(`the base URL ${trouble}`)
  return given
}

export function tokenOf(text: string, name: string): string {
  const given = text.trim()
  if (!/^[\x21-\x7e]+$/.test(given))
    throw new UsageError(
      `the ${name} must be the token alone, without "Bearer", spaces and special characters; was it copied whole?`,
    )
  return given
}

/** Tests whether the tracker is there: it answers 401 without credentials. */
export function testBaseUrl(draft: Draft, tester: Tester): Promise<string> {
  return withClient(draft, tester, async (client, profile) => {
    const { baseUrl } = profile
    const answer = await answerOf(client, profile, { authorization: null }, 401)
    const { status } = answer
    const isJson = answer.json !== undefined
    if (status === 401 && answer.text.trim() === '')
      return `${baseUrl} answers 401 without credentials, as it must, with an empty body`
    if (status === 401 && isJson) return `${baseUrl} answers 401 without credentials, as it must`
    if (status === 401)
      return `${baseUrl} answers 401 without credentials, but not in JSON: is there a proxy in front of the tracker?`
    if (status >= 300 && status < 400) throw redirected(client, baseUrl, answer)
    if (status >= 500)
      throw new UnreachableError(`${baseUrl} answers ${status}; is the tracker behind it running?`)
    if (isJson && status !== 404)
      return `${baseUrl} answers ${status} without credentials, where 401 is due: a deviation that check will report`
    const better = await betterTarget(
      draft,
      tester,
      { operation: answer.operation, authorization: null },
      401,
    )
    const seen = `${baseUrl + pathOf(answer.operation, client.ext)} answers ${status}${isJson ? '' : ' with something other than JSON'}`
    if (better !== null) throw new WrongTarget(`${seen}; did you mean ${better}?`)
    throw new WrongTarget(
      isJson
        ? `${seen}; is the extension "${client.ext}" right, and the base URL?`
        : `${seen}; is the base URL the REST root? It often ends in /api/rest`,
    )
  })
}

function redirected(client: Client, baseUrl: string, { status, headers }: Answer): WrongTarget {
  const location = headers.location ?? ''
  const path = pathOf('getAccountPage', client.ext)
  const from = baseUrl + path
  if (!URL.canParse(location, from))
    return new WrongTarget(`${baseUrl} redirects (${status}) to nowhere; is the base URL right?`)
  const { origin, pathname } = new URL(location, from)
  const to = client.redact.text(origin + pathname)
  const at = to.replace(/\/+$/, '')
  const advice = at.endsWith(path)
    ? `give ${at.slice(0, -path.length)} as the base URL`
    : 'is the base URL the REST root, and not behind a sign-in page?'
  return new WrongTarget(`${baseUrl} redirects (${status}) to ${to}; ${advice}`)
}

/** If the tracker is not where the profile says, one of the usual places where it is; null if it is at none of them. */
async function betterTarget(
  draft: Draft,
  tester: Tester,
  call: Call,
  wanted: number,
): Promise<string | null> {
  const { baseUrl = '', ext = 'Ext' } = draft
  const root = baseUrl.replace(/\/plugins(\/.*)?$/, '')
  const roots = new Set([root, `${baseUrl}/api/rest`, `${new URL(baseUrl).origin}/api/rest`])
  for (const candidate of roots) {
    for (const segment of new Set([ext, 'Ext'])) {
      if (candidate === baseUrl && segment === ext) continue
      const there = { ...draft, baseUrl: candidate, ext: segment }
      const { status } = await withClient(there, tester, (client) => client.send(call))
      if (status !== wanted) continue
      const parts = [
        ...(candidate === baseUrl ? [] : [candidate]),
        ...(segment === ext ? [] : [`the extension ${segment}`]),
      ]
      return parts.join(' with ')
    }
  }
  return null
}

/** Tests whether the administrator's token is valid and has administrative permission. */
export function testAdministrator(draft: Draft, tester: Tester): Promise<string> {
  return withClient(draft, tester, async (client, profile) => {
    const { status, operation: own } = await answerOf(client, profile, {}, 200)
    if (status === 404) {
      const better = await betterTarget(draft, tester, { operation: own }, 200)
      const advice = better === null ? `is the extension "${client.ext}" right?` : `did you mean ${better}?`
      throw new WrongTarget(`${profile.baseUrl} answers 404 to ${pageName(own)}, with the token; ${advice}`)
    }
    if (status !== 200) await contact({ profile, timeout: tester.timeout, rate: 0 })
    const statuses = await statusesOf(client, profile, 'administrator')
    const refused = administrative.find((operation) => statuses.get(operation) === 403)
    if (refused !== undefined)
      throw new UsageError(
        `${refused} answers 403 to the administrator token: it lacks rights; give a token that may use every operation`,
      )
    const owner = await client.guard.nameOf('administrator')
    const seen = [[own, status] as const, ...statuses]
    const odd = seen.filter(([, one]) => one !== 200).map(([operation, one]) => `${operation} ${one}`)
    const whose = `the administrator token${owner === null ? '' : ` (of ${owner})`}`
    return odd.length === 0
      ? `${whose} reads ${[pageName(own), ...statuses.keys()].join(', ').replace(/, ([^,]*)$/, ' and $1')}, as it must`
      : `with ${whose} the tracker answered ${odd.join(' and ')}, where 200 is due: a deviation that check will report`
  })
}

/** Tests whether the restricted token is valid and has no administrative permission. */
export function testRestricted(draft: Draft, tester: Tester): Promise<string> {
  return withClient(draft, tester, async (client, profile) => {
    await testOther(client, profile, 'restricted')
    const statuses = await statusesOf(client, profile, 'restricted')
    const all = [...statuses]
    const refusedOnce = all.some(([, one]) => one === 403)
    const [first, status] = all.find(([, one]) => one === 200 || !refusedOnce) ?? []
    if (first !== undefined)
      throw new UsageError(
        `${first} answers ${status} to the restricted token, where 403 is due; give the token of a user without administrative permission, or name operations that the tracker lacks in notImplemented`,
      )
    const owner = await client.guard.nameOf('restricted')
    // Only writes show what else the token may do, such as that of a manager; but pages often show an access level.
    const account = await client.send({ operation: 'getAccountPage', as: 'restricted' })
    const level = [...new Set(below(account.json, /^access_?level$/i))].join(' ')
    const told = [owner && `of ${owner}`, level && `access level ${level}`].filter(Boolean)
    const whose = `the restricted token${told.length === 0 ? '' : ` (${told.join(', ')})`}`
    const odd = all.filter(([, one]) => one !== 403)
    if (all.length === 0) return `${whose} reads the account page; no other read can test it`
    return odd.length === 0
      ? `${whose} reads the account page and is refused ${[...statuses.keys()].join(' and ')}, as it must be; make sure that it has no other administrative permission, since no read shows that`
      : `${odd.map(([operation, one]) => `${operation} answers ${one}`).join(' and ')} to ${whose}, where 403 is due: a deviation that check will report`
  })
}

/** Throws an error unless another token is valid and belongs to another user than those before it. */
export async function testOther(client: Client, profile: Profile, identity: 'restricted' | 'password') {
  const { tokens } = profile
  const name = identity === 'restricted' ? 'the restricted token' : 'the token tokens.password'
  const { status, operation: own } = await answerOf(client, profile, { as: identity }, 200)
  // Pages other than the account page may be for administrators only.
  const isRefused = status === 403 && own !== 'getAccountPage'
  if (status !== 200 && !isRefused)
    throw new UsageError(
      `${pageName(own)} answers ${status} to ${name}, where 200 is due; is the token right, and its user enabled?`,
    )
  const owner = await client.guard.nameOf(identity)
  for (const other of ['administrator', 'restricted'] as const) {
    if (other === identity || !tokens[other]) continue
    const same = owner !== null && owner === (await client.guard.nameOf(other))
    if (same || tokens[other] === tokens[identity])
      throw new UsageError(`${name} is of the same user as tokens.${other}; give one of another user`)
  }
}

async function statusesOf(
  client: Client,
  { notImplemented = [] }: Profile,
  as: Identity,
): Promise<Map<OperationId, number>> {
  const statuses = new Map<OperationId, number>()
  for (const operation of administrative.filter((one) => !notImplemented.includes(one)))
    statuses.set(operation, (await client.send({ operation, as })).status)
  return statuses
}
