/** Relations of neighbours: a change of one thing leaves all others as they were. */
import type { OperationId } from '../contract/index.js'
import { did } from './finding.js'
import { brief, isObject, labelOf, listsIn, scalars } from './json.js'
import { managing } from './operations.js'
import { isPlain, must, type Relation } from './relations.js'
import { isServed, partOf, type Request } from './request.js'

/** The changes that a list shows. */
export const changing: Partial<Record<OperationId, RegExp>> = {
  listCustomFields: /CustomField$/,
  listPlugins: /Plugin$/,
}

export const neighbourRelations: readonly Relation[] = [
  {
    ...must('neighbours', '4.2', managing),
    statement: 'A change of one thing does not change other things.',
    watch(world) {
      const before = new Map<OperationId, { n: number; at: number; marks: Marks }>()
      /** Places that change by themselves. */
      const restless = new Set<string>()
      return {
        *each(request) {
          const { op, n } = request
          const changes = changing[op]
          if (!changes || !isServed(request) || !isPlain(request, world)) return
          const { marks, ids } = marksIn(request)
          const last = before.get(op)
          before.set(op, { n, at: world.requests.length, marks })
          if (!last) return
          const between = world.requests.slice(last.at).filter(({ isRead }) => !isRead)
          const served = between.filter((one) => changes.test(one.op) && one.status === 200)
          // A thing without a known name may be any record.
          if (served.some(({ kind, subject }) => kind === 'field' && !subject?.names.size)) return
          const names = new Set(
            served.flatMap((one) => [...(one.subject?.names ?? []), one.address ?? '', nameIn(one)]),
          )
          const isTouched = (name: string) =>
            names.has(name) || [...(ids.get(name) ?? [])].some((id) => names.has(id))
          const given = new Set(served.flatMap(({ body }) => scalars(body)).filter(isLong))
          const found = [...marks].flatMap(([key, mark]) => {
            const [name = '', path = ''] = key.split('\n')
            const isOther = last.marks.has(key) && last.marks.get(key) !== mark
            if (isOther && between.length === 0) restless.add(path)
            const isCarriedOver = typeof mark === 'boolean' || given.has(mark)
            return isOther && isCarriedOver && !isTouched(name) && !restless.has(path)
              ? [{ name, path, mark }]
              : []
          })
          const [blamed, first] = [served.at(-1), found[0]]
          if (!blamed) return
          const witnesses = [
            did(last.n, 'listed the others before'),
            ...served.map((one) => did(one.n, 'changed another')),
          ]
          const says = `${first?.name} has ${first?.path} ${brief(first?.mark)}`
          const about = { op: blamed.op, n, says, witnesses, evidence: found.length }
          yield { ...about, isRight: !first, ...(first ? { place: first.path } : {}) }
        },
      }
    },
  },
]

/** The name that a creation gives. */
function nameIn(request: Request): string {
  const part = partOf(request)
  return isObject(part) ? String(part.name ?? '') : ''
}

/** Whether a text is too long for a coincidence. */
const isLong = (text: unknown): boolean => typeof text === 'string' && text.length > 5

/** The flags and texts of records, by the name of the record and the member. */
type Marks = ReadonlyMap<string, boolean | string>

/** Those of a list, by the text that names the record, and the integers that may be its id. */
function marksIn({ answer }: Request): { marks: Marks; ids: ReadonlyMap<string, ReadonlySet<string>> } {
  const records = (listsIn(answer)[0] ?? []).filter(isObject)
  const key = labelOf(records)
  const marks = new Map<string, boolean | string>()
  const ids = new Map<string, ReadonlySet<string>>()
  for (const record of key === undefined ? [] : records) {
    ids.set(String(record[key ?? '']), new Set(scalars(record).map(String)))
    for (const [member, value] of Object.entries(record))
      if (typeof value === 'boolean' || typeof value === 'string')
        marks.set(`${record[key ?? '']}\n${member}`, value)
  }
  return { marks, ids }
}
