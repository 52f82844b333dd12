/** Records the effect of a request in the world, as far as it is known. */
import { attributesGiven } from './conditions.js'
import { ANY, attributes, type Effect, type Given, isChosen, rules } from './effects.js'
import { folded, isObject, same } from './json.js'
import { isAddress } from './names.js'
import { aspects, type Kind } from './operations.js'
import { partOf, type Request } from './request.js'
import { type Fact, groupOf, type Thing } from './things.js'
import { keptAs, unique } from './values.js'
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

interface Taken {
  readonly request: Request
  readonly world: World
  readonly certainty: Certainty
}

/** Takes over what a request has done. */
export function take(request: Request, world: World, certainty: Certainty): void {
  const taken = { request, world, certainty }
  const { op, address, kind, body, subject } = request
  if (request.isRead) return
  const { family } = aspects[op]
  const isWithoutBody = family !== undefined && family !== 'settings' && !isObject(body)
  // A tracker may read a body of another kind in any way.
  if (subject && isWithoutBody && certainty !== 'possible') {
    world.taint(subject, attributesOf(subject, world), request)
    return
  }
  const effect = isWithoutBody ? undefined : rules[op]?.(request, world)
  if (kind && !subject && certainty === 'done') loosen(kind, address, request, world)
  const thing = effect?.makes ? made(effect.makes, taken) : subject
  if (thing) change(thing, effect, taken)
  if (!thing || certainty !== 'forbidden') effect?.does?.(world)
}

function change(thing: Thing, effect: Effect | undefined, taken: Taken): void {
  const { request, world, certainty } = taken
  thing.log.push(request.n)
  world.lastChanged.set(groupOf(thing), thing)
  count(thing, request.op)
  if (request.op === 'updateUser' && certainty === 'done') thing.lastUpdate = request.n
  if (certainty === 'forbidden') {
    world.taint(thing, attributesOf(thing, world), request)
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
  const isOpen =
    value === ANY ||
    isUnusual ||
    (isChosen(name) && !world.offered.has(value) && !world.offered.has(Number(value))) ||
    isTooLong(name, value, world)
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

/** A tracker may cut a name to its limit. */
const isTooLong = (name: string, value: unknown, { knowledge: { customField } }: World): boolean =>
  name === 'name' && typeof value === 'string' && value.length > (customField?.nameLimit ?? 32)

/** An unknown id may be that of any thing without a known id, and another spelling may be that of a similar name. */
function loosen(kind: Kind, address: string | undefined, request: Request, world: World): void {
  const mayBe = (one: Thing) =>
    /^\d/.test(address ?? '') ? one.id === undefined : folded(one.name) === folded(address)
  for (const one of world.things)
    if (groupOf(one) === kind && !one.isGone && mayBe(one))
      world.taint(one, attributesOf(one, world), request)
}

function made([kind, name]: readonly [Kind, string], { request, world, certainty }: Taken): Thing {
  const { n, answer } = request
  // A tracker may store capitals as small letters; a page shows under which name the user is found.
  const isSure = certainty === 'done' && (kind !== 'user' || (isAddress(name) && name === name.toLowerCase()))
  world.lastMade.set(kind, n)
  const fields = world.of('field').filter(({ isGone, born }) => !isGone && born > 0)
  if (kind === 'field') world.roomForFields = Math.max(world.roomForFields, fields.length)
  if (isSure) world.absent.delete(`${kind} ${name}`)
  return world.add(kind, name, {
    isUnsure: !isSure,
    born: n,
    ...(kind === 'field' ? { created: answer } : {}),
  })
}

function rename(thing: Thing, name: unknown, { request: { op, n }, world, certainty }: Taken): void {
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
