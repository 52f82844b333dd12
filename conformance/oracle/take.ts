/** Records in the world what a request has done, as far as it is known, and what a refusal shows. */
import { attributesGiven, isUnknownCaller, namesOthers } from './conditions.js'
import { ANY, attributes, type Effect, type Given, isChosen, rules } from './effects.js'
import { folded, isObject, same } from './json.js'
import { isAddress } from './names.js'
import { aspects, type Kind } from './operations.js'
import { membersOf, partOf, type Request } from './request.js'
import { type Fact, groupOf, type Thing } from './things.js'
import { keptAs, unique } from './values.js'
import { shows, stranger } from './views.js'
import type { World } from './world.js'

/** Everything that may be known of a thing. */
const attributesOf = ({ kind }: Thing, world: World): readonly string[] => [
  ...(attributes[kind === 'known' ? 'user' : kind] ?? []),
  ...(/^(user|known|field)$/.test(kind) ? world.projects.map((id) => `project:${id}`) : []),
]

/**
 * `done`: after an allowed 200. `possible`: nobody knows whether it was done. `forbidden`: after a 200 where a refusal
 * was demanded.
 */
export type Certainty = 'done' | 'possible' | 'forbidden'

type Taken = Readonly<{ request: Request; world: World; certainty: Certainty }>

/** Takes over what a request has done. */
export function take(request: Request, world: World, certainty: Certainty): void {
  const taken = { request, world, certainty }
  const { op, address, kind, body } = request
  if (request.isRead) return
  // A tracker may give the id of a deleted thing again.
  const isUnknown = !request.subject || request.subject.isGone
  if (kind && isUnknown && certainty !== 'forbidden') loosen(kind, address, request, world)
  if (certainty === 'done') request.subject ??= stranger(request, world)
  const { subject } = request
  const { family } = aspects[op]
  const isWithoutBody = family !== undefined && family !== 'settings' && !isObject(body)
  // A tracker may read a body of another kind in any way.
  if (subject && isWithoutBody && certainty !== 'possible') {
    world.taint(subject, attributesOf(subject, world), request)
    return
  }
  const effect = isWithoutBody ? undefined : rules[op]?.(request, world)
  const thing = effect?.makes ? made(effect.makes, taken) : subject
  if (thing) change(thing, effect, taken)
  // No answer has shown the field, and it is gone now.
  else if (kind === 'field' && effect?.ends && certainty === 'done')
    world.absent.set(`${kind} ${address}`, { n: request.n })
  // A user whom the trace does not know has this name now.
  else if (kind && effect?.renames !== undefined) forgetAbsence(kind, effect.renames, world)
  if (!thing || certainty !== 'forbidden') effect?.does?.(world)
}

function change(thing: Thing, effect: Effect | undefined, taken: Taken): void {
  const { request, world, certainty } = taken
  thing.log.push(request.n)
  world.lastChanged.set(groupOf(thing), thing)
  count(thing, request.op)
  if (certainty === 'forbidden') {
    // Of two users with one name, an answer may show either.
    const name = effect?.makes?.[1] ?? effect?.renames
    const isTainted = (one: Thing) =>
      one === thing || (name !== undefined && one.name === name && groupOf(one) === groupOf(thing))
    for (const one of world.things.filter(isTainted)) world.taint(one, attributesOf(one, world), request)
    return
  }
  if (!effect?.makes) for (const name of Object.keys(partOf(request) ?? {})) count(thing, name)
  const isOne = thing.kind === 'field' || attributesGiven(request).length < 2
  const way = effect?.way === 'change' && !isOne ? 'together' : effect?.way
  for (const [name, value, own = way] of effect?.facts ?? []) settle(thing, [name, value, own], taken)
  if (effect?.ends)
    Object.assign(thing, certainty === 'done' ? { isGone: true, ended: request.n } : { isUnsure: true })
  if (effect && 'renames' in effect) rename(thing, effect.renames, taken)
}

const count = ({ changes }: Thing, what: string) => void changes.set(what, (changes.get(what) ?? 0) + 1)

function settle(thing: Thing, [name, value, way]: Given, { request, world, certainty }: Taken): void {
  const { op, n, isUnusual, isConcurrent } = request
  if (unique.has(name)) world.taken.add(folded(value))
  // A tracker may cut a name to its limit.
  const { nameLimit = 32 } = world.knowledge.customField ?? {}
  const isTooLong = name === 'name' && typeof value === 'string' && value.length > nameLimit
  const isReplaced = isChosen(name) && !world.offered.has(value)
  const isOpen = value === ANY || isUnusual || isReplaced || isTooLong
  const possible = isOpen ? null : keptAs(name, value)
  // A request that changes nothing establishes nothing; otherwise a fault would unteach its own place.
  const before = thing.facts.get(name)
  if (possible !== null && same(before?.possible, possible)) return
  const about: Fact = {
    ...{ possible, by: op, n, earlier: [...(before?.earlier ?? []), ...(before?.possible ?? [])] },
    ...(value === ANY ? {} : { given: value }),
    ...(way && { way }),
  }
  if (certainty === 'done' && !isConcurrent) world.establish(thing, name, about)
  else world.fork(thing, name, about)
}

/**
 * An unknown id may be that of any thing without a known id. Another spelling may be that of a similar name, and a tracker
 * may find a user by any text that it shows.
 */
function loosen(kind: Kind, address = '', request: Request, world: World): void {
  const has = (one: Thing) => [...one.facts.values()].some(({ possible }) => possible?.includes(address))
  const mayBe = (one: Thing) =>
    /^\d/.test(address)
      ? one.id === undefined || Number(one.id) === Number(address)
      : folded(one.name) === folded(address) || (kind === 'user' && (has(one) || shows(one, address, world)))
  for (const one of world.things)
    if (groupOf(one) === kind && !one.isGone && mayBe(one))
      world.taint(one, attributesOf(one, world), request)
}

function made([kind, name]: readonly [Kind, string], { request, world, certainty }: Taken): Thing {
  // A tracker may store capitals as small letters; a page shows under which name the user is found.
  const isSure = certainty === 'done' && (kind !== 'user' || (isAddress(name) && name === name.toLowerCase()))
  forgetAbsence(kind, name, world)
  return world.add(kind, name, { isUnsure: !isSure, born: request.n })
}

/** A tracker may find a name in another spelling, too. */
function forgetAbsence(kind: string, name: unknown, { absent }: World): void {
  for (const key of absent.keys()) if (folded(key) === folded(`${kind} ${name}`)) absent.delete(key)
}

function rename(thing: Thing, name: unknown, { request, world, certainty }: Taken): void {
  const { op, n, isConcurrent } = request
  if (name === thing.name) return
  // However unusual a name is, it may belong to the thing now.
  forgetAbsence(groupOf(thing), name, world)
  if (typeof name === 'string' && name.length > 3) thing.names.add(name)
  const isAddressing = typeof name === 'string' && (thing.kind !== 'user' || isAddress(name))
  if (certainty !== 'done' || !isAddressing || isConcurrent) {
    thing.isUnsure = true
    return
  }
  if (thing.kind === 'user') world.absent.set(`user ${thing.name}`, { op, n })
  thing.name = name
}

/** Takes over what a refusal shows: a refused creation has made no user, and a read with 404 shows an absence. */
export function refuse(request: Request, world: World): void {
  const { username, password_current: current, configs, project_ids: ids } = membersOf(request)
  // A tracker may apply a list up to its wrong element, and store a definition before it checks the projects.
  const hasLong = [configs, ids].some((list) => Array.isArray(list) && list.length > 1)
  const isInPart = request.op === 'updateCustomField' ? namesOthers(request, world) : hasLong
  if (isInPart) take(request, world, 'possible')
  const { op, n, status, subject, address, isRead, role, kind } = request
  const isWrong = typeof current === 'string' && current !== world.password
  if (op === 'changeOwnPassword' && role === 'password' && isWrong) world.wrongPasswords += 1
  // Who did not find a thing has not changed it.
  if (subject && !isRead && status !== 404) {
    subject.log.push(n)
    const [given, ...more] = attributesGiven(request)
    if (given && more.length === 0) subject.refused.set(given[0], { n, value: given[1] })
  }
  const isFree = (name: string) =>
    world.absent.has(`user ${name}`) &&
    !world.of('user').some((one) => [...one.names].some((other) => folded(other) === folded(name)))
  if (op === 'createUser' && typeof username === 'string' && isFree(username))
    world.absent.set(`user ${username}`, { op, n, isRefused: true })
  const key = `${kind} ${address}`
  // If the user exists afterwards, this request has created it.
  if (status === 404 && !isRead && world.absent.has(key)) world.absent.set(key, { n, op, isTried: true })
  const isOfField = kind === 'field' && membersOf(request).projects === undefined
  const isTelling = isRead || op === 'installPlugin' || isOfField
  const isSure = role === 'administrator' && !isUnknownCaller(request, world)
  if (status === 404 && isTelling && isSure && kind && !subject && address !== undefined)
    world.absent.set(key, { n })
}
