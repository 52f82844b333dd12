/** Relations of reads: an ordering changes only the order, and a selection only which members are shown. */
import { isTime } from './callers.js'
import { did, type Sighting } from './finding.js'
import { brief, isObject, type JsonObject, labelOf, listsIn, same } from './json.js'
import { leavesOf } from './leaves.js'
import { isPlain, type Relation, type Watch } from './relations.js'
import { membersOf, type Request } from './request.js'
import { must, should } from './statement.js'
import { keepsOrder, without } from './text-places.js'
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
        // A tracker that does not know the parameter keeps its own order, or turns it.
        if (!member || after.length < 3 || [before, before.toReversed()].some((own) => same(own, after)))
          return
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
      const saved = new Map<Thing, Saved[]>()
      return {
        each({ op, subject, status, isConcurrent, isUnusual, body, answer, n, exchange: { text } }) {
          if (op !== 'manageColumns' || !subject || status !== 200 || isConcurrent) return []
          const all = saved.get(subject) ?? []
          const { columns } = membersOf({ body })
          if (columns === undefined) all.at(-1)?.reads.push({ n, answer, text })
          else
            all.push({ columns: Array.isArray(columns) && !isUnusual ? columns.map(String) : [], reads: [] })
          saved.set(subject, all)
          // The columns of several projects and types may be one list.
          for (const [other, lists] of columns === undefined ? [] : saved)
            if (other !== subject && other.caller === subject.caller) lists.push({ columns: [], reads: [] })
          return []
        },
        *end() {
          const groups = [...saved.values()].map((all) =>
            all.flatMap(({ columns, reads }) =>
              columns.length > 0 ? reads.map((read) => ({ ...read, columns })) : [],
            ),
          )
          const isDistorted = areDistorted(groups.flat())
          for (const reads of groups) {
            const says = isDistorted ? DISTORTED : isConstant(reads) ? CONSTANT : ''
            const [first] = reads
            // An answer that shows no column may be about something else.
            if (first && (says !== '' || reads.some(showsColumns)))
              yield { op: 'manageColumns', n: first.n, evidence: reads.length, isRight: says === '', says }
          }
        },
      }
    },
  },
]

interface Read {
  readonly n: number
  readonly answer: unknown
  readonly text: string
}
/** A list that was saved, and what was read before the next one. */
interface Saved {
  readonly columns: readonly string[]
  readonly reads: Read[]
}
type SavedRead = Read & Pick<Saved, 'columns'>

const DISTORTED = 'saved columns are missing when they are read, or are in another order'
const CONSTANT = 'the same columns are read, whatever is saved'
const showsColumns = ({ columns, text }: SavedRead) => columns.every((one) => text.includes(`"${one}"`))
const listsOf = (reads: readonly SavedRead[]) => new Set(reads.map(({ columns }) => columns.join('\n'))).size

/** Whether some list in the answers has only saved columns, but at two or more lists not all of them or not in their order. */
function areDistorted(reads: readonly SavedRead[]): boolean {
  const long = reads.filter(({ columns }) => columns.length > 1)
  const leaves = long.map(({ answer }) => leavesOf(answer, new Set()))
  return [...(leaves[0]?.keys() ?? [])].some((path) => {
    const shown = leaves.map((one) => one.get(path))
    if (!shown.every((list, at) => isPartOf(list, long[at]?.columns ?? []))) return false
    const lists = shown as (readonly string[])[]
    // A tracker may leave out a column that it does not have, and the last ones where it has no room for more.
    const all = new Set(lists.flat())
    const room = Math.max(2, ...lists.map(({ length }) => length))
    const isFull = long.every(
      ({ columns }, at) => columns.length > room || lists[at]?.length === columns.length,
    )
    const isWrong = ({ columns }: SavedRead, at: number) =>
      columns.every((one) => all.has(one)) &&
      !keepsOrder(lists[at] ?? [], isFull ? columns.slice(0, room) : columns)
    return (
      listsOf(long.filter(isWrong)) > 1 || isShuffled(long.map((read, at) => [read.columns, lists[at] ?? []]))
    )
  })
}

/** Whether three lists were read in another order than they were saved, and no one column that always moves explains it. */
function isShuffled(
  pairs: readonly (readonly [saved: readonly string[], read: readonly string[]])[],
): boolean {
  const moved = pairs.filter(([saved, read]) => saved.length === read.length && saved.join() !== read.join())
  const explains = (one: string) => moved.every(([saved, read]) => without(saved, one) === without(read, one))
  return (
    new Set(moved.map(([saved]) => saved.join())).size > 2 &&
    !moved.flatMap(([saved]) => saved).some(explains)
  )
}

const isPartOf = (shown: unknown, columns: readonly string[]): boolean =>
  Array.isArray(shown) && shown.length > 0 && shown.every((one) => columns.includes(one))

const isConstant = (reads: readonly SavedRead[]): boolean =>
  listsOf(reads) > 2 && new Set(reads.map(({ text }) => text)).size === 1 && reads.some(showsColumns)

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
  // An empty text, 0, null or a word for it may stand for a member that is not selected.
  const isNothing = (leaf: unknown) => /^(0|null|none)?$/i.test(String(leaf))
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
  // Several lists may each have a part of the records.
  const isInParts = listsIn(plain).flat().length === listsIn(ordered).flat().length
  if (after.length !== before.length && isInParts) return
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
      !same(value, one[member]) && !shown.has(JSON.stringify(one[member])) && !isTime(String(value))
    if (Object.entries(other).some(isChanged)) yield `the record ${brief(one[key])} is another one`
  }
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
