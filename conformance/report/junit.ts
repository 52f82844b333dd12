/** `junit.xml`: one test suite for each section of the document, one test case for each check. */
import { groupBy } from '../oracle/json.js'
import { failureText } from './evidence.js'
import type { Report } from './report.js'
import { bySection, type CheckView, checksOf, verdictSentence } from './view.js'

export function junit(report: Report): string {
  const { summary, durationMs, settings } = report
  const checks = checksOf({ ...report, requirements: bySection(report.requirements) })
  const cases = checks.map((one) => caseOf(one, settings))
  // Without this suite, a run that fails for no requirement would look like a good one.
  if (summary.verdict !== 'conforms' && !cases.some(({ outcome }) => outcome === 'failed')) {
    const [outcome, tag] = summary.verdict === 'deviates' ? ['failed', 'failure'] : ['error', 'error']
    const content = element(tag, { message: summary.because ?? '' })
    cases.push({ suite: 'the run', classname: 'run', name: 'the run passes', outcome, content })
  }
  // Each suite repeats the verdict, since readers show one suite and ignore properties of the whole.
  const property = element('property', { name: 'verdict', value: verdictSentence(report) })
  const properties = `\n${element('properties', {}, `\n${property}\n`)}\n`
  const suites = [...groupBy(cases, ({ suite }) => suite)].map(([name, group]) => {
    const written = group.map((one) =>
      element('testcase', { classname: one.classname, name: one.name }, one.content, true),
    )
    return `${element('testsuite', { name, ...totals(group) }, `${properties}${written.join('\n')}\n`)}\n`
  })
  const attributes = { name: 'tracker-kit', ...totals(cases), time: (durationMs / 1000).toFixed(3) }
  const root = element('testsuites', attributes, `\n${suites.join('')}`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`
}

/** If all failures of a check are in the baseline or do not count, its case is skipped, not failed. */
function caseOf(
  { requirement: { id, level, section, statement }, operation, kind, reason = '', own }: CheckView,
  { failOn }: Report['settings'],
) {
  const suite = `section ${section}`
  const name = `[${level}] ${id} (${operation}): ${statement}`
  const ended = (outcome: string, content = '') => ({ suite, classname: id, name, outcome, content })
  const skipped = (message: string, details = '') =>
    ended('skipped', element('skipped', { message }) + details)
  const [first] = own
  const news = own.filter(({ known }) => !known)
  if (kind === 'skipped') return skipped(reason)
  if (kind === 'passed') return ended('passed')
  if (kind === 'known') return skipped(`in the baseline: ${first?.reason ?? first?.message}`)
  const details = escapeXml(news.map(failureText).join('\n\n'))
  const type = news.find((one) => one.level === 'must')?.level ?? 'should'
  if (first && failOn === 'must' && type === 'should')
    return skipped(
      `not counted without --fail-on should: ${first.message}`,
      element('system-out', {}, details),
    )
  const [head = '', ...others] = news.map((one) => one.message)
  const message = others.length > 0 ? `${head} (and ${others.length} more)` : head
  return ended('failed', element('failure', { type, message }, details))
}

function totals(cases: readonly { readonly outcome: string }[]): Readonly<Record<string, string>> {
  const count = (wanted: string) => String(cases.filter(({ outcome }) => outcome === wanted).length)
  const [failures, errors, skipped] = [count('failed'), count('error'), count('skipped')]
  return { tests: String(cases.length), failures, errors, skipped }
}

function element(name: string, attributes: Readonly<Record<string, string>>, content = '', open = false) {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  const start = `<${name}${given.join('')}`
  return content === '' && !open ? `${start}/>` : `${start}>${content}</${name}>`
}

/** Escapes text. Characters that XML 1.0 does not allow, such as lone surrogates, become the replacement character. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"\n]/g, (character) => `&#${character.charCodeAt(0)};`)
}
