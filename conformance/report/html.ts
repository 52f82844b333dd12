/**
 * `report.html`: one file that needs no other and can be opened from disk. It shows everything without scripts; its
 * only script filters and copies, and no other script may run.
 */
import { seenText, wordsOf } from '../contract/decisions/index.js'
import { operations } from '../contract/index.js'
import { stages } from '../oracle/stages.js'
import { groupBy } from './alike.js'
import { npx, restText } from './evidence.js'
import { script } from './html-assets.js'
import { cardsOf, failures } from './html-failures.js'
import { operationMatrix } from './html-operations.js'
import { block, code, header, htmlPage, items, markup, section, table, text, timeOf } from './html-page.js'
import { leftOn } from './leftovers.js'
import type { Report, ReportRequirement } from './report.js'
import { isPart, unjudgedOf } from './skipped.js'
import { countsOf, mistakeLines, mistakesText, runTexts, verdictSentence, verdictWord } from './text.js'

export function html(report: Report): string {
  const { target } = report
  const cards = cardsOf(report)
  const body = markup(
    top(report),
    '<main>',
    operationMatrix(report, cards),
    failures(cards),
    list('profile', mistakesText, mistakeLines(report)),
    unjudged(report),
    requirements(report),
    observations(report),
    list('leftovers', 'Left on the tracker', leftOn(report)),
    '</main>',
  )
  return htmlPage(`${verdictWord(report)}: ${target.baseUrl}`, body, script)
}

function top(report: Report): string {
  const { target, summary } = report
  const [run, ...passed] = runTexts(report)
  const kind = `${summary.verdict}${isPart(report) ? ' part' : ''}`
  return header(verdictWord(report), kind, `${target.baseUrl} ${verdictSentence(report)}`, [
    ...countsOf(report).map(({ name, counts }) => `<b>${name}</b> ${counts.join(', ')}`),
    ...[`${run}, extension ${target.ext}`, ...passed].map(text),
    timeOf(report.startedAt),
  ])
}

const list = (id: string, title: string, lines: readonly string[]) =>
  lines.length === 0 ? '' : section(id, title, [`<ul>${items(lines.map(text))}</ul>`])

function unjudged(report: Report): string {
  const unjudged = unjudgedOf(report)
  if (unjudged === null) return ''
  const rows = unjudged.reasons.map((one) => [String(one.count), text(one.text), text(one.named)])
  return section('unjudged', 'Not judged', [
    `<p>${text(unjudged.what)}.</p>`,
    table(['Requirements', 'Because', 'Which'], rows),
    report.rest !== null && block(restText, npx(report.rest), true),
  ])
}

const choice = (label: string, name: string, values: readonly string[]) =>
  `<label>${label} <select name="${name}"><option value="">all</option>${values.map((value) => `<option>${value}</option>`).join('')}</select></label>`

function requirements({ requirements: all }: Report): string {
  const sorted = all.toSorted((a, b) => a.section.localeCompare(b.section, 'en', { numeric: true }))
  const bodies = groupBy(sorted, ({ section }) => section).map((group) =>
    markup(
      `<tbody><tr class="section"><th colspan="4" scope="rowgroup">Section ${text(group[0]?.section ?? '')}</th></tr>`,
      ...group.map(row),
      '</tbody>',
    ),
  )
  return section('requirements', 'Requirements', [
    '<form class="filter"><label>Search <input type="search" name="search"></label>',
    choice('Outcome', 'outcome', ['failed', 'passed', 'skipped']),
    choice('Level', 'level', ['must', 'should']),
    '<output name="count"></output></form>',
    '<div class="wide"><table class="list"><thead><tr><th>Outcome</th><th>Level</th><th>Requirement</th><th>Statement</th></tr></thead>',
    ...bodies,
    '</table></div>',
  ])
}

/** A row of a requirement. The reason alone names skipped operations, unless all of them are skipped. */
function row({ id, level, outcome, statement, checks, reason }: ReportRequirement): string {
  const judged = checks.filter((one) => outcome === 'skipped' || one.outcome !== 'skipped')
  const why = reason ? `<br><small class="reason">${text(reason)}</small>` : ''
  return `<tr id="${text(id)}" data-outcome="${outcome}" data-level="${level}"><td class="${outcome}">${outcome}</td><td>${level}</td>
<td>${code(id)}</td><td>${text(statement)} <small>${text(namesOf(judged))}</small>${why}</td></tr>`
}

const namesOf = (all: readonly { readonly operation: string }[]): string =>
  all.length === operations.length ? 'all operations' : all.map(({ operation }) => operation).join(', ')

/** Marks up text between backticks as code. */
const prose = (words: string) => text(words).replace(/&#96;(.*?)&#96;/g, '<code>$1</code>')

/** A table of the questions that the document leaves open, what was seen, and at which operations. */
function observations({ observations: all }: Report): string {
  if (all.length === 0) return ''
  const sorted = all.toSorted((a, b) => a.decision.localeCompare(b.decision))
  const rows = groupBy(sorted, ({ decision, value }) => [decision, value]).map((group) => {
    const { decision = '', value = '' } = group[0] ?? {}
    const question = wordsOf(decision)?.question ?? stages.find(({ id }) => id === decision)?.statement
    const asked = question === undefined ? '' : `${prose(question)}<br>`
    const names = `<small>${text(namesOf(group))}</small>`
    return [`${asked}<small>${code(decision)}</small>`, prose(seenText(decision, value)), names]
  })
  return section('observations', 'Observed', [
    '<p>What the document leaves open, and what this tracker does. None of it counts against it.</p>',
    table(['Question', 'Seen', 'Operations'], rows, 'list'),
  ])
}
