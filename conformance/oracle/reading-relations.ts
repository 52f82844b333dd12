/** Relations of reads: an ordering changes only the order, and a selection only which members are shown. */
import { memoised } from '../contract/memoised.js'
import { isTime } from './callers.js'
import { did, type Sighting } from './finding.js'
import { brief, byLabel, isObject, type JsonObject, labelOf, listsIn, same, scalars } from './json.js'
import { leavesOf } from './leaves.js'
import type { Request } from './request.js'
import { savedColumns } from './saved-columns.js'
import { must, type Relation, should } from './statement.js'
import type { World } from './world.js'

/** Whether a query has only these parameters. */
const hasOnly = ({ exchange: { query } }: Request, ...names: readonly string[]): boolean =>
  query !== '' && [...new URLSearchParams(query).keys()].every((key) => names.includes(key))

/** The last list of fields without an ordering before one with it, if nothing has changed since. */
function unordered(ordered: Request, { requests }: World): Request | undefined {
  if (ordered.op !== 'listCustomFields' || !ordered.isPlain) return undefined
  if (!hasOnly(ordered, 'sort_by', 'sort_order')) return undefined
  const last = requests.findLast((one) => one.n < ordered.n && (!one.isRead || isWhole(one)))
  return last?.isRead ? last : undefined
}
const isWhole = ({ op, isPlain, exchange }: Request): boolean =>
  op === 'listCustomFields' && isPlain && exchange.query === ''

export const readingRelations: readonly Relation[] = [
  {
    ...must('ordered', '4.2', ['listCustomFields']),
    statement: 'Sorting a list removes no record, adds none, and changes none.',
    *end(world) {
      const steady = steadyMembers(world)
      for (const request of world.requests) {
        const plain = unordered(request, world)
        if (!plain) continue
        const { op, n, answer } = request
        const witnesses = [did(plain.n, 'listed the fields without an ordering')]
        const [says = ''] = differences(plain.answer, answer, steady)
        yield { op, n, isRight: says === '', says, witnesses }
      }
    },
  },
  {
    ...should('ordered.by', '4.2', ['listCustomFields']),
    statement: "A list that is sorted by a member is in the order of this member's values.",
    *each(request, world) {
      const plain = unordered(request, world)
      const { op, n, answer, exchange } = request
      const member = new URLSearchParams(exchange.query).get('sort_by')
      if (!plain || !member) return
      const [before = [], after = []] = [listsIn(plain.answer)[0], listsIn(answer)[0]]
      // A tracker that does not know the parameter keeps its own order, or turns it.
      if (after.length < 3 || [before, before.toReversed()].some((own) => areInStep(own, after))) return
      if (!after.every((one) => isObject(one) && member in one)) return
      const values = after.map((one) => (one as JsonObject)[member])
      // A type may have an order of its own.
      if (new Set(values).size < values.length) return
      const says = `ordered by ${member}, the list begins with ${brief(values.slice(0, 4))}`
      yield { op, n, isRight: isInOrder(values) || isInOrder(values.toReversed()), says }
    },
  },
  {
    ...should('selected', '4.1', ['getUser']),
    statement: 'With `select`, an answer shows fewer members of a user, with the same values.',
    watch() {
      const plain = new Map<string, Request>()
      /** Paths, and whether all readings of a user one after the other showed the same there. */
      const steady = new Map<string, boolean>()
      /** Queries that limited an answer, with the exchange. */
      const limiting = new Map<string, number>()
      return {
        *each(request) {
          if (!request.isRead) plain.clear()
          if (request.op !== 'getUser' || !request.isPlain) return
          const whole = plain.get(request.address ?? '')
          if (request.exchange.query === '') {
            plain.set(request.address ?? '', request)
            const now = leavesOf(request.answer)
            for (const [path, leaf] of whole ? leavesOf(whole.answer) : [])
              steady.set(path, steady.get(path) !== false && same(now.get(path), leaf))
          }
          if (whole && hasOnly(request, 'select', 'select[]'))
            yield* selections(request, whole, { limiting, steady })
        },
      }
    },
  },
  {
    ...must('saved', '4.2', ['manageColumns']),
    statement: 'A read shows the columns that were saved last.',
    end: ({ requests }) => savedColumns(requests),
  },
]

type Memory = Readonly<{ limiting: Map<string, number>; steady: ReadonlyMap<string, boolean> }>
function* selections(request: Request, whole: Request, { limiting, steady }: Memory): Generator<Sighting> {
  const { op, n, exchange } = request
  const [all, shown] = [leavesOf(whole.answer), leavesOf(request.answer)]
  const witnesses = [did(whole.n, 'showed the whole user')]
  // A record may contain the requested address as a link.
  const isLink = (leaf: unknown) => String(leaf).includes(exchange.path)
  // An empty text, 0, null or a word for it may stand for a member that is not selected.
  const isNothing = (leaf: unknown) => /^(0|null|none)?$/i.test(String(leaf))
  // An answer may show its own time, how long it took, or a checksum of itself.
  const isOpen = ([path, leaf]: [string, unknown]) =>
    isNothing(leaf) ||
    isLink(leaf) ||
    isTime(String(leaf)) ||
    /^\d+\.\d+$/.test(String(leaf)) ||
    /(etag|hash|sum|digest|signature)$/i.test(path)
  // A list may be shorter. Where it has several records, another one may take the place of the first.
  const texts = new Set(scalars(whole.answer).map(String))
  const mayMove = ([path, leaf]: [string, unknown]) => {
    const list = all.get(path)
    if (Array.isArray(list) && Array.isArray(leaf)) return leaf.every((one) => list.includes(one))
    const second = `${path.slice(0, path.lastIndexOf('['))}[1]`
    const isKnown = typeof leaf !== 'boolean' && scalars(leaf).every((one) => texts.has(String(one)))
    return isKnown && path.includes('[') && [...all.keys()].some((other) => other.startsWith(second))
  }
  const isOther = ([path, leaf]: [string, unknown]) => all.has(path) && !same(all.get(path), leaf)
  const known = [...shown].filter(([path]) => steady.get(path))
  const changed = known.find((one) => isOther(one) && !mayMove(one) && !isOpen(one))
  const [place = '', leaf] = changed ?? []
  const says = `shows ${brief(leaf)}`
  const isLimited = shown.size < all.size
  if (changed || isLimited) yield { op, n, isRight: !changed, says, place, witnesses }
  const before = limiting.get(exchange.query)
  if (isLimited) limiting.set(exchange.query, n)
  if (before === undefined || isLimited) return
  const others = [...witnesses, did(before, 'was limited by the same selection')]
  yield { op, n, isRight: false, says: 'shows all in spite of the selection', witnesses: others }
}

/** The members of listed fields that no record has changed from one list to the next: a tracker may count or sign its answers. */
function steadyMembers({ requests }: World): ReadonlySet<string> {
  const [steady, moving] = [new Set<string>(), new Set<string>()]
  const lists = requests.filter(isWhole)
  for (const [index, now] of lists.entries()) {
    const last = lists[index - 1]
    const before = byLabel(listsIn(last?.answer)[0])
    const pairs = [...byLabel(listsIn(now.answer)[0])].flatMap(([label, one]) => {
      const other = before.get(label)
      return other ? [[other, one] as const] : []
    })
    const writes = requests.filter((one) => !one.isRead && one.n > (last?.n ?? 0) && one.n < now.n).length
    for (const member of new Set(pairs.flatMap(([one]) => Object.keys(one)))) {
      const changes = pairs.filter(([one, other]) => valuesIn(one[member]) !== valuesIn(other[member])).length
      if (changes > writes) moving.add(member)
      else if (changes === 0) steady.add(member)
    }
  }
  return new Set([...steady].filter((member) => !moving.has(member)))
}

/** The texts and numbers of a value, whatever the order of its members and elements. */
const valuesIn = memoised((value: unknown): string =>
  isObject(value) || Array.isArray(value) ? scalars(value).map(String).sort().join() : JSON.stringify(value),
)

/** How an ordered list differs from the plain one. */
function* differences(plain: unknown, ordered: unknown, steady: ReadonlySet<string>): Generator<string> {
  const [before = [], after = []] = [listsIn(plain)[0], listsIn(ordered)[0]]
  if (before.length < 2 || !before.every(isObject) || !after.every(isObject)) return
  // Several lists may each have a part of the records.
  const isInParts = listsIn(plain).flat().length === listsIn(ordered).flat().length
  if (after.length !== before.length && isInParts) return
  if (after.length !== before.length)
    yield `${after.length} records, and ${before.length} without the ordering`
  const key = labelOf(before)
  if (key === undefined) return
  const byKey = new Map(before.map((one) => [one[key], one]))
  const shown = new Set(before.flatMap(Object.values).map(valuesIn))
  for (const one of after) {
    // A list in pages begins with other records in another order.
    const other = byKey.get(one[key]) ?? {}
    // A record may tell its position, or its neighbours; such values are in the plain list, too.
    const isNew = (value: unknown) => !shown.has(valuesIn(value)) && !isTime(String(value))
    const isChanged = ([member, value]: [string, unknown]) =>
      steady.has(member) && valuesIn(value) !== valuesIn(one[member]) && isNew(one[member])
    if (Object.entries(other).some(isChanged)) yield `the record ${brief(one[key])} is another one`
  }
}

/** Whether some member that tells the records apart has the same values one after the other, whatever others count. */
function areInStep(list: readonly unknown[], other: readonly unknown[]): boolean {
  const valuesOf = (records: readonly unknown[], name: string) =>
    records.map((one) => (isObject(one) ? valuesIn(one[name]) : ''))
  return Object.keys(other[0] ?? {}).some((name) => {
    const values = valuesOf(other, name)
    return new Set(values).size === values.length && values.join() === valuesOf(list, name).join()
  })
}

type Order = (a: string, b: string) => number
const ofNumbers: Order = (a, b) => Number(a) - Number(b)
/** Texts may be in the order of several alphabets, or of the numbers that they are or end with. */
const ofTexts: readonly Order[] = [
  ofNumbers,
  (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  (a, b) => a.localeCompare(b),
  (a, b) => a.localeCompare(b, 'en', { numeric: true }),
  (a, b) => (a.toLowerCase() <= b.toLowerCase() ? -1 : 1),
]

function isInOrder(values: readonly unknown[]): boolean {
  const is = (order: Order) =>
    values.every((value, at) => at === 0 || order(String(values[at - 1]), String(value)) <= 0)
  if (values.every((value) => typeof value === 'number')) return is(ofNumbers)
  return !values.every((value) => typeof value === 'string') || ofTexts.some(is)
}
