/** Relations of neighbours: a change of one thing leaves all others as they were. */
import type { OperationId } from '../contract/index.js'
import { did } from './finding.js'
import { brief, byLabel, folded, listsIn, scalars } from './json.js'
import { leavesOf } from './leaves.js'
import { managing } from './operations.js'
import { isServed, partOf, type Request } from './request.js'
import { must, type Relation } from './statement.js'

/** The changes that a list shows. */
export const changing: Partial<Record<OperationId, RegExp>> = {
  listCustomFields: /CustomField$/,
  listPlugins: /Plugin$/,
}

export const neighbourRelations: readonly Relation[] = [
  {
    ...must('neighbours', '4.2', managing),
    statement: 'A change of one thing does not change other things.',
    watch() {
      /** Members that change by themselves. */
      const restless = new Set<string>()
      return {
        *each(request, { requests }) {
          const { op, n } = request
          const changes = changing[op]
          const isList = (one: Request) => one.op === op && isServed(one) && one.isPlain
          const last = requests.findLast((one) => one !== request && isList(one))
          if (!changes || !isList(request) || !last) return
          const [before, rows] = [byLabel(listsIn(last.answer)[0]), byLabel(listsIn(request.answer)[0])]
          const between = requests.filter((one) => one.n > last.n && !one.isRead)
          const served = between.filter((one) => changes.test(one.op) && one.status === 200)
          const changed = [...rows].flatMap(([name, row]) => {
            const earlier = leavesOf(before.get(name))
            return [...leavesOf(row)].flatMap(([member, value]) =>
              isOther(earlier.get(member), value) ? [{ name, member, value }] : [],
            )
          })
          if (between.length === 0) for (const { member } of changed) restless.add(inAny(member))
          const blamed = served.at(-1)
          // A thing without a known name may be any record.
          if (!blamed || served.some(({ kind, subject }) => kind === 'field' && !subject?.names.size)) return
          const names = new Set(
            served.flatMap((one) =>
              [...(one.subject?.names ?? []), one.address, partOf(one)?.name].map(folded),
            ),
          )
          const isTouched = (name: string) =>
            [name, ...scalars(rows.get(name))].some((text) => names.has(folded(text)))
          const given = new Set<unknown>(served.flatMap(({ body }) => scalars(body)))
          const others = changed.filter(
            ({ name, member }) => !isTouched(name) && !restless.has(inAny(member)),
          )
          // One record may have a short text or a number by coincidence, but hardly two.
          const found = others.filter(({ member, value }) => {
            const isLike = (one: { member: string; value: unknown }) =>
              one.member === member && one.value === value
            return (
              typeof value === 'boolean' ||
              (given.has(value) && (isLong(value) || others.filter(isLike).length > 1))
            )
          })
          const [first] = found
          const witnesses = [
            did(last.n, 'listed the others before'),
            ...served.map((one) => did(one.n, 'changed another')),
          ]
          const says = `${first?.name} has ${first?.member} ${brief(first?.value)}`
          const about = { op: blamed.op, n, says, witnesses, evidence: found.length }
          yield { ...about, isRight: !first, ...(first ? { place: first.member } : {}) }
        },
      }
    },
  },
]

/** A path in any record of the lists in it. */
const inAny = (path: string): string => path.replace(/\[[^\]]*\]/g, '[]')

const isMark = (value: unknown) => ['boolean', 'string', 'number'].includes(typeof value)
/** Whether a flag, text or number has another value now. */
const isOther = (before: unknown, now: unknown): boolean => isMark(before) && isMark(now) && before !== now

/** Whether a text is too long for a coincidence. */
const isLong = (text: unknown): boolean => typeof text === 'string' && text.length > 5
