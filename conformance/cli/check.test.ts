import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { deserted } from '../../fixtures/answering.js'
import { run, runWith } from '../../fixtures/program.js'
import { type Answering, served, withStatus } from '../../fixtures/served.js'
import { readHar } from '../client/har-read.js'
import { meantBy } from '../client/tracer.js'
import { operations } from '../contract/index.js'
import { type Report, reportSchema } from '../report/report.js'
import { exitCodes } from './usage.js'

const right: Answering = (_, answer) => answer
let answering = right
const { tracker, profile, profileFile, file, reportIn, write, check } = await served((...given) =>
  answering(...given),
)

/** Does some work while the target answers so. */
async function whileAnswering<T>(so: Answering, work: () => Promise<T>): Promise<T> {
  answering = so
  try {
    return await work()
  } finally {
    answering = right
  }
}

describe('a conforming target', () => {
  let report: Report
  let texts: string[]

  beforeAll(async () => {
    const flags = ['--safety', 'destructive', '--seed', '7', '--runs', '5']
    const { code, out, err } = await check(...flags, '--out', file('served'))
    expect({ code, err }).toMatchObject({ code: 0 })
    report = reportIn('served')
    const written = readdirSync(file('served')).map((name) => readFileSync(file('served', name), 'utf8'))
    texts = [out, err, ...written]
  })

  test('conforms, and nothing is left out for the profile or the level', () => {
    expect({ failures: report.failures, mistakes: report.profile }).toEqual({ failures: [], mistakes: [] })
    expect(report.summary).toMatchObject({ verdict: 'conforms', because: null, must: { failed: 0 } })
    expect(report.summary.judged).toBeGreaterThan(30)
    const reasons = report.requirements.flatMap(({ checks }) => checks.map(({ reason = '' }) => reason))
    expect(reasons.filter((reason) => /^(needs --safety|the profile)/.test(reason))).toEqual([])
  })

  test('was answered 200 and with each documented error at each operation', () => {
    const { exchanges } = readHar(JSON.parse(readFileSync(file('served', 'trace.har'), 'utf8')))
    const seen = exchanges.map(
      ({ method, path, status }) => `${meantBy({ method, url: path }, 'Ext')?.operation.id} ${status}`,
    )
    const missing = operations.flatMap(({ id, body, parameters }) => {
      const wanted = [200, 401, ...(body ? [400] : []), ...(parameters.length > 0 ? [404] : [])]
      return wanted.map((status) => `${id} ${status}`).filter((one) => !seen.includes(one))
    })
    expect(missing).toEqual([])
  })

  test('no token and no password is in any output or file', () => {
    const { tokens, passwordAccount, password } = profile
    const given = Object.values({ ...tokens, ...passwordAccount, secret: password?.valid })
    const secrets = given.filter((one) => one !== undefined)
    expect(secrets.length).toBeGreaterThan(4)
    for (const secret of secrets) expect(texts.filter((text) => text.includes(secret)).length, secret).toBe(0)
  })
})

test('a deviating target ends with 1, names requirement and operation, and the replay line finds it again', async () => {
  const listing: Answering = ({ url }, answer) =>
    url.endsWith('/plugins') && answer.status === 200 ? withStatus(201, answer) : answer
  await whileAnswering(listing, async () => {
    const { code, out } = await check('--safety', 'read', '--only', 'listPlugins', '--out', file('listing'))
    expect(code).toBe(1)
    expect(out).toContain('FAILED must status (listPlugins)')
    expect(out).not.toContain('::error')
    const { failures, summary } = reportIn('listing')
    expect(summary.verdict).toBe('deviates')
    const failure = failures.find(({ requirement }) => requirement === 'status')
    expect(failure).toMatchObject({ operation: 'listPlugins', level: 'must', response: { status: 201 } })
    expect(failure?.message).toMatch(/\(GET \/plugins as administrator\): answered 201/)
    expect(failure?.curl).toMatch(/^curl .*"Authorization: Bearer \$TRACKER_TOKEN"/)
    const again = await run(...(failure?.replay.split(' ').slice(1) ?? []))
    expect(again).toMatchObject({ code: 1, out: expect.stringContaining('FAILED must status (listPlugins)') })
  })
})

test('--json prints the report and nothing else, --quiet the verdict alone', async () => {
  const flags = ['--safety', 'read', '--only', 'listPlugins']
  const json = await check(...flags, '--json', '--write-baseline', file('quiet-known.json'))
  expect(reportSchema.parse(JSON.parse(json.out)).summary.judged).toBeGreaterThan(0)
  expect(json.err).toContain('0 deviations written')
  const quiet = await check(...flags, '--quiet')
  expect(quiet).toMatchObject({ code: 0, err: '' })
  expect(quiet.out).toMatch(/^http:\S+ conforms, but only [^\n]*\n$/)
})

describe('a target that cannot be judged', () => {
  test('nobody listens: 3, one sentence, a report that says so', async () => {
    const dead = ['--base-url', `${await deserted()}/api/rest`, '--token', 'secret-token']
    const { code, err, out } = await run('check', ...dead, '--out', file('dead'))
    expect({ code, out }).toEqual({ code: 3, out: '' })
    expect(err.trim().split('\n').at(-1)).toMatch(/^tracker-kit check: .* is not reachable \(ECONNREFUSED\)/)
    expect(reportIn('dead').summary).toMatchObject({ verdict: 'inconclusive', must: { passed: 0 } })
  })

  test('it dies in the middle: 3, and what was not judged is said', async () => {
    let answered = 0
    const dying = await served((_, answer) => {
      if (++answered === 100) void dying.close()
      return answer
    })
    const { code, out } = await dying.check('--safety', 'destructive', '--out', dying.file('dying'))
    expect({ code, out }).toMatchObject({ code: 3, out: expect.stringMatching(/\(inconclusive\): .*ECONN/) })
    expect(dying.reportIn('dying').summary).toMatchObject({ verdict: 'inconclusive', must: { failed: 0 } })
  })

  test('it has come to answer server errors alone', async () => {
    let answered = 0
    const failing: Answering = (_, answer) =>
      ++answered > 100 ? Response.json({ message: 'broken' }, { status: 500 }) : answer
    const { code, out } = await whileAnswering(failing, () => check('--safety', 'read', '--runs', '5'))
    // What had failed before it came to that is a deviation all the same.
    expect(out).toContain('times in a row with a server error')
    expect(code).toBe(/[1-9]\d* failed/.test(out) ? exitCodes.deviates : exitCodes.unreachable)
    expect(answered).toBeLessThan(400)
  })
})

test('Ctrl-C after failures tells both, and each failure once', async () => {
  const ending = new AbortController()
  let lists = 0
  const cancelling: Answering = ({ url }, answer) => {
    if (!url.endsWith('/plugins') || answer.status !== 200) return answer
    if (++lists === 3) ending.abort()
    return withStatus(202, answer)
  }
  const { signal } = ending
  const only = ['--safety', 'read', '--only', 'listPlugins,getAccountPage']
  const flags = [...only, '--write-baseline', file('cancelled-known.json'), '--out', file('cancelled')]
  const { code, out, err } = await whileAnswering(cancelling, () =>
    runWith({ signal }, 'check', '--profile', profileFile, ...flags),
  )
  expect({ code, err }).toMatchObject({ code: 130, err: expect.stringContaining('is not written') })
  expect(err.split('cleaning up; press Ctrl-C again to stop at once\n')).toHaveLength(2)
  const { summary } = reportIn('cancelled')
  expect(summary.because).toMatch(/^\d+ requirements? failed; the run was cancelled$/)
  expect(out.match(/^FAILED must status /gm)).toHaveLength(1)
})

test('--plan tells what a run would do, needs no token, and sends nothing', async () => {
  const before = tracker.journal.length
  const { code, out } = await check('--safety', 'destructive', '--plan')
  expect(code).toBe(0)
  expect(out).toContain('recipients 1, 2')
  const careful = await check('--safety', 'read', '--plan')
  expect(careful.out).not.toContain('recipients 1, 2')
  expect(careful.out).toContain('These need --safety write:')
  expect(tracker.journal).toHaveLength(before)
  const without = write('without-token.json', { baseUrl: 'http://tracker.test', tokens: { restricted: 'r' } })
  const bare = await run('check', '--profile', without, '--plan')
  expect(bare).toMatchObject({ code: 0, err: '' })
  expect(bare.out).toMatch(/^The run needs the administrator's token: --token, TRACKER_TOKEN or /m)
})
