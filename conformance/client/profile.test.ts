import { expect, test } from 'vitest'
import { temporaryFiles } from '../../fixtures/folder.js'
import { readTargets } from '../cli/fleet.js'
import { baseUrlOf } from '../cli/init-set.js'
import { targetOf } from '../cli/target.js'
import type { Io } from '../cli/usage.js'
import { UsageError } from '../contract/trouble.js'
import { parseProfile } from './profile.js'

const { write } = temporaryFiles()

const tokens = { administrator: 'Qx7kLm2Pz9vTr4Wn8Ys3Bd6F' }
const troubled = [
  'https://otto:hunter@tracker.example.org/api/rest',
  'https://otto:hun@ter@tracker.example.org/api/rest',
  'https://hunter@tracker.example.org',
  'HTTP://:hunter@tracker.example.org/',
  'http:otto:hunter@tracker.example.org',
  'https://tracker.example.org/api/rest?token=hunter',
  'https://tracker.example.org/api/rest#hunter',
]

function messageOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    return (error as Error).message
  }
  return expect.unreachable()
}

test.each(troubled)('the base URL %s is refused in one line that has no secret in it', async (baseUrl) => {
  const line = /the REST root alone, without credentials, query and fragment|http or https URL/
  const inProfile = messageOf(() => parseProfile({ baseUrl, tokens }, 'profile x.json'))
  expect(inProfile).toMatch(/^profile x\.json: field "baseUrl": [^\n]+$/)
  const { targets } = readTargets(write('targets', { baseUrl, tokens }), undefined)
  expect(targets).toMatchObject([{ trouble: expect.any(String), baseUrl: null }])
  const io = { env: { TRACKER_TOKEN: 'x' } } as unknown as Io
  const refused = await targetOf({ 'base-url': baseUrl }, io).catch((error: unknown) => error)
  expect((refused as Error).message).toMatch(/^--base-url[^\n]+$/)
  const answered = messageOf(() => baseUrlOf(baseUrl))
  for (const told of [inProfile, JSON.stringify(targets), String(refused), answered]) {
    expect(told).toMatch(line)
    expect(told).not.toMatch(/hunter|ter@|otto:/)
  }
})

test('a URL in the place of a profile is told without its credentials', () => {
  const url = 'https://otto:hunter@tracker.example.org/api?key=hunter'
  const { targets } = readTargets(write('targets', url), undefined)
  expect(targets[0]?.trouble).toMatch(/line 1 of .*: it is a URL, and a profile is needed/)
  expect(JSON.stringify(targets)).not.toContain('hunter')
})

test('a plain base URL is taken as it is', () => {
  for (const baseUrl of ['https://tracker.example.org/api/rest', 'http://127.0.0.1:8787/a@b'])
    expect(parseProfile({ baseUrl: `${baseUrl}//`, tokens }, 'x').baseUrl).toBe(baseUrl)
})

test('all mistakes of a profile are told at once, in one line', () => {
  const profile = {
    tokens: { administrator: '' },
    customField: { length: 64 },
    notImplemented: ['getUser', 'resetUsr'],
    emailDomian: 'example.org',
    $schema: 'x',
  }
  const message = messageOf(() => parseProfile(profile, 'profile x.json'))
  expect(message).toMatch(/^profile x\.json: [^\n]+$/)
  for (const part of [
    'field "baseUrl": ',
    'field "tokens.administrator": ',
    'unknown field "customField.length"; there are customField.type, customField.nameLimit, customField.ids',
    'field "notImplemented.1": no value is called "resetUsr"; did you mean "resetUser"?',
    'unknown field "emailDomian"; did you mean emailDomain?',
  ])
    expect(message).toContain(part)
})
