/** `summary.md`: what a reviewer of a pull request wants to know. */
import type { Report } from './report.js'
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
  if (failures.length > 0) {
    lines.push('', '| requirement | operation | what was seen |', '|---|---|---|')
    for (const { requirement, operation, message } of failures.slice(0, MOST_SHOWN))
      lines.push(`| ${requirement} | ${operation} | ${cell(message)} |`)
    if (failures.length > MOST_SHOWN) lines.push('', `… and ${failures.length - MOST_SHOWN} more.`)
  }
  return `${lines.join('\n')}\n`
}

/** Text of a target, inert in a table of markdown. */
export function cell(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]<>|~&]/g, (character) => `&#${character.charCodeAt(0)};`)
}
