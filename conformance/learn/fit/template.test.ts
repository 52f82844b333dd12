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

function written(calls: readonly Pair[]) {
  const pairs = calls.map((call, index) => ({ ...call, recorded: { ...call.recorded, n: index + 1 } }))
  return pairs.map(templates(pairs, false))
}
const messagesOf = (calls: readonly Pair[]) => written(calls).map(({ message }) => message)

test('a text that fits the others is read like them, however short what it repeats is', () => {
  const texts = messagesOf([
    refused("User 'anna' not found", { 'path.user_id': 'anna' }),
    refused("User '0' not found", { 'path.user_id': '0' }),
    refused('No user 0', { 'path.user_id': '0' }),
    refused('No user otto', { 'path.user_id': 'otto' }),
  ])
  expect(new Set(texts)).toEqual(new Set(["User '{path.user_id}' not found", 'No user {path.user_id}']))
})

test('the name that explains most of the texts is put, and the emulator’s own word for it comes first', () => {
  const texts = messagesOf([
    refused("No project 'x1'", { 0: 'x1', 'body.project.id': 'x1', project: 'x1' }),
    refused("No project 'x2'", { 'body.project': 'x2', project: 'x2' }),
    refused("No setting 'x3'", { 0: 'x3', 'body.configs.0.option': 'x3' }),
    refused("No setting 'x4'", { 0: 'x4', 'body.configs.1.option': 'x4' }),
  ])
  expect(new Set(texts)).toEqual(new Set(["No project '{project}'", "No setting '{0}'"]))
})

test('a word that stands there by itself is no repetition', () => {
  const texts = messagesOf([
    refused('The password does not satisfy the password rules', { 0: 'password', last: 'password' }),
    refused('type must be a string', { 0: 'name', 'body.type': 'string' }),
    refused('priority must be 5 or less', { 'body.priority': '5' }),
  ])
  expect(texts).toEqual([
    'The password does not satisfy the password rules',
    'type must be a string',
    'priority must be 5 or less',
  ])
})

test('what the run made up never stands in a template', () => {
  const texts = messagesOf([
    refused('tkabcdefone is taken', { 'body.username': ' tkabcdefone ' }),
    refused('User 4711 is protected', { 'subject.id': '4711' }),
  ])
  expect(texts).toEqual(['{body.username|trim} is taken', 'User {subject.id} is protected'])
})

test('a name that reads another text wrong is not taken', () => {
  const texts = messagesOf([
    refused("No column 'ID'", { odd: 'ID', 'body.columns.0': 'id', 'body.columns.1': 'ID' }),
    refused("No column 'x1'", { odd: 'x1', 'body.columns.0': 'x1' }),
    refused("No column 'eta'", { 'body.columns.0': 'eta' }),
  ])
  expect(texts.slice(0, 2)).toEqual(["No column '{odd}'", "No column '{odd}'"])
})

test('what is quoted is a repetition, however short it is and however often it is said', () => {
  const texts = messagesOf([
    refused("Project id 'abc' is not valid", { odd: 'abc', 'body.project_ids.0': 'abc' }),
    refused("Project id 'abc' is not valid", { odd: 'abc', 'body.projects.0': 'abc' }),
    refused("Project id 'abc' is not valid", { project: 'abc', 'body.project': 'abc' }),
  ])
  expect(texts.filter((text) => text.includes('abc'))).toEqual([])
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
