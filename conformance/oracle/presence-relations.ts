/** Relations of what is there: nothing comes into being, or vanishes, without a request that does it. */
import { did } from './finding.js'
import { scalars } from './json.js'
import { recordsOf } from './leaves.js'
import { addressing } from './operations.js'
import { must, type Relation } from './relations.js'
import { isServed, membersOf, type Request } from './request.js'

const keyOf = ({ kind, address }: Request) => `${kind} ${address}`

export const presenceRelations: readonly Relation[] = [
  {
    ...must('not-found.before', '7', addressing),
    statement: 'What a read does not find was not there for the requests before it.',
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
    ...must('made', '4', ['createCustomField']),
    statement: 'A field whose creation was answered 200 has a page.',
    watch({ unsettled, things }) {
      let listed = ''
      return {
        *each(request) {
          const { op, role, status, isConcurrent, caller, address = '', n, answer } = request
          if (role !== 'administrator' || unsettled.has(caller) || isConcurrent || request.isUnusual) return
          if (op === 'listCustomFields' && status === 200) listed = request.exchange.text
          if (op !== 'getCustomFieldUpdatePage' || status !== 404 || request.subject) return
          const field = things.findLast(({ kind, isGone }) => kind === 'field' && !isGone)
          if (!field || field.id !== undefined || field.log.length > 1 || answer === undefined) return
          const [record, ...others] = recordsOf([field.created], field.names)
          const told = scalars(record).map(String)
          const isNew = told.includes(address) && !listed.includes(address) && others.length === 0
          const isListed = [...field.names].some((name) => listed.includes(name))
          const witnesses = [did(field.born, `told of the field ${address}`)]
          const says = 'what it has created is not there'
          if (isNew && !isListed) yield { op: 'createCustomField', n, isRight: false, says, witnesses }
        },
      }
    },
  },
]
