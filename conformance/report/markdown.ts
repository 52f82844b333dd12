/** `summary.md`: what a reviewer of a pull request needs to know. */
import { type Alike, alike, moreOf } from './alike.js'
import { againOf, npx, restText, witnessLines } from './evidence.js'
import { leftOn } from './leftovers.js'
import type { Report } from './report.js'
import { unjudgedOf } from './skipped.js'
import { failuresIn, mistakeLines, mistakesText, runTexts, verdictSentence } from './text.js'
import { bounded, listed, table } from './words.js'

const MOST_SHOWN = 30
const MOST_AGAIN = 10
const LONGEST_LINE = 6_000

export function markdown(report: Report): string {
  const { summary, target } = report
  const counts = (['must', 'should'] as const).map((level) => {
    const { passed, failed, skipped } = summary[level]
    return [level, ...[passed, failed, skipped].map(String)]
  })
  const outcomes = ['passed', 'failed', 'skipped']
  const unjudged = unjudgedOf(report)
  const groups = alike(report)
  const news = groups.filter(({ first }) => !first.known)
  const known = report.failures.filter((failure) => failure.known).length
  const lines = [
    `## ${cell(target.baseUrl)} ${cell(verdictSentence(report))}`,
    '',
    // GitHub shows this as a coloured box.
    ...(summary.verdict === 'conforms' && unjudged ? ['> [!WARNING]', `> ${cell(unjudged.what)}.`, ''] : []),
    ...table(['requirements', ...outcomes], counts, outcomes),
    '',
    runTexts(report)
      .map((text) => `${cell(text)}.`)
      .join(' '),
    ...failures(news),
    ...news.slice(0, MOST_AGAIN).flatMap(again),
    ...(known > 0 ? ['', `In the baseline, and not counted: ${known}`] : []),
    ...failures(groups.filter(({ first }) => first.known)),
    ...list(mistakesText, mistakeLines(report)),
    ...(unjudged
      ? titled(
          unjudged.what,
          table(
            ['requirements', 'because', 'which'],
            unjudged.reasons.map(({ text, count, named }) => [String(count), cell(text), named]),
            ['requirements'],
          ),
        )
      : []),
    ...(unjudged && report.rest !== null ? titled(restText, fenced(npx(report.rest))) : []),
    ...list('Left on the tracker', leftOn(report)),
  ]
  return `${lines.join('\n')}\n`
}

const titled = (title: string, lines: readonly string[]) => ['', `${cell(title)}:`, '', ...lines]

/** How to reproduce a failure, folded. A summary has a limited length, so only a few are shown. */
function again({ first }: Alike): string[] {
  const { requirement, operation, statement, section, replay } = first
  const line = againOf(first)?.line ?? ''
  return [
    ...['', '<details>', `<summary>Reproduce ${requirement} (${operation})</summary>`],
    ...['', `Section ${section}: ${cell(statement)}`, '', ...witnessLines(first).map(cell)],
    ...(line !== '' && line.length <= LONGEST_LINE ? ['', ...fenced(line)] : []),
    ...['', ...fenced(npx(replay)), '', '</details>'],
  ]
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
  return titled(
    title,
    bounded(items, MOST_SHOWN, (more) => `- … and ${more} more`),
  )
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
  const hidden = failuresIn(groups.slice(MOST_SHOWN))
  const more = hidden > 0 ? ['', `… and ${hidden} more.`] : []
  return ['', ...table(['requirement', 'operation', 'what was seen'], rows), ...more]
}

/** Text of a target, escaped for a table of markdown. */
export function cell(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]<>|~&]/g, (character) => `&#${character.charCodeAt(0)};`)
}
