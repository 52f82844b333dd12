/** `summary.md`: what a reviewer of a pull request needs to know. */
import type { Alike } from './alike.js'
import { type Fact, factsOf } from './evidence.js'
import type { Report } from './report.js'
import { countsOf, failuresIn, groupsOf, type Part, partsOf, verdictSentence, wordsIn } from './view.js'
import { listed, table, written } from './words.js'

const MOST_SHOWN = 30
/** How many failures have their evidence: a summary has a limited length. */
const MOST_EVIDENCE = 10
const LONGEST_LINE = 6_000

export function markdown(report: Report): string {
  const { news, known } = groupsOf(report)
  const { profile, unjudged, leftovers } = partsOf(report)
  const isPart = report.summary.verdict === 'conforms' && unjudged.rows.length > 0
  return written([
    `## ${cell(report.target.baseUrl)} ${cell(verdictSentence(report))}`,
    // GitHub shows this as a coloured box.
    isPart ? `> [!WARNING]\n> ${cell(unjudged.title)}.` : '',
    countsOf(report)
      .map(([name, text]) => `- ${name}: ${cell(text)}`)
      .join('\n'),
    ...failures(news),
    known.length > 0 ? `In the baseline, and not counted: ${failuresIn(known)}` : '',
    ...failures(known),
    ...[profile, unjudged, leftovers].flatMap(partBlocks),
  ])
}

function failures(groups: readonly Alike[]): string[] {
  const hidden = failuresIn(groups.slice(MOST_SHOWN))
  const more = hidden > 0 ? `… and ${hidden} more.` : ''
  return [...groups.slice(0, MOST_SHOWN).flatMap(failureBlocks), more]
}

/** A failure, with its evidence folded. */
function failureBlocks({ first, operations, more }: Alike, index: number): string[] {
  const { requirement, message } = first
  const seen = cell(more === '' ? message : `${message}; ${more}`)
  const title = `<b>${requirement}</b> (${listed(operations, 4, 'operation')}): ${seen}`
  const facts = index < MOST_EVIDENCE ? factsOf(first) : []
  return ['<details>', `<summary>${title}</summary>`, ...facts.flatMap(factBlocks), '</details>']
}

const factBlocks = ({ name, text, kind }: Fact): string[] => {
  if (kind === undefined) return [`${cell(name)}: ${cell(text)}`]
  return kind !== 'command' || text.length > LONGEST_LINE ? [] : [`${cell(name)}:`, fenced(text)]
}

/** The fence is longer than any in the text, so that the text cannot end it. */
function fenced(text: string): string {
  const ticks = [...text.matchAll(/`{3,}/g)].map(([run]) => run.length)
  const fence = '`'.repeat(Math.max(3, ...ticks.map((length) => length + 1)))
  return `${fence}sh\n${text}\n${fence}`
}

export function partBlocks({ title, head, rows, command }: Part): string[] {
  if (rows.length === 0) return []
  const cells = rows.slice(0, MOST_SHOWN).map((row) => row.map((one) => cell(wordsIn(one))))
  const numbers = head?.filter((_, index) => cells.every((row) => /^\d+$/.test(row[index] ?? '')))
  const shown = head ? table(head, cells, numbers) : cells.map(([one]) => `- ${one}`).join('\n')
  const hidden = rows.length - MOST_SHOWN
  return [
    ...[`${cell(title)}:`, shown, hidden > 0 ? `… and ${hidden} more.` : ''],
    ...(command ? [`${cell(command[0])}:`, fenced(command[1])] : []),
  ]
}

/** Text of a target, escaped for a table of markdown. */
function cell(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]<>|~&]/g, (character) => `&#${character.charCodeAt(0)};`)
}
