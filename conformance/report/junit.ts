/** `junit.xml`: one test suite for each section of the document, one test case for each check. */
import { firstsOf, groupBy } from './alike.js'
import { failureText } from './evidence.js'
import type { Report, ReportFailure, ReportRequirement } from './report.js'
import { verdictSentence } from './text.js'

export function junit(report: Report): string {
  const { verdict, because } = report.summary
  const firsts = firstsOf(report)
  const sorted = report.requirements.toSorted((a, b) =>
    a.section < b.section ? -1 : a.section === b.section ? 0 : 1,
  )
  const suites = groupBy(sorted, ({ section }) => section).map((group) => ({
    name: `section ${group[0]?.section}`,
    cases: group.flatMap((one) => casesOf(one, report, firsts)),
  }))
  // Without this suite, a run that fails for no requirement would look like a good one.
  if (
    verdict !== 'conforms' &&
    !suites.some(({ cases }) => cases.some(({ outcome }) => outcome === 'failed'))
  ) {
    const outcome = verdict === 'deviates' ? 'failed' : 'error'
    const content = element(verdict === 'deviates' ? 'failure' : 'error', { message: because ?? '' })
    suites.push({ name: 'the run', cases: [{ id: 'run', title: 'the run passes', outcome, content }] })
  }
  // Each suite repeats the verdict, since readers show one suite and ignore properties of the whole.
  const property = element('property', { name: 'verdict', value: verdictSentence(report) })
  const properties = `\n${element('properties', {}, `\n${property}\n`)}\n`
  const all = suites.flatMap(({ cases }) => cases)
  const time = (report.durationMs / 1000).toFixed(3)
  const content = suites.map(({ name, cases }) => {
    const written = cases.map(({ id, title, content: inner }) =>
      element('testcase', { classname: id, name: title }, inner, true),
    )
    return `${element('testsuite', { name, ...totals(cases) }, `${properties}${written.join('\n')}\n`)}\n`
  })
  const root = element('testsuites', { name: 'tracker-kit', ...totals(all), time }, `\n${content.join('')}`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`
}

interface Case {
  readonly id: string
  readonly title: string
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'error'
  /** The elements in the test case. */
  readonly content: string
}

/** The cases of a requirement. If all failures of a check are in the baseline or do not count, it is skipped, not failed. */
function casesOf(
  { id, level, statement, checks }: ReportRequirement,
  { failures, settings }: Report,
  firsts: ReturnType<typeof firstsOf>,
): Case[] {
  const textOf = (failure: ReportFailure) => failureText(failure, firsts.get(failure))
  return checks.map(({ operation, outcome, reason = '' }) => {
    const about = { id, title: `[${level}] ${id} (${operation}): ${statement}` }
    const skipped = (message: string, details = ''): Case => ({
      ...{ ...about, outcome: 'skipped' },
      content: element('skipped', { message }) + details,
    })
    if (outcome === 'skipped') return skipped(reason)
    if (outcome === 'passed') return { ...about, outcome, content: '' }
    const own = failures.filter((one) => one.requirement === id && one.operation === operation)
    const news = own.filter(({ known }) => !known)
    const [first] = own
    if (first && news.length === 0) return skipped(`in the baseline: ${first.reason ?? first.message}`)
    if (first && settings.failOn === 'must' && news.every((one) => one.level === 'should')) {
      const details = element('system-out', {}, escapeXml(news.map(textOf).join('\n\n')))
      return skipped(`not counted without --fail-on should: ${first.message}`, details)
    }
    const elements = news.map((one) =>
      element('failure', { type: one.level, message: one.message }, escapeXml(textOf(one))),
    )
    return { ...about, outcome, content: elements.join('') }
  })
}

function totals(cases: readonly Case[]): Readonly<Record<string, string>> {
  const count = (wanted: string) => String(cases.filter(({ outcome }) => outcome === wanted).length)
  const [failures, errors, skipped] = [count('failed'), count('error'), count('skipped')]
  return { tests: String(cases.length), failures, errors, skipped }
}

/** An element with markup in it. */
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
