/** Section 7: strange input, one strangeness at a time. What the answer is stays open; that it is a documented one does not. */
import {
  operation as contractOf,
  documentedStatuses,
  type OperationId,
  operations,
  SUCCESS,
} from '../contract/index.js'
import type { Check } from '../suite/check.js'
import { errorBodyFault } from '../suite/error-body.js'
import { existingUser, plainRequest } from '../suite/requests.js'
import { requirement } from '../suite/requirement.js'
import type { Answer } from '../target/call.js'

function judge(t: Check, answer: Answer, rule: string): void {
  if (!t.expect(answer, documentedStatuses, rule) || answer.status === SUCCESS) return
  const fault = errorBodyFault(answer)
  t.verify(fault === null, `${rule}: the error body is not as section 7 has it: ${fault}`, answer)
}

const letters = [
  'Ωμέγα',
  '名前',
  'e\u0301',
  '👩‍👩‍👧',
  "o'neill",
  '"quoted"',
  'a b',
  'a+b',
  '100%',
  '%41',
  'a;b',
  'a&b=c',
]
const objects = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null', 'undefined', 'NaN', 'true']
const numbers = ['0', '-1', '00', '1.5', '1e3', '2147483648', '9007199254740993', '99999999999999999999']
/** Longer than a column or a file name can be. */
const long = 'k'.repeat(300)

/** At the end of a made-up name where the request would change what it names. */
const names = [...letters, ...objects, ...numbers, long]
/** Whose conversion to an integer gives none that a thing could have, or zero. */
const noIds = ['99999999999999999999', '-1987654321', 'abc', 'null', '__proto__', 'Ω', long]

const withParameter = operations.filter(({ parameters }) => parameters.length > 0).map(({ id }) => id)
const withBody = operations.filter(({ body }) => body !== undefined).map(({ id }) => id)
const reads = operations.filter(({ method }) => method === 'GET').map(({ id }) => id)

const common = { level: 'must', section: '7', each: true } as const

/** The members that take free text or an open value, and the rest of a body in which they stand. */
const texts: Partial<Record<OperationId, readonly string[]>> = {
  createUser: ['realname', 'language', 'timezone', 'avatar'],
  updateUser: ['realname', 'language', 'timezone', 'avatar'],
  createCustomField: ['possible_values', 'default_value'],
  updateCustomField: ['possible_values', 'default_value'],
}

export const input = [
  requirement({
    ...common,
    id: 'input.paths',
    statement: 'Whatever stands in the place of a path parameter, the answer is a documented one.',
    operations: withParameter,
    safety: 'read',
    async check(t, operation) {
      const { method, parameters } = contractOf(operation)
      const [parameter] = parameters
      if (!parameter) return
      const { path: _, proven: __, ...request } = await plainRequest(t, operation)
      // Recipients cannot be read, so nothing shows that there is none at zero.
      const unread = operation === 'deleteHelpdeskRecipient' && !t.allows('destructive')
      const ids = unread ? noIds.slice(0, 2) : noIds
      const harmless = parameter.type === 'integer' ? ids : names.map((name) => `${t.run.tag}${name}`)
      for (const value of parameter.type === 'string' && method === 'GET' ? names : harmless) {
        const path = { [parameter.name]: value }
        const answer = await t.send({ operation, ...request, path })
        judge(t, answer, `${JSON.stringify(value.slice(0, 40))} as ${parameter.name}`)
      }
    },
  }),

  requirement({
    ...common,
    id: 'input.queries',
    statement: 'Whatever query a read has, the answer is a documented one.',
    operations: reads,
    safety: 'read',
    async check(t, operation) {
      const { proven: _, ...request } = await plainRequest(t, operation)
      const queries = [
        'select=no_such_field',
        'select=',
        'select[]=id&select[]=__proto__',
        'sort_by=no_such_field&sort_order=sideways',
        'sort_by=__proto__',
        'page=-1&page_size=0',
        'kit=%F0%9F%91%BB&kit=2',
      ]
      for (const query of queries)
        judge(t, await t.send({ operation, ...request, query }), `the query ${query}`)
    },
  }),

  requirement({
    ...common,
    id: 'input.bodies',
    statement: 'Whatever body a request has, the answer is a documented one.',
    operations: withBody,
    safety: 'read',
    async check(t, operation) {
      if (operation === 'changeOwnPassword') t.need('tokens.password')
      const as = operation === 'changeOwnPassword' ? ({ as: 'password' } as const) : {}
      const { parameters } = contractOf(operation)
      const [parameter] = parameters
      // To one of the run's own, or to a thing that is not there: what some tracker reads into it does no harm.
      const nobody = parameter?.type === 'integer' ? '1987654321' : `${t.run.tag}nobody`
      const own = t.allows('write') && parameter?.name === 'user_id' ? await existingUser(t) : null
      const path = parameter ? { path: { [parameter.name]: own?.proven ? own.username : nobody } } : {}
      const bodies = [
        ['no body', ''],
        ['white space', ' \n'],
        ['null', 'null'],
        ['a number', '7'],
        ['a text', '"kit"'],
        ['a lone surrogate', '"\\ud800"'],
        ['a list in a list', '[[]]'],
        ['four hundred levels', `${'['.repeat(400)}${']'.repeat(400)}`],
        ['a large number', '1e400'],
        ['a bare word', 'undefined'],
        ['a form', 'username=kit&password=kit'],
        ['markup', '<?xml version="1.0"?><kit/>'],
      ]
      for (const [rule = '', rawBody = ''] of bodies)
        judge(t, await t.send({ operation, ...as, ...path, rawBody }), `as body ${rule}`)
    },
  }),

  requirement({
    ...common,
    id: 'input.values',
    statement: 'Whatever text stands in a member of a body, the answer is a documented one.',
    operations: Object.keys(texts) as OperationId[],
    safety: 'write',
    async check(t, operation) {
      const forFields = operation.endsWith('CustomField')
      if (forFields && !(await t.run.own.canFollowFields()))
        t.skip('no field of its own can be found in answers')
      const { username } = await existingUser(t)
      const path = forFields ? { field_id: (await t.run.own.sharedField()).id } : { user_id: username }
      const every = [...letters, ...objects, '', ' ', 'k'.repeat(5000), '{"a":1}', '\u202eabc', 'line\nline']
      const creates = operation.startsWith('create')
      // Users cannot be deleted, so there are few of them.
      const values = operation === 'createUser' ? every.filter((_, index) => index % 5 === 0) : every
      for (const [index, value] of values.entries()) {
        const all = texts[operation] ?? []
        // One member at a time, each in its turn.
        const member = all[index % all.length] as string
        const fresh = forFields
          ? { custom_field: { ...(creates ? t.run.own.fieldBody().custom_field : {}), [member]: value } }
          : { ...(creates ? t.run.own.userBody() : {}), [member]: value }
        const call = { operation, ...(creates ? {} : { path }), body: fresh } as const
        const answer = await t.send(call)
        judge(t, answer, `${JSON.stringify(value.slice(0, 40))} as ${member}`)
        if (creates && forFields && answer.status === SUCCESS)
          await t.run.own.adoptField((fresh as { custom_field: { name: string } }).custom_field.name, answer)
      }
    },
  }),
]
