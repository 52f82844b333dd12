/** Rules for each answer by itself: its status, that it is JSON, and the form of errors in section 7. */
import { documentedStatuses, SUCCESS } from '../contract/index.js'
import { isInteger, isObject } from './json.js'
import { every } from './operations.js'
import type { Request } from './request.js'
import { must, type Statement } from './statement.js'

export interface Form extends Statement {
  isAbout(request: Request): boolean
  isRight(request: Request): boolean
}

export const isDocumented = ({ status }: Request): boolean => documentedStatuses.includes(status)
const hasText = ({ exchange: { lost } }: Request) => !lost?.includes('text')
const isError = (request: Request) => isDocumented(request) && request.status !== SUCCESS && hasText(request)
const memberOf = ({ answer }: Request, name: string) => (isObject(answer) ? answer[name] : undefined)
const hasMessage = (request: Request) => typeof memberOf(request, 'message') === 'string'
const typeOf = ({ exchange }: Request) => exchange.responseHeaders['content-type']

export const forms: readonly Form[] = [
  {
    ...must('status', '7', every),
    statement: 'Every answer has one of the statuses 200, 400, 401, 403 and 404.',
    isAbout: ({ status }) => status !== 0,
    isRight: isDocumented,
  },
  {
    ...must('content-type', '1', every),
    statement: 'If an answer has a content type, it is that of JSON.',
    isAbout: (request) =>
      isDocumented(request) && typeOf(request) !== undefined && request.exchange.text !== '',
    isRight: (request) => /json/i.test(typeOf(request) ?? ''),
  },
  {
    ...must('success.json', '1', every),
    statement: 'The body of a success answer is JSON.',
    isAbout: (request) => request.status === SUCCESS && hasText(request),
    isRight: ({ answer }) => answer !== undefined,
  },
  {
    ...must('error.body', '7', every),
    statement: 'An error body is a JSON object with a string as its `message`.',
    isAbout: isError,
    isRight: hasMessage,
  },
  {
    ...must('error.code', '7', every),
    statement: 'If an error body has a `code`, it is an integer.',
    isAbout: (request) => isError(request) && hasMessage(request),
    isRight: (request) => memberOf(request, 'code') === undefined || isInteger(memberOf(request, 'code')),
  },
  {
    ...must('error.localized', '7', every),
    statement: 'If an error body has a `localized`, it is a string.',
    isAbout: (request) => isError(request) && hasMessage(request),
    isRight: (request) => ['undefined', 'string'].includes(typeof memberOf(request, 'localized')),
  },
]
