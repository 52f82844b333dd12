/**
 * Where a fact shows is learnt, never assumed. A place is a path in a view at which the values of an attribute were seen
 * of several things; it is trusted once it was right for a thing that did not teach it. Creations and changes teach
 * apart from each other, so that an operation which always loses a member does not unteach its place.
 */
import { folded, groupBy } from './json.js'
import { type Fact, isSet, type Leaf, type Sight, type Thing } from './things.js'

export interface Place {
  readonly view: string
  readonly attribute: string
  readonly path: string
  readonly right: readonly Sight[]
  readonly wrong: readonly Sight[]
  /** It was right for one thing with two values, so that it does not show what the thing was at first. */
  readonly isFollowing: boolean
}

/** Texts that are made up for one thing alone: two sights of them are no coincidence. */
const uniqueTexts = new Set(['username', 'email', 'realname', 'name', 'default_value', 'possible_values'])
/** Texts that several things may have. */
const sharedTexts = new Set(['language', 'timezone', 'type'])
const isOwnText = (attribute: string) => attribute === 'columns' || attribute.startsWith('option:')
export const isText = (attribute: string) =>
  uniqueTexts.has(attribute) || sharedTexts.has(attribute) || isOwnText(attribute)
const isMembership = (attribute: string) => attribute.startsWith('project:')

const only = (fact: Fact | undefined): unknown => fact?.possible?.[0]
const isPresence = (path: string) => path.includes('∋')

/** One state of one fact: as long as nothing established it again. */
export const stateOf = ({ thing, facts }: Sight, attribute: string): string =>
  `${thing.serial} ${facts.get(attribute)?.n}`

const words = (value: Leaf | unknown): string[] =>
  (Array.isArray(value) ? value : String(value).split(/[|,;\n]/)).map(folded).filter((word) => word !== '')

type Code = (leaf: Leaf | undefined, value: unknown) => boolean

/** How a text may stand in an answer. */
const codes: readonly Code[] = [
  (leaf, value) => !Array.isArray(leaf) && folded(leaf ?? '') === folded(value),
  (leaf, value) =>
    leaf !== undefined && words(value).length > 1 && words(leaf).join() === words(value).join(),
  // A tracker may keep a column that was left out, or put one first: the others keep their order.
  (leaf, value) => Array.isArray(leaf) && Array.isArray(value) && keepsOrder(leaf, value.map(String)),
]

function keepsOrder(leaf: readonly string[], value: readonly string[]): boolean {
  const shown = leaf.filter((one) => value.includes(one))
  if (leaf.length > value.length + 1 || shown.length !== value.length) return false
  const without = (list: readonly string[], one: string) => list.filter((each) => each !== one).join()
  return value.some((one) => without(shown, one) === without(value, one))
}

/** The best place of each attribute in each view. */
export function learn(sights: readonly Sight[]): Place[] {
  const places: Place[] = []
  for (const [view, those] of groupBy(sights, (sight) => sight.view)) {
    const paths = variablePaths(those)
    for (const attribute of new Set(those.flatMap(({ facts }) => [...facts.keys()]))) {
      // An answer tells of what it is about.
      if (view.startsWith('answer') && isMembership(attribute) !== view.endsWith('addUserToProjects'))
        continue
      const find = isText(attribute) ? textPlaces : mappedPlaces
      // A setting that is never stored never varies.
      const own = attribute.startsWith('option:')
        ? [...new Set(those.flatMap(({ leaves }) => [...leaves.keys()]))]
        : paths
      const found = [...find(attribute, those, own)]
      if (found.length === 0) continue
      const best = found.reduce((a, b) => (b.wrong.length < a.wrong.length ? b : a))
      places.push({ ...best, view, attribute })
    }
  }
  return places
}

/** Paths at which something else stands at times; a constant cannot show a fact. */
function variablePaths(sights: readonly Sight[]): string[] {
  const first = new Map<string, string>()
  const count = new Map<string, number>()
  const varying = new Set<string>()
  for (const { leaves } of sights)
    for (const [path, leaf] of leaves) {
      const shown = JSON.stringify(leaf)
      if (!first.has(path)) first.set(path, shown)
      else if (first.get(path) !== shown) varying.add(path)
      count.set(path, (count.get(path) ?? 0) + 1)
    }
  return [...first.keys()].filter((path) => varying.has(path) || count.get(path) !== sights.length)
}

type Found = Omit<Place, 'view' | 'attribute'>

function* textPlaces(attribute: string, all: readonly Sight[], paths: readonly string[]): Generator<Found> {
  const sights = all.filter(({ facts }) => facts.get(attribute)?.possible)
  const known = sights.filter(({ facts }) => isSet(facts.get(attribute)))
  for (const path of paths) {
    if (isPresence(path)) continue
    for (const code of codes) {
      // Most paths show nothing of it: a look at the known ones tells.
      const shows = (sight: Sight) => code(sight.leaves.get(path), only(sight.facts.get(attribute)))
      const taught = known.filter(shows)
      const isNamed = isNamesake(path, attribute) && taught.some((sight) => isTelling(sight, attribute))
      if (!isNamed && (taught.length < 2 || !(isProven(taught, attribute) || isPair(path, attribute))))
        continue
      const isRight = ({ leaves, facts }: Sight) =>
        facts.get(attribute)?.possible?.some((value) => code(leaves.get(path), value))
      const right = sights.filter(isRight)
      const isWrong = (sight: Sight) => !isRight(sight) && !mayHide(sight, path)
      const wrong = [...sights.filter(isWrong), ...changed(path, attribute, all)]
      if (isSteady(right, wrong, attribute, isNamed) || (isNamed && speaks(right, wrong, attribute, path)))
        yield { path, right, wrong, isFollowing: true }
    }
  }
}

/** Of a user that was there before the trace, what is shown stays as it was seen first. */
function changed(path: string, attribute: string, sights: readonly Sight[]): Sight[] {
  const first = new Map<string, string>()
  return sights.filter((sight) => {
    const isKnown = sight.thing.kind === 'known' && !isMixed(sight)
    if (!isKnown || sight.facts.get(attribute)?.possible || !uniqueTexts.has(attribute)) return false
    const [state, shown] = [stateOf(sight, attribute), shownAt(sight, path)]
    if (!first.has(state)) first.set(state, shown)
    return first.get(state) !== shown
  })
}

/** Whether a path goes through the name of the setting itself: the only other leaf of its record, or a member of its name. */
function isPair(path: string, attribute: string): boolean {
  const option = attribute.startsWith('option:') ? attribute.slice('option:'.length) : undefined
  return option !== undefined && (path.endsWith(`.${option}`) || path.includes(`=${option}].`))
}

/** Whether a path ends with the documented name of the attribute, in any spelling. */
function isNamesake(path: string, attribute: string): boolean {
  const plain = (name: string) => name.replace(/[^a-z]/gi, '').toLowerCase()
  return path
    .split('.')
    .slice(-2)
    .some((name) => plain(name) === plain(attribute))
}

function isProven(all: readonly Sight[], attribute: string): boolean {
  const taught = all.filter((sight) => isTelling(sight, attribute))
  const values = new Set(taught.map(({ facts }) => folded(only(facts.get(attribute)))))
  values.delete('')
  const things = new Set(taught.map(({ thing }) => thing))
  return values.size >= 2 && (isOwnText(attribute) || things.size >= 2)
}

/** Whether the value is that of no other attribute of the thing: a username may be an e-mail address. */
function isTelling({ facts }: Sight, attribute: string): boolean {
  const value = folded(only(facts.get(attribute)))
  return [...facts].every(
    ([name, fact]) => name === attribute || !uniqueTexts.has(name) || folded(only(fact)) !== value,
  )
}

/** A language may be the same by coincidence, so all that creations gave, or all that changes gave, must be right. */
function isSteady(
  right: readonly Sight[],
  wrong: readonly Sight[],
  attribute: string,
  isNamed: boolean,
): boolean {
  if (!sharedTexts.has(attribute)) return true
  const least = isNamed ? 1 : 2
  return (['creation', 'change', 'together'] as const).some((way) => {
    const of = (sights: readonly Sight[]) =>
      sights.map(({ facts }) => facts.get(attribute)).filter((fact) => isSet(fact) && fact?.way === way)
    return of(wrong).length === 0 && new Set(of(right).map(only)).size >= least
  })
}

/** Whether a member of the documented name shows for one value what it shows for another, and nothing that was never given. */
function speaks(right: readonly Sight[], wrong: readonly Sight[], attribute: string, path: string): boolean {
  const isGiven = ({ facts }: Sight) => isSet(facts.get(attribute))
  const shown = new Set(right.filter(isGiven).map(({ leaves }) => folded(leaves.get(path))))
  const things = (sights: readonly Sight[]) => new Set(sights.filter(isGiven).map(({ thing }) => thing)).size
  return (
    things(right) > 1 && things(wrong) > 0 && wrong.every(({ leaves }) => shown.has(folded(leaves.get(path))))
  )
}

/** A view of several callers, of whom one may be shown less than another. */
const isMixed = ({ view }: Sight): boolean => view.endsWith(' as unknown')

const mayHide = (sight: Sight, path: string): boolean =>
  isMixed(sight) && [undefined, null, ''].some((nothing) => sight.leaves.get(path) === nothing)

const NONE = '(none)'
const shownAt = ({ leaves }: Sight, path: string): string => {
  const leaf = leaves.get(path)
  return leaf === undefined ? NONE : JSON.stringify(leaf)
}

/** Flags and numbers may be shown in any form, as long as each value has a form of its own. */
function* mappedPlaces(attribute: string, all: readonly Sight[], paths: readonly string[]): Generator<Found> {
  const named = isMembership(attribute) ? [] : [...namedPlaces(attribute, all)]
  yield* named
  if (named.length > 0) return
  const known = all.filter(({ facts }) => isSet(facts.get(attribute)))
  const ways = new Set(known.map(({ facts }) => facts.get(attribute)?.way))
  ways.delete('several')
  for (const way of ways) {
    const taught = known.filter(({ facts, lastChange }) => {
      const fact = facts.get(attribute)
      return fact !== undefined && fact.way === way && fact.n >= lastChange
    })
    if (taught.length < 2) continue
    for (const path of paths) {
      if (isPresence(path) !== isMembership(attribute)) continue
      const shown = formsAt(path, taught, attribute, isMembership(attribute) ? all : null)
      if (!shown) continue
      const found = compared(shown.forms, attribute, path, all)
      const isFollowing = follows(found.right, attribute)
      // Where one thing alone showed a value, it must have shown another, too, and little may speak against the place.
      if (shown.isFew && !(isFollowing && found.right.length > MOST_WRONG * found.wrong.length)) continue
      const isOwn = standsStill(found, attribute)
      if (isOwn && (isFollowing || isFrequent(found.right, attribute))) yield { path, ...found, isFollowing }
    }
  }
}

/** A member of the documented name that has shown two values of the documented type as they were given. */
function* namedPlaces(attribute: string, all: readonly Sight[]): Generator<Found> {
  const paths = new Set(all.flatMap(({ leaves }) => [...leaves.keys()]))
  const given = all.flatMap(({ facts }) => facts.get(attribute)?.possible ?? [])
  const forms = new Map(given.map((value) => [value, JSON.stringify(value)]))
  const types = new Set(given.map((value) => typeof value))
  for (const path of paths) {
    if (isPresence(path) || !isNamesake(path, attribute)) continue
    const isTyped = ({ leaves }: Sight) => !leaves.has(path) || types.has(typeof leaves.get(path))
    if (!all.every(isTyped)) continue
    const found = compared(forms, attribute, path, all)
    const known = found.right.map(({ facts }) => facts.get(attribute)).filter(isSet)
    // What always stands there may be what the tracker keeps, whatever it is given.
    if (new Set(known.map(only)).size > 1) yield { path, ...found, isFollowing: true }
  }
}

/** Whether it is right of a thing while others change, too, and does not show the last change of whatever thing. */
function standsStill({ right, wrong }: Pick<Place, 'right' | 'wrong'>, attribute: string): boolean {
  const isTold = ({ facts, others }: Sight) => {
    const [own, other] = [facts.get(attribute), others?.get(attribute)]
    return isSet(own) && isSet(other) && only(own) !== only(other)
  }
  return wrong.filter(isTold).length <= right.filter(isTold).length
}

const MOST_WRONG = 4

/** Whether one thing was right with two values. */
function follows(right: readonly Sight[], attribute: string): boolean {
  if (attribute === 'priority' || attribute === 'installed' || isMembership(attribute)) return true
  const first = new Map<Thing, unknown>()
  return right.some(({ thing, facts }) => {
    const fact = facts.get(attribute)
    if (!isSet(fact)) return false
    if (!first.has(thing)) first.set(thing, only(fact))
    return first.get(thing) !== only(fact)
  })
}

/** Whether three things were right with each value, which is no coincidence. */
function isFrequent(right: readonly Sight[], attribute: string): boolean {
  const known = right.filter(({ facts }) => isSet(facts.get(attribute)))
  const byValue = groupBy(known, ({ facts }) => String(only(facts.get(attribute))))
  const isOften = (sights: readonly Sight[]) => new Set(sights.map(({ thing }) => thing)).size > 2
  return byValue.size > 1 && [...byValue.values()].every(isOften)
}

/**
 * The form of each value; undefined where a value has several forms, a form several values, or too few things show it.
 * `all`: of a membership, every sight of the view.
 */
function formsAt(
  path: string,
  taught: readonly Sight[],
  attribute: string,
  all: readonly Sight[] | null,
): { readonly forms: ReadonlyMap<unknown, string>; readonly isFew: boolean } | undefined {
  const forms = new Map<unknown, string>()
  const things = new Map<unknown, Set<Thing>>()
  const turns = new Map<Thing, unknown[]>()
  for (const sight of taught) {
    const value = only(sight.facts.get(attribute))
    const form = shownAt(sight, path)
    const values = turns.get(sight.thing) ?? []
    if (values.at(-1) !== value) turns.set(sight.thing, [...values, value])
    if (forms.has(value) && forms.get(value) !== form) return undefined
    forms.set(value, form)
    things.set(value, (things.get(value) ?? new Set()).add(sight.thing))
  }
  if (all && !forms.has(false)) {
    const without = withoutMembership(path, attribute, things.get(true) ?? new Set(), all)
    if (!without) return undefined
    forms.set(false, NONE)
    things.set(false, without)
  }
  if (forms.size < 2 || new Set(forms.values()).size < forms.size) return undefined
  const needed = attribute === 'priority' || attribute === 'installed' ? 1 : 2
  // One thing that went there and back is as good as two.
  const isThereAndBack = [...turns.values()].some(({ length }) => length > 2)
  const isFew = !isThereAndBack && [...things.values()].some(({ size }) => size < needed)
  const everyone = new Set([...things.values()].flatMap((some) => [...some]))
  return isFew && everyone.size < 3 ? undefined : { forms, isFew }
}

/** Memberships are only ever given. That things were seen without one before stands for its absence. */
function withoutMembership(
  path: string,
  attribute: string,
  added: ReadonlySet<Thing>,
  all: readonly Sight[],
): Set<Thing> | undefined {
  const before = all.filter(({ facts }) => !facts.has(attribute))
  const isOfAnother = ({ thing, leaves, facts }: Sight) =>
    !added.has(thing) && leaves.has(path) && [...facts.keys()].some(isMembership)
  if (before.some(isOfAnother)) return undefined
  const without = before.filter(({ thing, leaves }) => added.has(thing) && !leaves.has(path))
  const things = new Set(without.map(({ thing }) => thing))
  return things.size >= 2 ? things : undefined
}

/** What nobody gave, or what is open, stays as it was seen first. */
function compared(
  forms: ReadonlyMap<unknown, string>,
  attribute: string,
  path: string,
  sights: readonly Sight[],
): Pick<Place, 'right' | 'wrong'> {
  const right: Sight[] = []
  const wrong: Sight[] = []
  const first = new Map<string, string>()
  for (const sight of sights) {
    if (mayHide(sight, path)) continue
    const possible = sight.facts.get(attribute)?.possible
    const shown = shownAt(sight, path)
    let expected = possible?.map((value) => forms.get(value))
    if (possible?.length !== 1) {
      const state = stateOf(sight, attribute)
      const before = first.get(state)
      if (before !== undefined) expected = [before]
      else first.set(state, shown)
    }
    if (!expected || expected.includes(undefined)) continue
    ;(expected.includes(shown) ? right : wrong).push(sight)
  }
  return { right, wrong }
}
