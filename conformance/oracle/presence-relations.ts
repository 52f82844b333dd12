/** Relations of presence: only a request that creates or deletes lets a thing appear or vanish. */
import { did } from './finding.js'
import { listsIn } from './json.js'
import { addressing, reading } from './operations.js'
import { must, type Relation } from './relations.js'
import { isServed, membersOf, type Request } from './request.js'

const keyOf = ({ kind, address }: Request) => `${kind} ${address}`

export const presenceRelations: readonly Relation[] = [
  {
    ...must('not-found.before', '7', addressing),
    statement: 'If a read does not find a thing, requests to it just before were not answered 200.',
    watch({ unsettled, absent }) {
      const served = new Map<string, Request[]>()
      return {
        *each(request) {
          const { kind, op, subject, role, status, isConcurrent, caller } = request
          if (!kind) return
          const isDone = status < 400 || status > 499
          const mayEnd = /^delete|^uninstall/.test(op) || membersOf(request).username !== undefined
          if (mayEnd && isDone) served.clear()
          if (subject || role !== 'administrator' || unsettled.has(caller) || isConcurrent) return
          const key = keyOf(request)
          if (isServed(request) && !mayEnd && !absent.has(key))
            served.set(key, [...(served.get(key) ?? []), request])
          if (status !== 404 || !request.isRead || request.isUnusual) return
          const witnesses = [did(request.n, 'found nothing there')]
          for (const { op: blamed, n } of served.get(key) ?? [])
            yield { op: blamed, n, isRight: false, says: 'answered 200 to what is not there', witnesses }
          served.delete(key)
        },
      }
    },
  },
  {
    ...must('reads', '4.2', reading),
    statement: 'A read creates nothing: no list is longer after it.',
    watch({ requests, unsettled }) {
      let before: { n: number; length: number } | undefined
      return {
        *each(request) {
          const { op, role, caller, n, answer, isConcurrent, isRead } = request
          if (!isRead) before = undefined
          const isPlain = op === 'listCustomFields' && isServed(request)
          if (!isPlain || role !== 'administrator' || isConcurrent || unsettled.has(caller)) return
          const [last, now] = [before, { n, length: listsIn(answer)[0]?.length ?? 0 }]
          before = now
          const between = last ? requests.filter((one) => one.n > last.n && one.n < n && one.op !== op) : []
          const [blamed, ...others] = new Set(between.map((one) => one.op))
          if (!last || !blamed || others.length > 0) return
          const witnesses = [
            did(last.n, `listed ${last.length} fields`),
            ...between.slice(0, 3).map((one) => did(one.n, 'came in between')),
          ]
          const says = `the list has ${now.length} fields after reads alone`
          yield { op: blamed, n, isRight: now.length <= last.length, says, witnesses }
        },
      }
    },
  },
]
