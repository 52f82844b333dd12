/** Reads of saved columns: what is missing, moved, or the same whatever was saved. */
import type { Sighting } from './finding.js'
import { same } from './json.js'
import { leavesOf } from './leaves.js'
import { membersOf, type Request } from './request.js'
import { keepsOrder, without } from './text-places.js'
import type { Thing } from './things.js'

type Columns = readonly string[]
interface Read {
  readonly n: number
  readonly answer: unknown
  readonly text: string
  /** What was saved last. */
  readonly columns: Columns
  /** Another list stands where the answer to the saving showed the saved one. */
  readonly isOther: boolean
}

/** Whether the reads of each list of columns show what was saved last. */
export function* savedColumns(requests: readonly Request[]): Generator<Sighting> {
  const all = readsOf(requests)
  const areMissing = areDistorted(all.flat())
  for (const reads of all) {
    const [first] = reads
    // An answer that shows no column may be about something else.
    if (!first || !(areMissing || reads.some(showsColumns))) continue
    const says = areMissing
      ? 'saved columns are missing when they are read, or are in another order'
      : 'the same columns are read, whatever is saved'
    const isRight = !areMissing && !isConstant(reads)
    yield { op: 'manageColumns', n: first.n, evidence: reads.length, isRight, says }
  }
}

/** The reads of each list of columns after it was saved. */
function readsOf(requests: readonly Request[]): Read[][] {
  const saved = new Map<Thing, { columns: Columns; path?: string | undefined; readonly reads: Read[] }>()
  for (const { op, subject, status, isConcurrent, isUnusual, body, answer, n, exchange } of requests) {
    if (op !== 'manageColumns' || !subject || status !== 200 || isConcurrent) continue
    const own = saved.get(subject) ?? { columns: [], reads: [] }
    saved.set(subject, own)
    const { columns } = membersOf({ body })
    if (columns === undefined) {
      const shown = own.path === undefined ? undefined : leavesOf(answer).get(own.path)
      const isOther = Array.isArray(shown) && shown.join() !== own.columns.join()
      if (own.columns.length > 0)
        own.reads.push({ n, answer, text: exchange.text, columns: own.columns, isOther })
      continue
    }
    // The columns of several projects and types may be one list.
    for (const [other, list] of saved) if (other.caller === subject.caller) list.columns = []
    if (!Array.isArray(columns) || isUnusual) continue
    own.columns = columns.map(String)
    own.path = [...leavesOf(answer)].find(([, leaf]) => same(leaf, own.columns))?.[0]
  }
  return [...saved.values()].map(({ reads }) => reads)
}

const showsColumns = ({ columns, text }: Read) => columns.every((one) => text.includes(`"${one}"`))
/** How many different lists there are. */
const countOf = (lists: readonly Columns[]): number => new Set(lists.map((list) => list.join('\n'))).size

/** Whether some list in the answers has only saved columns, but at two or more lists not all of them or not in their order. */
function areDistorted(reads: readonly Read[]): boolean {
  const long = reads
    .filter(({ columns }) => columns.length > 1)
    .map(({ columns, answer }) => ({ saved: columns, leaves: leavesOf(answer) }))
  return [...(long[0]?.leaves.keys() ?? [])].some((path) => {
    const pairs = long.flatMap(({ saved, leaves }) => {
      const shown = leaves.get(path)
      const isPart = Array.isArray(shown) && shown.length > 0 && shown.every((one) => saved.includes(one))
      return isPart ? [{ saved, shown }] : []
    })
    if (pairs.length < long.length) return false
    // A tracker may leave out a column that it does not have, and the last ones where it has no room for more.
    const all = new Set(pairs.flatMap(({ shown }) => shown))
    const room = Math.max(2, ...pairs.map(({ shown }) => shown.length))
    const isFull = pairs.every(({ saved, shown }) => saved.length > room || shown.length === saved.length)
    const isWrong = ({ saved, shown }: Pair) =>
      saved.every((one) => all.has(one)) && !keepsOrder(shown, isFull ? saved.slice(0, room) : saved)
    return countOf(pairs.filter(isWrong).map(({ saved }) => saved)) > 1 || isShuffled(pairs)
  })
}

type Pair = Readonly<Record<'saved' | 'shown', Columns>>

/** Whether three lists were read in another order than they were saved, and no one column that always moves explains it. */
function isShuffled(pairs: readonly Pair[]): boolean {
  const moved = pairs.filter(
    ({ saved, shown }) => saved.length === shown.length && saved.join() !== shown.join(),
  )
  const explains = (one: string) =>
    moved.every(({ saved, shown }) => without(saved, one) === without(shown, one))
  const lists = moved.map(({ saved }) => saved)
  return countOf(lists) > 2 && !lists.flat().some(explains)
}

/** Whether three lists were saved, and the reads differ at most in what also changes while a list stays, such as a time. */
function isConstant(reads: readonly Read[]): boolean {
  const texts = reads.map(({ text }) => text.split(','))
  const isRestless = (part: number) =>
    reads.some(
      ({ columns }, at) => columns === reads[at - 1]?.columns && !isEqual(part, texts.slice(at - 1, at + 1)),
    )
  const isEqual = (part: number, all = texts) => new Set(all.map((text) => text[part])).size === 1
  const areMany =
    countOf(reads.map(({ columns }) => columns)) > (reads.every(({ isOther }) => isOther) ? 1 : 2)
  const [first = [], ...others] = texts
  const isAlike = others.every(({ length }) => length === first.length)
  return areMany && isAlike && first.every((_, part) => isEqual(part) || isRestless(part))
}
