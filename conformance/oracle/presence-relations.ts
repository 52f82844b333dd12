/** Relations of presence: only a request that creates or deletes lets a thing appear or vanish. */
import { did } from './finding.js'
import { addressing } from './operations.js'
import type { Relation } from './relations.js'
import { isServed, membersOf, type Request } from './request.js'
import { must } from './statement.js'

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
]
