/** `summary.md`: what a reviewer of a pull request wants to know. */
import type { Report, ReportFailure } from './report.js'
import { verdictSentence } from './text.js'

const MOST_SHOWN = 30

export function markdown(report: Report): string {
  const { summary, target, failures, durationMs, safety, seed } = report
  const row = (level: 'must' | 'should') => {
    const { passed, failed, skipped } = summary[level]
    return `| ${level} | ${passed} | ${failed} | ${skipped} |`
  }
  const lines = [
    `## ${cell(target.baseUrl)} ${cell(verdictSentence(report))}`,
    '',
    '| level | passed | failed | skipped |',
    '|---|--:|--:|--:|',
    row('must'),
    row('should'),
    '',
    `${summary.requests} requests in ${(durationMs / 1000).toFixed(1)} s, safety ${safety}, seed ${seed}.`,
  ]
  lines.push(...table(failures.filter(({ known }) => !known)))
  const known = failures.filter((failure) => failure.known)
  if (known.length > 0) lines.push('', `In the baseline, and not counted: ${known.length}`, ...table(known))
  return `${lines.join('\n')}\n`
}

function table(failures: readonly ReportFailure[]): string[] {
  if (failures.length === 0) return []
  const rows = failures.slice(0, MOST_SHOWN).map(({ requirement, operation, message, reason }) => {
    const why = reason === undefined ? '' : ` (${cell(reason)})`
    return `| ${requirement} | ${operation} | ${cell(message)}${why} |`
  })
  const rest = failures.length - rows.length
  return [
    ...['', '| requirement | operation | what was seen |', '|---|---|---|', ...rows],
    ...(rest > 0 ? ['', `… and ${rest} more.`] : []),
  ]
}

/** Text of a target, inert in a table of markdown. */
export function cell(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]<>|~&]/g, (character) => `&#${character.charCodeAt(0)};`)
}
