/** Sections 1, 4 and 7: what holds for each answer of each operation, judged from all that the run has seen. */

import { documentedStatuses, errorBody, type OperationId, operationIds, SUCCESS } from '../contract/index.js'
import { kindOf } from '../suite/error-body.js'
import { group } from '../suite/requirement.js'
import type { Check } from '../suite/types.js'
import { unreadable } from '../target/body.js'
import type { Answer } from '../target/call.js'
import { isObject } from '../target/look.js'

const isError = ({ status }: Answer) => status >= 400
const isSuccess = ({ status }: Answer) => status >= 200 && status < 400

/** Applies a rule to every kind of answer seen; at least one must have been. */
function each(
  t: Check,
  operation: OperationId,
  which: (answer: Answer) => boolean,
  what: string,
  rule: (answer: Answer) => string | null,
): void {
  const answers = t.run.samples(operation).filter(which)
  if (answers.length === 0) t.skip(`no ${what} of ${operation} was seen`)
  for (const answer of answers) {
    const fault = rule(answer)
    t.verify(fault === null, fault ?? '', answer)
  }
}

const errorBodyOf = ({ json }: Answer) => (isObject(json) ? json : null)

/** Whether one member of an error body is as section 7 has it. */
function memberFault(
  answer: Answer,
  member: 'message' | 'code' | 'localized',
  expected: string,
): string | null {
  const body = errorBodyOf(answer)
  if (body === null || errorBody.shape[member].safeParse(body[member]).success) return null
  const seen = body[member] === undefined ? 'nothing' : JSON.stringify(body[member])
  return `the error body of a ${answer.status}: expected ${member} to be ${expected}, saw ${seen}`
}

const common = { level: 'must', operations: operationIds, safety: 'read', each: true, phase: 'end' } as const

export const answers = group({ rank: 430 }, [
  {
    ...common,
    id: 'answer.success-status',
    section: '4',
    statement: 'Every success answer has status 200.',
    check(t, operation) {
      each(t, operation, isSuccess, 'success answer', ({ status }) =>
        status === SUCCESS ? null : `a success answer: expected ${SUCCESS}, saw ${status}`,
      )
    },
  },

  {
    ...common,
    id: 'answer.success-json',
    section: '1',
    statement: 'The body of a success answer is JSON.',
    check(t, operation) {
      each(t, operation, isSuccess, 'success answer', ({ json, text }) =>
        json === undefined && unreadable(text) !== 'too deep'
          ? `a success answer: expected a JSON body, saw ${kindOf(json, text)}`
          : null,
      )
    },
  },

  {
    ...common,
    id: 'answer.content-type',
    section: '1',
    statement: 'An answer does not declare its body to be anything but JSON.',
    check(t, operation) {
      const anyAnswer = ({ status }: Answer) => documentedStatuses.includes(status)
      each(t, operation, anyAnswer, 'answer', ({ headers, status }) => {
        const type = headers['content-type']
        const json = type === undefined || /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)
        return json ? null : `the Content-Type of a ${status}: expected application/json, saw ${type}`
      })
    },
  },

  {
    ...common,
    id: 'answer.error-status',
    section: '7',
    statement: 'Every error answer has one of the statuses 400, 401, 403 and 404.',
    check(t, operation) {
      each(t, operation, isError, 'error answer', ({ status }) =>
        documentedStatuses.includes(status)
          ? null
          : `an error answer: expected 400, 401, 403 or 404, saw ${status}`,
      )
    },
  },

  {
    ...common,
    id: 'answer.error-json',
    section: '7',
    statement: 'The body of an error answer is a JSON object.',
    check(t, operation) {
      each(t, operation, isError, 'error answer', (answer) =>
        errorBodyOf(answer) || unreadable(answer.text) === 'too deep'
          ? null
          : `the error body of a ${answer.status}: expected a JSON object, saw ${kindOf(answer.json, answer.text)}`,
      )
    },
  },

  {
    ...common,
    id: 'answer.error-message',
    section: '7',
    statement: 'An error body has a `message`, and it is a string.',
    check(t, operation) {
      each(t, operation, isError, 'error answer', (answer) => memberFault(answer, 'message', 'a string'))
    },
  },

  {
    ...common,
    id: 'answer.error-code',
    section: '7',
    statement: 'The `code` of an error body is an integer, where there is one.',
    check(t, operation) {
      each(t, operation, isError, 'error answer', (answer) => memberFault(answer, 'code', 'an integer'))
    },
  },

  {
    ...common,
    id: 'answer.error-localized',
    section: '7',
    statement: 'The `localized` text of an error body is a string, where there is one.',
    check(t, operation) {
      each(t, operation, isError, 'error answer', (answer) => memberFault(answer, 'localized', 'a string'))
    },
  },
])
