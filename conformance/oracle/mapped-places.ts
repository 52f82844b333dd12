/** Places of flags and numbers: a path with a distinct form for each value. */
import { memoised } from '../contract/memoised.js'
import { isTime } from './callers.js'
import { groupBy } from './json.js'
import {
  type Divided,
  divide,
  type Forms,
  type Found,
  isKnownIn,
  isMembership,
  isNamesake,
  isPresence,
  NONE,
  only,
  recordOf,
  recordsAround,
  shownAt,
  stateOf,
  valueIn,
} from './places.js'
import { isSet, type Paths, type Sight, type Sights, type Way } from './things.js'

/** A tracker may show flags and numbers in any form that is distinct for each value. */
export function* mappedPlaces(attribute: string, all: Sights, given: Paths, allPaths: Paths) {
  const around = memoised(recordsAround)
  const isPart = (path: string) => all.some((one) => isOfPart(path, one, around))
  const isOwn = (path: string) =>
    !isNamesake(path, attribute) || path.includes(`=${attribute}].`) || !isPart(path)
  const paths = given.filter(isOwn)
  const named = [...namedPlaces(attribute, all, allPaths.filter(isOwn))]
  yield* named
  // A path that some answers lack may show an earlier state, so another path may be that of the attribute.
  if (named.some(({ path, wrong }) => wrong.every(({ leaves }) => leaves.has(path)))) return
  const known = all.filter((sight) => isKnownIn(sight, attribute))
  for (const [way, group] of groupBy(known, ({ facts }) => facts.get(attribute)?.way)) {
    const taught = group.filter(({ facts, lastChange }) => (facts.get(attribute)?.n ?? 0) >= lastChange)
    if (taught.length < 2) continue
    for (const path of paths) {
      // A whole list of words may show several flags at once, and one word a flag that ends with it.
      if (isPresence(path) ? !isWordOf(path, attribute, all) : path.endsWith('[]')) continue
      const shown = formsAt(path, taught, known, attribute)
      if (!shown) continue
      // Whether a record has a part depends on more than a flag.
      if ([...shown.forms.values()].includes(NONE) && !isPresence(path) && isPart(path)) continue
      const forms = wholeOf(shown.forms, known, attribute)
      const isPlain = forms !== shown.forms
      const found = divide(forms, attribute, path, all)
      if (isMostlyMissing(found, path) || isJoint(found, attribute, path)) continue
      if (isOfAnything(found, path, forms)) continue
      // If only one thing showed a value, few states may be wrong.
      const states = (sights: Sights) => new Set(sights.map((one) => stateOf(one, attribute))).size
      if (shown.isFew && states(found.right) < MOST_WRONG * states(found.wrong)) continue
      if (follows(found.right, attribute) && standsStill(found, attribute, way))
        yield { path, ...found, isPlain }
    }
  }
}

/** Whether a path goes from the record with the name of the thing into a list: the level in a project is not that of its user. */
function isOfPart(path: string, sight: Sight, around: typeof recordsAround): boolean {
  const [record] = sight.leaves.has(path) ? around(sight) : []
  return record !== undefined && path.startsWith(record) && path.slice(record.length).includes('[')
}

/** Whether a list on a page has a word for a flag, as `[].∋report` for `display_report`. An answer may list what was changed. */
const isWordOf = (path: string, attribute: string, [sight]: Sights): boolean =>
  /[_a-z]{5}$/i.test(path) &&
  attribute.endsWith(path.slice(path.lastIndexOf('∋') + 1).toLowerCase()) &&
  !sight?.view.startsWith('answer')

/** Where numbers stand as they were given, all of them do. */
function wholeOf(forms: Forms, known: Sights, attribute: string) {
  const isPlain = ([value, form]: [unknown, string]) => typeof value === 'number' && form === String(value)
  const given = known.map((sight) => valueIn(sight, attribute))
  return [...forms].every(isPlain) ? new Map(given.map((value) => [value, String(value)])) : forms
}

/** A member of the documented name and type that has shown two values as they were given, or only ever one value. */
function* namedPlaces(attribute: string, all: Sights, paths: Paths): Generator<Found> {
  const given = all.flatMap(({ facts }) => facts.get(attribute)?.possible ?? [])
  const forms = new Map(given.map((value) => [value, JSON.stringify(value)]))
  const types = new Set(given.map((value) => typeof value))
  for (const path of paths) {
    if (isPresence(path) || !isNamesake(path, attribute)) continue
    const isTyped = ({ leaves }: Sight) => !leaves.has(path) || types.has(typeof leaves.get(path))
    if (!all.every(isTyped)) continue
    const found = divide(forms, attribute, path, all)
    const known = found.right.filter((sight) => isKnownIn(sight, attribute))
    const isVarying =
      new Set(known.map((sight) => valueIn(sight, attribute))).size > 1 && !isMostlyMissing(found, path)
    const isConstant = !isVarying && isFixed(found, attribute, path)
    if (isVarying || isConstant) yield { path, ...found, isFixed: isConstant }
  }
}

/** Flags and numbers that no tracker has a reason to ignore. */
export const respected = new Set(
  'enabled protected priority access_level display_report display_update'.split(' '),
)

/**
 * Whether a path beside the name of the thing shows one value, whatever two changes gave, or one after it was right. A plugin
 * may have a record within its own for it.
 */
function isFixed({ right, wrong }: Divided, attribute: string, path: string): boolean {
  const isBesideName = (sight: Sight) => {
    const own = [recordOf(path), ...(sight.thing.kind === 'plugin' ? [recordOf(recordOf(path))] : [])]
    const records = recordsAround(sight)
    return records.length > 0 && records.every((one) => own.includes(one))
  }
  const known = [...right, ...wrong].filter((sight) => isKnownIn(sight, attribute))
  const shown = new Set(known.map((sight) => shownAt(sight, path)))
  const given = new Set(wrong.map(({ facts }) => facts.get(attribute)?.n))
  const wasRight = ({ thing, n }: Sight) => right.some((before) => before.thing === thing && before.n < n)
  const isSure = given.size > 1 || wrong.some(wasRight)
  return respected.has(attribute) && shown.size === 1 && isSure && wrong.every(isBesideName)
}

/** Whether the view mostly lacks the path where another value is due: it may show the members of the last change. */
const isMostlyMissing = ({ right, wrong }: Divided, path: string): boolean =>
  wrong.filter(({ leaves }) => !leaves.has(path)).length > right.length

/** Whether a path may show two flags at once: it is wrong only with one value of the other flag, and then always or always alike. */
function isJoint({ right, wrong }: Divided, attribute: string, path: string): boolean {
  const known = (all: Sights) => all.filter((sight) => isKnownIn(sight, attribute))
  const against = known(wrong)
  return [...(against[0]?.facts.keys() ?? [])].some((name) => {
    if (name === attribute || isMembership(name)) return false
    // The answer to a change need not show it yet, but it may.
    const flagIn = (sight: Sight) => valueIn(sight, name) ?? sight.facts.get(name)?.given
    const value = against.map(flagIn).find((one) => typeof one === 'boolean')
    const decides = (sight: Sight) => flagIn(sight) === value
    const rightToo = known(right).filter(decides)
    const shown = new Set([...against, ...rightToo].map((sight) => shownAt(sight, path)))
    const areDecided = against.every((sight) => decides(sight) || flagIn(sight) === undefined)
    return value !== undefined && areDecided && (rightToo.length === 0 || shown.size === 1)
  })
}

/**
 * Whether a path may be that of another member: it has shown more other values than the attribute has forms, or any other
 * one where absence is a form.
 */
function isOfAnything({ wrong }: Divided, path: string, forms: Forms): boolean {
  const shown = new Set(wrong.map((sight) => shownAt(sight, path)))
  const known = [...forms.values(), NONE]
  for (const form of known) shown.delete(form)
  return shown.size > (new Set(known).size === forms.size ? 0 : forms.size + 1)
}

/**
 * Whether a place is about its own thing: it stays right while others change, and does not show the last change of any
 * thing. Only sights that taught the place count: a creation that loses a value is at fault itself.
 */
function standsStill({ right, wrong }: Divided, attribute: string, way: Way | undefined): boolean {
  const isTold = ({ facts, others }: Sight) => {
    const [own, other] = [facts.get(attribute), others?.get(attribute)]
    return isSet(own) && own?.way === way && isSet(other) && only(own) !== only(other)
  }
  return wrong.filter(isTold).length <= right.filter(isTold).length
}

const MOST_WRONG = 4
const thingOf = ({ thing }: Sight) => thing

/** Whether one thing was right with two values: a place that never changed may show what the thing was at first. */
function follows(right: Sights, attribute: string): boolean {
  if (attribute === 'priority' || attribute === 'installed') return true
  const known = right.filter((sight) => isKnownIn(sight, attribute))
  const varies = (sights: Sights) => new Set(sights.map((sight) => valueIn(sight, attribute))).size > 1
  return [...groupBy(known, thingOf).values()].some(varies)
}

/**
 * The form of each value; undefined where a value has several forms, a form several values, or too few things show it.
 * `isFew`: only one thing showed one of the values.
 */
function formsAt(path: string, taught: Sights, known: Sights, attribute: string) {
  const forms = new Map<unknown, string>()
  const given = (sight: Sight) => valueIn(sight, attribute)
  for (const sight of taught) {
    const [value, form] = [given(sight), shownAt(sight, path)]
    // A text that names its thing shows more than one attribute. A time may be the same by chance.
    if (isTime(form) || [...sight.thing.names].some((name) => form.includes(name))) return undefined
    if (forms.has(value) && forms.get(value) !== form) return undefined
    forms.set(value, form)
  }
  if (forms.size < 2 || new Set(forms.values()).size < forms.size) return undefined
  const needed = attribute === 'priority' || attribute === 'installed' ? 1 : 2
  const isRight = (sight: Sight) => shownAt(sight, path) === forms.get(given(sight))
  const unsure = new Set(known.flatMap((sight) => (isRight(sight) ? [] : stateOf(sight, attribute))))
  const right = known.filter((sight) => !unsure.has(stateOf(sight, attribute)))
  const turnsOf = (values: readonly unknown[]) =>
    values.filter((value, at) => at === 0 || value !== values[at - 1]).length
  const mostTurns = (sights: Sights) =>
    Math.max(0, ...[...groupBy(sights, thingOf).values()].map((those) => turnsOf(those.map(given))))
  const thingsIn = (sights: Sights) => new Set(sights.map(thingOf)).size
  // One thing that changed to another value and back counts as two.
  const isFew =
    mostTurns(taught) < 3 && [...groupBy(taught, given).values()].some((those) => thingsIn(those) < needed)
  const established = new Set(right.map(({ facts }) => facts.get(attribute)?.n)).size
  // The answers to changes show few states of a thing.
  const isAnswer = known.some(({ view }) => view.startsWith('answer'))
  const hasTurned = !isAnswer && (mostTurns(right) > 2 || (established > 3 && mostTurns(right) > 1))
  return isFew && thingsIn(taught) < 3 && !hasTurned ? undefined : { forms, isFew }
}
