import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen } from '../../emulator/http/listen.js'
import { createTracker } from '../../emulator/index.js'
import { listening } from '../../fixtures/listening.js'
import { isLong } from '../../fixtures/long.js'
import { madeSome, type Running, run, start } from '../../fixtures/program.js'
import { readHar } from '../client/har-read.js'
import { type Operation, operations } from '../contract/index.js'
import { judge } from '../index.js'
import { type Report, reportSchema } from '../report/report.js'
import { exitCodes } from './usage.js'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tracker-kit-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const file = (name: string) => join(directory, name)
const reportIn = async (name: string): Promise<Report> =>
  reportSchema.parse(JSON.parse(await readFile(join(file(name), 'report.json'), 'utf8')))

const serving = async (server: Server) => `${(await listening(server)).origin}/api/rest`

/** A profile of a target that `break` made wrong, and how to end it. */
async function brokenTarget(
  name: string,
  wrong: (request: Request, right: Response) => Response | Promise<Response>,
) {
  const tracker = await createTracker()
  const fetch = async (request: Request) => wrong(request, await tracker.fetch(request))
  const server = await listen({ ...tracker, fetch })
  const profile = file(`${name}.json`)
  await writeFile(profile, JSON.stringify(tracker.profileFor(server.url)))
  return { profile, close: () => server.close() }
}

describe('a conforming target in another process', () => {
  let report: Report
  let texts: string[]
  let secrets: string[]

  beforeAll(async () => {
    const profileFile = file('served.json')
    const emulator = start(['serve', '--port', '0', '--profile-out', profileFile])
    await emulator.says('Base URL')
    const profile = JSON.parse(await readFile(profileFile, 'utf8'))
    secrets = [
      ...Object.values<string>(profile.tokens),
      ...Object.values<string>(profile.passwordAccount),
      profile.password.valid,
    ]
    const { code, out, err } = await run(
      ...['check', '--base-url', profile.baseUrl, '--profile', profileFile],
      ...['--safety', 'destructive', '--out', file('served'), '--seed', '7', '--runs', '30'],
    )
    expect({ code, err }).toMatchObject({ code: 0 })
    emulator.signal('SIGTERM')
    expect((await emulator.ended).code).toBe(0)
    report = await reportIn('served')
    const files = await readdir(file('served'))
    texts = [
      out,
      err,
      ...(await Promise.all(files.map((name) => readFile(join(file('served'), name), 'utf8')))),
    ]
  }, 60_000)

  test('conforms, and nothing is left out for the profile or the level', () => {
    expect(report.failures).toEqual([])
    expect(report.summary).toMatchObject({ verdict: 'conforms', because: null, must: { failed: 0 } })
    expect(report.summary.judged).toBeGreaterThan(30)
    const reasons = report.requirements.flatMap(({ checks }) => checks.map(({ reason = '' }) => reason))
    expect(reasons.filter((reason) => /^(needs --safety|the profile)/.test(reason))).toEqual([])
  })

  test('tells of each user that it left, and of what cannot be put back', () => {
    const isUser = (line: string) => /^user .* \(disabled; this interface deletes no users\)$/s.test(line)
    expect(report.leftovers.some(isUser)).toBe(true)
    for (const line of report.leftovers.filter((one) => !isUser(one)))
      expect(line).toMatch(
        /^(recipient \d+|extension settings|sessions of the users) .*(cannot be read or made|is not shown|ends none)\)$/,
      )
  })

  test.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s was answered 200 and with each documented error',
    (id, operation) => {
      expect(Object.keys(report.statuses[id] ?? {})).toEqual(expect.arrayContaining(statusesOf(operation)))
    },
  )

  test('trace.har has all of its requests, and shows no fault where it is judged again', async () => {
    const { exchanges, passed } = readHar(
      JSON.parse(await readFile(join(file('served'), 'trace.har'), 'utf8')),
    )
    expect(passed).toEqual([])
    expect(exchanges.length).toBeGreaterThanOrEqual(report.summary.requests)
    const profile = JSON.parse(await readFile(file('served.json'), 'utf8'))
    expect(judge(exchanges, { profile }).findings).toEqual([])
  })

  test('no token and no password is in any output or file', () => {
    expect(secrets.length).toBeGreaterThan(4)
    for (const secret of secrets) expect(texts.filter((text) => text.includes(secret)).length, secret).toBe(0)
  })

  test('report.sarif has a rule for each requirement and no result', async () => {
    const [run] = JSON.parse(await readFile(join(file('served'), 'report.sarif'), 'utf8')).runs
    expect(run.tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(
      report.requirements.map(({ id }) => id),
    )
    expect(run.results).toEqual([])
  })

  test('junit.xml is XML with a case for each check', async () => {
    const xml = await readFile(join(file('served'), 'junit.xml'), 'utf8')
    expect(XMLValidator.validate(xml)).toBe(true)
    const { testsuites } = new XMLParser({ ignoreAttributes: false }).parse(xml)
    const checks = report.requirements.flatMap((requirement) => requirement.checks)
    expect(testsuites['@_tests']).toBe(String(checks.length))
    expect(testsuites['@_failures']).toBe('0')
  })
})

/** What this target must have answered at least once. */
function statusesOf({ id, body, parameters }: Operation): string[] {
  const open: readonly string[] = [
    'getAccountPage',
    'getTokensPage',
    'getUserSettingsPage',
    'updateUserSettings',
  ]
  const gated = !open.includes(id) && id !== 'manageColumns'
  return [
    '200',
    ...(body ? ['400'] : []),
    '401',
    ...(gated ? ['403'] : []),
    ...(parameters.length > 0 ? ['404'] : []),
  ]
}

describe('a deviating target', () => {
  test('ends with 1, names requirement and operation, and the replay line finds it again', async () => {
    const { profile, close } = await brokenTarget('created', (request, right) =>
      request.method === 'POST' && new URL(request.url).pathname.endsWith('/users') && right.status === 200
        ? new Response(right.body, { status: 201, headers: right.headers })
        : right,
    )
    try {
      const { code, out } = await run(
        'check',
        '--profile',
        profile,
        '--safety',
        'write',
        '--only',
        'status',
        '--out',
        file('created'),
      )
      expect(code).toBe(1)
      expect(out).toContain('FAILED must status (createUser)')
      const { failures, summary } = await reportIn('created')
      expect(summary.verdict).toBe('deviates')
      const failure = failures.find(({ requirement }) => requirement === 'status')
      expect(failure).toMatchObject({ operation: 'createUser', level: 'must', response: { status: 201 } })
      expect(failure?.message).toMatch(/\(POST \/users as administrator\): answered 201/)
      expect(failure?.curl).toMatch(/^curl .*"Authorization: Bearer \$TRACKER_TOKEN"/)
      const again = await run(...(failure?.replay.split(' ').slice(1) ?? []))
      expect(again.code).toBe(1)
      expect(again.out).toContain('FAILED must status (createUser)')
    } finally {
      await close()
    }
  }, 60_000)
})

describe('for programs', () => {
  test('--json prints the report and nothing else, --quiet the verdict alone', async () => {
    const { profile, close } = await brokenTarget('quiet', (_, right) => right)
    try {
      const args = ['check', '--profile', profile, '--safety', 'read', '--only', 'repeated']
      const json = await run(...args, '--json', '--write-baseline', file('quiet-known.json'))
      expect(reportSchema.parse(JSON.parse(json.out)).summary.judged).toBe(1)
      expect(json.err).toContain('0 deviations written')
      const quiet = await run(...args, '--quiet')
      expect(quiet).toMatchObject({ code: 0, err: '' })
      expect(quiet.out).toMatch(/^http:\S+ conforms as far as judged: [^\n]*\n$/)
    } finally {
      await close()
    }
  })
})

describe('a target that cannot be judged', () => {
  test('nobody listens: 3, one sentence, a report that says so', async () => {
    const server = createServer()
    const baseUrl = await serving(server)
    await new Promise((resolve) => server.close(resolve))
    const args = ['--base-url', baseUrl, '--token', 'secret-token', '--out', file('dead')]
    const { code, err, out } = await run('check', ...args)
    expect(code).toBe(3)
    expect(out).toBe('')
    expect(err.trim().split('\n').at(-1)).toMatch(/^tracker-kit check: .* is not reachable \(ECONNREFUSED\)/)
    expect((await reportIn('dead')).summary).toMatchObject({ verdict: 'inconclusive', must: { passed: 0 } })
  })

  test.each([
    [401, /the administrator's token/],
    [404, /the base URL and the extension/],
    [500, /500 to everything/],
  ])('%i to everything: 3', async (status, reason) => {
    const server = createServer((_, response) => response.writeHead(status).end('{"message":"no"}'))
    const baseUrl = await serving(server)
    try {
      const { code, err } = await run('check', '--base-url', baseUrl, '--token', 'secret-token')
      expect(code).toBe(3)
      expect(err.trim().split('\n').at(-1)).toMatch(reason)
    } finally {
      server.close()
    }
  })

  test('it dies in the middle: 3, and what was not judged is said', async () => {
    let answered = 0
    const { profile, close } = await brokenTarget('dying', async (_, right) => {
      answered += 1
      if (answered === 100) void close()
      return right
    })
    const { code, out } = await run(
      'check',
      '--profile',
      profile,
      '--safety',
      'destructive',
      '--out',
      file('dying'),
    )
    expect(code).toBe(3)
    expect(out).toMatch(/was not judged \(inconclusive\): .*ECONN/)
    const { summary } = await reportIn('dying')
    expect(summary.verdict).toBe('inconclusive')
    expect(summary.must.failed).toBe(0)
  }, 60_000)
})

test('SIGINT in the middle removes what the run made', async () => {
  const tracker = await createTracker()
  const server = await listen(tracker)
  const before = tracker.snapshot()
  try {
    const profile = file('interrupted.json')
    await writeFile(profile, JSON.stringify(tracker.profileFor(server.url)))
    const program = start([
      'check',
      '--profile',
      profile,
      '--safety',
      'destructive',
      '--out',
      file('interrupted'),
    ])
    await madeSome(tracker)
    program.signal('SIGINT')
    const { code, out, err } = await program.ended
    expect(code).toBe(130)
    expect(out).toContain('the run was cancelled')
    expect(err.split('cleaning up; press Ctrl-C again to stop at once\n')).toHaveLength(2)
    const after = tracker.snapshot()
    expect(after.customFields).toEqual(before.customFields)
    const made = after.users.filter(({ id }) => !before.users.some((user) => user.id === id))
    expect(made.length).toBeGreaterThan(0)
    expect(made.filter(({ enabled }) => enabled)).toEqual([])
  } finally {
    await server.close()
  }
}, 60_000)

/** Sends SIGINT, and waits until it has arrived. */
async function interrupted(program: Running | null): Promise<void> {
  program?.signal('SIGINT')
  await program?.says('cleaning up')
}

test('SIGINT before the first check asks the target nothing more', async () => {
  let program: Running | null = null
  let asked = 0
  const { profile, close } = await brokenTarget('cancelled-early', async (_, right) => {
    asked += 1
    if (asked === 1) await interrupted(program)
    return right
  })
  try {
    program = start(['check', '--profile', profile, '--safety', 'read'])
    const { code, out } = await program.ended
    expect({ code, out }).toMatchObject({ code: 130, out: expect.stringContaining('the run was cancelled') })
    expect(asked).toBeLessThan(5)
  } finally {
    await close()
  }
})

test('a cancelled run that saw failures says both, and tells each failure once', async () => {
  let program: Running | null = null
  let lists = 0
  const { profile, close } = await brokenTarget('cancelled', async ({ url }, right) => {
    if (!new URL(url).pathname.endsWith('/plugins') || right.status !== 200) return right
    lists += 1
    if (lists === 3) await interrupted(program)
    return new Response(right.body, { status: 202, headers: right.headers })
  })
  try {
    program = start([
      ...['check', '--profile', profile, '--only', 'listPlugins,getAccountPage', '--safety', 'read'],
      ...['--write-baseline', file('cancelled-known.json'), '--out', file('cancelled')],
    ])
    const { code, out, err } = await program.ended
    expect({ code, err }).toMatchObject({ code: 130, err: expect.stringContaining('is not written') })
    const { failures, summary } = await reportIn('cancelled')
    expect(summary.because).toMatch(/^\d+ requirements? failed; the run was cancelled$/)
    const keys = failures.map((one) => JSON.stringify(one))
    expect(keys.length).toBeGreaterThan(0)
    expect(new Set(keys).size).toBe(keys.length)
    expect(out.match(/^FAILED must status /gm)).toHaveLength(1)
  } finally {
    await close()
  }
}, 60_000)

test('what an absent profile field would have allowed is skipped by its name, and fails under --strict', async () => {
  const tracker = await createTracker()
  const server = await listen(tracker)
  try {
    const args = ['check', '--base-url', server.url, '--token', tracker.tokens.administrator]
    const { code } = await run(...args, '--out', file('bare-profile'))
    expect(code).toBe(0)
    const report = await reportIn('bare-profile')
    expect(report.safety).toBe('read')
    const reasons = report.requirements.map(({ reason = '' }) => reason).join('\n')
    expect(reasons).toContain('the profile has no tokens.restricted')
    expect((await run(...args, '--strict')).code).toBe(1)
    const safety = await run(...args, '--safety', 'write', '--only', 'users.unique')
    expect(safety.out).toContain('1 passed')
  } finally {
    await server.close()
  }
}, 60_000)

test('--plan tells what a run would do and sends nothing', async () => {
  const tracker = await createTracker()
  const server = await listen(tracker)
  try {
    const profile = file('planned.json')
    await writeFile(profile, JSON.stringify(tracker.profileFor(server.url)))
    const { code, out } = await run('check', '--profile', profile, '--safety', 'destructive', '--plan')
    expect(code).toBe(0)
    expect(out).toContain('recipients 1, 2')
    expect(out).toContain('Stories of the level destructive:')
    const careful = await run('check', '--profile', profile, '--safety', 'read', '--plan')
    expect(careful.out).not.toContain('recipients 1, 2')
    expect(careful.out).toContain('These need --safety write:')
    expect(tracker.journal).toEqual([])
  } finally {
    await server.close()
  }
})

test('--plan needs no token, and tells that the run does', async () => {
  const baseUrl = 'http://tracker.test/api/rest'
  const bare = await run('check', '--base-url', baseUrl, '--plan')
  expect(bare).toMatchObject({ code: 0, err: '' })
  expect(bare.out).toContain(`On ${baseUrl} (extension Ext) this run\n`)
  expect(bare.out).toMatch(
    /^The run needs the administrator's token: --token, TRACKER_TOKEN or tokens\.administrator of a profile\.$/m,
  )
  const profile = file('without-token.json')
  await writeFile(profile, JSON.stringify({ baseUrl, safety: 'write', tokens: { restricted: 'r' } }))
  const planned = await run('check', '--profile', profile, '--safety', 'write', '--plan')
  expect(planned).toMatchObject({ code: 0, err: '' })
  expect(planned.out).toContain("The run needs the administrator's token")
  expect((await run('check', '--profile', profile)).err).toContain("needs the administrator's token")
  expect((await run('check', '--base-url', baseUrl, '--token', 't', '--plan')).out).not.toContain(
    'The run needs',
  )
})

test('a spent budget ends the run, and what is left is not judged', async () => {
  const { code, out } = await run('check', '--max-requests', '200', '--out', file('budget'))
  expect(code).toBe(3)
  expect(out).toContain('the budget of 200 requests is spent')
  const { summary } = await reportIn('budget')
  expect(summary.must.passed).toBeGreaterThan(0)
  expect(summary.must.skipped).toBeGreaterThan(0)
})

test('a target that has come to answer server errors alone ends the run', async () => {
  let answered = 0
  const { profile, close } = await brokenTarget('failing', (_, right) => {
    answered += 1
    return answered > 100 ? Response.json({ message: 'broken' }, { status: 500 }) : right
  })
  try {
    const { code, out } = await run('check', '--profile', profile, '--safety', 'destructive', '--runs', '5')
    // What had failed before it came to that is a deviation all the same.
    expect(out).toContain('times in a row with a server error')
    expect(code).toBe(/[1-9]\d* failed/.test(out) ? exitCodes.deviates : exitCodes.unreachable)
    expect(answered).toBeLessThan(400)
  } finally {
    await close()
  }
}, 60_000)

test('shards share out the stories, and each judges what it has seen', async () => {
  const { profile, close } = await brokenTarget('sharded', (_, right) => right)
  const args = [
    'check',
    '--profile',
    profile,
    '--runs',
    '5',
    ...(isLong ? [] : ['--only', 'getUser,listPlugins']),
  ]
  const reports: Report[] = []
  for (const index of [1, 2]) {
    const name = `shard${index}`
    expect((await run(...args, '--shard', `${index}/2`, '--out', file(name))).code).toBe(0)
    reports.push(await reportIn(name))
  }
  await close()
  const merged = await run('merge', file('shard1'), file('shard2'), '--out', file('merged'))
  expect(merged.code).toBe(0)
  const whole = await reportIn('merged')
  const passed = ({ requirements }: Report) =>
    requirements.flatMap(({ id, checks }) =>
      checks.flatMap(({ operation, outcome }) => (outcome === 'passed' ? [`${id} ${operation}`] : [])),
    )
  expect(new Set(passed(whole))).toEqual(new Set(reports.flatMap(passed)))
  expect(whole.summary.requests).toBe(reports.reduce((sum, { summary }) => sum + summary.requests, 0))
}, 60_000)
