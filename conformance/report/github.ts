/** The report as annotations of GitHub Actions: one workflow command for all failures that look alike. */
import { randomUUID } from 'node:crypto'
import { failureText } from './evidence.js'
import type { Report } from './report.js'
import { groupsOf, verdictColour, verdictSentence } from './view.js'
import { bounded } from './words.js'

/** GitHub shows this many annotations of each level in one step, and drops the others silently. */
const MOST_SHOWN = 10

type Level = 'error' | 'warning'

export function workflowCommands(report: Report): string {
  const { target, summary, settings } = report
  const lines: Record<Level, string[]> = { error: [], warning: [] }
  const add = (level: Level, title: string, message: string) =>
    lines[level].push(workflowCommand(level, title, message))
  for (const { first, operations, more } of groupsOf(report).news) {
    const { requirement, level } = first
    const title = `${level} ${requirement} (${operations.join(', ')})`
    const text = `${failureText(first)}${more && `\n${more}`}`
    add(level === 'must' || settings.failOn === 'should' ? 'error' : 'warning', title, text)
  }
  // Some failures belong to no requirement: a baseline out of date, --strict, a target that cannot be judged.
  const level = summary.verdict === 'conforms' ? 'warning' : 'error'
  if (verdictColour(report) !== 'green' && lines.error.length === 0)
    add(level, 'tracker-kit', `${target.baseUrl} ${verdictSentence(report)}`)
  return [...shown('error', lines.error), ...shown('warning', lines.warning)].join('')
}

/** A line that the runner reads as a command, whatever the texts contain. */
export function workflowCommand(level: Level, title: string, message: string): string {
  const property = escapeData(title).replaceAll(':', '%3A').replaceAll(',', '%2C')
  return `::${level} title=${property}::${escapeData(message)}\n`
}

const escapeData = (text: string) =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

/** Text in which the runner finds no command, even if a line looks like one. */
export function withoutCommands(text: string): string {
  const word = randomUUID()
  return `::stop-commands::${word}\n${text}${text.endsWith('\n') ? '' : '\n'}::${word}::\n`
}

/** The line that counts the rest is one of the annotations that GitHub shows. */
const shown = (level: Level, lines: readonly string[]) =>
  bounded(lines, lines.length > MOST_SHOWN ? MOST_SHOWN - 1 : MOST_SHOWN, (more) =>
    workflowCommand(level, 'tracker-kit', `… and ${more} more; the summary and the report name them`),
  )
