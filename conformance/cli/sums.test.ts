/** What a run says of how much it judged, and what shards say of the run that they are a part of. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { run, runWith } from '../../fixtures/program.js'
import { served } from '../../fixtures/served.js'

const target = await served()
const { file, reportIn, check } = target
const { baseUrl, tokens } = target.profile
const { administrator } = tokens
const thin = ['--profile', target.write('thin.json', { baseUrl, tokens: { administrator } })]

test('a target that refuses every creation has proven nothing, and gives no baseline', async () => {
  const only = ['--safety', 'write', '--runs', '1', '--only', 'createCustomField']
  const { faults } = target.tracker
  for (const operation of ['createUser', 'createCustomField'] as const)
    faults.inject({ operation, status: 400, body: { message: 'no' } })
  const files = ['--out', file('refused'), '--write-baseline', file('nothing.json')]
  const { code, out, err } = await run('check', ...thin, ...only, ...files)
  faults.clear()
  expect({ code, err }).toMatchObject({ code: 3, err: expect.stringMatching(/nothing\.json is not written/) })
  expect(existsSync(file('nothing.json'))).toBe(false)
  expect(out).toMatch(/not judged \(inconclusive\): the target accepted no request of .*createCustomField/)
  expect(reportIn('refused').summary).toMatchObject({ verdict: 'inconclusive', must: { failed: 0 } })
})

test('what was not judged fails under --strict, and the command for it takes the flags along, and the token never', async () => {
  const args = ['--base-url', baseUrl, '--token', administrator, '--strict', '--seed', '3']
  const { out } = await run('check', ...args, '--only', 'createUser', '--rate', '500')
  expect(out).toContain(
    `npx tracker-kit check --base-url ${baseUrl} --rate 500 --seed 3 --only createUser --strict --token TOKEN --safety write\n`,
  )
  expect(out).not.toContain(administrator)
  const reading = await run('check', ...args, '--only', 'listPlugins')
  const absent = expect.stringContaining('the profile has no tokens.restricted')
  expect(reading).toMatchObject({ code: 1, out: absent })
  expect(reading.out).toMatch(/Without a profile much cannot .*: npx tracker-kit init --base-url http:/)
})

test('the emulator that ends with the run leaves nothing to tell of, and another target does', async () => {
  const only = ['--only', 'deleteHelpdeskRecipient', '--runs', '1']
  const { code, out } = await run('check', ...only, '--out', file('vanished'))
  expect(code).toBe(0)
  expect(reportIn('vanished').leftovers.length).toBeGreaterThan(0)
  expect(out).not.toContain('Left on the tracker')
  const live = await check('--safety', 'destructive', ...only, '--fail-on-leftovers')
  expect(live).toMatchObject({ code: 1, out: expect.stringContaining('Left on the tracker') })
  expect((await check('--safety', 'read', '--only', 'getUser', '--fail-on-leftovers')).code).toBe(0)
})

test('shards of one CI run share its id and a seed, and make one report', async () => {
  const names = [1, 2].map((index) => file(`ci-${index}`))
  const env = { GITHUB_RUN_ID: '17', GITHUB_RUN_ATTEMPT: '2' }
  const only = ['--safety', 'read', '--runs', '1', '--only', 'listPlugins']
  for (const [index, out] of names.entries()) {
    const args = ['--profile', target.profileFile, ...only, '--shard', `${index + 1}/2`, '--out', out]
    expect((await runWith({ env }, 'check', ...args)).code).toBe(0)
  }
  expect(await run('merge', ...names, '--out', file('merged'))).toMatchObject({ code: 0, err: '' })
  const [one, two, merged] = ['ci-1', 'ci-2', 'merged'].map(reportIn)
  expect([one?.runId, two?.runId]).toEqual(['github-17-2', 'github-17-2'])
  expect(one?.seed).toBe(two?.seed)
  expect(merged).toMatchObject({ shard: null, summary: { verdict: 'conforms' } })
})

test('where nothing else is left to judge it ends with 2, and every report has the words of the tracker', async () => {
  const settings = [{ option: 'moon_phase', value: 5 }]
  const wrong = target.write('wrong.json', { ...target.profile, settings })
  const flags = ['--profile', wrong, '--safety', 'destructive', '--runs', '1', '--only', 'settings.names']
  const { code, out } = await run('check', ...flags, '--out', file('out'))
  const { failures, profile: mistakes, requirements, summary } = reportIn('out')
  expect({ code, failures }).toEqual({ code: 2, failures: [] })
  expect(mistakes).toEqual([{ field: 'settings', words: expect.stringMatching(/^400 .*moon_phase/) }])
  expect(requirements[0]?.reason).toMatch(/^the profile's settings is refused by the target/)
  expect(summary.because).toMatch(/^nothing could be judged; the profile's settings is refused: 400/)
  const written = ['report.html', 'summary.md'].map((name) => readFileSync(file('out', name), 'utf8'))
  for (const text of [out, ...written]) {
    expect(text).toContain('The profile is mistaken, which is not held against the tracker')
    expect(text).toMatch(/moon(_|&#95;)phase/)
  }
})
