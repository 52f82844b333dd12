import { expect, test } from 'vitest'
import { recordedCall, replayedAs } from '../../../fixtures/recorded/calls.js'
import type { OperationId } from '../../contract/index.js'
import { holds } from '../../contract/templates.js'
import type { Pair } from '../copy/emulator.js'
import { inducedRules } from './rules.js'

/** A call with these features, which the emulator would do unless an outcome says otherwise. */
const asked = (operation: OperationId, features: string, status = 200, message = '', outcome = 'ok') =>
  ({ operation, features: features.split(' '), status, message, outcome }) as const
type Call = ReturnType<typeof asked>

/** A call that the emulator would do, or refuse with a message of its own, and what the target answered. */
function pair({ operation, features, outcome, status, message }: Call, index: number): Pair {
  const own = outcome === 'ok' ? null : { status: 400, json: { message: 'Own' } }
  const seen = { status, json: status === 200 ? {} : { message }, headers: {} }
  const cause = { outcome, features, parameters: {}, own, source: undefined }
  return {
    recorded: recordedCall({ n: index + 1, operation, seen }),
    replayed: replayedAs({ seen: { status: own?.status ?? 200, json: {}, headers: {} }, cause }),
  }
}

const rulesFor = (...calls: readonly Call[]) => inducedRules(calls.map(pair), () => true)
type Rules = ReturnType<typeof rulesFor>

/** What the first rule says that fits a call; without an operation, of the rules that are of all operations. */
const told = (rules: Rules, features: string, operation?: OperationId) =>
  rules.find(
    (rule) => (rule.operation ?? operation) === operation && holds(rule.when, new Set(features.split(' '))),
  )?.answer?.message

test('what an update without any change is told is not carried over to the creation', () => {
  const rules = rulesFor(
    asked('updateUser', 'body:empty body:object', 400, 'Nothing to change'),
    asked('updateUser', 'body:object language:given', 400, 'Nothing to change'),
    asked('updateUser', 'body:object realname:given'),
    asked('createUser', 'body:object username:given'),
  )
  expect(rules.filter(({ operation }) => operation !== 'updateUser')).toEqual([])
  expect(rules.some(({ when }) => when.includes('language:given'))).toBe(true)
})

test('members of one type share an answer, of a creation and an update alike', () => {
  const wrong = (operation: OperationId, member: string, type: string, message: string) =>
    asked(operation, `body:object body:wrong-${type} about:${member}`, 400, message, 'invalid-value')
  const rules = rulesFor(
    wrong('updateUser', 'enabled', 'boolean', 'A flag of a user'),
    wrong('updateUser', 'protected', 'boolean', 'A flag of a user'),
    wrong('updateUser', 'realname', 'string', 'A text of a user'),
    wrong('updateUser', 'avatar', 'string', 'A text of a user'),
  )
  const never = (type: string) => `body:object body:wrong-${type} about:notify_user`
  expect(told(rules, never('boolean'), 'createUser')).toBe('A flag of a user')
  expect(told(rules, never('string'), 'updateUser')).toBe('A text of a user')
})

test('an empty body is refused in one way everywhere, whatever the emulator would look at first', () => {
  const empty = (operation: OperationId, outcome: string) =>
    asked(operation, 'caller:administrator body:none', 400, 'No JSON', outcome)
  const rules = rulesFor(
    empty('updateUser', 'malformed-body'),
    empty('createCustomField', 'empty-field'),
    empty('addUserToProjects', 'empty-field'),
    asked('addUserToProjects', 'caller:administrator body:object', 400, 'A field is empty', 'empty-field'),
  )
  const found = rules.find(({ when }) => when.includes('body:none'))
  expect(found).toEqual({ when: ['caller:administrator', 'body:none'], answer: expect.anything() })
  expect(found?.answer?.message).toBe('No JSON')
})

test('of two answers that came as often, an operation is given the one that is usual elsewhere', () => {
  const outcome = 'user-not-found-by-name'
  const missing = (operation: OperationId, features: string, message: string) =>
    asked(operation, features, 404, message, outcome)
  const rules = rulesFor(
    missing('getUser', 'subject:missing', 'Nobody'),
    missing('resetUser', 'subject:missing', 'Nobody'),
    missing('updateUser', 'subject:missing body:object', 'Nobody'),
    missing('updateUser', 'subject:missing body:list', 'A list'),
  )
  expect(rules).toHaveLength(2)
  expect(rules.at(-1)).toMatchObject({ outcome, when: [], answer: { message: 'Nobody' } })
  const list = { operation: 'updateUser', when: ['body:list'], answer: { message: 'A list' } }
  expect(rules[0]).toMatchObject(list)
})

test('a 403 goes by who asked, rather than by what was asked', () => {
  const lacking = (features: string, status: number, message: string) =>
    asked('addUserToProjects', features, status, message, 'empty-field')
  const rules = rulesFor(
    lacking('body:empty caller:other', 403, 'Not allowed'),
    lacking('caller:administrator project_ids:missing', 400, 'Missing'),
    lacking('access_level:missing caller:administrator', 400, 'Missing'),
  )
  const forbidden = rules.filter(({ answer }) => answer?.status === 403)
  expect(forbidden.map(({ when }) => when)).toEqual([['caller:other']])
})

test('a token that only the target has ended is nothing to learn', () => {
  const features = 'password:given password:no-capital'
  expect(rulesFor(asked('changeOwnPassword', features, 401, 'Who?'))).toEqual([])
  expect(rulesFor(asked('changeOwnPassword', features, 400, 'Too weak'))).toHaveLength(1)
})

test('what every call has that the target does explains no refusal', () => {
  const plain = 'body:object email:given email:dotted realname:given'
  const refused = (feature: string, message: string) =>
    asked('createUser', `${plain} ${feature}`, 400, message, 'field-too-long')
  const rules = rulesFor(
    asked('createUser', plain),
    refused('realname:longer-than-64', 'The name is too long'),
    refused('avatar:longer-than-255', 'The picture is too long'),
    refused('avatar:longer-than-1000', 'The picture is too long'),
  )
  expect(rules.flatMap(({ when }) => when).filter((one) => plain.split(' ').includes(one))).toEqual([])
})

test('what somebody without rights was refused is not refused to an administrator', () => {
  const rules = rulesFor(
    asked('updateUser', 'caller:administrator realname:given'),
    asked('updateUser', 'caller:other username:given username:longer-than-8', 403, 'Not allowed'),
    asked('updateUser', 'caller:other realname:given'),
  )
  expect(rules.length).toBeGreaterThan(0)
  expect(rules.filter(({ when }) => when.length < 2 || !when.includes('caller:other'))).toEqual([])
})

test('an answer that is not to be learnt makes no rule', () => {
  const odd = pair(asked('getUser', 'subject:missing', 404, 'Nobody', 'user-not-found-by-name'), 0)
  const seen = { ...odd.recorded.seen, json: { message: 'Nobody', code: 'E404' } }
  const pairs = [{ ...odd, recorded: { ...odd.recorded, seen } }]
  expect(inducedRules(pairs, () => false)).toEqual([])
  expect(inducedRules(pairs, () => true)).not.toEqual([])
})

test('what is told of one member is not told of another', () => {
  const of = (member: string, value: number) =>
    `about:${member} body:object ${member}:given ${member}=${value}`
  const wrong = (operation: OperationId, member: string, value: number, message: string) =>
    asked(operation, of(member, value), 400, message, 'invalid-value')
  const rules = rulesFor(
    ...[1, 2, 3].map((value) => wrong('changeOwnPassword', 'password', value, 'The password is too short')),
    ...[4, 5].map((value) => wrong('createCustomField', 'custom_field.type', value, 'No such type')),
  )
  expect(told(rules, of('password', 9), 'changeOwnPassword')).toBe('The password is too short')
  expect(told(rules, of('custom_field.type', 9), 'createCustomField')).toBe('No such type')
  expect(told(rules, of('access_level', 9))).toBeUndefined()
})

test('what more explains of one operation is not carried over to the other by chance', () => {
  const untyped = (feature: string) =>
    asked('updateCustomField', `body:object custom_field.type:missing ${feature}`, 400, 'A type is needed')
  const rules = rulesFor(
    ...['projects:empty', 'custom_field.name:null', 'projects:null', 'projects:known'].map(untyped),
    asked('updateCustomField', 'body:object custom_field.type:given'),
    asked('createCustomField', 'body:object custom_field.type:given'),
  )
  expect(rules).toHaveLength(1)
  expect(rules[0]).toMatchObject({ operation: 'updateCustomField', when: ['custom_field.type:missing'] })
})

test('a password that nobody asks for is not a wrong one', () => {
  const update = (current: string) => {
    const features = `body:object password:given password:no-sign password_current:${current}`
    return rulesFor(asked('updateUser', features, 200, 'Wrong', 'current-password-mismatch'))
  }
  expect(update('wrong')).toEqual([])
  expect(update('missing')).not.toEqual([])
})

test('what most are told of one member is told of it, where another answer is about none', () => {
  const malformed = (operation: OperationId, features: string, message: string) =>
    asked(operation, features, 400, message, 'malformed-body')
  const rules = rulesFor(
    malformed('createUser', 'about:body body:malformed', 'Not JSON'),
    malformed('updatePlugin', 'about:body body:malformed', 'Not JSON'),
    malformed('manageColumns', 'about:body body:malformed', 'Not JSON'),
    malformed('createUser', 'body:undeclared', 'Not declared'),
    malformed('updatePlugin', 'body:undeclared', 'Not declared'),
  )
  expect(told(rules, 'about:body body:malformed')).toBe('Not JSON')
})

test('what two operations say of a member of both is not said of the members of another one', () => {
  const empty = (operation: OperationId, features: string, message: string) =>
    asked(operation, features, 400, message, 'empty-field')
  const rules = rulesFor(
    empty('createCustomField', 'about:custom_field body:empty caller:administrator', 'No definition'),
    empty('updateCustomField', 'about:custom_field body:empty caller:administrator', 'No definition'),
    ...[1, 2, 3].map(() => empty('changeOwnPassword', 'about:password', 'No password')),
  )
  const features = new Set(['about:configs', 'body:empty', 'caller:administrator'])
  const all = rules.filter(({ operation, when }) => operation === undefined && holds(when, features))
  expect(all.map(({ answer }) => answer?.message)).not.toContain('No definition')
})

test('what administrators alone were refused says nothing of others', () => {
  const denied = (operation: OperationId, caller: string, message: string) =>
    asked(operation, `caller:${caller} subject:installed`, 403, message, 'access-denied')
  const rules = rulesFor(
    denied('installPlugin', 'other', 'Not allowed'),
    denied('updatePlugin', 'other', 'Not allowed'),
    denied('uninstallPlugin', 'administrator', 'It is protected'),
  )
  expect(told(rules, 'caller:other subject:installed', 'uninstallPlugin')).toBe('Not allowed')
})

test('what most are told of no member is told of it, where others are told otherwise of one', () => {
  const refused = (operation: OperationId, features: string, message: string) =>
    asked(operation, features, 400, message, 'option-not-found')
  const own = 'caller:other body:object'
  const rules = rulesFor(
    refused('updateUserSettings', own, 'No such setting'),
    refused('updateUserSettings', `${own} configs.value:digits`, 'No such setting'),
    refused('updateUserSettings', `${own} configs.value:string`, 'No such setting'),
    refused('updateSettings', 'about:option body:list', 'Not an option'),
  )
  expect(told(rules, own, 'updateUserSettings')).toBe('No such setting')
  expect(told(rules, 'about:option body:list', 'updateSettings')).toBe('Not an option')
})
