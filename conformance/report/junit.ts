/** `junit.xml`: one test suite for each section of the document, one test case for each check. */
import type { Report, ReportFailure, ReportRequirement } from './report.js'

export function junit(report: Report): string {
  const sections = [...new Set(report.requirements.map(({ section }) => section))].sort()
  const suites = sections.map((section) => {
    const requirements = report.requirements.filter((one) => one.section === section)
    return suite(`section ${section}`, requirements, report)
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="tracker-kit" ${totals(report.requirements)} time="${seconds(report.durationMs)}">\n${suites.join('')}</testsuites>\n`
}

function suite(name: string, requirements: ReportRequirement[], report: Report): string {
  const cases = requirements.flatMap((requirement) =>
    requirement.checks.map((check) => {
      const { id, level, statement } = requirement
      const single = requirement.checks.length === 1
      const failures = report.failures.filter(
        (failure) => failure.requirement === id && (single || failure.operation === check.operation),
      )
      const content =
        check.outcome === 'failed'
          ? failures.map((failure) => failureElement(failure)).join('')
          : check.outcome === 'skipped'
            ? `<skipped message="${escapeXml(check.reason ?? '')}"/>`
            : ''
      const title = `[${level}] ${id} (${check.operation}): ${statement}`
      return `<testcase classname="${escapeXml(id)}" name="${escapeXml(title)}">${content}</testcase>\n`
    }),
  )
  return `<testsuite name="${escapeXml(name)}" ${totals(requirements)}>\n${cases.join('')}</testsuite>\n`
}

function totals(requirements: readonly ReportRequirement[]): string {
  const outcomes = requirements.flatMap(({ checks }) => checks.map(({ outcome }) => outcome))
  const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length
  return `tests="${outcomes.length}" failures="${count('failed')}" errors="0" skipped="${count('skipped')}"`
}

function failureElement({ message, operation, level, curl, replay }: ReportFailure): string {
  const text = [`${operation}: ${message}`, curl, `replay: ${replay}`].filter((line) => line !== null)
  return `<failure type="${level}" message="${escapeXml(message)}">${escapeXml(text.join('\n'))}</failure>`
}

const seconds = (ms: number) => (ms / 1000).toFixed(3)

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
}

/** What XML 1.0 cannot hold at all, lone surrogates too, becomes the replacement character. */
export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"\n]/g, (character) => entities[character] ?? character)
}
