/** Section 7: strange input, one strangeness at a time. What the answer is stays open; that it is a documented one does not. */

import {
  operation as contractOf,
  documentedStatuses,
  type OperationId,
  operations,
} from '../../contract/index.js'
import { type Row, requirementOf, type Variant } from '../../suite/engine.js'
import { needPasswordToken } from '../../suite/existing.js'
import { group } from '../../suite/requirement.js'
import type { Subject } from '../../suite/subjects.js'
import type { Check } from '../../suite/types.js'

const letters = 'Ωμέγα|名前|e\u0301|👩‍👩‍👧|o\'neill|"quoted"|a b|a+b|100%|%41|a;b|a&b=c'.split('|')
const objects = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null', 'undefined', 'NaN', 'true']
const numbers = ['0', '-1', '00', '1.5', '1e3', '2147483648', '9007199254740993', '99999999999999999999']
/** Longer than a column or a file name can be. */
const long = 'k'.repeat(300)
/** Whose conversion to an integer gives none that a thing could have, or zero. */
const noIds = ['99999999999999999999', '-1987654321', 'abc', 'null', '__proto__', 'Ω', long]

export { letters, noIds, numbers, objects }

const shown = (text: string) => JSON.stringify(text.slice(0, 40))

/** In the place of a name all of them together, and each by itself where that tells anything. */
const joined = (texts: readonly string[], variant: (text: string) => Variant): Variant => ({
  ...variant(texts.join('')),
  parts: texts.map(variant),
})

function strangePaths({ operation }: Subject, t: Check): readonly Variant[] {
  const { method, parameters } = contractOf(operation)
  const [parameter] = parameters
  if (!parameter) return []
  const at = (value: string): Variant => ({
    what: `${shown(value)} as ${parameter.name}`,
    call: { path: { [parameter.name]: value } },
  })
  if (parameter.type === 'integer') {
    // Recipients cannot be read, so nothing shows that there is none at zero.
    const unread = operation === 'deleteHelpdeskRecipient' && !t.allows('destructive')
    return (unread ? noIds.slice(0, 2) : noIds).map(at)
  }
  // At the end of a made-up name where the request would change what it names.
  const isRead = method === 'GET'
  const named = (text: string) => at(isRead ? text : `${t.run.tag}${text}`)
  const alone = isRead
    ? [...objects, ...numbers].map((text) => ({ ...named(text), rare: true as const }))
    : []
  return [joined(letters, named), joined(objects, named), named(long), ...alone]
}

const queries: readonly (readonly string[])[] = [
  [
    'select=no_such_field',
    'sort_by=no_such_field&sort_order=sideways',
    'page=-1&page_size=0',
    'kit=%F0%9F%91%BB&kit=2',
  ],
  ['select[]=id&select[]=__proto__', 'sort_by=__proto__'],
  ['select='],
]

const withQuery = (query: string): Variant => ({ what: `the query ${query}`, call: { query } })

const strangeBodies: readonly (readonly [what: string, rawBody: string, rare?: true])[] = [
  ['no body', ''],
  ['null', 'null'],
  ['four hundred levels', `${'['.repeat(400)}${']'.repeat(400)}`],
  ['white space', ' \n', true],
  ['a number', '7', true],
  ['a text', '"kit"', true],
  ['a lone surrogate', '"\\ud800"', true],
  ['a list in a list', '[[]]', true],
  ['a large number', '1e400', true],
  ['a bare word', 'undefined', true],
  ['a form', 'kit=kit&kit=kit', true],
  ['markup', '<?xml version="1.0"?><kit/>', true],
]

/** To one of the run's own users, or to a thing that is not there: what some tracker reads into it does no harm. */
function harmlessPath({ operation, call: { path } }: Subject, t: Check): Pick<Variant['call'], 'path'> {
  const [parameter] = contractOf(operation).parameters
  if (!parameter || parameter.name === 'user_id') return path ? { path } : {}
  return { path: { [parameter.name]: parameter.type === 'integer' ? '1987654321' : `${t.run.tag}nobody` } }
}

/** The members that take free text or an open value. */
const open = {
  user: ['realname', 'language', 'timezone', 'avatar'],
  field: ['possible_values', 'default_value'],
}
const values = [...letters, ...objects, '', ' ', 'k'.repeat(5000), '{"a":1}', '\u202eabc', 'line\nline']
/** Of what each has to be removed, or cannot be, there are few. */
const fewValues = ['Ωμέγα', '', '👩‍👩‍👧', "o'neill", 'k'.repeat(5000), '__proto__', 'line\nline', '100%']

function strangeValues(subject: Subject, t: Check): readonly Variant[] {
  const { operation, call } = subject
  const forFields = operation.endsWith('CustomField')
  const creates = operation.startsWith('create')
  const members = forFields ? open.field : open.user
  const all = creates ? fewValues : values
  const withMembers = (given: readonly (readonly [member: string, value: string])[]): Variant => {
    const what = given.map(([member, value]) => `${shown(value)} as ${member}`).join(', ')
    const strange = Object.fromEntries(given)
    const plain = creates ? (forFields ? t.run.own.fieldBody().custom_field : t.run.own.userBody()) : {}
    const body = { ...plain, ...strange }
    return { what, call: { ...call, body: forFields ? { custom_field: body } : body } }
  }
  const groups = Array.from({ length: Math.ceil(all.length / members.length) }, (_, group) =>
    members.flatMap((member, index) => {
      const value = all[group * members.length + index]
      return value === undefined ? [] : [[member, value] as const]
    }),
  )
  return groups.map((group) => ({
    ...withMembers(group),
    parts: operation === 'createUser' ? [] : group.map((one) => withMembers([one])),
  }))
}

const common = {
  level: 'must',
  section: '7',
  safety: 'read',
  allowed: documentedStatuses,
  errorBodies: true,
} as const satisfies Partial<Row>

const idsOf = (holds: (one: (typeof operations)[number]) => boolean): readonly OperationId[] =>
  operations.filter(holds).map(({ id }) => id)

const rows: readonly Row[] = [
  {
    ...common,
    first: 'as-it-is',
    id: 'input.paths',
    statement: 'Whatever stands in the place of a path parameter, the answer is a documented one.',
    operations: idsOf(({ parameters }) => parameters.length > 0),
    change: strangePaths,
  },
  {
    ...common,
    id: 'input.queries',
    statement: 'Whatever query a read has, the answer is a documented one.',
    operations: idsOf(({ method }) => method === 'GET'),
    change: () => queries.map((parts) => ({ ...withQuery(parts.join('&')), parts: parts.map(withQuery) })),
  },
  {
    ...common,
    first: 'as-it-is',
    id: 'input.bodies',
    statement: 'Whatever body a request has, the answer is a documented one.',
    operations: idsOf(({ body }) => body !== undefined),
    change(subject, t) {
      if (subject.operation === 'changeOwnPassword') needPasswordToken(t)
      return strangeBodies.map(([what, rawBody, rare]) => ({
        what: `as body ${what}`,
        call: { ...harmlessPath(subject, t), rawBody },
        ...(rare && { rare }),
      }))
    },
  },
  {
    ...common,
    id: 'input.values',
    statement: 'Whatever text stands in a member of a body, the answer is a documented one.',
    operations: ['createUser', 'updateUser', 'createCustomField', 'updateCustomField'],
    safety: 'write',
    async change(subject, t) {
      if (subject.operation.endsWith('CustomField') && !(await t.run.own.canFollowFields()))
        t.skip('no field of its own can be found in answers')
      return strangeValues(subject, t)
    },
  },
]

export const strangeInput = group({ rank: 330 }, rows.map(requirementOf))
