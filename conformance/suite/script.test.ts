/** The script of a failure: run by a shell against a tracker that is faulty in the same way and knows nothing of the run. */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { faultyTrackers } from '../../fixtures/faulty/index.js'
import { planFor, withFaulty } from '../../fixtures/self-test.js'
import type { Answer, Call } from '../client/call.js'
import { redactor } from '../client/redact.js'
import type { Profile } from '../contract/index.js'
import { scriptOf as writtenFor } from './script.js'
import { startSuite } from './start.js'
import type { Failure } from './types.js'

const faultyOf = (id: string) => {
  const found = faultyTrackers.find((one) => one.id === id)
  if (!found) throw new Error(`there is no faulty tracker ${id}`)
  return found
}

/** The first failure that the suite finds, and the base URL of the tracker that it ran on. */
async function firstFailure(id: string): Promise<{ failure: Failure; profile: Profile }> {
  return withFaulty(faultyOf(id), async (profile) => {
    const options = { safety: 'destructive', seed: 1, runs: 5, timeout: 5000, rate: 0, budget: 0 } as const
    const rest = { ledgerFile: null, only: [], survey: false, shard: null }
    const { signal } = new AbortController()
    const { records } = await startSuite(
      { profile, ...options, ...rest },
      signal,
      () => {},
      planFor(faultyOf(id)),
    )
    const [failure] = records.flatMap(({ failures }) => failures)
    if (!failure) throw new Error(`${id} fails nothing`)
    // While the run still knows of it.
    return { failure, profile }
  })
}

const scriptOf = ({ evidence }: Failure) => evidence?.script ?? { text: null, cannot: 'no evidence' }

const hasTools = ['curl', 'jq'].every((tool) => spawnSync(tool, ['--version']).status === 0)

/** The last status that the script prints, run on a tracker that has the same fault. */
async function statusAgain(id: string, script: string, first: Profile): Promise<number> {
  return withFaulty(faultyOf(id), async ({ baseUrl, tokens, passwordAccount }) => {
    const env = {
      PATH: process.env.PATH ?? '',
      TRACKER_TOKEN: tokens.administrator,
      TRACKER_RESTRICTED_TOKEN: tokens.restricted ?? '',
      TRACKER_PASSWORD_TOKEN: tokens.password ?? '',
      TRACKER_PASSWORD_CURRENT: passwordAccount?.current ?? '',
      TRACKER_PASSWORD_NEXT: passwordAccount?.next ?? '',
    }
    const text = script.replaceAll(first.baseUrl, baseUrl)
    const out = await new Promise<string>((done) => {
      execFile('sh', ['-c', text], { env, maxBuffer: 2 ** 26 }, (_, stdout) => done(stdout))
    })
    return Number([...out.matchAll(/^HTTP\/[\d.]+ (\d+)/gm)].at(-1)?.[1])
  })
}

test.skipIf(!hasTools).each([
  // A request alone.
  'authentication.missing: createUser serves whoever has no credentials',
  // On a user of the run's own, by name.
  'body.malformed-json: updateUser answers 200 to a body that is not JSON',
  // After a rename, a renewed read.
  'users.username-unique: updateUser refuses a taken username and stores the rest',
  // On a field, by the id that its creation tells.
  'custom-fields.delete: updateCustomField serves a deleted field',
  'plugins.install-and-uninstall: installPlugin installs nothing',
  'columns.save-and-read: manageColumns adds to what was there',
])('%s is shown again from nothing', async (id) => {
  const { failure, profile } = await firstFailure(id)
  const { text } = scriptOf(failure)
  expect(text).not.toBeNull()
  expect(await statusAgain(id, text ?? '', profile)).toBe(failure.exchange?.response.status)
})

test('a script is one that a shell can read, and has no secret and no name of the run in it', async () => {
  const { failure, profile } = await firstFailure(
    'users.username-unique: updateUser refuses a taken username and stores the rest',
  )
  const { text } = scriptOf(failure)
  execFileSync('sh', ['-n'], { input: text ?? '' })
  const { tokens, password } = profile
  for (const secret of [...Object.values(tokens), password?.valid]) expect(text).not.toContain(secret)
  expect(text).toContain('"Authorization: Bearer $TRACKER_TOKEN"')
  expect(text).toContain('# It leaves what it creates: createUser')
  expect(text).not.toMatch(/tk[a-z]{5}x[a-z]{3}/)
  expect(failure.evidence?.steps.map(({ operation }) => operation)).toContain('createUser')
})

test('where it cannot be shown again from nothing, the reason is said', async () => {
  const { failure } = await firstFailure(
    'authentication.elsewhere: every operation takes a username for a token',
  )
  expect(scriptOf(failure)).toEqual({ text: null, cannot: 'its header Authorization holds a secret' })
})

test('a chain of renamings of which a part was not kept gives no script that names nobody', () => {
  const profile: Profile = { baseUrl: 'http://tracker.test', tokens: { administrator: 'one' } }
  const asked = (call: Call, status = 200) => ({ call, answer: { status, json: {} } as unknown as Answer })
  const rename = (from: string, to: string) =>
    asked({ operation: 'updateUser', path: { user_id: from }, body: { username: to } })
  const name = (word: string) => `tkabcdefx${word}`
  const cannot = (...renamings: ReturnType<typeof rename>[]) =>
    writtenFor(
      {
        asked: [
          asked({ operation: 'createUser', body: { username: name('aaa') } }),
          ...renamings,
          asked({ operation: 'getUser', path: { user_id: name('nobody') } }, 404),
        ],
        more: 0,
        whole: true,
      },
      { profile, redact: redactor(profile), tag: 'tkabcdef', password: 'x', wordOf: () => null },
    ).cannot
  const lost = 'the request that gave its user the name was not kept'
  expect(cannot(rename(name('aac'), name('aad')))).toBe(lost)
  expect(cannot(rename(name('aaa'), name('aab')), rename(name('aab'), name('aac')))).not.toBe(lost)
})
