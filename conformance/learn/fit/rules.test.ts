import { expect, test } from 'vitest'
import { recordedCall, replayedAs } from '../../../fixtures/recorded/calls.js'
import type { OperationId } from '../../contract/index.js'
import { holds } from '../../contract/templates.js'
import type { Pair } from '../copy/emulator.js'
import { inducedRules } from './rules.js'

/**
 * `operation feature … [outcome] -> status message`: what the target answered to a call with these features. The emulator
 * would do the call, unless an outcome in brackets says why it would refuse it.
 */
function pairOf(line: string, index: number): Pair {
  const parts = /^(\w+) (.+?)(?: \[(\S+)\])? -> (\d+) ?(.*)$/.exec(line)
  if (parts === null) throw new Error(`"${line}" is no call`)
  const [, operation, features = '', outcome = 'ok', status, message] = parts
  const own = outcome === 'ok' ? null : { status: 400, json: { message: 'Own' } }
  const seen = { status: Number(status), json: status === '200' ? {} : { message }, headers: {} }
  const cause = { outcome, features: features.split(' '), parameters: {}, own, source: undefined }
  return {
    recorded: recordedCall({ n: index + 1, operation: operation as OperationId, seen }),
    replayed: replayedAs({ seen: { status: own?.status ?? 200, json: {}, headers: {} }, cause }),
  }
}

/** Below a name its calls, and behind `=>` what the first rule says that fits a call with any or a given outcome. */
const told = `
what an update without any change is told is not carried over to the creation
  updateUser body:empty body:object -> 400 Nothing to change
  updateUser body:object language:given -> 400 Nothing to change
  updateUser body:object realname:given -> 200
  createUser body:object username:given -> 200
  => updateUser body:object language:given -> Nothing to change
  => updateUser body:object realname:given -> nothing
  => createUser body:empty body:object -> nothing
  => createUser body:object language:given -> nothing
a token that only the target has ended is nothing to learn
  changeOwnPassword password:given password:no-capital -> 401 Who?
  => changeOwnPassword password:given password:no-capital -> nothing
a password that nobody asks for is not a wrong one
  updateUser password:given password_current:wrong [current-password-mismatch] -> 200
  => updateUser password:given password_current:wrong -> nothing
but it may be missing
  updateUser password:given password_current:missing [current-password-mismatch] -> 200
  => updateUser password:given password_current:missing -> done
members of one type share an answer, of a creation and an update alike
  updateUser body:object body:wrong-boolean about:enabled [invalid-value] -> 400 A flag of a user
  updateUser body:object body:wrong-boolean about:protected [invalid-value] -> 400 A flag of a user
  updateUser body:object body:wrong-string about:realname [invalid-value] -> 400 A text of a user
  updateUser body:object body:wrong-string about:avatar [invalid-value] -> 400 A text of a user
  => createUser body:object body:wrong-boolean about:notify_user -> A flag of a user
  => updateUser body:object body:wrong-string about:notify_user -> A text of a user
what most are told of one member is told of it, where another answer is about none
  createUser about:body body:malformed [malformed-body] -> 400 Not JSON
  updatePlugin about:body body:malformed [malformed-body] -> 400 Not JSON
  manageColumns about:body body:malformed [malformed-body] -> 400 Not JSON
  createUser body:undeclared [malformed-body] -> 400 Not declared
  updatePlugin body:undeclared [malformed-body] -> 400 Not declared
  => any about:body body:malformed -> Not JSON
what administrators alone were refused says nothing of others
  installPlugin caller:other subject:installed [access-denied] -> 403 Not allowed
  updatePlugin caller:other subject:installed [access-denied] -> 403 Not allowed
  uninstallPlugin caller:administrator subject:installed [access-denied] -> 403 It is protected
  => uninstallPlugin caller:other subject:installed -> Not allowed
what most are told of no member is told of it, where others are told otherwise of one
  updateUserSettings caller:other body:object [option-not-found] -> 400 No such setting
  updateUserSettings caller:other body:object configs.value:digits [option-not-found] -> 400 No such setting
  updateUserSettings caller:other body:object configs.value:string [option-not-found] -> 400 No such setting
  updateSettings about:option body:list [option-not-found] -> 400 Not an option
  => updateUserSettings caller:other body:object -> No such setting
  => updateSettings about:option body:list -> Not an option
what two operations say of a member of both is not said of the members of another one
  createCustomField about:custom_field body:empty caller:administrator [empty-field] -> 400 No definition
  updateCustomField about:custom_field body:empty caller:administrator [empty-field] -> 400 No definition
  changeOwnPassword about:password [empty-field] -> 400 No password
  changeOwnPassword about:password [empty-field] -> 400 No password
  changeOwnPassword about:password [empty-field] -> 400 No password
  => any about:configs body:empty caller:administrator -> nothing
of two answers that came as often, an operation is given the one that is usual elsewhere
  getUser subject:missing [user-not-found-by-name] -> 404 Nobody
  resetUser subject:missing [user-not-found-by-name] -> 404 Nobody
  updateUser subject:missing body:object [user-not-found-by-name] -> 404 Nobody
  updateUser subject:missing body:list [user-not-found-by-name] -> 404 A list
  => updateUser subject:missing body:list -> A list
  => updateUser subject:missing -> Nobody
  => any subject:missing -> Nobody`

const cases = told.trim().split(/\n(?=\S)/)
test.each(cases.map((text) => text.split(/\n {2}/)))('%s', (_, ...lines) => {
  const calls = lines.filter((line) => !line.startsWith('=> '))
  const rules = inducedRules(calls.map(pairOf))
  for (const line of lines.filter((line) => line.startsWith('=> '))) {
    const [, operation, features = '', outcome, message] =
      /^=> (\w+) (.+?)(?: \[(\S+)\])? -> (.+)$/.exec(line) ?? []
    const asked = new Set(features.split(' '))
    const rule = rules.find(
      (one) =>
        (one.operation ?? operation) === operation &&
        (outcome === undefined || (one.outcome ?? outcome) === outcome) &&
        holds(one.when, asked),
    )
    const said = rule?.answer?.status === 200 ? 'done' : (rule?.answer?.message ?? 'nothing')
    expect(said, line).toBe(message)
  }
})
