/**
 * What answers show, taken apart into facts that can be compared. Which facts belong to a value is learnt on the target,
 * from things that differ in that value: no name of a member plays a part.
 */
import { isObject } from '../client/look.js'

export type Facts = ReadonlySet<string>

/** The thing's own text stands so in its facts, so that things with different texts have the same ones. */
const OWN = '\u0001'

/**
 * Each scalar at its place, with the length of every list on the way, and at its place whatever its index; and each plain
 * record of a list as a whole.
 */
export const factsOf = (shown: unknown): Facts => remembered(shown, null, () => takeApart(shown))

/** Those alone in which this text of the thing stands. */
export function ownFactsOf(shown: unknown, text: string): Facts {
  const own = plainly(text)
  return remembered(shown, own, () => takeApart(shown, own))
}

/** Each answer is asked about many members. */
const taken = new WeakMap<object, Map<string | null, Facts>>()

function remembered(shown: unknown, text: string | null, take: () => Facts): Facts {
  if (typeof shown !== 'object' || shown === null) return take()
  const known = taken.get(shown) ?? new Map<string | null, Facts>()
  taken.set(shown, known)
  const facts = known.get(text) ?? take()
  known.set(text, facts)
  return facts
}

function takeApart(shown: unknown, own?: string): Facts {
  const facts = new Set<string>()
  const isOwn = (value: unknown) =>
    own !== undefined && typeof value === 'string' && plainly(value).includes(own)
  const counts = (value: unknown) => own === undefined || isOwn(value)
  const spell = (value: unknown): string => (isOwn(value) ? OWN : JSON.stringify(value))
  walk(shown, {
    onEmpty(_, loose) {
      if (own === undefined) facts.add(`${loose}=[]`)
    },
    onScalar(value, exact, loose) {
      if (!counts(value)) return
      facts.add(`${exact}=${spell(value)}`)
      facts.add(`${loose}=${spell(value)}`)
    },
    onRecord(members, loose) {
      if (members.some(([, one]) => counts(one)))
        facts.add(`${loose}={${members.map(([name, one]) => `${name}:${spell(one)}`).toSorted()}}`)
    },
  })
  return facts
}

interface Visitor {
  onScalar(value: unknown, exact: string, loose: string): void
  onEmpty?(exact: string, loose: string): void
  /** Takes a list that holds no records as a whole, an empty one too. */
  onPlainList?(list: readonly unknown[], loose: string): void
  /** A record of a list that holds scalars alone. */
  onRecord?(members: readonly (readonly [string, unknown])[], loose: string): void
}

/** `exact`: with index and length of each list on the way; `loose`: whatever they are. */
export function walk(value: unknown, visitor: Visitor, exact = '', loose = ''): void {
  if (Array.isArray(value) && visitor.onPlainList && value.every(isScalar)) {
    visitor.onPlainList(value, loose)
    return
  }
  if (Array.isArray(value)) {
    if (value.length === 0) visitor.onEmpty?.(exact, loose)
    for (const [index, item] of value.entries())
      walk(item, visitor, `${exact}[${value.length}]/${index}`, `${loose}/*`)
    return
  }
  if (!isObject(value)) {
    visitor.onScalar(value, exact, loose)
    return
  }
  const members = Object.entries(value)
  const isPlain = members.every(([, one]) => isScalar(one))
  if (isPlain && loose.endsWith('*')) visitor.onRecord?.(members, loose)
  for (const [name, one] of members) walk(one, visitor, `${exact}/${name}`, `${loose}/${name}`)
}

const isScalar = (value: unknown) => typeof value !== 'object' || value === null

const plainly = (text: string) => text.toLowerCase().replace(/\s+/g, ' ').trim()

export interface Sight<V> {
  readonly facts: Facts
  readonly value: V
}

/** The facts that tell each value from the others. */
export type Evidence<V> = ReadonlyMap<V, Facts>

/**
 * The facts that all sights of a value have and no sight of another. One sight alone has many that mean nothing, so a
 * value that was not seen twice has none.
 */
export function learn<V>(sights: readonly Sight<V>[]): Evidence<V> {
  const found = new Map<V, Facts>()
  for (const value of new Set(sights.map((sight) => sight.value))) {
    const [first, ...rest] = sights.filter((sight) => sight.value === value)
    const others = sights.filter((sight) => sight.value !== value)
    const isOwn = (fact: string) =>
      rest.every(({ facts }) => facts.has(fact)) && !others.some(({ facts }) => facts.has(fact))
    const own = first === undefined || rest.length === 0 || others.length === 0 ? [] : first.facts
    found.set(value, new Set([...own].filter(isOwn)))
  }
  return found
}

export interface OwnSight {
  readonly shown: unknown
  readonly text: string
}

/** As `learn`, of texts that each sight has for its own. Where the text of another stands as well, it is not its own. */
export function learnOwn(sights: readonly OwnSight[]): Facts {
  const [first, ...rest] = sights.map(({ shown, text }) => ownFactsOf(shown, text))
  if (first === undefined || rest.length === 0) return new Set()
  const found = new Set([...first].filter((fact) => rest.every((facts) => facts.has(fact))))
  for (const { shown, text } of found.size === 0 ? [] : sights)
    for (const other of sights)
      if (other.text !== text) for (const fact of ownFactsOf(shown, other.text)) found.delete(fact)
  return found
}

export const isKnown = <V>(evidence: Evidence<V>): boolean =>
  [...evidence.values()].some(({ size }) => size > 0)

/** Whether facts show this value; null where they show neither it nor anything else in its place. */
export function shows<V>(evidence: Evidence<V>, facts: Facts, value: V): boolean | null {
  const has = (one: V) => meets(evidence.get(one), facts)
  if (has(value)) return true
  return [...evidence.keys()].some((one) => one !== value && has(one)) ? false : null
}

/** As `shows`, where a third value in its place, and the lack of the only mark that there is, say that it is not shown. */
export function showsWholly<V>(evidence: Evidence<V>, facts: Facts, value: V): boolean | null {
  const seen = shows(evidence, facts, value)
  if (seen !== null) return seen
  const marked = [...evidence].filter(([, { size }]) => size > 0)
  const [only] = marked
  if (only !== undefined && marked.length === 1) return only[0] !== value
  const [first = new Set<string>(), ...rest] = marked.map(([, own]) => placesOf(own))
  const slots = [...first].filter((place) => rest.every((places) => places.has(place)))
  const taken = placesOf(facts)
  return slots.some((place) => taken.has(place)) ? false : null
}

/** Where facts stand, records of a list apart. */
const placesOf = (facts: Facts): ReadonlySet<string> =>
  new Set([...facts].flatMap((fact) => (/^[^=]*=\{/.test(fact) ? [] : fact.slice(0, fact.indexOf('=') + 1))))

export const meets = (some: Facts | undefined, facts: Facts): boolean =>
  some !== undefined && [...some].some((fact) => facts.has(fact))
