/** What a 200 establishes: the facts with which every later answer about the thing must agree. */
import type { OperationId } from '../contract/index.js'
import { ownMarks } from './callers.js'
import { attributesGiven, namesOthers } from './conditions.js'
import { folded, isObject, same } from './json.js'
import { isAddress } from './names.js'
import { aspects, type Kind } from './operations.js'
import { membersOf, partOf, type Request } from './request.js'
import { type Fact, groupOf, knownValue, type Thing, type Way } from './things.js'
import { keptAs } from './values.js'
import type { World } from './world.js'

/** Whatever the tracker makes of an attribute. */
const ANY = Symbol('any value')
type Given = readonly [name: string, value: unknown, way?: Way | undefined]
type Members = Readonly<Record<string, unknown>>

interface Effect {
  /** The thing that a creation makes. */
  readonly makes?: readonly [kind: Kind, name: string]
  readonly facts?: readonly Given[]
  readonly way?: Way
  readonly ends?: true
  /** The new name; absent where the request gives none. */
  readonly renames?: unknown
  does?(world: World): void
}

const attributes: Partial<Record<Thing['kind'], readonly string[]>> = {
  user: [
    ...['username', 'email', 'realname', 'access_level', 'enabled', 'protected', 'language', 'timezone'],
    'client_preferred',
  ],
  field: ['name', 'type', 'possible_values', 'default_value', 'display_report', 'display_update'],
  plugin: ['protected', 'priority'],
}
/** Of these a tracker has a list; it may take something else for what does not stand there. */
const chosen = new Set(['language', 'timezone', 'type', 'access_level'])
/** Members of a user that may be self-service settings too. */
const personal = ['language', 'timezone', 'client_preferred']
const unique = new Set(['username', 'email', 'realname', 'name'])

const given = (kind: Kind, part: Members): Given[] =>
  (attributes[kind] ?? []).filter((name) => Object.hasOwn(part, name)).map((name) => [name, part[name]])
const notGiven = (kind: Kind, part: Members): Given[] =>
  (attributes[kind] ?? []).filter((name) => !Object.hasOwn(part, name)).map((name) => [name, ANY])
const anyOf = (names: readonly string[] = []): Given[] => names.map((name) => [name, ANY])
/** Those of a list of several, or of none, teach no place. */
const links = (ids: readonly string[], value: (id: string) => unknown, listed?: unknown): Given[] => {
  const way = Array.isArray(listed) && listed.length !== 1 ? 'several' : undefined
  return ids.map((id) => [`project:${id}`, value(id), way])
}
const areKnown = (ids: unknown, { projects }: World): ids is string[] =>
  Array.isArray(ids) && ids.every((id) => projects.includes(id))

type Rule = (request: Request, world: World) => Effect | undefined

const rules: Partial<Record<OperationId, Rule>> = {
  createUser(request) {
    const body = membersOf(request)
    if (typeof body.username !== 'string') return undefined
    return { makes: ['user', body.username], facts: given('user', body), way: 'creation' }
  },
  updateUser(request) {
    const body = membersOf(request)
    return {
      ...{ facts: given('user', body), way: 'change' as const, ...renamed('username', body) },
      does(world) {
        if (body.password !== undefined && mayBePasswordAccount(request.subject, world))
          world.password = undefined
      },
    }
  },
  addUserToProjects(request, world) {
    const { project_ids: ids } = membersOf(request)
    if (!areKnown(ids, world)) return { facts: links(world.projects, () => ANY) }
    return { facts: links(ids, () => true, ids), way: 'change' }
  },
  // The workflow of a reset is not shown: it may enable an account, or lift its protection.
  resetUser: ({ subject }) => ({
    facts: anyOf(['enabled', 'protected']),
    does(world) {
      if (mayBePasswordAccount(subject, world)) world.password = undefined
    },
  }),
  createCustomField(request, world) {
    const part = partOf(request)
    if (!isObject(part) || typeof part.name !== 'string') return undefined
    const { projects = [] } = membersOf(request)
    // "When omitted on create, no additional links are made": the listed ones, and no other.
    const isLinked = (id: string) => (areKnown(projects, world) ? projects.includes(id) : ANY)
    const linked = links(world.projects, isLinked, membersOf(request).projects)
    return { makes: ['field', part.name], facts: [...given('field', part), ...linked], way: 'creation' }
  },
  updateCustomField(request, world) {
    const part = partOf(request)
    if (!isObject(part)) return undefined
    // An update may replace the whole definition, and leave out what it does not name.
    const linked = membersOf(request).projects ? links(world.projects, () => ANY) : []
    const facts = [...notGiven('field', part), ...given('field', part), ...linked]
    return { facts, way: 'change', ...renamed('name', part) }
  },
  deleteCustomField: () => ({ ends: true }),
  deleteHelpdeskRecipient: () => ({ ends: true }),
  installPlugin: ({ subject, address }) => ({
    ...(subject === undefined && address !== undefined ? { makes: ['plugin', address] } : {}),
    ...{ facts: [['installed', true], ...anyOf(attributes.plugin)], way: 'creation' },
  }),
  uninstallPlugin: () => ({ facts: [['installed', false], ...anyOf(attributes.plugin)], way: 'creation' }),
  updatePlugin(request) {
    const body = membersOf(request)
    // A form that lacks a member may say that it is off.
    const isOff = knownValue(request.subject, 'protected') === false
    const rest = notGiven('plugin', body).filter(([name]) => name !== 'protected' || !isOff)
    return { facts: [...rest, ...given('plugin', body)], way: 'change' }
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
        const fact: Fact = { possible: keptAs('columns', columns), given: columns, by: op, n, way: 'change' }
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
      const session = role === 'session' ? world.impersonated[Number(caller.split(':')[1]) - 1] : undefined
      if (session && !mayBePasswordAccount(session, world)) return
      world.password = role === 'password' && typeof password === 'string' ? password : undefined
      world.passwordChanges += 1
    },
  }),
  // It "changes the authenticated user context": who the caller is from now on has to be seen.
  impersonateUser: ({ caller, subject }) => ({
    does({ unsettled, doubted, impersonated, keepsCallers }) {
      impersonated.push(subject)
      if (keepsCallers) return
      unsettled.add(caller)
      doubted.add(caller)
    },
  }),
}

/** Whether a user may be the one whose password the profile promises: nothing that only its account page tells stands there. */
function mayBePasswordAccount(user: Thing | undefined, { ownTexts, sights }: World): boolean {
  if (user?.kind === 'user') return false
  const marks = ownMarks('password', ownTexts)
  const page = sights.findLast(({ thing }) => thing === user)
  const shared = marks.filter((mark) => page?.text.includes(mark))
  return !page || ownTexts.size < 2 || shared.length * 2 >= marks.length
}

const renamed = (name: string, part: Members) => (Object.hasOwn(part, name) ? { renames: part[name] } : {})

/** Everything that may be known of a thing. */
const attributesOf = ({ kind }: Thing, world: World): readonly string[] => [
  ...(attributes[kind] ?? []),
  ...(kind === 'user' || kind === 'field' ? world.projects.map((id) => `project:${id}`) : []),
]

/**
 * `done`: after an allowed 200. `possible`: nobody knows whether it was done. `forbidden`: after a 200 where a refusal
 * was demanded.
 */
export type Certainty = 'done' | 'possible' | 'forbidden'

/** Takes over what a request has done. */
export function take(request: Request, world: World, certainty: Certainty): void {
  const { op, address, kind, body, subject } = request
  if (request.isRead) return
  const { family } = aspects[op]
  const isWithoutBody = family !== undefined && family !== 'settings' && !isObject(body)
  // Nobody knows what a body of another kind was taken for.
  if (subject && isWithoutBody && certainty !== 'possible') {
    world.taint(subject, attributesOf(subject, world), request)
    return
  }
  const effect = isWithoutBody ? undefined : rules[op]?.(request, world)
  if (kind && !subject && certainty === 'done') loosen(kind, address, request, world)
  const thing = effect?.makes ? made(effect.makes, request, world, certainty) : subject
  if (thing) change(thing, effect, request, world, certainty)
  if (!thing || certainty !== 'forbidden') effect?.does?.(world)
}

function change(
  thing: Thing,
  effect: Effect | undefined,
  request: Request,
  world: World,
  certainty: Certainty,
): void {
  thing.log.push(request.n)
  world.lastChanged.set(groupOf(thing), thing)
  count(thing, request.op)
  if (request.op === 'updateUser' && certainty === 'done') thing.lastUpdate = request.n
  if (certainty === 'forbidden') {
    world.taint(thing, attributesOf(thing, world), request)
    return
  }
  const part = partOf(request)
  if (!effect?.makes && isObject(part)) for (const name of Object.keys(part)) count(thing, name)
  const isOne = thing.kind === 'field' || attributesGiven(request).length < 2
  const way = effect?.way === 'change' && !isOne ? 'together' : effect?.way
  for (const [name, value, own = way] of effect?.facts ?? [])
    settle(thing, [name, value, own], request, world, certainty)
  if (effect?.ends) end(thing, request, certainty)
  if (effect && 'renames' in effect) rename(thing, effect.renames, request, world, certainty)
}

const count = ({ changes }: Thing, what: string) => void changes.set(what, (changes.get(what) ?? 0) + 1)

function settle(
  thing: Thing,
  [name, value, way]: Given,
  { op, n, isUnusual, isConcurrent }: Request,
  world: World,
  certainty: Certainty,
): void {
  if (unique.has(name)) world.take(value)
  const isOpen =
    value === ANY ||
    isUnusual ||
    (chosen.has(name) && !world.offered.has(value)) ||
    isTooLong(name, value, world)
  const possible = isOpen ? null : keptAs(name, value)
  // A request that changes nothing establishes nothing: a fault would unteach its own place.
  if (possible !== null && same(thing.facts.get(name)?.possible, possible)) return
  const about: Fact = {
    ...{ possible, by: op, n },
    ...(value === ANY ? {} : { given: value }),
    ...(way && { way }),
  }
  if (certainty === 'done' && !isConcurrent) world.establish(thing, name, about)
  else world.fork(thing, name, about)
}

/** A tracker may cut a name to its limit. */
const isTooLong = (name: string, value: unknown, { knowledge: { customField } }: World): boolean =>
  name === 'name' && typeof value === 'string' && value.length > (customField?.nameLimit ?? 32)

/** An id that no answer has told may be that of any thing whose id is not known, and a spelling that of a like name. */
function loosen(kind: Kind, address: string | undefined, request: Request, world: World): void {
  const mayBe = (one: Thing) =>
    /^\d/.test(address ?? '') ? one.id === undefined : folded(one.name) === folded(address)
  for (const one of world.of(kind))
    if (!one.isGone && mayBe(one)) world.taint(one, attributesOf(one, world), request)
}

function made(
  [kind, name]: readonly [Kind, string],
  { n, answer }: Request,
  world: World,
  certainty: Certainty,
): Thing {
  const isSure = certainty === 'done' && (kind !== 'user' || isAddress(name))
  if (kind === 'user') world.lastUser = n
  const fields = world.of('field').filter(({ isGone, born }) => !isGone && born > 0)
  if (kind === 'field') world.roomForFields = Math.max(world.roomForFields, fields.length)
  if (isSure) world.absent.delete(`${kind} ${name}`)
  return world.add(kind, name, {
    isUnsure: !isSure,
    born: n,
    ...(kind === 'field' ? { created: answer } : {}),
  })
}

function end(thing: Thing, { n }: Request, certainty: Certainty): void {
  if (certainty === 'done') Object.assign(thing, { isGone: true, ended: n })
  else thing.isUnsure = true
}

function rename(thing: Thing, name: unknown, { op, n }: Request, world: World, certainty: Certainty): void {
  if (name === thing.name) return
  if (typeof name === 'string' && name.length > 3) thing.names.add(name)
  const isAddressing = typeof name === 'string' && (thing.kind !== 'user' || isAddress(name))
  if (certainty !== 'done' || !isAddressing) {
    thing.isUnsure = true
    return
  }
  if (thing.kind === 'user') world.absent.set(`user ${thing.name}`, { op, n })
  thing.name = name
  world.absent.delete(`${thing.kind} ${name}`)
}
