/** Relations of neighbours: a change of one thing leaves the flags of all others as they were. */

import type { OperationId } from '../contract/index.js'
import { did } from './finding.js'
import { isObject, labelOf, listsIn, scalars } from './json.js'
import { managing } from './operations.js'
import { must, type Relation } from './relations.js'
import { isServed, partOf, type Request } from './request.js'

const changing: Partial<Record<OperationId, RegExp>> = {
  listCustomFields: /CustomField$/,
  listPlugins: /Plugin$/,
}

export const neighbourRelations: readonly Relation[] = [
  {
    ...must('neighbours', '4.2', managing),
    statement: 'A change of one thing leaves the flags of others as they were.',
    watch(world) {
      const before = new Map<OperationId, { n: number; flags: Map<string, boolean> }>()
      /** Flags that change by themselves. */
      const restless = new Set<string>()
      return {
        *each(request) {
          const { op, role, caller, n, isConcurrent } = request
          const changes = changing[op]
          if (!changes || role !== 'administrator' || !isServed(request) || isConcurrent) return
          if (world.unsettled.has(caller)) return
          const now = { n, ...flagsIn(request) }
          const last = before.get(op)
          before.set(op, now)
          if (!last) return
          const between = world.requests.filter((one) => one.n > last.n && one.n < n && !one.isRead)
          const served = between.filter((one) => changes.test(one.op) && one.status === 200)
          const names = new Set(
            served.flatMap((one) => [...(one.subject?.names ?? []), one.address ?? '', nameIn(one)]),
          )
          const isTouched = (name: string) =>
            names.has(name) || [...(now.ids.get(name) ?? [])].some((id) => names.has(id))
          // Nobody knows which record a thing without a name has.
          if (served.some(({ kind, subject }) => kind === 'field' && !subject?.names.size)) return
          for (const [key, flag] of now.flags) {
            const [name = '', path = ''] = key.split('\n')
            if (!last.flags.has(key) || last.flags.get(key) === flag) continue
            if (between.length === 0) restless.add(path)
            const blamed = served.at(-1)
            if (!blamed || isTouched(name) || restless.has(path)) continue
            const witnesses = [
              did(last.n, `showed ${path} ${!flag}`),
              ...served.map((one) => did(one.n, 'changed another')),
            ]
            const says = `${name} has ${path} ${flag}`
            yield { op: blamed.op, n, isRight: false, says, place: path, witnesses }
          }
          const one = served.at(-1)
          if (one) yield { op: one.op, n, isRight: true }
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

/** The flags of each record of a list, by the text that names the record, and the integers that may be its id. */
function flagsIn({ answer }: Request): { flags: Map<string, boolean>; ids: Map<string, Set<string>> } {
  const records = (listsIn(answer)[0] ?? []).filter(isObject)
  const key = labelOf(records)
  const flags = new Map<string, boolean>()
  const ids = new Map<string, Set<string>>()
  for (const record of key === undefined ? [] : records) {
    ids.set(String(record[key ?? '']), new Set(scalars(record).map(String)))
    for (const [member, value] of Object.entries(record))
      if (typeof value === 'boolean') flags.set(`${record[key ?? '']}\n${member}`, value)
  }
  return { flags, ids }
}
