import { expect, test } from 'vitest'
import { recordedCall, replayedAs } from '../../../fixtures/recorded/calls.js'
import type { Pair } from '../copy/emulator.js'
import { templates } from './template.js'

/** A refusal of the target, and what its text may repeat. */
function refused(message: string, parameters: Readonly<Record<string, string>>, members = {}): Pair {
  const seen = { status: 400, json: { message, ...members }, headers: {} }
  const cause = { outcome: 'invalid-value', features: [], parameters, own: null, source: undefined }
  return { recorded: recordedCall({ n: 1, seen }), replayed: replayedAs({ seen, cause }) }
}

const ofType = (last: string, wanted: string) => ({
  ...{ last, 'type.at': last, 'type.wanted': wanted, 'type.phrase': `a ${wanted}` },
})

function written(calls: readonly Pair[]) {
  const pairs = calls.map((call, index) => ({ ...call, recorded: { ...call.recorded, n: index + 1 } }))
  return pairs.map(templates(pairs, false))
}

test.each<
  [name: string, ...texts: (readonly [given: string, parameters: Record<string, string>, read: string])[]]
>([
  [
    'a text that fits the others is read like them, however short what it repeats is',
    ["User 'anna' not found", { 'path.user_id': 'anna' }, "User '{path.user_id}' not found"],
    ["User '0' not found", { 'path.user_id': '0' }, "User '{path.user_id}' not found"],
    ['No user 0', { 'path.user_id': '0' }, 'No user {path.user_id}'],
    ['No user otto', { 'path.user_id': 'otto' }, 'No user {path.user_id}'],
  ],
  [
    'the name that explains most of the texts is put, and the emulator’s own word for it comes first',
    ["No project 'x1'", { 0: 'x1', 'body.project.id': 'x1', project: 'x1' }, "No project '{project}'"],
    ["No project 'x2'", { 'body.project': 'x2', project: 'x2' }, "No project '{project}'"],
    ["No setting 'x3'", { 0: 'x3', 'body.configs.0.option': 'x3' }, "No setting '{0}'"],
    ["No setting 'x4'", { 0: 'x4', 'body.configs.1.option': 'x4' }, "No setting '{0}'"],
  ],
  [
    'a word that stands there by itself is no repetition',
    ['The password is no good password', { 0: 'password' }, 'The password is no good password'],
    ['type must be a string', { 0: 'name', 'body.type': 'string' }, 'type must be a string'],
    ['priority must be 5 or less', { 'body.priority': '5' }, 'priority must be 5 or less'],
  ],
  [
    'of a word that stands there twice, one may be a repetition',
    ['type must be of type string', ofType('type', 'string'), '{last} must be of type {type.wanted}'],
    ['name must be of type string', ofType('name', 'string'), '{last} must be of type {type.wanted}'],
    ['shown must be of type boolean', ofType('shown', 'boolean'), '{last} must be of type {type.wanted}'],
  ],
  [
    'what the run made up never stands in a template',
    ['tkabcdefone is taken', { 'body.username': ' tkabcdefone ' }, '{body.username|trim} is taken'],
    ['User 4711 is protected', { 'subject.id': '4711' }, 'User {subject.id} is protected'],
  ],
])('%s', (_, ...texts) => {
  const messages = written(texts.map(([given, parameters]) => refused(given, parameters)))
  expect(messages.map(({ message }) => message)).toEqual(texts.map(([, , read]) => read))
})

test('what is said also where the request does not have it is a word of the target', () => {
  const wrong = (member: string) => {
    const detail = [{ loc: ['body', member], type: 'missing' }]
    return refused('Wrong', { 0: member, last: member }, { detail })
  }
  const [first, ...others] = written(['type', 'email', 'realname'].map(wrong))
  for (const { members } of others)
    expect(members).toEqual({ detail: [{ loc: ['body', '{0}'], type: 'missing' }] })
  expect(first?.members).toMatchObject({ detail: [{ type: 'missing' }] })
})

test('the path is repeated behind a root of its own, and names of members as frameworks write them', () => {
  const wrong = (member: string, pascal: string, path: string) => {
    const errors = { [pascal]: [`The ${pascal} field must be a string.`] }
    return refused('Not valid', { url: path, 0: member, last: member }, { instance: `/rest${path}`, errors })
  }
  const field = wrong('display_report', 'DisplayReport', '/plugins/Ext/users/5')
  const errors = { '{0|pascal}': ['The {0|pascal} field must be a string.'] }
  for (const { members } of written([field, wrong('email', 'Email', '/plugins/Ext/users')]))
    expect(members).toEqual({ instance: '/rest{url}', errors })
})
