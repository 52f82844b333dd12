/** Places that show one value of everything. They teach nothing, but another view shows the same member beside the name. */
import { groupBy } from './json.js'
import {
  type Found,
  isKnownIn,
  isMembership,
  mayHide,
  NONE,
  type Place,
  recordsAround,
  shownAt,
  stateOf,
  valueIn,
} from './places.js'
import { groupOf, type Sight } from './things.js'

/** Views of administrators that show a whole thing. */
const isWhole = (view: string) => !/ as |^answer/.test(view)

/** `views`: the sights of each view. */
export function fixedPlaces(places: readonly Place[], views: ReadonlyMap<string, readonly Sight[]>): Place[] {
  const whole = [...views]
    .filter(([view]) => isWhole(view))
    .map(([view, sights]) => ({ view, sights, groups: groupsIn(sights) }))
  return [...groupBy(places, ({ attribute }) => attribute)].flatMap(([attribute, those]) =>
    whole.flatMap(({ view, sights, groups }) => {
      if (those.some((one) => one.view === view)) return []
      const model = those.find((one) => isModel(one, groups))
      const place = model && fixedPlace(model, sights)
      return place ? [{ ...place, view, attribute }] : []
    }),
  )
}

const groupsIn = (sights: readonly Sight[]) => new Set(sights.map(({ thing }) => groupOf(thing)))

const isModel = ({ view, right, wrong }: Place, groups: ReadonlySet<string>): boolean =>
  isWhole(view) &&
  right.length > 2 * wrong.length + 2 &&
  right.some(({ thing }) => groups.has(groupOf(thing)))

function fixedPlace(model: Place, sights: readonly Sight[]): Found | undefined {
  const { attribute, right } = model
  const forms = new Map(right.map((sight) => [valueIn(sight, attribute), shownAt(sight, model.path)]))
  const [example] = right
  const record = example && recordsAround(example).find((one) => model.path.startsWith(`${one}.`))
  if (record === undefined) return undefined
  const member = model.path.slice(record.length)
  const isTaught = (sight: Sight) => isMembership(attribute) || forms.has(valueIn(sight, attribute))
  const known = sights.filter((sight) => isKnownIn(sight, attribute) && isTaught(sight))
  const paths = new Set(known.flatMap(recordsAround).map((one) => one + member))
  // An empty list shows that its things are linked to nothing.
  const shows = ({ leaves }: Sight, path: string) =>
    leaves.has(isMembership(attribute) ? path.replace(/\[\].*/, '[]') : path)
  for (const path of paths) {
    const seen = known.filter((sight) => shows(sight, path) && !mayHide(sight, path, attribute))
    const isRight = (sight: Sight) => shownAt(sight, path) === (forms.get(valueIn(sight, attribute)) ?? NONE)
    const wrong = seen.filter((sight) => !isRight(sight))
    if (!wrong.every((sight) => recordsAround(sight).every((one) => path === one + member))) continue
    const isFixed = new Set(seen.map((sight) => shownAt(sight, path))).size === 1
    if (isFixed && new Set(wrong.map((sight) => stateOf(sight, attribute))).size > 1)
      return { path, right: seen.filter(isRight), wrong, isFixed }
  }
  return undefined
}
