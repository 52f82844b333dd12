/** Sights that show something else than is known, and who is to blame. */
import type { OperationId } from '../contract/index.js'
import { intervalOf, likeliest, suspicions } from './blame.js'
import { same } from './json.js'
import { isText, type Place, stateOf } from './places.js'
import type { Request } from './request.js'
import { type Fact, groupOf, type Leaf, type Sight } from './things.js'
import type { World } from './world.js'

export interface Contradiction {
  readonly place: Place
  readonly sight: Sight
  readonly fact: Fact | undefined
  readonly shown: Leaf | undefined
  /** undefined: the trace does not tell. */
  readonly blamed: OperationId | undefined
  /** The last sight that was right. */
  readonly before: Sight | undefined
  /** The last changes since then. */
  readonly suspects: readonly Request[]
}

/**
 * Every sight that shows another value than the known one. The reader is to blame where another view shows the right value,
 * otherwise what happened whenever a value went wrong, or else the last change.
 */
export function contradictions(places: readonly Place[], world: World): Contradiction[] {
  const keyOf = ({ view, attribute }: Place, sight: Sight) =>
    `${view} ${attribute} ${stateOf(sight, attribute)}`
  const wrong = new Set(places.flatMap((place) => place.wrong.map((sight) => keyOf(place, sight))))
  return places.flatMap((place) => {
    let against: ReadonlyMap<string, number> | undefined
    const kind = place.wrong[0] && groupOf(place.wrong[0].thing)
    const isOther = ({ attribute, view, right }: Place) =>
      attribute === place.attribute &&
      view.split(' ')[0] !== place.view.split(' ')[0] &&
      right.some(({ thing }) => groupOf(thing) === kind)
    const isReadersFault =
      place.isFixed && places.some((one) => isOther(one) && one.right.length > one.wrong.length)
    const earlier = new Map<string, Contradiction>()
    return firstSights(place).map((sight): Contradiction => {
      const { attribute, path } = place
      // What shows again came about once.
      const state = stateOf(sight, attribute)
      const again = earlier.get(state)
      if (again && same(again.shown, sight.leaves.get(path))) return { ...again, sight }
      const fact = sight.facts.get(attribute)
      const isSame = (seen: Sight) => stateOf(seen, attribute) === state && isNear(seen, sight)
      const isRightElsewhere = places.some(
        (other) => isOther(other) && other.right.some(isSame) && !wrong.has(keyOf(other, sight)),
      )
      const found = { place, sight, fact, shown: sight.leaves.get(path) }
      if (isRightElsewhere || isReadersFault) {
        const blamed = isReadersFault || isText(attribute) ? sight.op : undefined
        return { ...found, blamed, before: undefined, suspects: [] }
      }
      const { before, between } = intervalOf(sight, place, world)
      const changes = between.filter(({ isRead }) => !isRead)
      const last: Request | undefined = (changes.length > 0 ? changes : between).at(-1)
      const likely = before === undefined && fact?.by ? fact.by : (last?.op ?? sight.op)
      against ??= suspicions(place, world)
      const blamed = likeliest(sight, between, against, found.shown) ?? likely
      const suspects = changes.filter(({ n }) => n !== fact?.n).slice(-3)
      const contradiction = { ...found, blamed, before, suspects }
      earlier.set(state, contradiction)
      return contradiction
    })
  })
}
/** Another view tells the present value only if it was read at about the same time, with no change of the thing in between. */
function isNear(seen: Sight, { n, thing }: Sight): boolean {
  const [from, to] = seen.n < n ? [seen.n, n] : [n, seen.n]
  return seen.n >= n - 4 && seen.n <= n + 8 && !thing.log.some((one) => one > from && one <= to)
}

/** The first two sights of each contradiction. */
function firstSights({ wrong, attribute }: Place): Sight[] {
  const count = new Map<string, number>()
  return wrong.filter((sight) => {
    const times = (count.get(stateOf(sight, attribute)) ?? 0) + 1
    count.set(stateOf(sight, attribute), times)
    return times < 3
  })
}
