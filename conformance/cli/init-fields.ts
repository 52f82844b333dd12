/** Tests the user and the further tokens of a profile by GET requests, and finds values that pages offer for other fields. */
import type { Answer } from '../client/call.js'
import type { Client } from '../client/client.js'
import { below, columnLists, flagIn, idOf, isObject, values } from '../client/look.js'
import type { OperationId, Profile } from '../contract/index.js'
import { UsageError } from '../contract/trouble.js'
import type { Draft } from './init-set.js'
import { type Tester, testOther, withClient } from './init-target.js'

/** The id or the username of the user was not given, and no answer shows it. */
export class MissingForm extends UsageError {
  constructor(
    message: string,
    readonly missing: 'id' | 'username',
  ) {
    super(message)
  }
}

/** Tests the user under its id, its username, or both. An absent one is taken from the answer. */
export function testUser(draft: Draft, tester: Tester) {
  return withClient(draft, tester, async (client, profile) => {
    const given = draft.user ?? {}
    const asked = new Map<string | number, Answer>()
    for (const form of [given.id, given.username].filter((one) => one !== undefined))
      asked.set(form, await read(client, form))
    const shown = [...asked.values()].map(({ json }) => userIn(json))
    const id = given.id ?? shown[0]?.id
    const username = given.username ?? shown[0]?.username
    if (id === undefined)
      throw new MissingForm(`user ${username} does not show its id; give it too (--user-id)`, 'id')
    if (username === undefined)
      throw new MissingForm(`user ${id} does not show its username; give it too (--username)`, 'username')
    for (const form of [id, username])
      if (!asked.has(form)) {
        const answer = await read(client, form)
        asked.set(form, answer)
        shown.push(userIn(answer.json))
      }
    const ids = new Set(shown.flatMap((user) => user?.id ?? []))
    if (ids.size > 1)
      throw new UsageError(`the id ${id} and the username ${username} are two users; give both of one user`)
    // Some trackers show the flags of a user only on this page.
    const edit = await client.send({ operation: 'getUserEditPage', path: { user_id: id } })
    if ([...asked.values(), edit].some(({ json }) => flagIn(json, 'enabled') === false))
      throw new UsageError(`user ${username} is disabled; give one who is enabled`)
    if ([...asked.values(), edit].some(({ json }) => flagIn(json, 'protected') === true))
      throw new UsageError(`user ${username} is protected; give an ordinary user`)
    const known = await owners(client, profile)
    for (const [token, owner] of known)
      if (owner?.toLowerCase() === username.toLowerCase())
        throw new UsageError(`user ${username} is the owner of tokens.${token}; give another user`)
    const silent = [...known].filter(([, owner]) => owner === null).map(([token]) => `tokens.${token}`)
    const caution =
      silent.length > 0
        ? `; make sure that it does not own ${silent.join(' or ')}, since no read shows that`
        : ''
    return {
      user: { id, username },
      line: `the tracker finds user ${id} by its id and by its username ${username}${caution}`,
    }
  })
}

async function read(client: Client, form: string | number): Promise<Answer> {
  const path = { user_id: form }
  const user = await client.send({ operation: 'getUser', path })
  const answer = user.status === 501 ? await client.send({ operation: 'getUserEditPage', path }) : user
  if (answer.status === 404) throw new UsageError(`there is no user ${form} (404); give one who exists`)
  if (answer.status !== 200)
    throw new UsageError(
      `a read of user ${form} answers ${answer.status}, where 200 is due; give another user`,
    )
  return answer
}

/** Names of members, the likeliest first; `name` alone may be a display name. */
const nameKeys = [/^user_?name$/i, /^login(_?name)?$/i, /^name$/i]

/** The id and name from the outermost record that could be a user. */
function userIn(json: unknown): { id: number; username: string | undefined } | undefined {
  for (const value of values(json)) {
    const id = isObject(value) ? idOf(value, 'user') : null
    if (!isObject(value) || id === null) continue
    const names = Object.entries(value).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
    )
    const name = nameKeys
      .map((key) => names.find(([own]) => key.test(own))?.[1])
      .find((one) => one !== undefined)
    return { id, username: name }
  }
  return undefined
}

async function owners(client: Client, profile: Profile) {
  const found = new Map<string, string | null>()
  for (const identity of ['administrator', 'restricted', 'password'] as const)
    if (profile.tokens[identity]) found.set(identity, await client.guard.nameOf(identity))
  return found
}

/** The types on a page: values below a member such as `types`, and the names of a map. */
function* typesOn(json: unknown): Generator<string> {
  yield* below(json, /types$/i)
  for (const value of values(json))
    if (isObject(value))
      for (const [key, member] of Object.entries(value))
        if (/types$/i.test(key) && isObject(member)) yield* Object.keys(member)
}

interface Place {
  readonly operation: OperationId
  /** The values of the field on the page. */
  readonly shown: (json: unknown) => Iterable<string>
}

const under = (operation: OperationId, name: RegExp): Place => ({
  operation,
  shown: (json) => below(json, name),
})

const pluginKeys = [/^base_?name$/i, /^(plugin_?)?name$/i]

/** The plugins that a list shows as not installed, by the name for the path. A disabled plugin is not among them. */
function* availablePlugins(json: unknown): Generator<string> {
  for (const record of values(json)) {
    if (!isObject(record) || record.installed !== false) continue
    const named = pluginKeys
      .map((key) => Object.keys(record).find((own) => key.test(own)))
      .find((key) => key !== undefined)
    if (named !== undefined) yield String(record[named])
  }
}

/** Lists of columns, each as a body with the project and type of the record that contains it. */
function* columnBodies(json: unknown): Generator<string> {
  for (const record of values(json)) {
    if (!isObject(record)) continue
    const { project, type, columns } = record
    if (columnLists({ columns }).length > 0) yield JSON.stringify({ project, type, columns })
  }
}

/** The pages that show possible values of a field. */
const places: Readonly<Record<string, Place>> = {
  projects: under('getCustomFieldCreatePage', /^projects?$/i),
  projectAccessLevel: under('getUserCreatePage', /level/i),
  accessLevel: under('getUserCreatePage', /level/i),
  'customField.nameLimit': under('getCustomFieldCreatePage', /limit|max/i),
  'customField.type': { operation: 'getCustomFieldCreatePage', shown: typesOn },
  'plugin.name': { operation: 'listPlugins', shown: availablePlugins },
  // The list cannot come from manageColumns: a tracker may save an empty list if the request has none.
  columns: { operation: 'getUserSettingsPage', shown: columnBodies },
}

/** One line on the possible values of the field that a page shows; null if no page shows any. */
export async function offered(path: string, draft: Draft, tester: Tester): Promise<string | null> {
  const place = Object.hasOwn(places, path) ? places[path] : undefined
  if (!place) return null
  return withClient(draft, tester, async (client) => {
    const { status, json } = await client.send({ operation: place.operation })
    const shown = status === 200 ? listed(place.shown(json)) : ''
    const choice = `choose what a run may use (--set ${path}=…)`
    return shown === '' ? null : `${place.operation} shows for ${path}: ${shown}; ${choice}`
  })
}

const MOST = 20

/** The first values, without repetition. */
const listed = (shown: Iterable<string>) => [...new Set(shown)].slice(0, MOST).join(', ')

/** Tests the token of another account; null where no read tests it. `check` tries every other field before it uses it. */
export async function testToken(path: string, draft: Draft, tester: Tester): Promise<string | null> {
  if (path !== 'tokens.password' && path !== 'tokens.disabled') return null
  return withClient(draft, tester, async (client, profile) => {
    if (path === 'tokens.password') {
      await testOther(client, profile, 'password')
      return 'the token tokens.password reads its account page, as it must'
    }
    if (draft.notImplemented?.includes('getAccountPage')) return null
    const { status } = await client.send({ operation: 'getAccountPage', as: 'disabled' })
    if (status !== 200) return `the token tokens.disabled is refused: ${status}`
    throw new UsageError('the token tokens.disabled reads its account page; is its user disabled?')
  })
}
