import { XMLValidator } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { failureOf, reportOf, requirementOf } from '../../fixtures/report.js'
import { html } from './html.js'
import { junit } from './junit.js'
import { markdown } from './markdown.js'
import type { Report, ReportFailure } from './report.js'

const hostile =
  '</script><script>alert(1)</script><img src=x onerror=alert(2)>\u2028"\'`| [x](javascript:alert(3))'

const url = `http://tracker.test/${hostile}`
const request = { method: 'POST', url, headers: { 'x-kit': hostile }, body: hostile }
const response = { status: 418, headers: { 'x-kit': hostile }, body: { [hostile]: hostile } }
const failed = failureOf('users.create', {
  ...{ message: hostile, curl: `curl '${hostile}'`, replay: 'tracker-kit check --only users.create' },
  ...{ request, response, steps: [{ n: 1, did: hostile, request, response }] },
})
const report: Report = reportOf(
  {
    target: { baseUrl: 'http://tracker.test/api/rest', ext: hostile },
    requirements: [requirementOf('users.create')],
    failures: [failed],
    observations: [{ decision: 'gate', operation: 'getUser', value: hostile }],
    leftovers: [hostile],
  },
  { because: '1 requirement failed', must: { passed: 0, failed: 1, skipped: 0 }, observed: 1 },
)

test('what a target says is inert in the page, the summary and junit.xml', () => {
  const page = html(report)
  expect(page.match(/<script/g)).toHaveLength(1)
  expect(page).not.toContain('<img')
  expect(page).not.toContain('\u2028')
  expect(page).toContain('&#60;img src=x onerror=alert(2)&#62;')
  expect(page).toMatch(/script-src 'sha256-[\w+/]+=*'/)
  const summary = markdown(report)
  // Between fences nothing is markup, and nothing there ends one.
  const outside = summary.replace(/^(`{3,})sh\n[\s\S]*?\n\1$/gm, '')
  expect(outside).not.toMatch(/<script|<img|\[x\]\(|curl/)
  expect(junit(report)).not.toMatch(/<img|<script/)
})

test('in junit.xml a should fails only where it counts, and else tells all the same', () => {
  const requirements = report.requirements.map((one) => ({ ...one, level: 'should' as const }))
  const failures = report.failures.map((one) => ({ ...one, level: 'should' as const, message: 'saw 418' }))
  const should = (failOn: 'must' | 'should') => {
    const verdict = failOn === 'must' ? 'conforms' : 'deviates'
    const summary = { ...report.summary, verdict } as const
    return junit({ ...report, requirements, failures, summary, settings: { ...report.settings, failOn } })
  }
  expect(should('must')).toContain('<skipped message="not counted without --fail-on should: saw 418"/>')
  expect(should('must')).toMatch(/<system-out>createUser: saw 418/)
  expect(should('must')).toContain('failures="0"')
  expect(should('must')).not.toContain('<failure')
  expect(should('should')).toContain('<failure type="should" message="saw 418">')
})

test('a summary keeps its fence, whatever stands between', () => {
  const curl = 'curl x\n```\n````\n<img src=x>'
  const lines = markdown({ ...report, failures: [{ ...failed, curl }] }).split('\n')
  expect(lines.filter((line) => line.startsWith('`````'))).toEqual(['`````sh', '`````'])
})

const failure = { ...failed, message: 'expected 200, saw 201' }
const known: ReportFailure = {
  ...{ ...failed, operation: 'getUser', message: 'expected 200, saw 202' },
  ...{ known: true, reason: 'a <known> one' },
}
const withKnown: Report = {
  ...report,
  requirements: [requirementOf('users.create', { operations: ['getUser', 'createUser'] })],
  failures: [known, failure],
}

test('in junit.xml what is known is skipped for its reason, and what is new has failed, also beside it', () => {
  const xml = junit(withKnown)
  expect(xml).toContain('<skipped message="in the baseline: a &#60;known&#62; one"/>')
  expect(xml.match(/<failure /g)).toHaveLength(1)
  expect(xml.match(/tests="2" failures="1" errors="0" skipped="1"/g)).toHaveLength(2)
  const failures = [known, { ...failure, operation: known.operation }]
  const requirements = [requirementOf('users.create', { operations: ['getUser'] })]
  const both = junit({ ...withKnown, failures, requirements })
  expect(both).toContain('saw 201')
  expect(both).not.toContain('<skipped')
  const third = { ...failure, message: 'saw 203', level: 'should' as const }
  const twice = junit({ ...report, failures: [third, failure] })
  // Readers count test cases, and many show the first element alone.
  expect(twice.match(/<failure .*?<\/failure>/gs)).toEqual([
    expect.stringMatching(/ type="must" message="saw 203 \(and 1 more\)">.*saw 203.*saw 201/s),
  ])
})

test('junit.xml of a run that was not judged has an error, so that no reader takes it for a good one', () => {
  const because = 'it is <not> reachable'
  const summary = { ...report.summary, verdict: 'inconclusive' as const, because }
  const skipped = requirementOf('users.create', { outcome: 'skipped', operations: ['getUser'] })
  const xml = junit({ ...report, summary, requirements: [skipped], failures: [] })
  expect(xml.match(/<error [^>]*>/g)).toEqual(['<error message="it is &#60;not&#62; reachable"/>'])
  expect(xml).toContain('<testsuites name="tracker-kit" tests="2" failures="0" errors="1" skipped="1"')
  expect(junit(report)).not.toContain('<error')
})

test('a verdict on a part of the document says so in the page, the summary and junit.xml, with reasons and the command for the rest', () => {
  const rest = 'tracker-kit check --profile p.json --safety destructive'
  const conforms = { verdict: 'conforms', because: null } as const
  const passed = requirementOf('users.create', { outcome: 'passed' })
  const skipped = requirementOf('users.create', { outcome: 'skipped', reason: 'needs --safety <b>' })
  const whole = reportOf({ requirements: [passed] }, conforms)
  const part = reportOf({ requirements: [passed, skipped], rest }, conforms)
  expect(html(part)).toContain('<header class="yellow">')
  expect(html(part)).toContain('<td>1</td><td>needs --safety &#60;b&#62;</td>')
  expect(markdown(part)).toContain('> [!WARNING]\n> 1 of 2 requirements was not judged.\n')
  expect(markdown(part)).toContain('| 1 | needs --safety &#60;b&#62; | users.create |')
  for (const text of [html(part), markdown(part)]) expect(text).toContain(`npx ${rest}`)
  expect(junit(part)).toMatch(
    /<property name="verdict" value="[^"]*, but only 1 of 2 requirements was judged/,
  )
  expect(XMLValidator.validate(junit(part))).toBe(true)
  expect(html(whole)).not.toMatch(/in part|Not judged/)
  expect(markdown(whole)).not.toMatch(/WARNING|not judged/)
  expect(junit(whole)).not.toContain('but only')
})
