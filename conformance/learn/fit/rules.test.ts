import { expect, test } from 'vitest'
import { recordedCall, replayedAs } from '../../../fixtures/recorded/calls.js'
import type { OperationId } from '../../contract/index.js'
import { holds } from '../../contract/templates.js'
import type { Pair } from '../copy/copy.js'
import { inducedRules } from './rules.js'

interface Call {
  readonly operation: OperationId
  readonly features: readonly string[]
  readonly outcome?: string
  readonly status: number
  readonly message?: string
}

/** A call that the emulator would do, or refuse with a message of its own, and what the target answered. */
function pair({ operation, features, outcome = 'ok', status, message = '' }: Call, index: number): Pair {
  const own = outcome === 'ok' ? null : { status: 400, json: { message: 'Own' } }
  const seen = { status, json: status === 200 ? {} : { message }, headers: {} }
  const cause = { outcome, features, parameters: {}, own, source: undefined }
  return {
    recorded: recordedCall({ n: index + 1, operation, seen }),
    replayed: replayedAs({ seen: { status: own?.status ?? 200, json: {}, headers: {} }, cause }),
  }
}

const rulesFor = (calls: readonly Call[]) => inducedRules(calls.map(pair), () => true)

test('what an update without any change is told is not carried over to the creation', () => {
  const told = { operation: 'updateUser', status: 400, message: 'Nothing to change' } as const
  const rules = rulesFor([
    { ...told, features: ['body:empty', 'body:object'] },
    { ...told, features: ['body:object', 'language:given'] },
    { operation: 'updateUser', features: ['body:object', 'realname:given'], status: 200 },
    { operation: 'createUser', features: ['body:object', 'username:given'], status: 200 },
  ])
  expect(rules.filter(({ operation }) => operation !== 'updateUser')).toEqual([])
  expect(rules.some(({ when }) => when.includes('language:given'))).toBe(true)
})

test('of two answers that came as often, an operation is given the one that is usual elsewhere', () => {
  const missing = (operation: OperationId, features: readonly string[], message: string): Call => ({
    operation,
    features,
    outcome: 'user-not-found-by-name',
    status: 404,
    message,
  })
  const rules = rulesFor([
    missing('getUser', ['subject:missing'], 'Nobody'),
    missing('resetUser', ['subject:missing'], 'Nobody'),
    missing('updateUser', ['subject:missing', 'body:object'], 'Nobody'),
    missing('updateUser', ['subject:missing', 'body:list'], 'A list'),
  ])
  expect(rules).toHaveLength(2)
  expect(rules.at(-1)).toMatchObject({
    outcome: 'user-not-found-by-name',
    when: [],
    answer: { message: 'Nobody' },
  })
  expect(rules[0]).toMatchObject({
    operation: 'updateUser',
    when: ['body:list'],
    answer: { message: 'A list' },
  })
})

test('a 403 goes by who asked, rather than by what was asked', () => {
  const lacking = { operation: 'addUserToProjects', outcome: 'empty-field' } as const
  const rules = rulesFor([
    { ...lacking, features: ['body:empty', 'caller:other'], status: 403, message: 'Not allowed' },
    {
      ...lacking,
      features: ['caller:administrator', 'project_ids:missing'],
      status: 400,
      message: 'Missing',
    },
    {
      ...lacking,
      features: ['access_level:missing', 'caller:administrator'],
      status: 400,
      message: 'Missing',
    },
  ])
  const forbidden = rules.filter(({ answer }) => answer?.status === 403)
  expect(forbidden.map(({ when }) => when)).toEqual([['caller:other']])
})

test('a token that only the target has ended is nothing to learn', () => {
  const features = ['password:given', 'password:no-capital']
  const call: Call = { operation: 'changeOwnPassword', features, status: 401, message: 'Who?' }
  expect(rulesFor([call])).toEqual([])
  expect(rulesFor([{ ...call, status: 400, message: 'Too weak' }])).toHaveLength(1)
})

test('what every call has that the target does explains no refusal', () => {
  const plain = ['body:object', 'email:given', 'email:dotted', 'realname:given']
  const refusal = { operation: 'createUser', outcome: 'field-too-long', status: 400 } as const
  const rules = rulesFor([
    { operation: 'createUser', features: plain, status: 200 },
    { ...refusal, features: [...plain, 'realname:longer-than-64'], message: 'The name is too long' },
    { ...refusal, features: [...plain, 'avatar:longer-than-255'], message: 'The picture is too long' },
    { ...refusal, features: [...plain, 'avatar:longer-than-1000'], message: 'The picture is too long' },
  ])
  const told = rules.flatMap(({ when }) => when)
  expect(told.filter((feature) => plain.includes(feature))).toEqual([])
})

test('what somebody without rights was refused is not refused to an administrator', () => {
  const rules = rulesFor([
    { operation: 'updateUser', features: ['caller:administrator', 'realname:given'], status: 200 },
    {
      operation: 'updateUser',
      features: ['caller:other', 'username:given', 'username:longer-than-8'],
      status: 403,
      message: 'Not allowed',
    },
    { operation: 'updateUser', features: ['caller:other', 'realname:given'], status: 200 },
  ])
  expect(rules.length).toBeGreaterThan(0)
  expect(rules.filter(({ when }) => when.length < 2 || !when.includes('caller:other'))).toEqual([])
})

test('an answer that is not to be learnt makes no rule', () => {
  const [call] = [{ operation: 'getUser', features: ['subject:missing'], status: 404 }] as const
  const odd = pair({ ...call, message: 'Nobody', outcome: 'user-not-found-by-name' }, 0)
  const seen = { ...odd.recorded.seen, json: { message: 'Nobody', code: 'E404' } }
  const pairs = [{ ...odd, recorded: { ...odd.recorded, seen } }]
  expect(inducedRules(pairs, () => false)).toEqual([])
  expect(inducedRules(pairs, () => true)).not.toEqual([])
})

test('what is told of one member is not told of another', () => {
  const wrong = (member: string, index: number, message: string): Call => ({
    operation: member === 'password' ? 'changeOwnPassword' : 'createCustomField',
    features: [`about:${member}`, 'body:object', `${member}:given`, `${member}=${index}`],
    outcome: 'invalid-value',
    status: 400,
    message,
  })
  const rules = rulesFor([
    ...[1, 2, 3].map((index) => wrong('password', index, 'The password is too short')),
    ...[4, 5].map((index) => wrong('custom_field.type', index, 'No such type')),
  ])
  const about = (member: string) =>
    new Set([`about:${member}`, 'body:object', `${member}:given`, `${member}=9`])
  const told = (features: ReadonlySet<string>) =>
    rules.find(({ when }) => holds(when, features))?.answer?.message
  expect(told(about('password'))).toBe('The password is too short')
  expect(told(about('custom_field.type'))).toBe('No such type')
  expect(told(about('access_level'))).toBeUndefined()
})

test('what more explains of one operation is not carried over to the other by chance', () => {
  const untyped = (feature: string): Call => ({
    operation: 'updateCustomField',
    features: ['body:object', 'custom_field.type:missing', feature],
    status: 400,
    message: 'A type is needed',
  })
  const rules = rulesFor([
    ...['projects:empty', 'custom_field.name:null', 'projects:null', 'projects:known'].map(untyped),
    { operation: 'updateCustomField', features: ['body:object', 'custom_field.type:given'], status: 200 },
    { operation: 'createCustomField', features: ['body:object', 'custom_field.type:given'], status: 200 },
  ])
  expect(rules).toHaveLength(1)
  expect(rules[0]).toMatchObject({ operation: 'updateCustomField', when: ['custom_field.type:missing'] })
})

test('a password that nobody asks for is not a wrong one', () => {
  const update = (features: readonly string[], status: number): Call => ({
    operation: 'updateUser',
    outcome: 'current-password-mismatch',
    features: ['body:object', 'password:given', 'password:no-sign', ...features],
    status,
    message: 'Wrong',
  })
  expect(rulesFor([update(['password_current:wrong'], 200)])).toEqual([])
  expect(rulesFor([update(['password_current:missing'], 200)])).not.toEqual([])
})

test('what most are told of one member is told of it, where another answer is about none', () => {
  const malformed = (operation: OperationId, features: readonly string[], message: string): Call => ({
    operation,
    features,
    outcome: 'malformed-body',
    status: 400,
    message,
  })
  const rules = rulesFor([
    malformed('createUser', ['about:body', 'body:malformed'], 'Not JSON'),
    malformed('updatePlugin', ['about:body', 'body:malformed'], 'Not JSON'),
    malformed('manageColumns', ['about:body', 'body:malformed'], 'Not JSON'),
    malformed('createUser', ['body:undeclared'], 'Not declared'),
    malformed('updatePlugin', ['body:undeclared'], 'Not declared'),
  ])
  const features = new Set(['about:body', 'body:malformed'])
  const told = rules.find(({ operation, when }) => operation === undefined && holds(when, features))
  expect(told?.answer).toMatchObject({ message: 'Not JSON' })
})

test('what two operations say of a member of both is not said of the members of another one', () => {
  const empty = (operation: OperationId, member: string, message: string): Call => ({
    operation,
    features: [`about:${member}`, 'body:empty', 'caller:administrator'],
    outcome: 'empty-field',
    status: 400,
    message,
  })
  const rules = rulesFor([
    empty('createCustomField', 'custom_field', 'No definition'),
    empty('updateCustomField', 'custom_field', 'No definition'),
    { ...empty('changeOwnPassword', 'password', 'No password'), features: ['about:password'] },
    { ...empty('changeOwnPassword', 'password', 'No password'), features: ['about:password'] },
    { ...empty('changeOwnPassword', 'password', 'No password'), features: ['about:password'] },
  ])
  const features = new Set(['about:configs', 'body:empty', 'caller:administrator'])
  const told = rules.filter(({ operation, when }) => operation === undefined && holds(when, features))
  expect(told.map(({ answer }) => answer?.message)).not.toContain('No definition')
})

test('what administrators alone were refused says nothing of others', () => {
  const denied = (operation: OperationId, caller: string, message: string): Call => ({
    operation,
    features: [`caller:${caller}`, 'subject:installed'],
    outcome: 'access-denied',
    status: 403,
    message,
  })
  const rules = rulesFor([
    denied('installPlugin', 'other', 'Not allowed'),
    denied('updatePlugin', 'other', 'Not allowed'),
    denied('uninstallPlugin', 'administrator', 'It is protected'),
  ])
  const features = new Set(['caller:other', 'subject:installed'])
  const of = (rule: { operation?: string; when: readonly string[] }) =>
    (rule.operation ?? 'uninstallPlugin') === 'uninstallPlugin' && holds(rule.when, features)
  expect(rules.find(of)?.answer).toMatchObject({ message: 'Not allowed' })
})

test('what most are told of no member is told of it, where others are told otherwise of one', () => {
  const refused = (operation: OperationId, features: readonly string[], message: string): Call => ({
    operation,
    features,
    outcome: 'option-not-found',
    status: 400,
    message,
  })
  const own = ['caller:other', 'body:object']
  const rules = rulesFor([
    refused('updateUserSettings', own, 'No such setting'),
    refused('updateUserSettings', [...own, 'configs.value:digits'], 'No such setting'),
    refused('updateUserSettings', [...own, 'configs.value:string'], 'No such setting'),
    refused('updateSettings', ['about:option', 'body:list'], 'Not an option'),
  ])
  const told = (operation: OperationId, features: readonly string[]) =>
    rules.find((rule) => (rule.operation ?? operation) === operation && holds(rule.when, new Set(features)))
  expect(told('updateUserSettings', own)?.answer?.message).toBe('No such setting')
  expect(told('updateSettings', ['about:option', 'body:list'])?.answer?.message).toBe('Not an option')
})
