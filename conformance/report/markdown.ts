/** `summary.md`: what a reviewer of a pull request needs to know. */
import { type Alike, alike, moreOf } from './alike.js'
import { againOf, npx, replayOf, restText, witnessLines } from './evidence.js'
import { leftOn } from './leftovers.js'
import type { Report } from './report.js'
import { isPart, reasonsOf, unjudgedText } from './skipped.js'
import { mistakeLines, mistakesText, passedText, runText, verdictSentence } from './text.js'
import { bounded, listed, table } from './words.js'

const MOST_SHOWN = 30
const MOST_AGAIN = 10
const LONGEST_LINE = 6_000

export function markdown(report: Report): string {
  const { summary, target } = report
  const passed = passedText(report)
  const counts = (['must', 'should'] as const).map((level) => {
    const { passed, failed, skipped } = summary[level]
    return [level, String(passed), String(failed), String(skipped)]
  })
  const groups = alike(report)
  const news = groups.filter(({ first }) => !first.known)
  const known = report.failures.filter((failure) => failure.known).length
  const lines = [
    `## ${cell(target.baseUrl)} ${cell(verdictSentence(report))}`,
    '',
    // GitHub shows this as a coloured box.
    ...(summary.verdict === 'conforms' && isPart(report)
      ? ['> [!WARNING]', `> ${cell(unjudgedText(report) ?? '')}.`, '']
      : []),
    ...table(['requirements', 'passed', 'failed', 'skipped'], counts, ['passed', 'failed', 'skipped']),
    '',
    `${cell(runText(report))}.${passed === null ? '' : ` ${cell(passed)}.`}`,
    ...failures(news),
    ...again(news),
    ...(known > 0 ? ['', `In the baseline, and not counted: ${known}`] : []),
    ...failures(groups.filter(({ first }) => first.known)),
    ...list(mistakesText, mistakeLines(report)),
    ...unjudged(report),
    ...list('Left on the tracker', leftOn(report)),
  ]
  return `${lines.join('\n')}\n`
}

function unjudged(report: Report): string[] {
  const what = unjudgedText(report)
  if (what === null) return []
  const rows = reasonsOf(report).map(({ text, count, named }) => [String(count), cell(text), named])
  return [
    ...['', `${cell(what)}:`, '', ...table(['requirements', 'because', 'which'], rows, ['requirements'])],
    ...(report.rest === null ? [] : ['', `${restText}:`, '', ...fenced(npx(report.rest))]),
  ]
}

/** How to reproduce the first failures, folded. A summary has a limited length, so only a few are shown. */
function again(groups: readonly Alike[]): string[] {
  return groups.slice(0, MOST_AGAIN).flatMap(({ first }) => {
    const found = againOf(first)
    const lines = [
      ...witnessLines(first).map(cell),
      ...(found && found.line.length <= LONGEST_LINE ? ['', ...fenced(found.line)] : []),
      ...['', ...fenced(replayOf(first))],
    ]
    const { requirement, operation, statement, section } = first
    const title = `<summary>Reproduce ${requirement} (${operation})</summary>`
    const about = `Section ${section}: ${cell(statement)}`
    return ['', '<details>', title, '', about, '', ...lines, '', '</details>']
  })
}

/** The fence is longer than any in the text, so that the text cannot end it. */
function fenced(text: string): string[] {
  const ticks = [...text.matchAll(/`{3,}/g)].map(([run]) => run.length)
  const fence = '`'.repeat(Math.max(3, ...ticks.map((length) => length + 1)))
  return [`${fence}sh`, text, fence]
}

function list(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  const items = lines.map((line) => `- ${cell(line)}`)
  return ['', `${title}:`, '', ...bounded(items, MOST_SHOWN, (more) => `- … and ${more} more`)]
}

function failures(groups: readonly Alike[]): string[] {
  if (groups.length === 0) return []
  const rows = groups.slice(0, MOST_SHOWN).map((group) => {
    const { requirement, message, reason } = group.first
    const more = moreOf(group)
    const why = reason === undefined ? '' : ` (${cell(reason)})`
    const seen = `${cell(message)}${why}${more === null ? '' : `; ${cell(more)}`}`
    return [requirement, listed(group.operations, 4, 'operation'), seen]
  })
  const hidden = groups.slice(MOST_SHOWN).reduce((sum, { rest }) => sum + 1 + rest.length, 0)
  const more = hidden > 0 ? ['', `… and ${hidden} more.`] : []
  return ['', ...table(['requirement', 'operation', 'what was seen'], rows), ...more]
}

/** Text of a target, escaped for a table of markdown. */
export function cell(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]<>|~&]/g, (character) => `&#${character.charCodeAt(0)};`)
}
