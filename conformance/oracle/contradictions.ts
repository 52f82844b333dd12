/** Sights that show something else than is known, and who is to blame: what came before most wrong sights and few right ones. */
import { did, type Sighting } from './finding.js'
import { brief, groupBy, same, scalars } from './json.js'
import { isText, type Place, stateOf } from './places.js'
import type { Request } from './request.js'
import { groupOf, type Leaf, type Sight, type Thing } from './things.js'
import type { World } from './world.js'

/** The text, number or flag at a place. */
type Shown = Leaf | undefined
/** By the kind of a request. */
type Suspicions = ReadonlyMap<string, number>

/**
 * Every sight that shows another value than the known one. The reader is to blame where another view shows the right value,
 * otherwise what happened whenever a value went wrong, or else the last change. Where the trace does not tell who is
 * to blame, a sight yields nothing.
 */
export function* contradictions(places: readonly Place[], world: World): Generator<Sighting> {
  const keyOf = ({ view, attribute }: Place, sight: Sight) =>
    `${view} ${attribute} ${stateOf(sight, attribute)}`
  const wrong = new Set(places.flatMap((place) => place.wrong.map((sight) => keyOf(place, sight))))
  for (const place of places) {
    const { attribute, path, view } = place
    let against: Suspicions | undefined
    const kind = place.wrong[0] && groupOf(place.wrong[0].thing)
    const isOther = (one: Place) =>
      one.attribute === attribute &&
      one.view.split(' ')[0] !== view.split(' ')[0] &&
      one.right.some(({ thing }) => groupOf(thing) === kind)
    const isReadersFault =
      place.isFixed && places.some((one) => isOther(one) && one.right.length > one.wrong.length)
    const earlier = new Map<string, { readonly shown: Shown; readonly sighting: Sighting }>()
    for (const sight of firstSights(place, 2)) {
      const { n, op } = sight
      // What shows again came about once.
      const state = stateOf(sight, attribute)
      const again = earlier.get(state)
      const [shown, fact] = [sight.leaves.get(path), sight.facts.get(attribute)]
      if (again && same(again.shown, shown)) {
        yield { ...again.sighting, n }
        continue
      }
      const known = fact?.possible?.map(brief).join(' or ') ?? 'what stood there before'
      const says = `${view} shows ${attribute} ${brief(shown)}, not ${known}`
      const told = fact?.possible ? `established ${attribute} ${known}` : `may have changed ${attribute}`
      const witnesses = fact?.n ? [did(fact.n, told)] : []
      const about = { n, isRight: false, says, place: path }
      const isSame = (seen: Sight) => stateOf(seen, attribute) === state && isNear(seen, sight)
      const isRightIn = (one: Place) => one.right.some(isSame) && !wrong.has(keyOf(one, sight))
      if (isReadersFault || places.some((one) => isOther(one) && isRightIn(one))) {
        if (isReadersFault || isText(attribute)) yield { ...about, op, witnesses }
        continue
      }
      const { before, between } = intervalOf(sight, place, world)
      const changes = between.filter(({ isRead }) => !isRead)
      const last: Request | undefined = (changes.length > 0 ? changes : between).at(-1)
      const likely = before === undefined && fact?.by ? fact.by : (last?.op ?? op)
      against ??= suspicions(place, world)
      const blamed = likeliest(sight, between, against, shown) ?? likely
      const suspects = changes.filter((one) => one.n !== fact?.n).slice(-3)
      const isGiver = (one: Request) => one.n < n && one.subject === sight.thing && gives(one, shown)
      const giver = suspects.some(isGiver) ? undefined : world.requests.findLast(isGiver)
      if (giver)
        witnesses.push(did(giver.n, `gave the value that is shown, and was answered ${giver.status}`))
      if (before) witnesses.push(did(before.n, `showed ${attribute} ${brief(before.leaves.get(path))}`))
      witnesses.push(...suspects.map((one) => did(one.n, cameBetween(one, shown))))
      const sighting = { ...about, op: blamed, witnesses }
      earlier.set(state, { shown, sighting })
      yield sighting
    }
  }
}

const cameBetween = (request: Request, shown: Shown): string =>
  `came in between${request.status === 200 ? '' : `, was answered ${request.status}`}${gives(request, shown) ? ', and gave the value that is shown' : ''}`

/** Another view tells the present value only if it was read at about the same time, with no change of the thing in between. */
function isNear(seen: Sight, { n, thing }: Sight): boolean {
  const [from, to] = seen.n < n ? [seen.n, n] : [n, seen.n]
  return seen.n >= n - 4 && seen.n <= n + 8 && !thing.log.some((one) => one > from && one <= to)
}

/** The first sights of each contradiction. */
function firstSights({ wrong, attribute }: Place, count: number): Sight[] {
  const states = groupBy(wrong, (one) => stateOf(one, attribute))
  return wrong.filter((one) => (states.get(stateOf(one, attribute))?.indexOf(one) ?? 0) < count)
}

/** The last sight before a sight that was right, and the requests since then, or from the change on that gave the value. */
function intervalOf(sight: Sight, { view, attribute, right, wrong }: Place, { requests, sights }: World) {
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
function suspicions(place: Place, world: World): Suspicions {
  const signsOf = (sight: Sight) =>
    new Set(intervalOf(sight, place, world).between.map((one) => signOf(one, sight.thing)))
  const [failed = [], passed = []] = [firstSights(place, 1), place.right].map((all) => all.map(signsOf))
  const count = (sign: string, all: readonly ReadonlySet<string>[]) =>
    all.filter((one) => one.has(sign)).length
  const times = new Map(failed.flatMap((one) => [...one]).map((sign) => [sign, count(sign, failed)]))
  const most = Math.max(0, ...times.values())
  const score = (sign: string, own: number) => own / Math.sqrt(failed.length * (own + count(sign, passed)))
  return new Map([...times].flatMap(([sign, own]) => (own < MOST * most ? [] : [[sign, score(sign, own)]])))
}

/** The weight of a read: reads that change something are rarer than changes that do too much. */
const OF_A_READ = 0.5

/**
 * The operation that gave the shown text; otherwise the most suspicious of the operations before the
 * sight. undefined: another one is equally suspicious.
 */
function likeliest({ thing }: Sight, between: readonly Request[], against: Suspicions, shown: Shown) {
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
const gives = ({ isRead, body }: Request, shown: Shown): boolean =>
  !isRead && typeof shown === 'string' && shown.length > 5 && scalars(body).includes(shown)
