/** What a run and its shards say of how much they judged, by the program as it is run. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen } from '../../emulator/http/listen.js'
import { createTracker, type Tracker, type TrackerServer } from '../../emulator/index.js'
import { type Ended, run, start } from '../../fixtures/program.js'
import { type Report, reportSchema } from '../report/report.js'

let directory: string
let tracker: Tracker
let server: TrackerServer
/** Whether the target refuses each creation. */
let refuses = false
/** The status that it gives in place of each 200 of the token page. */
let tokens = 200
const file = (name: string) => join(directory, name)
const reportIn = async (name: string): Promise<Report> =>
  reportSchema.parse(JSON.parse(await readFile(join(file(name), 'report.json'), 'utf8')))

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tracker-kit-'))
  tracker = await createTracker()
  server = await listen({
    ...tracker,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const isCreation = request.method === 'POST' && /\/(users|custom_fields\/create)$/.test(pathname)
      // What is refused is not done.
      const right = await (refuses && isCreation ? tracker.fork() : tracker).fetch(request)
      if (refuses && isCreation)
        return right.status === 200 ? Response.json({ message: 'no' }, { status: 400 }) : right
      const status = right.status === 200 && pathname.endsWith('/me/tokens') ? tokens : right.status
      return new Response(right.body, { status, headers: right.headers })
    },
  })
  const profile = tracker.profileFor(server.url)
  await writeFile(file('full.json'), JSON.stringify({ ...profile, safety: 'destructive' }))
  const { administrator } = profile.tokens
  await writeFile(file('thin.json'), JSON.stringify({ baseUrl: server.url, tokens: { administrator } }))
})
afterAll(async () => {
  await server.close()
  await rm(directory, { recursive: true, force: true })
})

const check = (profile: string, ...args: string[]) =>
  run('check', '--profile', file(`${profile}.json`), '--runs', '5', ...args)

test('a target that refuses every creation has proven nothing, though a thin profile found no deviation', async () => {
  refuses = true
  const { code, out } = await check('thin', '--safety', 'write', '--out', file('refused'))
  refuses = false
  expect(code).toBe(3)
  expect(out).toContain(
    'was not judged (inconclusive): the target accepted no request of createUser and createCustomField',
  )
  const { summary } = await reportIn('refused')
  expect(summary).toMatchObject({ verdict: 'inconclusive', must: { failed: 0 } })
  const accepted = await check('thin', '--safety', 'write')
  expect(accepted).toMatchObject({ code: 0, out: expect.stringContaining('conforms as far as judged') })
}, 60_000)

test('a check at a lower level than that of the profile says of how much it speaks, and how the rest is judged', async () => {
  const { code, out } = await check('full', '--safety', 'read', '--out', file('plain'))
  expect(code).toBe(0)
  const { judged, of } = (await reportIn('plain')).summary
  expect(judged).toBeLessThan(of)
  expect(out).toContain(`${server.url} conforms as far as judged: ${judged} of ${of} requirements\n`)
  expect(out).toContain(`${of - judged} of ${of} requirements were not judged`)
  const rest = `check --profile ${file('full.json')} --runs 5 --out ${file('plain')} --safety write`
  expect(out).toContain(`npx tracker-kit ${rest}\n`)
  const coloured = await start(
    ['check', '--profile', file('full.json'), '--safety', 'read', '--only', 'listPlugins'],
    {
      FORCE_COLOR: '1',
    },
  ).ended
  expect(coloured.out).toContain('\u001b[33mconforms as far as judged: ')
}, 60_000)

test('the command for the rest takes the flags along, and the token never', async () => {
  const args = ['--base-url', server.url, '--token', tracker.tokens.administrator, '--strict', '--seed', '3']
  const { out } = await run('check', ...args, '--only', 'createUser', '--rate', '500')
  expect(out).toContain(
    `npx tracker-kit check --base-url ${server.url} --rate 500 --seed 3 --only createUser --strict --token TOKEN --safety write\n`,
  )
  expect(out).not.toContain(tracker.tokens.administrator)
  const reading = await run('check', ...args, '--only', 'permission')
  expect(reading.out).toMatch(/Without a profile much cannot .*: npx tracker-kit init --base-url http:/)
})

test('the emulator that ends with the run leaves nothing to tell of', async () => {
  const args = ['check', '--only', 'createUser', '--out', file('vanished')]
  const { code, out } = await run(...args)
  expect(code).toBe(0)
  expect((await reportIn('vanished')).leftovers.length).toBeGreaterThan(0)
  expect(out).not.toContain('Left on the target')
  for (const name of ['report.html', 'summary.md'])
    expect(await readFile(join(file('vanished'), name), 'utf8')).not.toMatch(/Left on the/)
  const live = await check('full', '--safety', 'write', '--only', 'createUser')
  expect(live).toMatchObject({ code: 0, out: expect.stringContaining('Left on the target') })
  const strict = ['--fail-on-leftovers', '--only']
  expect((await check('full', '--safety', 'write', ...strict, 'createUser')).code).toBe(1)
  expect((await check('full', '--safety', 'read', ...strict, 'getUser')).code).toBe(0)
})

describe('shards', () => {
  const only = ['--only', 'getTokensPage,getUser,listPlugins']
  const shards = async (name: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    Promise.all(
      [1, 2].map(
        (index): Promise<Ended> =>
          start(
            [
              ...[
                'check',
                '--profile',
                file('full.json'),
                '--safety',
                'read',
                '--runs',
                '5',
                ...only,
                ...args,
              ],
              ...['--shard', `${index}/2`, '--out', file(`${name}-${index}`)],
            ],
            env,
          ).ended,
      ),
    )
  const merge = (names: readonly string[]) => run('merge', ...names.map(file), '--out', file('merged'))
  const both = (name: string) => merge([`${name}-1`, `${name}-2`])

  test.each([
    [{ GITHUB_RUN_ID: '17', GITHUB_RUN_ATTEMPT: '2' }, 'github-17-2'],
    [{ CI_PIPELINE_ID: '18' }, 'pipeline-18'],
    [{ BUILD_ID: '19' }, 'build-19'],
  ] as const)('of one CI run share its id and a seed: %j', async (env, runId) => {
    await shards(runId, [], { ...env })
    const [one, two] = await Promise.all([1, 2].map((index) => reportIn(`${runId}-${index}`)))
    expect([one?.runId, two?.runId]).toEqual([runId, runId])
    expect(one?.seed).toBe(two?.seed)
    expect(await both(runId)).toMatchObject({ code: 0, err: '' })
  })

  test('of different runs are refused, and of runs without an id this is said', async () => {
    await shards('first', ['--run-id', 'a'])
    await shards('second', ['--run-id', 'b'])
    await shards('none', [])
    expect(await merge(['first-1', 'second-2'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('another run id than'),
    })
    expect((await merge(['first-1', 'none-2'])).code).toBe(2)
    expect(await both('none')).toMatchObject({
      code: 0,
      err: expect.stringContaining('do not say that they are of one run'),
    })
  })

  test('whose baseline is out of date are so together', async () => {
    tokens = 201
    await check('full', '--safety', 'read', ...only, '--write-baseline', file('known.json'))
    const baseline = ['--baseline', file('known.json')]
    expect((await shards('known', baseline)).map(({ code }) => code)).toEqual([0, 0])
    const known = await both('known')
    tokens = 200
    expect(known.code).toBe(0)
    expect(known.out).toMatch(/conforms apart from \d+ known deviations?, as far as judged: \d+ of \d+ req/)
    // What a shard has not seen another one may have.
    expect((await shards('stale', baseline)).map(({ code }) => code)).toEqual([0, 0])
    expect(await both('stale')).toMatchObject({
      code: 1,
      out: expect.stringContaining('deviates: the baseline is out of date: '),
    })
  }, 60_000)

  test('that were stopped make no better whole', async () => {
    const codes = (await shards('stopped', ['--max-requests', '3'])).map(({ code }) => code)
    expect(codes).toEqual([3, 3])
    expect(await both('stopped')).toMatchObject({
      code: 3,
      out: expect.stringContaining('shard 1/2: the budget of 3 requests is spent'),
    })
  })
})

test('a wrong run id is an error of use', async () => {
  expect(await run('check', '--run-id', 'a b')).toMatchObject({
    code: 2,
    err: 'tracker-kit check: --run-id takes up to 200 letters, digits and . : @ / + - _, not "a b"\n',
  })
})
