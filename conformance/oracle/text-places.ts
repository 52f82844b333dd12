/** Places of texts: a path at which the text stands as it was given. */
import { folded } from './json.js'
import {
  type Divided,
  type Found,
  isKnownIn,
  isNamesake,
  isOwnText,
  isPersonal,
  isPresence,
  isProse,
  mayHide,
  only,
  sharedTexts,
  shownAt,
  stateOf,
  uniqueTexts,
  valueIn,
} from './places.js'
import { isSet, type Leaf, type Paths, type Sight, type Sights } from './things.js'
import { unique } from './values.js'

const words = (value: Leaf | unknown): string[] =>
  (Array.isArray(value) ? value : String(value).split(/[|,;\n]/)).map(folded).filter((word) => word !== '')

type Code = (leaf: Leaf | undefined, value: unknown) => boolean

const isList = (value: unknown): boolean => Array.isArray(value) || words(value).length > 1

/** How a text may stand in an answer; all but the first are forms of lists. */
const codes: readonly Code[] = [
  (leaf, value) => !Array.isArray(leaf) && folded(leaf ?? '') === folded(value),
  (leaf, value) => leaf !== undefined && words(leaf).join() === words(value).join(),
  // A tracker may keep a column that a request leaves out, or put one column first. The others keep their order.
  (leaf, value) => Array.isArray(leaf) && Array.isArray(value) && keepsOrder(leaf, value.map(String)),
]

/** A list without one of its texts, for comparison. */
export const without = (list: readonly string[], one: string): string =>
  list.filter((each) => each !== one).join()

/** Whether a list shows all of a saved one in its order, but for one column. */
export function keepsOrder(leaf: readonly string[], value: readonly string[]): boolean {
  const shown = leaf.filter((one) => value.includes(one))
  if (leaf.length > value.length + 1 || shown.length !== value.length) return false
  return value.some((one) => without(shown, one) === without(value, one))
}

export function* textPlaces(attribute: string, all: Sights, paths: Paths): Generator<Found> {
  const sights = all.filter(({ facts }) => facts.get(attribute)?.possible)
  const known = sights.filter((sight) => isKnownIn(sight, attribute))
  const isListed = known.some((sight) => isList(valueIn(sight, attribute)))
  for (const path of paths) {
    if (isPresence(path) || (attribute.startsWith('level:') && !isOfProject(path, attribute))) continue
    for (const code of isListed ? codes : codes.slice(0, 1)) {
      // Most paths never show the attribute, so the known sights are checked first.
      const shows = (sight: Sight) => code(sight.leaves.get(path), valueIn(sight, attribute))
      const taught = known.filter(shows)
      const isEmpty = (sight: Sight) => folded(valueIn(sight, attribute)) === ''
      const isNamed =
        isNamesake(path, attribute) &&
        (taught.some((sight) => isTelling(sight, attribute) && !isEmpty(sight)) ||
          isStale(path, attribute, code, known))
      const isLater = (sight: Sight, { thing, lastChange, leaves }: Sight) => {
        const { n = 0 } = sight.facts.get(attribute) ?? {}
        return thing === sight.thing && lastChange > n && code(leaves.get(path), valueIn(sight, attribute))
      }
      const isLasting = (sight: Sight) => all.some((other) => isLater(sight, other))
      const proven = isNamed || isPair(path, attribute) ? 'all' : provenBy(taught, attribute, isLasting)
      if ((!isNamed && taught.length < 2) || proven === 'none') continue
      const isRight = ({ leaves, facts }: Sight) =>
        facts.get(attribute)?.possible?.some((value) => code(leaves.get(path), value))
      const right = sights.filter(isRight)
      // What stands alone beside the name of a setting may explain it.
      if (right.length === 0 && sights.every(({ leaves }) => isProse(leaves.get(path)))) continue
      const isDue = (sight: Sight) =>
        attribute === 'possible_values'
          ? right.some((one) => typeOf(one) === typeOf(sight))
          : !isPersonal(attribute) || right.some((one) => isAlike(one, sight))
      // A tracker may show what a word such as `auto` stands for.
      const isAlike = (one: Sight, other: Sight) => valueIn(one, attribute) === valueIn(other, attribute)
      const isWrong = (sight: Sight) => !isRight(sight) && !mayHide(sight, path, attribute) && isDue(sight)
      const isOfTaught = ({ thing }: Sight) => proven === 'all' || thing === taught[0]?.thing
      const wrong = [
        ...sights.filter((sight) => isWrong(sight) && isOfTaught(sight)),
        ...(proven === 'all' ? ofAnother(path, attribute, all, right) : []),
        ...drifted(path, attribute, all),
      ]
      if (isSteady({ right, wrong }, attribute, isNamed)) yield { path, right, wrong }
    }
  }
}

/** The type of a field. Section 2.5: possible values are those of enumerated types, so other types may drop them. */
const typeOf = ({ facts }: Sight): unknown => facts.get('type')?.given ?? facts.get('type')?.earlier?.at(-1)

/** Whether a path shows of two or more changes what stood there before. */
function isStale(path: string, attribute: string, code: Code, known: Sights): boolean {
  const stale = known
    .filter(({ facts, leaves }) =>
      facts.get(attribute)?.earlier?.some((value) => value !== '' && code(leaves.get(path), value)),
    )
    .map(({ facts }) => facts.get(attribute)?.n)
  return uniqueTexts.has(attribute) && new Set(stale).size > 1
}

/** Sights of a thing without a given text that show the text of another thing. */
function ofAnother(path: string, attribute: string, all: Sights, right: Sights): Sight[] {
  if (!unique.has(attribute)) return []
  const ownerOf = new Map(
    right
      .filter((sight) => isKnownIn(sight, attribute))
      .map((sight) => [folded(valueIn(sight, attribute)), sight.thing]),
  )
  return all.filter(({ thing, facts, leaves }) => {
    const shown = folded(leaves.get(path) ?? '')
    const owner = ownerOf.get(shown)
    const isOwn = [...facts.values()].some(({ possible }) => possible?.some((one) => folded(one) === shown))
    return !facts.has(attribute) && thing.born > 0 && owner !== undefined && owner !== thing && !isOwn
  })
}

/** Whether a path goes through the record of the project. */
const isOfProject = (path: string, attribute: string): boolean =>
  path.includes(`[=${attribute.slice('level:'.length)}].`)

/** Whether a path goes through the name of the setting itself: the only other leaf of its record, or a member of its name. */
function isPair(path: string, attribute: string): boolean {
  const option = attribute.startsWith('option:') ? attribute.slice('option:'.length) : undefined
  return option !== undefined && (path.endsWith(`.${option}`) || path.includes(`=${option}].`))
}

/**
 * For which things a path is proven: for all where two have shown their texts, for one itself where it has shown two, of
 * which one lasted through another change.
 */
function provenBy(all: Sights, attribute: string, isLasting: (sight: Sight) => boolean) {
  const taught = all.filter((sight) => isTelling(sight, attribute))
  const values = new Set(taught.map((sight) => folded(valueIn(sight, attribute))))
  values.delete('')
  const things = new Set(taught.map(({ thing }) => thing))
  if (values.size < 2) return 'none'
  if (isOwnText(attribute) || things.size >= 2) return 'all'
  return uniqueTexts.has(attribute) && taught.some(isLasting) ? 'itself' : 'none'
}

/** Sights that show another text than before, although no request that was served has given one since. */
function drifted(path: string, attribute: string, all: Sights): Sight[] {
  const first = new Map<string, string>()
  return all.filter((sight) => {
    const fact = sight.facts.get(attribute)
    // Others may change users while a client is recorded.
    const isUnchanged = fact === undefined && sight.thing.kind === 'known' && !sight.view.includes(' as ')
    const isOpen = fact?.possible === null && (fact.given !== undefined || isPersonal(attribute))
    if (!isUnchanged && !isOpen) return false
    if (!isPersonal(attribute) && !uniqueTexts.has(attribute)) return false
    if (fact?.n === sight.n || mayHide(sight, path, attribute)) return false
    const [state, shown] = [stateOf(sight, attribute), shownAt(sight, path)]
    const before = first.get(state)
    if (before === undefined) first.set(state, shown)
    return before !== undefined && before !== shown
  })
}

/** Whether the value is that of no other attribute of the thing: a username may be an e-mail address. */
function isTelling({ facts }: Sight, attribute: string): boolean {
  const value = folded(only(facts.get(attribute)))
  return [...facts].every(
    ([name, fact]) => name === attribute || !uniqueTexts.has(name) || folded(only(fact)) !== value,
  )
}

/** Two things may have one language by coincidence, so all values of creations, or all values of changes, must be right. */
function isSteady({ right, wrong }: Divided, attribute: string, isNamed: boolean): boolean {
  if (!sharedTexts.has(attribute)) return true
  const least = isNamed ? 1 : 2
  return (['creation', 'change', 'together'] as const).some((way) => {
    const of = (sights: Sights) =>
      sights.map(({ facts }) => facts.get(attribute)).filter((fact) => isSet(fact) && fact?.way === way)
    return of(wrong).length === 0 && new Set(of(right).map(only)).size >= least
  })
}
