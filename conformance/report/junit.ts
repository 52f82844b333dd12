/** `junit.xml`: one test suite for each section of the document, one test case for each check. */
import { firstsOf } from './alike.js'
import { failureText } from './evidence.js'
import type { Report, ReportFailure, ReportRequirement } from './report.js'
import { verdictSentence } from './text.js'

export function junit(report: Report): string {
  const firsts = firstsOf(report)
  const sections = [...new Set(report.requirements.map(({ section }) => section))].sort()
  const suites: Suite[] = sections.map((section) => {
    const requirements = report.requirements.filter((one) => one.section === section)
    return { name: `section ${section}`, cases: requirements.flatMap((one) => casesOf(one, report, firsts)) }
  })
  const tested = suites.flatMap(({ cases }) => cases)
  // Without this suite, a run that fails for no requirement would look like a good one.
  const { verdict, because } = report.summary
  if (verdict !== 'conforms' && !tested.some(({ outcome }) => outcome === 'failed')) {
    const [outcome, content] =
      verdict === 'deviates'
        ? (['failed', `<failure message="${escapeXml(because ?? '')}"/>`] as const)
        : (['error', because ?? ''] as const)
    suites.push({ name: 'the run', cases: [{ id: 'run', title: 'the run passes', outcome, content }] })
  }
  const all = suites.flatMap(({ cases }) => cases)
  const about = propertiesOf(report)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="tracker-kit" ${totals(all)} time="${seconds(report.durationMs)}">\n${suites.map((one) => suite(one, about)).join('')}</testsuites>\n`
}

interface Suite {
  readonly name: string
  readonly cases: readonly Case[]
}

/** Each suite repeats the verdict, since readers show one suite and ignore properties of the whole. */
const propertiesOf = (report: Report) =>
  `<properties>\n<property name="verdict" value="${escapeXml(verdictSentence(report))}"/>\n</properties>\n`

function suite({ name, cases }: Suite, properties: string): string {
  const all = cases.map(({ id, title, outcome, content, details }) => {
    const isMessage = outcome === 'skipped' || outcome === 'error'
    const element = isMessage ? `<${outcome} message="${escapeXml(content)}"/>` : content
    const out = details === undefined ? '' : `<system-out>${escapeXml(details)}</system-out>`
    return `<testcase classname="${escapeXml(id)}" name="${escapeXml(title)}">${element}${out}</testcase>\n`
  })
  return `<testsuite name="${escapeXml(name)}" ${totals(cases)}>\n${properties}${all.join('')}</testsuite>\n`
}

interface Case {
  readonly id: string
  readonly title: string
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'error'
  /** Why the case was skipped or could not be judged, or the elements of its failures. */
  readonly content: string
  /** The text of a failure that does not count. */
  readonly details?: string
}

/** The cases of a requirement. If all failures of a check are in the baseline or do not count, it is skipped, not failed. */
function casesOf(
  { id, level, statement, checks }: ReportRequirement,
  report: Report,
  firsts: ReturnType<typeof firstsOf>,
): Case[] {
  const all = report.failures.filter(({ requirement }) => requirement === id)
  return checks.map(({ operation, outcome, reason: why = '' }) => {
    const title = `[${level}] ${id} (${operation}): ${statement}`
    const about = { id, title, outcome }
    if (outcome !== 'failed') return { ...about, content: why }
    const failures = all.filter((failure) => failure.operation === operation)
    const news = failures.filter(({ known }) => !known)
    const [first] = failures
    if (first && news.length === 0)
      return { ...about, outcome: 'skipped', content: `in the baseline: ${first.reason ?? first.message}` }
    if (first && news.every((one) => one.level === 'should') && report.settings.failOn === 'must')
      return {
        ...about,
        outcome: 'skipped',
        content: `not counted without --fail-on should: ${first.message}`,
        details: news.map((one) => failureText(one, firsts.get(one))).join('\n\n'),
      }
    return { ...about, content: news.map((one) => failureElement(one, firsts.get(one))).join('') }
  })
}

function totals(cases: readonly Case[]): string {
  const count = (wanted: string) => cases.filter(({ outcome }) => outcome === wanted).length
  return `tests="${cases.length}" failures="${count('failed')}" errors="${count('error')}" skipped="${count('skipped')}"`
}

function failureElement(failure: ReportFailure, first: ReportFailure | undefined): string {
  const { level, message } = failure
  return `<failure type="${level}" message="${escapeXml(message)}">${escapeXml(failureText(failure, first))}</failure>`
}

const seconds = (ms: number) => (ms / 1000).toFixed(3)

/** Escapes text. Characters that XML 1.0 does not allow, such as lone surrogates, become the replacement character. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"\n]/g, (character) => `&#${character.charCodeAt(0)};`)
}
