import { describe, expect, test } from 'vitest'
import { requirementOf } from '../../fixtures/report.js'
import publishedIds from '../../fixtures/requirement-ids.json' with { type: 'json' }
import type { OperationId } from '../contract/index.js'
import type { Exchange } from '../oracle/exchange.js'
import { type Finding, rules, type Verdict } from '../oracle/judge.js'
import type { Baseline } from './baseline.js'
import { entriesOf, fingerprint } from './baseline.js'
import { workflowCommands } from './github.js'
import { html } from './html.js'
import { type About, judgedReport, profileDigest } from './judged.js'
import { junit } from './junit.js'
import { markdown } from './markdown.js'
import { reportSchema } from './report.js'
import { sarif } from './sarif.js'
import { verdictText } from './text.js'
import type { Gate } from './verdict.js'

const root = '/api/rest/plugins/Ext'
const exchange = (n: number, rest: Partial<Exchange> = {}): Exchange => ({
  ...{ n, caller: 'administrator', method: 'GET', path: `${root}/users/otto`, query: '', headers: {} },
  ...{ body: null, status: 200, responseHeaders: {}, text: '{"protected":true}' },
  ...rest,
})
const trace: readonly Exchange[] = [
  exchange(41, { method: 'POST', path: `${root}/users`, body: '{"username":"otto","protected":true}' }),
  exchange(57, { method: 'PATCH', body: '{"protected":false}' }),
  exchange(58),
  exchange(141, { caller: 'stranger:an unknown token' }),
  exchange(142, { status: 0, text: '', caller: 'restricted' }),
]

const finding = (rule: string, operation: OperationId, n: number, rest: Partial<Finding> = {}): Finding => {
  const { section = '', statement = '', level = 'must' } = rules.get(rule) ?? {}
  return {
    ...{ rule, section, statement, level, operation, n },
    ...{ allowed: [], seen: 'shows true', witnesses: [], evidence: 1 },
    ...rest,
  }
}
const verdict = (rule: string, operation: OperationId, outcome: Verdict['outcome'], rest = {}): Verdict => ({
  ...{ rule, operation, outcome, level: rules.get(rule)?.level ?? 'must', count: 1 },
  ...rest,
})

const about: About = {
  tracker: { baseUrl: 'http://tracker.test/api/rest' },
  ...{ startedAt: new Date('2026-01-01T00:00:00.000Z'), only: [] },
  recording: { files: ['e2e.har'], passed: [{ reason: 'to another host', count: 3 }] },
  whyNever: () => 'never exercised',
  replay: (requirement) => `tracker-kit judge e2e.har --only ${requirement}`,
}
const gate: Gate = { failOn: 'must', strict: false, baseline: null }

const witnesses = [
  { n: 57, did: 'set protected to false' },
  { n: 41, did: 'created the user with protected true' },
]
const kept = finding('steady', 'updateUser', 58, { place: 'protected', witnesses })

function reportOf(
  findings: readonly Finding[],
  verdicts: readonly Verdict[] = findings.map(({ rule, operation, level }) =>
    verdict(rule, operation, 'failed', { level }),
  ),
  more: { about?: Partial<About>; gate?: Partial<Gate> } = {},
) {
  const report = judgedReport(
    { findings, verdicts, observations: [], trace },
    { ...about, ...more.about },
    { ...gate, ...more.gate },
  )
  expect(reportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report)
  return report
}

describe('a requirement', () => {
  test('is a rule, with a check for each operation at which it can be judged', () => {
    const open = 'the statement may not apply to any of the requests'
    const verdicts = [
      verdict('status', 'getUser', 'passed'),
      verdict('status', 'createUser', 'not judgeable', { why: 'its answer is lost' }),
      verdict('status', 'listPlugins', 'never exercised'),
      verdict('success', 'getUser', 'never exercised'),
    ]
    const { requirements, summary } = reportOf([], verdicts)
    expect(requirements).toMatchObject([
      {
        ...{ id: 'status', outcome: 'passed', operations: ['getUser', 'createUser', 'listPlugins'] },
        reason: `createUser skipped: ${open}; listPlugins skipped: never exercised`,
        checks: [
          { operation: 'getUser', outcome: 'passed' },
          { operation: 'createUser', outcome: 'skipped', reason: open },
          { operation: 'listPlugins', outcome: 'skipped', reason: 'never exercised' },
        ],
      },
      { id: 'success', outcome: 'skipped', reason: 'never exercised', operations: ['getUser'] },
    ])
    expect(summary).toMatchObject({ verdict: 'conforms', judged: 1, of: rules.size, requests: 5 })
  })

  test('that was never exercised fails under --strict, and is told where nothing was judged', () => {
    const never = [verdict('success', 'getUser', 'never exercised')]
    const passed = verdict('status', 'getUser', 'passed')
    expect(reportOf([], [...never, passed], { gate: { strict: true } }).summary.verdict).toBe('deviates')
    const report = reportOf([], never)
    expect(report.summary).toMatchObject({ verdict: 'inconclusive', because: 'nothing could be judged' })
    expect(verdictText(report, null)).toMatch(/1 {2}never exercised: success$/m)
    expect(junit(report)).toMatch(/<skipped message="never exercised"/)
  })

  test('is as strict as what failed of it', () => {
    const should = finding('steady', 'getUser', 58, { level: 'should' })
    expect(reportOf([should]).requirements).toMatchObject([{ level: 'should', outcome: 'failed' }])
    expect(reportOf([should]).summary).toMatchObject({ verdict: 'conforms', should: { failed: 1 } })
    expect(reportOf([should], undefined, { gate: { failOn: 'should' } }).summary.verdict).toBe('deviates')
    expect(reportOf([should, kept]).requirements).toMatchObject([{ level: 'must', outcome: 'failed' }])
  })

  test('that was not asked for accuses nobody', () => {
    const about = { only: ['success', 'getUser'] }
    const findings = [kept, finding('steady', 'getUser', 58), finding('success', 'updateUser', 57)]
    const { failures, requirements } = reportOf(findings, undefined, { about })
    expect(failures).toMatchObject([
      { requirement: 'steady', operation: 'getUser' },
      { requirement: 'success', operation: 'updateUser' },
    ])
    expect(requirements).toMatchObject([
      { id: 'success', operations: ['updateUser'] },
      { id: 'steady', operations: ['getUser'] },
    ])
  })
})

describe('a failure', () => {
  test('tells what its witnesses did, in their order, and shows their exchanges', () => {
    const [failure] = reportOf([kept]).failures
    const Authorization = 'Bearer $TRACKER_TOKEN'
    expect(failure).toMatchObject({
      ...{ requirement: 'steady', operation: 'updateUser', place: 'protected', witnesses: [41, 57, 58] },
      message: expect.stringMatching(/^#41 .*created the user with protected true; #57 .*; #58 .*shows true/),
      request: { url: `http://tracker.test${root}/users/otto`, headers: { Authorization } },
      response: { status: 200, body: { protected: true } },
      steps: [
        { n: 41, did: witnesses[1]?.did, request: { body: { username: 'otto', protected: true } } },
        { n: 57, did: witnesses[0]?.did, request: { method: 'PATCH' } },
      ],
      curl: expect.stringContaining(`"Authorization: ${Authorization}"`),
      replay: 'tracker-kit judge e2e.har --only steady',
    })
  })

  test('without an answer has no response, and one of an unknown caller no command', () => {
    const findings = [finding('success', 'getUser', 142), finding('steady', 'getUser', 141)]
    const [silent, stranger] = reportOf(findings).failures
    expect(silent).toMatchObject({ response: null, curl: expect.any(String) })
    expect(stranger).toMatchObject({ response: { status: 200 }, curl: null })
  })

  test('that relies on a field of the profile names it', () => {
    const findings = [finding('success', 'changeOwnPassword', 58), finding('permission', 'getUser', 142)]
    const tracker = { ...about.tracker, passwordAccount: { current: 'a', next: 'b' } }
    const { failures } = reportOf(findings, undefined, { about: { tracker } })
    for (const [at, words] of [/\(passwordAccount and/, /\(tokens\./].entries())
      expect(failures[at]?.message).toMatch(words)
    expect(reportOf(findings).failures[0]?.message).not.toContain('passwordAccount')
  })

  test('that is seen again is told once, with the other exchanges', () => {
    const seen = (n: number, text: string) => finding('success', 'getUser', n, { allowed: [200], seen: text })
    const { failures } = reportOf([
      seen(41, 'answered 403 {"message":"no"}'),
      seen(57, 'answered 403 {"message":"not 57"}'),
      seen(58, 'answered 400'),
    ])
    expect(failures).toHaveLength(2)
    expect(failures[0]?.message).toMatch(/and 200 is allowed; the same at #57$/)
    expect(failures[0]).toMatchObject({ expected: '200', witnesses: [41] })
  })

  test('takes along what only follows from it', () => {
    const report = reportOf([kept, finding('success', 'getUser', 58, { follows: 'steady updateUser' })])
    expect(report.failures).toMatchObject([{ requirement: 'steady', follows: ['success (getUser)'] }])
    expect(report.requirements).toMatchObject([
      { id: 'success', outcome: 'skipped', reason: 'it failed only because of steady (updateUser)' },
      { id: 'steady', outcome: 'failed' },
    ])
    expect(report.summary.must).toEqual({ passed: 0, failed: 1, skipped: 1 })
    const alone = reportOf([finding('success', 'getUser', 58, { follows: 'steady updateUser' })])
    expect(alone.failures).toMatchObject([{ requirement: 'success', follows: [] }])
  })
})

test('a baseline knows a failure again, whatever its numbers in the trace are', () => {
  const [failure] = reportOf([kept]).failures
  const deviation = { requirement: 'steady', operation: 'updateUser', reason: 'known' } as const
  const deviations = [{ ...deviation, fingerprint: failure ? fingerprint(failure) : '' }]
  const baseline: Baseline = { schema: 'tracker-kit/baseline@1', deviations }
  const elsewhere = { ...kept, n: 141, witnesses: [{ n: 142, did: 'set protected to false' }] }
  const again = reportOf([elsewhere], undefined, { gate: { baseline } })
  expect(again.failures).toMatchObject([{ known: true, reason: 'known' }])
  expect(again.summary.verdict).toBe('conforms')
})

test.each<[state: string, run: object, entry?: object]>([
  ['gone', {}],
  ['unstruck', { seed: 8 }],
  ['unstruck', { runs: 29 }],
  ['unstruck', { recording: about.recording }],
  ['unstruck', { safety: 'read' }],
  ['unjudged', { requirements: [] }],
  ['void', {}, { requirement: 'users.gone' }],
  ['expired', {}, { expires: '2001-01-01' }],
  ['gone', {}, { expires: '2099-12-31' }],
])('an entry of a baseline is %s after a run with %j, where it has %j', (state, run, entry) => {
  const deviation = { requirement: 'status', operation: 'createUser', fingerprint: 'x', reason: 'known' }
  const deviations = [{ ...deviation, ...entry }] as Baseline['deviations']
  const requirements = [requirementOf('status', { outcome: 'passed' })]
  const same = { seed: 7, runs: 30, safety: 'write' } as const
  const baseline = { schema: 'tracker-kit/baseline@1', ...same, deviations } as const
  const judged = { requirements, failures: [], ...same, recording: null, ...run }
  expect(entriesOf(baseline, judged, '2026-01-01')).toMatchObject([{ state }])
})

const report = reportOf([kept, finding('success', 'getUser', 58, { follows: 'steady updateUser' })])
const forms = {
  text: verdictText(report, null),
  html: html(report),
  'summary.md': markdown(report),
  'junit.xml': junit(report),
  'report.sarif': sarif(report),
  github: workflowCommands(report),
}
test.each(Object.entries(forms))('%s tells of the witnesses, and of what was left out', (name, form) => {
  const text = form.replaceAll('</dt><dd>', ': ')
  expect(form).toContain('created the user with protected true')
  expect(form).not.toMatch(/safety read|seed 0/)
  if (name === 'github') return
  expect(text).toContain('exchanges in trace.har: #41, #57, #58')
  expect(text).toContain('failed only because of this: success (getUser)')
  if (name === 'junit.xml' || name === 'report.sarif') return
  expect(form).toContain('5 recorded requests of e2e.har')
  expect(form).toContain('left out 3 entries: 3 to another host')
})

test('each id that was ever published is still there, and each rule is among them', () => {
  expect([...rules.keys()].toSorted()).toEqual(publishedIds.toSorted())
})

test('a profile is told from one that allows a run more or else, by no secret and nothing that the report tells', () => {
  const user = { id: 5, username: 'reporter' }
  const tokens = { administrator: 'secret', restricted: 'other' }
  const without = { ...about.tracker, tokens, password: { valid: 'Hunter-2' } }
  const profile = { ...without, user }
  const digest = profileDigest(profile)
  expect(profileDigest(without)).not.toBe(digest)
  expect(profileDigest({ ...profile, user: { id: 6, username: 'reporter' } })).not.toBe(digest)
  expect(profileDigest({ ...profile, tokens: { administrator: 'secret' } })).not.toBe(digest)
  const told = { ...profile, baseUrl: 'http://other.test', ext: 'Other' }
  const secrets = { tokens: { administrator: 'a', restricted: 'b' }, password: { valid: 'c' } }
  expect(profileDigest({ ...told, ...secrets })).toBe(digest)
})
