/** Tests base URL, tokens and user by GET requests alone; a test tells what it saw, or throws in one line what to change. */
import { type Answer, type Call, NoAnswer } from '../client/call.js'
import { type Client, createClient, unanswered } from '../client/client.js'
import { below, idOf, objects } from '../client/look.js'
import { Withheld } from '../client/permit.js'
import { type OperationId, type Profile, pathOf } from '../contract/index.js'
import { UnreachableError, UsageError } from '../contract/trouble.js'
import { contact, readsOf, unreachable } from '../drive/contact.js'
import type { Draft } from './init-set.js'

export interface Tester {
  readonly timeout: number
  /** Ends a test at once, even while it waits. */
  readonly signal: AbortSignal
  seen(line: string): void
}

/** Returns the draft, which it may have completed. */
export type Test = (draft: Draft, tester: Tester) => Promise<Draft>

/** The base URL or the extension is wrong, whatever was tested. */
export class WrongTarget extends UnreachableError {}

/** The id or the username of the user was not given, and no answer shows it. */
export class MissingForm extends UsageError {}

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
  signal.addEventListener('abort', client.close)
  try {
    signal.throwIfAborted()
    return await work(lenient(client), profile)
  } catch (error) {
    throw error instanceof NoAnswer && !signal.aborted ? unreachable(baseUrl, error) : error
  } finally {
    signal.removeEventListener('abort', client.close)
    client.close()
  }
}

/** A client that answers 501 for an operation that the tracker does not have. */
const lenient = (client: Client): Client => ({
  ...client,
  send: (call) =>
    client.send(call).catch((error: unknown) => {
      if (error instanceof Withheld) return unanswered(call)
      throw error
    }),
})

const test =
  (work: (client: Client, profile: Profile, draft: Draft, tester: Tester) => Promise<Draft>): Test =>
  (draft, tester) =>
    withClient(draft, tester, (client, profile) => work(client, profile, draft, tester))

type AnyRead = Omit<Call, 'operation'>

/** The answer to the first read that the tracker has, since each operation may be missing. */
async function answerOf(client: Client, draft: Draft, call: AnyRead, wanted: number) {
  let first: Answer | undefined
  for (const operation of readsOf(draft)) {
    const answer = await client.send({ ...call, operation })
    // Another operation can help only if this one may be missing.
    if (answer.status === wanted || (answer.status !== 404 && answer.status !== 501)) return answer
    first ??= answer
  }
  return first ?? client.send({ ...call, operation: 'getAccountPage' })
}

/** The same, but throws a `WrongTarget` if it is not that of a tracker, right or deviating. */
async function locate(client: Client, draft: Draft, tester: Tester, call: AnyRead, wanted: number) {
  const answer = await answerOf(client, draft, call, wanted)
  const { status, json, headers, operation } = answer
  const isPlausible = status < 300 || (status >= 400 && status < 500 && status !== 404)
  if ([wanted, 401, 403].includes(status) || (isPlausible && json !== undefined)) return answer
  // The query may hold a secret.
  const [to] = client.redact.text(headers.location ?? '').split('?')
  const what = to ? ` and redirects to ${to}` : json === undefined ? ' with something other than JSON' : ''
  const better = await betterTarget(draft, tester, { ...call, operation }, wanted)
  const places = `are the base URL, which often ends in /api/rest, and the extension "${client.ext}" right?`
  const advice = status < 500 ? places : 'is the tracker behind it running?'
  throw new WrongTarget(
    `${draft.baseUrl + pathOf(operation, client.ext)} answers ${status}${what}; ${better === null ? advice : `did you mean ${better}?`}`,
  )
}

/** One of the usual places where the tracker is; null if it is at none of them. */
async function betterTarget(draft: Draft, tester: Tester, call: Call, wanted: number) {
  const { baseUrl = '', ext: given = 'Ext' } = draft
  const { origin } = new URL(baseUrl)
  const roots = [baseUrl.replace(/\/plugins(\/.*)?$/, ''), `${baseUrl}/api/rest`, `${origin}/api/rest`]
  for (const root of new Set(roots))
    for (const ext of new Set([given, 'Ext'])) {
      if (root === baseUrl && ext === given) continue
      const there = { ...draft, baseUrl: root, ext }
      const { status } = await withClient(there, tester, (client) => client.send(call))
      const changed = [root === baseUrl ? '' : root, ext === given ? '' : `the extension ${ext}`]
      if (status === wanted) return changed.filter(Boolean).join(' with ')
    }
  return null
}

/** The tracker is there: it answers 401 without credentials. */
export const testBaseUrl = test(async (client, profile, draft, tester) => {
  const { status } = await locate(client, draft, tester, { authorization: null }, 401)
  const due = status === 401 ? 'as it must' : 'where 401 is due: a deviation that check will report'
  tester.seen(`${profile.baseUrl} answers ${status} without credentials, ${due}`)
  return draft
})

const ownerText = (owner: string | null) => (owner === null ? '' : ` (of ${owner})`)

/** The token is valid and has administrative permission. */
export const testAdministrator = test(async (client, profile, draft, tester) => {
  const { status } = await locate(client, draft, tester, {}, 200)
  if (status !== 200) await contact({ profile, timeout: tester.timeout, rate: 0 })
  for (const operation of administrative) {
    const answer = await client.send({ operation })
    if (answer.status === 403)
      throw new UsageError(
        `${operation} answers 403 to the administrator token: it lacks rights; give a token that may use every operation`,
      )
    if (answer.status === 404)
      tester.seen(`${operation} answers 404: if your tracker lacks it, add it to notImplemented`)
  }
  const owner = await client.guard.nameOf('administrator')
  tester.seen(`the tracker accepts the administrator token${ownerText(owner)}`)
  return draft
})

/** The token is valid and of another user than those before it; the restricted one has no administrative permission. */
export const testOther = (as: 'restricted' | 'password') =>
  test(async (client, { tokens }, draft, tester) => {
    const { status, operation } = await answerOf(client, draft, { as }, 200)
    // Pages other than the account page may be for administrators only.
    if (status !== 200 && (status !== 403 || operation === 'getAccountPage'))
      throw new UsageError(
        `${operation} answers ${status} to tokens.${as}, where 200 is due; is the token right, and its user enabled?`,
      )
    const owner = await client.guard.nameOf(as)
    for (const other of ['administrator', 'restricted'] as const) {
      if (other === as || !tokens[other]) continue
      const isSame = owner !== null && owner === (await client.guard.nameOf(other))
      if (isSame || tokens[other] === tokens[as])
        throw new UsageError(`tokens.${as} is of the same user as tokens.${other}; give one of another user`)
    }
    for (const page of as === 'restricted' ? administrative : [])
      if ((await client.send({ operation: page, as })).status === 200)
        throw new UsageError(
          `${page} answers 200 to the restricted token, where 403 is due; give the token of a user without administrative permission`,
        )
    const note = '; make sure that it has no administrative permission, since no read shows all of them'
    tester.seen(
      `the tracker accepts the token tokens.${as}${ownerText(owner)}${as === 'restricted' ? note : ''}`,
    )
    return draft
  })

export const testDisabled = test(async (client, _profile, draft, tester) => {
  const { status, operation } = await answerOf(client, draft, { as: 'disabled' }, 401)
  if (status === 200)
    throw new UsageError(`the token tokens.disabled is served (${operation}); is its user disabled?`)
  tester.seen(`the token tokens.disabled is refused: ${status}`)
  return draft
})

/** Tests the user under its id and its username. One that was not given is taken from the answer. */
export const testUser = test(async (client, profile, draft, tester) => {
  const given = draft.user ?? {}
  const first = await readUser(client, given.id ?? given.username ?? '')
  const shown = userIn(first.json)
  const { id = shown?.id, username = shown?.username } = given
  if (id === undefined)
    throw new MissingForm(`user ${username} does not show its id; give it too (--user-id)`)
  if (username === undefined)
    throw new MissingForm(`user ${id} does not show its username; give it too (--username)`)
  const second = await readUser(client, given.id === undefined ? id : username)
  const other = userIn(second.json)?.id
  if (shown && other !== undefined && shown.id !== other)
    throw new UsageError(`the id ${id} and the username ${username} are two users; give both of one user`)
  // Some trackers show the flags of a user only on this page.
  const edit = await client.send({ operation: 'getUserEditPage', path: { user_id: id } })
  // On a page where they differ, they are those of several things.
  const is = (name: RegExp, value: boolean) =>
    [first, second, edit].some(({ json }) => [...new Set(below(json, name))].join() === String(value))
  if (is(/^enabled$/, false)) throw new UsageError(`user ${username} is disabled; give one who is enabled`)
  if (is(/^protected$/, true)) throw new UsageError(`user ${username} is protected; give an ordinary user`)
  const silent: string[] = []
  for (const token of ['administrator', 'restricted', 'password'] as const) {
    const owner = profile.tokens[token] ? await client.guard.nameOf(token) : ''
    if (owner === null) silent.push(`tokens.${token}`)
    if (owner?.toLowerCase() === username.toLowerCase())
      throw new UsageError(`user ${username} is the owner of tokens.${token}; give another user`)
  }
  const note = `; make sure that it does not own ${silent.join(' or ')}, since no read shows that`
  tester.seen(
    `the tracker finds user ${id} by its id and by its username ${username}${silent.length > 0 ? note : ''}`,
  )
  return { ...draft, user: { id, username } }
})

async function readUser(client: Client, form: string | number): Promise<Answer> {
  const path = { user_id: form }
  const user = await client.send({ operation: 'getUser', path })
  const answer = user.status === 501 ? await client.send({ operation: 'getUserEditPage', path }) : user
  if (answer.status === 200) return answer
  const told = answer.status === 404 ? 'there is no such user' : 'where 200 is due'
  throw new UsageError(`a read of user ${form} answers ${answer.status}: ${told}; give another user`)
}

/** The id and name from the outermost record that could be a user. */
function userIn(json: unknown): { id: number; username: string | undefined } | undefined {
  for (const record of objects(json)) {
    const id = idOf(record, 'user')
    // `name` alone may be a display name.
    if (id !== null)
      return { id, username: textAt(record, [/^user_?name$/i, /^login(_?name)?$/i, /^name$/i]) }
  }
  return undefined
}

/** The text of the first member that has one of these names; the likeliest name comes first. */
export const textAt = (record: Readonly<Record<string, unknown>>, names: readonly RegExp[]) =>
  names
    .flatMap((name) => Object.entries(record).flatMap(([key, value]) => (name.test(key) ? [value] : [])))
    .find((value) => typeof value === 'string' && value !== '') as string | undefined
