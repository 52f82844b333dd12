/** Sections 1, 4 and 7: what holds for each answer of each operation, judged from all that the run has seen. */

import { unreadable } from '../client/body.js'
import type { Answer } from '../client/call.js'
import { isObject } from '../client/look.js'
import { documentedStatuses, errorBody, type OperationId, operationIds, SUCCESS } from '../contract/index.js'
import { kindOf } from '../suite/error-body.js'
import { group } from '../suite/requirement.js'
import type { Check, Requirement } from '../suite/types.js'

const isError = ({ status }: Answer) => status >= 400
const isSuccess = ({ status }: Answer) => status >= 200 && status < 400
const isAny = ({ status }: Answer) => documentedStatuses.includes(status)

/** Null where the answer is right; else what was expected of it, what it has, and where, if it is not the whole. */
type Fault = readonly [expected: string, seen: unknown, where?: string] | null

interface Rule extends Pick<Requirement, 'id' | 'section' | 'statement'> {
  readonly which: (answer: Answer) => boolean
  readonly what: string
  fault(answer: Answer): Fault
}

const ofSuccess = { which: isSuccess, what: 'success answer' }
const ofErrors = { which: isError, what: 'error answer' }

const bodyOf = ({ json }: Answer) => (isObject(json) ? json : null)

/** One member of an error body as section 7 has it. */
const memberOf = (member: 'message' | 'code' | 'localized', expected: string) => ({
  ...ofErrors,
  fault(answer: Answer): Fault {
    const body = bodyOf(answer)
    if (body === null || errorBody.shape[member].safeParse(body[member]).success) return null
    const seen = body[member] === undefined ? 'nothing' : JSON.stringify(body[member])
    return [`${member} to be ${expected}`, seen, `the error body of a ${answer.status}`]
  },
})

const rules: readonly Rule[] = [
  {
    ...ofSuccess,
    id: 'answer.success-status',
    section: '4',
    statement: 'Every success answer has status 200.',
    fault: ({ status }) => (status === SUCCESS ? null : [`${SUCCESS}`, status]),
  },
  {
    ...ofSuccess,
    id: 'answer.success-json',
    section: '1',
    statement: 'The body of a success answer is JSON.',
    fault: ({ json, text }) =>
      json === undefined && unreadable(text) !== 'too deep' ? ['a JSON body', kindOf(json, text)] : null,
  },
  {
    id: 'answer.content-type',
    section: '1',
    statement: 'An answer does not declare its body to be anything but JSON.',
    which: isAny,
    what: 'answer',
    fault({ headers, status }) {
      const type = headers['content-type']
      const isJson = type === undefined || /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)
      return isJson ? null : ['application/json', type, `the Content-Type of a ${status}`]
    },
  },
  {
    ...ofErrors,
    id: 'answer.error-status',
    section: '7',
    statement: 'Every error answer has one of the statuses 400, 401, 403 and 404.',
    fault: (answer) => (isAny(answer) ? null : ['400, 401, 403 or 404', answer.status]),
  },
  {
    ...ofErrors,
    id: 'answer.error-json',
    section: '7',
    statement: 'The body of an error answer is a JSON object.',
    fault: (answer) =>
      bodyOf(answer) || unreadable(answer.text) === 'too deep'
        ? null
        : ['a JSON object', kindOf(answer.json, answer.text), `the error body of a ${answer.status}`],
  },
  {
    ...memberOf('message', 'a string'),
    id: 'answer.error-message',
    section: '7',
    statement: 'An error body has a `message`, and it is a string.',
  },
  {
    ...memberOf('code', 'an integer'),
    id: 'answer.error-code',
    section: '7',
    statement: 'The `code` of an error body is an integer, where there is one.',
  },
  {
    ...memberOf('localized', 'a string'),
    id: 'answer.error-localized',
    section: '7',
    statement: 'The `localized` text of an error body is a string, where there is one.',
  },
]

/** Applies a rule to every kind of answer seen; at least one must have been. */
const requirementOf = ({ which, what, fault, ...stated }: Rule) => ({
  ...stated,
  check(t: Check, operation: OperationId) {
    const answers = t.run.samples(operation).filter(which)
    if (answers.length === 0) t.skip(`no ${what} of ${operation} was seen`)
    for (const answer of answers) {
      const [expected, seen, where = `a${what.startsWith('e') ? 'n' : ''} ${what}`] = fault(answer) ?? []
      t.verify(expected === undefined, `${where}: expected ${expected}, saw ${seen}`, answer)
    }
  },
})

const common = {
  rank: 430,
  level: 'must',
  operations: operationIds,
  safety: 'read',
  each: true,
  phase: 'end',
} as const

export const answers = group(common, rules.map(requirementOf))
