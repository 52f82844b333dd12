/** Finds the operation to blame for a wrong sight: it came before most wrong sights and before few right ones. */
import type { OperationId } from '../contract/index.js'
import { groupBy, scalars } from './json.js'
import { type Place, stateOf } from './places.js'
import type { Request } from './request.js'
import type { Leaf, Sight, Thing } from './things.js'
import type { World } from './world.js'

/** The last sight before a sight that was right, and the requests since then, or from the change on that gave the value. */
export function intervalOf(
  sight: Sight,
  { view, attribute, right, wrong }: Place,
  { requests, sights }: World,
) {
  const fact = sight.facts.get(attribute)
  const wrongHere = new Set(wrong)
  // The first sight of a value that no request gave counts as right.
  const known = fact?.possible ? right : sights.filter((one) => one.view === view && !wrongHere.has(one))
  const state = stateOf(sight, attribute)
  const before = known.findLast((one) => one.n < sight.n && stateOf(one, attribute) === state)
  const since = before?.n ?? (fact?.n ?? 0) - 1
  const isAnswer = view.startsWith('answer')
  const between = requests.filter(({ n }) => n > since && (n < sight.n || (isAnswer && n === sight.n)))
  return { before, between }
}

/** The kind of a request. Suspicion is counted for each kind. */
const signOf = ({ op, role, status, subject }: Request, thing: Thing): string =>
  `${op} ${role} ${status} ${subject === thing ? 'of it' : 'of another'}`

/** The operation to blame explains at least this share of what the likeliest one explains. */
const MOST = 0.8

/**
 * The suspicion against each kind of request: Ochiai's measure over the sights of a place. Only kinds that came before
 * nearly as many wrong sights as any other kind are in it.
 */
export function suspicions(place: Place, world: World): ReadonlyMap<string, number> {
  const { attribute, right, wrong } = place
  const firstWrong = [...groupBy(wrong, (one) => stateOf(one, attribute)).values()].flatMap(
    ([one]) => one ?? [],
  )
  const signsOf = (sight: Sight) =>
    new Set(intervalOf(sight, place, world).between.map((one) => signOf(one, sight.thing)))
  const count = (sights: readonly Sight[]) => {
    const found = new Map<string, number>()
    for (const sign of sights.flatMap((sight) => [...signsOf(sight)]))
      found.set(sign, (found.get(sign) ?? 0) + 1)
    return found
  }
  const [failed, passed] = [count(firstWrong), count(right)]
  const most = Math.max(0, ...failed.values())
  const score = ([sign, times]: [string, number]) =>
    times / Math.sqrt(firstWrong.length * (times + (passed.get(sign) ?? 0)))
  return new Map([...failed].filter(([, times]) => times >= MOST * most).map((one) => [one[0], score(one)]))
}

/** The weight of a read: reads that change something are rarer than changes that do too much. */
const OF_A_READ = 0.5

/**
 * The operation that gave the shown text; otherwise the most suspicious of the operations before the
 * sight. undefined: another one is equally suspicious.
 */
export function likeliest(
  { thing }: Sight,
  between: readonly Request[],
  against: ReadonlyMap<string, number>,
  shown: Leaf | undefined,
): OperationId | undefined {
  const giving = new Set(between.filter((one) => gives(one, shown)).map(({ op }) => op))
  if (giving.size === 1) return [...giving][0]
  const scored = between.map((one) => ({
    op: one.op,
    score: (against.get(signOf(one, thing)) ?? 0) * (one.isRead ? OF_A_READ : 1),
  }))
  const most = Math.max(0, ...scored.map(({ score }) => score))
  const [op, ...more] = new Set(scored.filter(({ score }) => score === most).map((one) => one.op))
  return more.length === 0 && most > 0 ? op : undefined
}

/** Whether a body holds the shown text, and the text is too long for a coincidence. */
export const gives = ({ isRead, body }: Request, shown: Leaf | undefined): boolean =>
  !isRead && typeof shown === 'string' && shown.length > 5 && scalars(body).includes(shown)
