/** The state of a tracker before its trace, as far as trace and profile show it, so that an emulator can start from it. */

import { idAround, values } from '../../client/look.js'
import { SUCCESS } from '../../contract/index.js'
import { ownPages } from '../../oracle/callers.js'
import { folded, isObject, type JsonObject, scalars } from '../../oracle/json.js'
import type { Knowledge } from '../../oracle/knowledge.js'
import { leavesOf } from '../../oracle/leaves.js'
import { isId } from '../../oracle/names.js'
import { isText, type Place } from '../../oracle/places.js'
import { isServed, membersOf, type Request } from '../../oracle/request.js'
import type { World } from '../../oracle/world.js'
import { callersOf, type Reveal } from './recorded.js'

export type Shown = Readonly<Record<string, unknown>>

/** A user that existed before the trace. */
export interface Person {
  /** The label under which this user sends requests; null for a user that only others ask about. */
  readonly label: string | null
  readonly id: number | null
  readonly username: string | null
  readonly isAdministrator: boolean
  readonly isEnabled: boolean
  /** What a page shows of each attribute; values at unknown places are stored under the names of their members. */
  readonly record: Shown
  /** An error in the language of the account, where an answer had one. */
  readonly localized?: string
  readonly password?: string
}

export interface Mirror {
  readonly ext: string
  /** The time of the first exchange, in ISO 8601. */
  readonly now: string
  readonly people: readonly Person[]
  /** The records in the list of fields, and the ids of fields that the trace knows otherwise. */
  readonly fields: readonly Shown[]
  readonly fieldIds: readonly number[]
  /** The records in the list of plugins, and the names of plugins that existed but were not installed. */
  readonly plugins: readonly Shown[]
  readonly available: readonly string[]
  readonly recipients: readonly number[]
  readonly projects: readonly string[]
  readonly settings: readonly unknown[]
}

export interface Told {
  readonly world: World
  readonly places: readonly Place[]
  readonly knowledge: Knowledge
  readonly reveal: Reveal
}

export function mirrorOf(told: Told): Mirror {
  const { world, knowledge } = told
  const { requests } = world
  const { customField, plugin, recipients = [] } = knowledge
  const served = (op: Request['op']) => requests.filter((one) => one.op === op && one.status === SUCCESS)
  const listed = (op: Request['op']) =>
    recordsIn(requests.find((one) => one.op === op && isServed(one))?.answer)
  const isMade = (record: Shown) => {
    const texts = new Set(scalars(record).map(folded))
    return world.of('field').some(({ born, name }) => born > 0 && name !== '' && texts.has(folded(name)))
  }
  const plugins = listed('listPlugins')
  const isListed = (name: string) => plugins.some((one) => scalars(one).includes(name))
  const installed = requests.flatMap((one) => {
    const isFirst = one.op === 'installPlugin' && one.status === SUCCESS
    return isFirst && one.address !== undefined && !isListed(one.address) ? [one.address] : []
  })
  const ids = world
    .of('field')
    .flatMap(({ born, id }) => (born === 0 && id !== undefined ? [Number(id)] : []))
  const start = requests[0]?.exchange.startedAt
  return {
    ext: knowledge.ext ?? 'Ext',
    now: new Date(start ?? Date.UTC(2026, 0, 1)).toISOString().replace(/\.\d+Z$/, 'Z'),
    people: peopleOf(told),
    fields: listed('listCustomFields').filter((record) => !isMade(record)),
    fieldIds: [...new Set([...(customField?.ids ?? []), ...ids, ...fieldsSeen(requests, world)])],
    plugins,
    available: [...new Set([...(plugin ? [plugin.name] : []), ...installed])],
    recipients: [
      ...new Set([...recipients, ...served('deleteHelpdeskRecipient').map(({ address }) => Number(address))]),
    ].filter((id) => Number.isSafeInteger(id) && id > 0),
    projects: projectsOf(requests, knowledge),
    settings: [
      ...(knowledge.settings ?? []),
      ...served('updateSettings').flatMap(({ body }) => (Array.isArray(body) ? body : [])),
    ],
  }
}

/** The ids of fields that were found by their id and that the trace has not created. */
function fieldsSeen(requests: readonly Request[], world: World): number[] {
  const made = new Set(
    world.of('field').flatMap(({ born, id, candidates }) => (born > 0 ? [id, ...candidates] : [])),
  )
  return requests
    .filter(({ kind, status, address }) => kind === 'field' && status === SUCCESS && !made.has(address))
    .map(({ address }) => Number(address))
    .filter((id) => Number.isSafeInteger(id) && id > 0)
}

function projectsOf(requests: readonly Request[], { projects = [], columns }: Knowledge): string[] {
  const found = new Set<string>(projects)
  const add = (id: unknown) => {
    if (typeof id === 'string' || typeof id === 'number') found.add(String(id))
  }
  const addOf = (project: unknown) => add(isObject(project) ? project.id : project)
  addOf(columns?.project)
  for (const request of requests) {
    // A refusal for a missing permission does not show whether the projects exist.
    if (request.status !== SUCCESS && request.status !== 403) continue
    const { project_ids: ids, projects: listed, project } = membersOf(request)
    for (const list of [ids, listed]) if (Array.isArray(list)) list.forEach(add)
    addOf(project)
  }
  // A request may have sent 0, which is no id.
  found.delete('0')
  return found.size === 0 ? ['1', '2'] : [...found]
}

/** Callers with their own credentials, the user of the profile, and others that existed when a request named them. */
function peopleOf(told: Told): Person[] {
  const { world, knowledge } = told
  const { requests } = world
  const callerOf = callersOf(requests)
  const labels = new Set(knowledge.callers)
  for (const request of requests) {
    const caller = callerOf(request)
    if (caller !== null && /^(somebody|unknown|administrator|restricted|password|disabled)\b/.test(caller))
      labels.add(caller)
  }
  const callers = [...labels].map((label) => callerFrom(label, told))
  return [...callers, ...strangersIn(told, callers)]
}

/** Users that existed when a request named them, and that the trace has not created. */
function strangersIn(told: Told, callers: readonly Person[]): Person[] {
  const { world, knowledge } = told
  const found: (Person & { readonly text?: string })[] = []
  const isKnown = (address: string) =>
    [...callers, ...found].some(({ username, id }) => username === address || String(id) === address) ||
    world.of('user').some(({ names, id }) => names.has(address) || id === address)
  const add = (username: string | null, id: number | null, text = '') =>
    found.push({
      ...{ label: null, id, username, isAdministrator: false, isEnabled: true, text },
      record: username === null ? {} : recordOf(username, told),
    })
  const { user } = knowledge
  if (user && !isKnown(user.username)) add(user.username, user.id)
  for (const { op, address = '', status, answer, exchange } of world.requests) {
    if (op !== 'getUser' && op !== 'getUserEditPage') continue
    if (status !== SUCCESS || address === '' || address === 'me' || isKnown(address)) continue
    const isNumber = isId(address)
    // If the answers for a name and for a number are the same, both belong to one user.
    const same = isNumber ? found.find(({ text, id }) => id === null && text === exchange.text) : undefined
    if (same) Object.assign(same, { id: Number(address) })
    else if (isNumber) add(userIn(answer)?.username ?? null, Number(address))
    else add(address, idAround(answer, address, 'user')?.id ?? null, exchange.text)
  }
  return found
}

function callerFrom(label: string, told: Told): Person {
  const { world, knowledge, reveal } = told
  const { requests } = world
  const callerOf = callersOf(requests)
  const own = requests.filter((one) => callerOf(one) === label)
  const [role = ''] = label.split(':')
  const [page] = [
    ...ownPages(requests, 'getAccountPage'),
    ...own.filter((one) => one.op === 'getAccountPage'),
  ].filter((one) => callerOf(one) === label && isServed(one))
  // An ordinary caller that asks for its own record is refused where the name belongs to another user.
  const refused = own.flatMap(({ op, address, status }) =>
    op === 'getUser' && address !== undefined && status >= 400 ? [address] : [],
  )
  const found = userIn(page?.answer, refused)
  const username = found?.username ?? null
  const refusal = own.find(({ status, answer }) => status === 403 && isObject(answer))?.answer
  const localized = isObject(refusal) ? refusal.localized : undefined
  const isServedAsOne = own.some(({ gate, status }) => gate === 'gated' && status === SUCCESS)
  const password = passwordOf(label, own, knowledge)
  return {
    ...{ label, id: found?.id ?? null, username },
    isAdministrator: role === 'administrator' || (isServedAsOne && /^(somebody|unknown)$/.test(role)),
    isEnabled: role !== 'disabled',
    record: { ...found?.record, ...(username === null ? {} : recordOf(username, told)) },
    ...(typeof localized === 'string' ? { localized } : {}),
    ...(password === undefined ? {} : { password: reveal(password) }),
  }
}

function passwordOf(
  label: string,
  own: readonly Request[],
  { passwordAccount }: Knowledge,
): string | undefined {
  if (label === 'password' && passwordAccount) return passwordAccount.current
  const [first] = own.filter(({ op, status }) => op === 'changeOwnPassword' && status === SUCCESS)
  const current = first && membersOf(first).password_current
  return typeof current === 'string' ? current : undefined
}

/** What the first page of a user shows of each attribute whose place is known. */
function recordOf(username: string, { world, places }: Told): Shown {
  const page = world.requests.find(
    (one) => one.address === username && one.kind === 'user' && one.isRead && isServed(one),
  )
  if (!page) return {}
  const leaves = leavesOf(page.answer, new Set([username]))
  const own = places.filter(({ view, wrong }) => view.split(' ')[0] === page.op && wrong.length === 0)
  const shown = own.flatMap(({ attribute, path, right }): [string, unknown][] => {
    const leaf = leaves.get(path)
    if (leaf === undefined) return []
    if (isText(attribute)) return [[attribute, leaf]]
    const same = right.find((sight) => JSON.stringify(sight.leaves.get(path)) === JSON.stringify(leaf))
    const value = same?.facts.get(attribute)?.possible?.[0]
    return value === undefined ? [] : [[attribute, value]]
  })
  const { record } = userIn(page.answer) ?? { record: {} }
  return { ...record, ...Object.fromEntries(shown) }
}

/** Projects and levels have names as well, so the keys that only a user has come first. */
const nameKeys = [/^(user_?name|login(_?name)?)$/i, /^name$/i]

/** The first record with a user's name, and the id and name of that user; null where there is none. */
function userIn(
  json: unknown,
  not: readonly string[] = [],
): { id: number | null; username: string; record: JsonObject } | null {
  for (const nameKey of nameKeys)
    for (const value of values(json)) {
      if (!isObject(value)) continue
      const named = Object.entries(value).find(([key, name]) => nameKey.test(key) && typeof name === 'string')
      if (!named || not.includes(String(named[1]))) continue
      const username = String(named[1])
      return { id: idAround(json, username, 'user')?.id ?? null, username, record: value }
    }
  return null
}

/** The objects of the list that has most of them. */
function recordsIn(json: unknown): JsonObject[] {
  let best: JsonObject[] = []
  for (const value of values(json)) {
    if (!Array.isArray(value)) continue
    const records = value.filter(isObject)
    if (records.length > best.length) best = records
  }
  return best
}
