/** What a 200 establishes: the facts with which every later answer about the thing must agree. */
import type { OperationId } from '../contract/index.js'
import { ownMarks, people } from './callers.js'
import { isSeenOutside, namesOthers } from './conditions.js'
import { isObject } from './json.js'
import { isPlainName } from './names.js'
import type { Kind } from './operations.js'
import { membersOf, partOf, type Request } from './request.js'
import { type Fact, knownValue, type Thing, type Way } from './things.js'
import { keptAs, unique } from './values.js'
import type { World } from './world.js'

/** Stands for any value: the tracker decides it. */
export const ANY = Symbol('any value')
export type Given = readonly [name: string, value: unknown, way?: Way | undefined]
type Members = Readonly<Record<string, unknown>>

export interface Effect {
  /** The thing that a creation makes. */
  readonly makes?: readonly [kind: Kind, name: string]
  readonly facts?: readonly Given[]
  readonly way?: Way
  readonly ends?: true
  /** The new name; absent where the request gives none. */
  readonly renames?: unknown
  does?(world: World): void
}

export const attributes: Partial<Record<Thing['kind'], readonly string[]>> = {
  user: [
    ...['username', 'email', 'realname', 'access_level', 'enabled', 'protected', 'language', 'timezone'],
    'client_preferred',
  ],
  field: ['name', 'type', 'possible_values', 'default_value', 'display_report', 'display_update'],
  plugin: ['protected', 'priority'],
}
/** Members whose values come from a list of the tracker. It may replace a value that is not in the list. */
export const isChosen = (name: string): boolean =>
  /^(language|timezone|type|access_level|level:.+)$/.test(name)
/** Members of a user that may be self-service settings too. */
const personal = ['language', 'timezone', 'client_preferred']

/** Every attribute after an update that may leave out what the body does not name. */
const whole = (kind: Kind, part: Members): Given[] =>
  (attributes[kind] ?? []).map((name) => [name, Object.hasOwn(part, name) ? part[name] : ANY])
const given = (kind: Kind, part: Members): Given[] => whole(kind, part).filter(([, value]) => value !== ANY)
const anyOf = (names: readonly string[] = []): Given[] => names.map((name) => [name, ANY])
/** Lists of several projects, or of none, teach apart from those of one. */
const links = (ids: readonly string[], value: (id: string) => unknown, listed?: unknown): Given[] => {
  const way = Array.isArray(listed) && listed.length !== 1 ? 'several' : undefined
  return ids.map((id) => [`project:${id}`, value(id), way])
}
const areKnown = (ids: unknown, { projects }: World): ids is string[] =>
  Array.isArray(ids) && ids.every((id) => projects.includes(id))

type Rule = (request: Request, world: World) => Effect | undefined

export const rules: Partial<Record<OperationId, Rule>> = {
  createUser(request) {
    const body = membersOf(request)
    if (typeof body.username !== 'string') return undefined
    return { makes: ['user', body.username], facts: given('user', body), way: 'creation' }
  },
  updateUser(request) {
    const { subject } = request
    const body = membersOf(request)
    // Section 3 does not show what else changes: a disabled user may lose all but its names and its address.
    const isKept = (name: string) => name === 'enabled' || unique.has(name)
    // A level in a project may depend on that of the user.
    const isBound = (name: string) => name.startsWith('level:') && body.access_level !== undefined
    const known = [...(subject?.facts.keys() ?? [])]
    const lost = known.filter((name) => (body.enabled === false ? !isKept(name) : isBound(name)))
    const facts = [...anyOf(lost), ...given('user', body)]
    return {
      ...{ facts, way: 'change' as const, ...renamed('username', body) },
      does(world) {
        if (body.password !== undefined && mayBePasswordAccount(subject, world)) world.password = undefined
        if (body.access_level !== undefined || body.enabled !== undefined) doubt(request, world)
        // A tracker may blank what tells who a disabled user is.
        for (const name of body.enabled === false ? ['email', 'realname'] : [])
          if (subject?.facts.get(name)?.possible && !Object.hasOwn(body, name))
            world.fork(subject, name, { possible: [''], by: request.op, n: request.n })
      },
    }
  },
  addUserToProjects(request, world) {
    const { project_ids: ids, access_level } = membersOf(request)
    if (!areKnown(ids, world)) return { facts: links(world.projects, () => ANY) }
    // Who is a member already may keep the level.
    const level = isSeenOutside(request, world) ? access_level : ANY
    const levels = ids.map((id): Given => [`level:${id}`, level])
    return { facts: [...links(ids, () => true, ids), ...levels], way: 'change' }
  },
  // The document does not show what a reset changes: it may enable an account, lift its protection, or end memberships.
  resetUser: ({ subject }) => ({
    facts: anyOf(
      [...(subject?.facts.keys() ?? [])]
        .filter((one) => /^(project|level):/.test(one))
        .concat(['enabled', 'protected', ...personal]),
    ),
    does(world) {
      if (mayBePasswordAccount(subject, world)) world.password = undefined
    },
  }),
  createCustomField(request, world) {
    const part = partOf(request)
    if (typeof part?.name !== 'string') return undefined
    const { projects = [] } = membersOf(request)
    // "When omitted on create, no additional links are made": the listed ones, and no other.
    const isLinked = (id: string) => (areKnown(projects, world) ? projects.includes(id) : ANY)
    const linked = links(world.projects, isLinked, membersOf(request).projects)
    return { makes: ['field', part.name], facts: [...given('field', part), ...linked], way: 'creation' }
  },
  updateCustomField(request, world) {
    const part = partOf(request)
    if (!part) return undefined
    const { projects } = membersOf(request)
    // An update may add links to the earlier ones, or replace them.
    const isLinked = (id: string) => (areKnown(projects, world) && projects.includes(id) ? true : ANY)
    const linked = projects ? links(world.projects, isLinked, projects) : []
    // An update may replace the whole definition, and leave out what it does not name.
    return { facts: [...whole('field', part), ...linked], way: 'change', ...renamed('name', part) }
  },
  deleteCustomField: () => ({ ends: true }),
  deleteHelpdeskRecipient: () => ({ ends: true }),
  installPlugin: ({ subject, address }) => ({
    ...(subject === undefined && address !== undefined ? { makes: ['plugin', address] } : {}),
    ...{ facts: [['installed', true], ...anyOf(attributes.plugin)], way: 'creation' },
  }),
  uninstallPlugin({ subject, address }, { knowledge: { plugin } }) {
    // A tracker may keep a protected plugin.
    const flag = knownValue(subject, 'protected')
    const isFree = flag === false || (flag === undefined && address === plugin?.name)
    return {
      ...(subject === undefined && address !== undefined ? { makes: ['plugin', address] } : {}),
      ...{ facts: [['installed', isFree ? false : ANY], ...anyOf(attributes.plugin)], way: 'creation' },
    }
  },
  updatePlugin(request) {
    // A tracker may read an absent flag as false.
    const isOff = knownValue(request.subject, 'protected') === false
    const isKept = ([name, value]: Given) => name === 'protected' && value === ANY && isOff
    return { facts: whole('plugin', membersOf(request)).filter((one) => !isKept(one)), way: 'change' }
  },
  manageColumns(request, world) {
    const { columns } = membersOf(request)
    const { subject, caller, op, n } = request
    // A tracker may leave out columns that it does not have.
    const isKnown =
      !namesOthers(request, world) && Array.isArray(columns) && new Set(columns).size === columns.length
    return {
      facts: columns === undefined ? [] : [['columns', isKnown ? columns : ANY]],
      way: 'change',
      // The columns of several projects may be one list.
      does() {
        const possible = isKnown ? keptAs('columns', columns) : null
        const fact: Fact = { possible, given: columns, by: op, n, way: 'change' }
        for (const other of world.of('columns'))
          if (other.caller === caller && other !== subject) world.fork(other, 'columns', fact)
      },
    }
  },
  updateUserSettings(request) {
    const { configs } = membersOf(request)
    const settings = Array.isArray(configs) ? configs.filter(isObject) : []
    return {
      facts: settings.map(({ option, value }) => [`option:${option}`, value]),
      way: 'change',
      // A setting may be a member of the caller's own record.
      does(world) {
        for (const one of world.of('known')) world.forget(one, personal, request)
      },
    }
  },
  changeOwnPassword: (request) => ({
    does(world) {
      const { password } = membersOf(request)
      const { role, caller } = request
      const session = world.targetOf(caller)
      if (session && !mayBePasswordAccount(session, world)) return
      world.password = role === 'password' && typeof password === 'string' ? password : undefined
      world.passwordChanges += 1
      world.wrongPasswords = 0
    },
  }),
  // It "changes the authenticated user context": a later page has to show who the caller is.
  impersonateUser: ({ caller, subject }) => ({
    does({ unsettled, doubted, impersonated, keepsCallers }) {
      impersonated.push(subject)
      if (keepsCallers) return
      unsettled.add(caller)
      doubted.add(caller)
    },
  }),
}

/** The rights of callers who may be the changed user are not known any more. No token of the profile is that of a new user. */
function doubt({ subject, caller, address = '' }: Request, world: World): void {
  const { served, doubted, changed, ownTexts } = world
  const names = [...(subject?.names ?? [address])]
  const isOld = subject?.kind !== 'user'
  const others = [...served].flatMap((key) => key.split(' ')[1] ?? [])
  const own = [...people, 'disabled', caller]
  for (const one of isOld ? [...own, ...others] : others.filter((other) => !own.includes(other))) {
    const texts = ownTexts.get(one)
    // An account page that names no user, and an unknown id, do not tell whether the caller is the changed user.
    const isNamed = subject !== undefined || isPlainName(address)
    const isAnother = texts && isNamed && world.of('known').some(({ name }) => texts.has(name))
    if (isAnother && !names.some((name) => texts.has(name))) continue
    doubted.add(one)
    changed.add(one)
  }
}

/** Whether a user may be the password account of the profile. Its page then shows the marks of the account page. */
function mayBePasswordAccount(user: Thing | undefined, { ownTexts, sights }: World): boolean {
  if (user?.kind === 'user') return false
  const marks = ownMarks('password', ownTexts)
  const page = sights.findLast(({ thing }) => thing === user)
  const shared = marks.filter((mark) => page?.text.includes(mark))
  return !page || ownTexts.size < 2 || shared.length * 2 >= marks.length
}

const renamed = (name: string, part: Members) => (Object.hasOwn(part, name) ? { renames: part[name] } : {})
