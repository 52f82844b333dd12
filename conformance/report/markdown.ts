/** `summary.md`: what a reviewer of a pull request wants to know. */
import { type Alike, alike, listed, moreOf } from './alike.js'
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
  const groups = alike(report)
  lines.push(...table(groups.filter(({ first }) => !first.known)))
  const known = failures.filter((failure) => failure.known).length
  if (known > 0)
    lines.push(
      ...['', `In the baseline, and not counted: ${known}`],
      ...table(groups.filter(({ first }) => first.known)),
    )
  return `${lines.join('\n')}\n`
}

function table(groups: readonly Alike[]): string[] {
  if (groups.length === 0) return []
  const rows = groups.slice(0, MOST_SHOWN).map((group) => {
    const { requirement, message, reason } = group.first
    const why = reason === undefined ? '' : ` (${cell(reason)})`
    const more = moreOf(group)
    const rest = more === null ? '' : `; ${cell(more)}`
    return `| ${requirement} | ${listed(group.operations, 4, 'operation')} | ${cell(message)}${why}${rest} |`
  })
  const hidden = groups.slice(MOST_SHOWN).reduce((sum, { rest }) => sum + 1 + rest.length, 0)
  return [
    ...['', '| requirement | operation | what was seen |', '|---|---|---|', ...rows],
    ...(hidden > 0 ? ['', `… and ${hidden} more.`] : []),
  ]
}

/** Text of a target, inert in a table of markdown. */
export function cell(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]<>|~&]/g, (character) => `&#${character.charCodeAt(0)};`)
}
