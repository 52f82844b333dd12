/** Relations of reads: an ordering changes only the order, and a selection only which members are shown. */
import { did, type Sighting } from './finding.js'
import { brief, groupBy, isObject, type JsonObject, labelOf, listsIn, same } from './json.js'
import { leavesOf } from './leaves.js'
import { isPlain, must, type Relation, should, type Watch } from './relations.js'
import { membersOf, type Request } from './request.js'
import type { Thing } from './things.js'
import type { World } from './world.js'

/** Whether a query has only these parameters. */
const hasOnly = ({ exchange: { query } }: Request, ...names: readonly string[]): boolean =>
  query !== '' && [...new URLSearchParams(query).keys()].every((key) => names.includes(key))

/** Looks at each ordered list of fields beside the last plain one, while nothing has changed since. */
function orderings(world: World, look: (ordered: Request, plain: Request) => Iterable<Sighting>): Watch {
  let plain: Request | undefined
  return {
    *each(request) {
      if (!request.isRead) plain = undefined
      if (request.op !== 'listCustomFields' || !isPlain(request, world)) return
      if (request.exchange.query === '') plain = request
      if (plain && hasOnly(request, 'sort_by', 'sort_order')) yield* look(request, plain)
    },
  }
}

export const readingRelations: readonly Relation[] = [
  {
    ...must('ordered', '4.2', ['listCustomFields']),
    statement: 'Sorting a list removes no record, adds none, and changes none.',
    watch: (world) =>
      orderings(world, function* ({ op, n, answer }, plain) {
        const witnesses = [did(plain.n, 'listed the fields without an ordering')]
        const [says = ''] = differences(plain.answer, answer)
        yield { op, n, isRight: says === '', says, witnesses }
      }),
  },
  {
    ...should('ordered.by', '4.2', ['listCustomFields']),
    statement: "A list that is sorted by a member is in the order of this member's values.",
    watch: (world) =>
      orderings(world, function* ({ op, n, answer, exchange }, plain) {
        const member = new URLSearchParams(exchange.query).get('sort_by')
        const [before = [], after = []] = [listsIn(plain.answer)[0], listsIn(answer)[0]]
        // A tracker that ignores the parameter keeps its own order.
        if (!member || after.length < 3 || same(before, after)) return
        if (!after.every((one) => isObject(one) && member in one)) return
        const values = after.map((one) => (one as JsonObject)[member])
        // A type may have an order of its own.
        if (new Set(values).size < values.length) return
        const says = `ordered by ${member}, the list begins with ${brief(values.slice(0, 4))}`
        yield { op, n, isRight: isInOrder(values) || isInOrder(values.toReversed()), says }
      }),
  },
  {
    ...should('selected', '4.1', ['getUser']),
    statement: 'With `select`, an answer shows fewer members of a user, with the same values.',
    watch(world) {
      const plain = new Map<string, Request>()
      /** Paths at which two readings of the same user showed the same. */
      const steady = new Set<string>()
      /** Queries that limited an answer, with the exchange. */
      const limiting = new Map<string, number>()
      return {
        *each(request) {
          if (!request.isRead) plain.clear()
          if (request.op !== 'getUser' || !isPlain(request, world)) return
          const whole = plain.get(request.address ?? '')
          if (request.exchange.query === '') {
            plain.set(request.address ?? '', request)
            for (const [path, leaf] of whole ? leavesOf(whole.answer, new Set()) : [])
              if (same(leavesOf(request.answer, new Set()).get(path), leaf)) steady.add(path)
          }
          if (whole && hasOnly(request, 'select', 'select[]'))
            yield* selections(request, whole, limiting, steady)
        },
      }
    },
  },
  {
    ...must('saved', '4.2', ['manageColumns']),
    statement: 'A read shows the columns that were saved last.',
    watch() {
      /** The reads of one project and type, and the list that was saved last. */
      const saved = new Map<Thing, { last: readonly string[]; reads: Saved[] }>()
      return {
        each(request) {
          const { op, subject, status, isConcurrent, isUnusual } = request
          if (op !== 'manageColumns' || !subject || status !== 200 || isConcurrent) return []
          const { last, reads } = saved.get(subject) ?? { last: [], reads: [] }
          const { columns } = membersOf(request)
          if (columns === undefined && last.length > 0) reads.push({ columns: last, request })
          const isList = Array.isArray(columns) && !isUnusual
          saved.set(subject, {
            last: isList ? columns.map(String) : columns === undefined ? last : [],
            reads,
          })
          return []
        },
        *end() {
          const all = [...saved.values()].flatMap(({ reads }) => reads)
          const [one] = all
          const says = isNeverWhole(all)
            ? 'each saved list lacks one of its columns when it is read'
            : isReversed(all) && 'each saved list is read from its end to its beginning'
          if (one && says)
            yield { op: one.request.op, n: one.request.n, evidence: all.length, isRight: false, says }
          for (const { reads } of saved.values()) {
            const [first] = reads
            if (!first || !reads.some(showsColumns)) continue
            const bySet = [...groupBy(reads, ({ columns }) => columns.toSorted().join('\n')).values()]
            const isOne = new Set(reads.map(({ columns }) => columns.join('\n'))).size > 2 && areAlike(reads)
            const wrong = isOne ? reads : bySet.find((some) => differInOrder(some) && areAlike(some))
            const order = isOne ? 'whatever is saved' : 'in whatever order they are saved'
            const { op, n } = (wrong?.[0] ?? first).request
            const about = { isRight: !wrong, says: `the same columns are read ${order}` }
            yield { op, n, evidence: (wrong ?? reads).length, ...about }
          }
        },
      }
    },
  },
]

interface Saved {
  readonly columns: readonly string[]
  readonly request: Request
}

const areAlike = (reads: readonly Saved[]) =>
  new Set(reads.map(({ request }) => request.exchange.text)).size === 1
const showsColumns = ({ columns, request }: Saved) =>
  columns.every((one) => request.exchange.text.includes(`"${one}"`))

/** Whether a list in the answers never shows all saved columns, and twice lacks one that it shows at other times. */
function isNeverWhole(reads: readonly Saved[]): boolean {
  const leaves = reads.map(({ request }) => leavesOf(request.answer, new Set()))
  return [...(leaves[0]?.keys() ?? [])].some((path) => {
    const lists = leaves.map((one) => one.get(path))
    const isPart = (list: unknown, { columns }: Saved) =>
      Array.isArray(list) &&
      list.length < columns.length &&
      columns.filter((one) => list.includes(one)).join() === list.join()
    const shown = lists.map((list) => new Set(Array.isArray(list) ? list : []))
    const losing = reads.filter(({ columns }, index) =>
      columns.some((one) => !shown[index]?.has(one) && shown.some((some) => some.has(one))),
    )
    // A tracker may have room for some columns only, and shows that many each time.
    return (
      reads.every((read, index) => isPart(lists[index], read)) &&
      new Set(shown.map(({ size }) => size)).size > 1 &&
      new Set(losing.map(({ columns }) => columns.join('\n'))).size > 1
    )
  })
}

/** Whether a list in the answers shows each of three or more saved lists from its end to its beginning. */
function isReversed(all: readonly Saved[]): boolean {
  const reads = all.filter(({ columns }) => columns.length > 1)
  const leaves = reads.map(({ request }) => leavesOf(request.answer, new Set()))
  const isTurned = (path: string) =>
    reads.every(({ columns }, index) => same(leaves[index]?.get(path), columns.toReversed()))
  const saved = new Set(reads.map(({ columns }) => columns.join('\n')))
  return saved.size > 2 && [...(leaves[0]?.keys() ?? [])].some(isTurned)
}

/** Whether orders of the same columns differ wherever a tracker puts one of these. */
const differInOrder = (reads: readonly Saved[]): boolean =>
  (reads[0]?.columns ?? []).every(
    (one) =>
      new Set(reads.map(({ columns }) => columns.filter((other) => other !== one).join('\n'))).size > 1,
  )

function* selections(
  request: Request,
  whole: Request,
  limiting: Map<string, number>,
  steady: ReadonlySet<string>,
): Generator<Sighting> {
  const { op, n, exchange } = request
  const [all, shown] = [leavesOf(whole.answer, new Set()), leavesOf(request.answer, new Set())]
  const witnesses = [did(whole.n, 'showed the whole user')]
  // A record may contain the requested address as a link.
  const isLink = (leaf: unknown) => String(leaf).includes(exchange.path)
  // An empty text, null or a word for it may stand for a member that is not selected.
  const isNothing = (leaf: unknown) => /^(null|none)?$/i.test(String(leaf))
  const changed = [...shown].find(
    ([path, leaf]) =>
      steady.has(path) && all.has(path) && !isNothing(leaf) && !same(all.get(path), leaf) && !isLink(leaf),
  )
  const says = `shows ${brief(changed?.[1])}`
  const place = changed?.[0] ?? ''
  yield { op, n, isRight: !changed, says, place, witnesses }
  const isLimited = shown.size < all.size
  const before = limiting.get(exchange.query)
  if (isLimited) limiting.set(exchange.query, n)
  if (before === undefined || isLimited) return
  const others = [...witnesses, did(before, 'was limited by the same selection')]
  yield { op, n, isRight: false, says: 'shows all in spite of the selection', witnesses: others }
}

/** How an ordered list differs from the plain one. */
function* differences(plain: unknown, ordered: unknown): Generator<string> {
  const [before = [], after = []] = [listsIn(plain)[0], listsIn(ordered)[0]]
  if (before.length < 2 || !before.every(isObject) || !after.every(isObject)) return
  if (after.length !== before.length)
    yield `${after.length} records, and ${before.length} without the ordering`
  const key = labelOf(before)
  if (key === undefined) return
  const byKey = new Map(before.map((one) => [one[key], one]))
  const shown = new Set(before.flatMap(Object.values).map((value) => JSON.stringify(value)))
  for (const one of after) {
    // A list in pages begins with other records in another order.
    const other = byKey.get(one[key]) ?? {}
    // A record may tell its position, or its neighbours; such values are in the plain list, too.
    const isChanged = ([member, value]: [string, unknown]) =>
      !same(value, one[member]) && !shown.has(JSON.stringify(one[member]))
    if (Object.entries(other).some(isChanged)) yield `the record ${brief(one[key])} is another one`
  }
}

/** Whether values are in the order of numbers, or of texts in some alphabet. */
function isInOrder(values: readonly unknown[]): boolean {
  const follows = (compare: (a: unknown, b: unknown) => number) =>
    values.every((value, index) => index === 0 || compare(values[index - 1], value) <= 0)
  const byNumber = (a: unknown, b: unknown) => Number(a) - Number(b)
  if (values.every((value) => typeof value === 'number')) return follows(byNumber)
  if (values.every((value) => /^\d+$/.test(String(value))) && follows(byNumber)) return true
  const texts = (a: unknown, b: unknown) => (String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0)
  const alphabets = [
    texts,
    (a: unknown, b: unknown) => String(a).localeCompare(String(b)),
    // A text may end with a number.
    (a: unknown, b: unknown) => String(a).localeCompare(String(b), 'en', { numeric: true }),
    (a: unknown, b: unknown) => texts(String(a).toLowerCase(), String(b).toLowerCase()),
  ]
  return !values.every((value) => typeof value === 'string') || alphabets.some(follows)
}
