/** The report as GitHub Actions shows it beside a step: one workflow command for each failed requirement. */
import { randomUUID } from 'node:crypto'
import { firstsOf, groupBy } from './alike.js'
import { failureText } from './evidence.js'
import type { Report, ReportFailure } from './report.js'
import { verdictSentence } from './text.js'
import type { Gate } from './verdict.js'
import { bounded } from './words.js'

/** GitHub shows this many of each level in one step, and drops the others without a word. */
const MOST_SHOWN = 10

type Level = 'error' | 'warning'

export function workflowCommands(report: Report, { failOn }: Pick<Gate, 'failOn'>): string {
  const errors: string[] = []
  const warnings: string[] = []
  for (const { failures, failure, first } of newFailures(report)) {
    const { requirement, level } = failure
    const operations = [...new Set(failures.map(({ operation }) => operation))].join(', ')
    const more = failures.length > 1 ? `\n… and ${failures.length - 1} more of this requirement` : ''
    const isGated = level === 'must' || failOn === 'should'
    const title = `${level} ${requirement} (${operations})`
    const text = `${failureText(failure, first)}${more}`
    const line = workflowCommand(isGated ? 'error' : 'warning', title, text)
    if (isGated) errors.push(line)
    else warnings.push(line)
  }
  const { verdict } = report.summary
  // What fails without a requirement of its own: a baseline out of date, --strict, a target that cannot be judged.
  if (verdict !== 'conforms' && errors.length === 0)
    errors.push(
      workflowCommand('error', 'tracker-kit', `${report.target.baseUrl} ${verdictSentence(report)}`),
    )
  const skipped = report.requirements.filter(({ outcome }) => outcome === 'skipped')
  const [first] = skipped
  if (first)
    warnings.unshift(
      workflowCommand(
        'warning',
        'requirements skipped',
        `${skipped.length} skipped, the first ${first.id}: ${first.reason ?? 'no reason given'}`,
      ),
    )
  return [...shown('error', errors), ...shown('warning', warnings)].join('')
}

/** A line that the runner takes for a command, whatever the texts hold. */
export function workflowCommand(level: Level, title: string, message: string): string {
  return `::${level} title=${escapeProperty(title)}::${escapeData(message)}\n`
}

/** Text that the runner takes for no command, even where a line of it looks like one. */
export function withoutCommands(text: string): string {
  const word = randomUUID()
  return `::stop-commands::${word}\n${text}${text.endsWith('\n') ? '' : '\n'}::${word}::\n`
}

/**
 * By requirement, without those in the baseline, with the failure to read first where all of these look like it. What only
 * looks like another comes last, since few are shown.
 */
function newFailures(report: Report) {
  const firsts = firstsOf(report)
  const news = report.failures.filter(({ known }) => !known)
  const groups = groupBy(news, ({ requirement }) => requirement).map((failures) => {
    const [failure] = failures as [ReportFailure]
    const isOwn = failures.some((one) => (firsts.get(one) ?? one).requirement === one.requirement)
    return { failures, failure, first: isOwn ? failure : (firsts.get(failure) ?? failure) }
  })
  return groups.toSorted((a, b) => Number(a.first !== a.failure) - Number(b.first !== b.failure))
}

/** The line that counts the rest is one of those that GitHub shows. */
const shown = (level: Level, lines: readonly string[]) =>
  bounded(lines, lines.length > MOST_SHOWN ? MOST_SHOWN - 1 : MOST_SHOWN, (more) =>
    workflowCommand(level, 'tracker-kit', `… and ${more} more; the summary and the report name them`),
  )

const escapeData = (text: string) =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapeProperty = (text: string) => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
