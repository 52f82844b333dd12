/** The verdict for a person, at the end of a run. */
import type { Alike } from './alike.js'
import { factLines } from './evidence.js'
import type { Report } from './report.js'
import * as view from './view.js'
import { bounded, counted, listed, written } from './words.js'

const MOST_FAILURES = 20
const MOST_ROWS = 10

export type Paint = (colour: view.Colour, text: string) => string

export const plain: Paint = (_colour, text) => text

/** `advice`: other commands that the reader may want to run, at the end of the text. */
export function verdictText(
  report: Report,
  out: string | null,
  advice: readonly string[] = [],
  paint = plain,
): string {
  const { news } = view.groupsOf(report)
  const { profile, unjudged, leftovers } = view.partsOf(report)
  const kept = out === null ? '; --out DIR keeps all' : ''
  const numbers = 'A number such as #41 is that of an exchange; --out DIR keeps the exchanges, in trace.har'
  const hidden = view.failuresIn(news.slice(MOST_FAILURES))
  const known = report.failures.filter((one) => one.known)
  const accepted = `${counted(known.length, 'failure')} ${known.length === 1 ? 'is' : 'are'} in the baseline:`
  const names = new Set(known.map(({ requirement, operation }) => `${requirement} (${operation})`))
  const paragraphs = [
    ...news.slice(0, MOST_FAILURES).map((group) => failureLines(group, paint)),
    hidden > 0 ? [`… and ${counted(hidden, 'more failure')}${kept}`] : [],
    out === null && news.length > 0 ? [numbers] : [],
    known.length > 0 ? indented(accepted, bounded([...names], MOST_FAILURES)) : [],
    partLines(profile, kept),
    partLines(leftovers, kept),
    view.countsOf(report).map(([name, text]) => `${name.padEnd(21)}${text}`),
    [
      verdictLine(report, paint),
      ...partLines(unjudged, kept, (text) => paint('yellow', text)),
      ...advice.map((line) => paint('yellow', line)),
      ...(out === null ? [] : [`Report: ${out}`]),
    ],
  ]
  return written(paragraphs.map((lines) => lines.join('\n')))
}

/** The verdict alone, with the failed requirements that the baseline does not know. */
export function quietLine(report: Report, paint = plain): string {
  const failed = report.failures.filter((one) => !one.known)
  const names = [...new Set(failed.map(({ requirement, operation }) => `${requirement} (${operation})`))]
  return verdictLine(report, paint) + (names.length > 0 ? `: ${listed(names, 6)}` : '')
}

const verdictLine = (report: Report, paint = plain): string =>
  `${report.target.baseUrl} ${paint(view.verdictColour(report), view.verdictSentence(report))}`

const indented = (title: string, lines: readonly string[]) => [title, ...lines.map((line) => `  ${line}`)]

function failureLines({ first, operations, more }: Alike, paint: Paint): string[] {
  const { level, requirement, message } = first
  const title = `${paint('red', 'FAILED')} ${level} ${requirement} (${listed(operations, 4, 'operation')})`
  return indented(title, [message, ...factLines(first), ...(more === '' ? [] : [more])])
}

/** The lines of a part; the first cell of a table is a number. */
function partLines({ title, head, rows, command }: view.Part, kept: string, paint = (text: string) => text) {
  if (rows.length === 0) return []
  const width = Math.max(...rows.map(([first = '']) => view.wordsIn(first).length))
  const lines = rows.map((row) => {
    const [first = '', text = '', ...rest] = row.map(view.wordsIn)
    const more = rest.filter((one) => one !== '')
    return head ? [`${first.padStart(width)}  ${text}`, ...more].join(': ') : first
  })
  const shown = bounded(lines, MOST_ROWS, (more) => `… and ${more} more${kept}`)
  return [...indented(`${paint(title)}:`, shown), ...(command ? [`${paint(command[0])}: ${command[1]}`] : [])]
}
