import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createTracker } from '../../emulator/index.js'
import { run, runWith } from '../../fixtures/program.js'
import { harRecorder } from '../../fixtures/recorded/har.js'
import { served } from '../../fixtures/served.js'
import { readHar } from '../client/har-read.js'

const decided = { 'user-segment-me': 'caller', 'cf-list-order': 'id' } as const
const { tracker, profileFile: profile, file: fileOf, write } = await served(undefined, { decisions: decided })
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

test.each(['learn', 'diff'])('%s ends with 130 after Ctrl-C', async (command) => {
  const ending = new AbortController()
  let asked = 0
  const cancelling = await served((_, answer) => {
    if (++asked === 20) ending.abort()
    return answer
  })
  const { signal } = ending
  const { code, out, err } = await runWith({ signal }, command, '--profile', cancelling.profileFile)
  expect(code).toBe(130)
  expect(out + err).toContain('the run was cancelled')
})

const { administrator, restricted = '' } = tracker.tokens

/** What is recorded of reads of these paths, each list with the token before it. */
async function recorded(...asked: readonly (readonly [token: string, ...paths: readonly string[]])[]) {
  const recorder = harRecorder(tracker.fetch)
  for (const [token, ...paths] of asked)
    for (const path of paths)
      await recorder.send({
        ...{ method: 'GET', url: `${tracker.baseUrl}/plugins/Ext${path}`, body: null },
        headers: { authorization: `Bearer ${token}` },
      })
  return recorder.har(true)
}

test('learn and diff take recordings, and send nothing', async () => {
  const paths = ['/me/account', '/users/me', '/users/nobody', '/custom_fields', '/plugins']
  const asked = [
    [administrator, ...paths],
    [restricted, '/plugins'],
    [administrator, '/elsewhere'],
  ] as const
  const har = write('traffic.har', await recorded(...asked))
  const file = fileOf('from.json')
  const before = tracker.journal.length
  const learned = await run('learn', '--from', har, '--out', file)
  expect(learned).toMatchObject({ code: 0, out: '' })
  expect(learned.err).toMatch(
    /^6 exchanges: \d+ decisions known, \d+ narrowed to a few values, 0 contradicted, \d+ never shown/m,
  )
  expect(learned.err).toContain('skipped: 1 no operation of the interface')
  expect(learned.err).toContain(`npx tracker-kit diff --from ${har} --decisions ${file}`)
  const { decisions, evidence } = readJson(file)
  expect(decisions).toMatchObject({ 'user-segment-me': 'caller' })
  expect(evidence['user-segment-me']).toMatchObject({ sure: 'known', exchanges: [2] })
  expect(await run('diff', '--from', har, '--decisions', file)).toMatchObject({ code: 0 })
  const without = await run('diff', '--from', har)
  expect(without.code).toBe(1)
  expect(without.out).toMatch(/^ +status +code +errorBody +shape$/m)
  expect(without.out).toMatch(/getUser \(status, 1 call, exchange 2\)/)
  expect(await run('diff', '--from', har, '--with', har)).toMatchObject({ code: 0 })
  for (const [least, code] of [
    ['status=0.5,errorBody=0.5', 0],
    ['status=1,shape=0.5', 1],
    ['1', 1],
    ['body=0.5', 2],
  ] as const)
    expect(await run('diff', '--from', har, '--min-agreement', least)).toMatchObject({ code })
  expect(tracker.journal).toHaveLength(before)
})

test('diff of two recordings says how many calls have no counterpart, and why, and fails if most have none', async () => {
  const record = async (name: string, as: string, ...paths: readonly string[]) =>
    write(name, await recorded([as, '/plugins', ...paths]))
  const one = await record('one.har', administrator, '/users/abc', '/users/bcd', '/users/cde')
  const other = await record('other.har', administrator, '/users/x', '/users/y', '/users/z')
  const few = await run('diff', '--from', one, '--with', other)
  expect(few.code).toBe(1)
  expect(few.out).toMatch(
    / of 1 call, 0 differences; 3 of 4 calls have no counterpart, because they differ in .*; more than half lack one, so the comparison fails/,
  )
})

test('what learn writes makes diff and createTracker agree with the tracker', async () => {
  const file = fileOf('learnt.json')
  const reading = ['--profile', profile, '--safety', 'read']
  const learned = await run('learn', ...reading, '--seed', '1', '--max-requests', '400', '--out', file)
  expect(learned.code).toBe(0)
  const next = `check it with: npx tracker-kit diff --profile ${profile} --safety read --decisions ${file}`
  expect(learned.err).toMatch(new RegExp(`^Written to .*; ${next}$`, 'm'))
  const written = readJson(file)
  expect((await createTracker({ decisions: written })).decisions).toMatchObject(decided)
  for (const secret of Object.values(tracker.tokens)) expect(readFileSync(file, 'utf8')).not.toContain(secret)
  const { exchanges, passed } = readHar(readJson(`${file}.trace.har`))
  const others = passed.reduce((sum, { count }) => sum + count, 0)
  expect(exchanges.length + others).toBeGreaterThanOrEqual(written.requests)
  const [shown] = written.evidence['user-segment-me'].exchanges
  expect(exchanges.find(({ n }) => n === shown)?.path).toMatch(/\/users\/me$/)

  const flags = [...reading, '--seed', '2', '--max-requests', '150']
  const json = fileOf('diff.json')
  expect(await run('diff', ...flags, '--decisions', file, '--out', json)).toMatchObject({ code: 0 })
  expect(readHar(readJson(`${json}.trace.har`)).exchanges.length).toBeGreaterThan(50)
  const without = await run('diff', ...flags, '--out', json, '--json', '--quiet')
  expect(without).toMatchObject({ code: 1, err: '', out: readFileSync(json, 'utf8') })
  expect(JSON.parse(without.out)).toMatchObject({ schema: 'tracker-kit/diff@1', seed: 2 })
})
