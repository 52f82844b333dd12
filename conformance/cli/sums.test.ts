/** What a run says of how much it judged, and what shards say of the run that they are a part of. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { run, runWith } from '../../fixtures/program.js'
import { served } from '../../fixtures/served.js'

/** Whether the target refuses each creation. */
let refuses = false
const target = await served(async ({ method, url }, right) => {
  const isCreation = method === 'POST' && /\/(users|custom_fields\/create)$/.test(new URL(url).pathname)
  if (!refuses || !isCreation || right.status !== 200) return right
  await target.tracker.reset()
  return Response.json({ message: 'no' }, { status: 400 })
})
const { file, reportIn, check } = target
const { baseUrl, tokens } = target.profile
const thin = [
  '--profile',
  target.write('thin.json', { baseUrl, tokens: { administrator: tokens.administrator } }),
]

test('a target that refuses every creation has proven nothing, though a thin profile found no deviation', async () => {
  const only = ['--safety', 'write', '--runs', '1', '--only', 'createUser,createCustomField']
  refuses = true
  const { code, out } = await run('check', ...thin, ...only, '--out', file('refused'))
  refuses = false
  expect(code).toBe(3)
  expect(out).toContain(
    'was not judged (inconclusive): the target accepted no request of createUser and createCustomField',
  )
  expect(reportIn('refused').summary).toMatchObject({ verdict: 'inconclusive', must: { failed: 0 } })
})

test('a check at a lower level than that of the profile says of how much it speaks, and how the rest is judged', async () => {
  const { code, out } = await check('--safety', 'read', '--runs', '5', '--out', file('plain'))
  expect(code).toBe(0)
  const { judged, of } = reportIn('plain').summary
  expect(judged).toBeLessThan(of)
  expect(out).toContain(`${baseUrl} conforms as far as judged: ${judged} of ${of} requirements\n`)
  expect(out).toContain(`${of - judged} of ${of} requirements were not judged`)
  const rest = `check --profile ${target.profileFile} --runs 5 --out ${file('plain')} --safety write`
  expect(out).toContain(`npx tracker-kit ${rest}\n`)
})

test('the command for the rest takes the flags along, and the token never', async () => {
  const args = ['--base-url', baseUrl, '--token', tokens.administrator, '--strict', '--seed', '3']
  const { out } = await run('check', ...args, '--only', 'createUser', '--rate', '500')
  expect(out).toContain(
    `npx tracker-kit check --base-url ${baseUrl} --rate 500 --seed 3 --only createUser --strict --token TOKEN --safety write\n`,
  )
  expect(out).not.toContain(tokens.administrator)
  const reading = await run('check', ...args, '--only', 'permission')
  expect(reading.out).toMatch(/Without a profile much cannot .*: npx tracker-kit init --base-url http:/)
})

test('the emulator that ends with the run leaves nothing to tell of, and another target does', async () => {
  const only = ['--only', 'resetUser', '--runs', '1']
  const { code, out } = await run('check', ...only, '--out', file('vanished'))
  expect(code).toBe(0)
  expect(reportIn('vanished').leftovers.length).toBeGreaterThan(0)
  expect(out).not.toContain('Left on the target')
  for (const name of ['report.html', 'summary.md'])
    expect(readFileSync(file('vanished', name), 'utf8')).not.toMatch(/Left on the/)
  const live = await check('--safety', 'destructive', ...only, '--fail-on-leftovers')
  expect(live).toMatchObject({ code: 1, out: expect.stringContaining('Left on the target') })
  expect((await check('--safety', 'read', '--only', 'getUser', '--fail-on-leftovers')).code).toBe(0)
})

test('shards of one CI run share its id and a seed, and shards without an id are told of', async () => {
  const shards = async (name: string, env: Readonly<Record<string, string>>) => {
    const only = ['--safety', 'read', '--runs', '5', '--only', 'getTokensPage,listPlugins']
    const names = [1, 2].map((index) => file(`${name}-${index}`))
    for (const [index, out] of names.entries()) {
      const shard = ['--shard', `${index + 1}/2`, '--out', out]
      expect((await runWith({ env }, 'check', '--profile', target.profileFile, ...only, ...shard)).code).toBe(
        0,
      )
    }
    return run('merge', ...names, '--out', file('merged'))
  }
  for (const [env, runId] of [
    [{ GITHUB_RUN_ID: '17', GITHUB_RUN_ATTEMPT: '2' }, 'github-17-2'],
    [{ CI_PIPELINE_ID: '18' }, 'pipeline-18'],
    [{ BUILD_ID: '19' }, 'build-19'],
  ] as const) {
    expect(await shards(runId, { ...env })).toMatchObject({ code: 0, err: '' })
    const [one, two] = [1, 2].map((index) => reportIn(`${runId}-${index}`))
    expect([one?.runId, two?.runId]).toEqual([runId, runId])
    expect(one?.seed).toBe(two?.seed)
  }
  expect(await shards('none', {})).toMatchObject({
    code: 0,
    err: expect.stringContaining('do not say that they are of one run'),
  })
})

test('a wrong run id is an error of use', async () => {
  expect(await run('check', '--run-id', 'a b')).toMatchObject({
    code: 2,
    err: 'tracker-kit check: --run-id takes up to 200 letters, digits and . : @ / + - _, not "a b"\n',
  })
})
