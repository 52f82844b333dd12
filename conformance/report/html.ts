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
import { block, htmlPage, table, text } from './html-page.js'
import { leftOn } from './leftovers.js'
import type { Report, ReportRequirement } from './report.js'
import { isPart, reasonsOf, unjudgedText } from './skipped.js'
import { mistakeLines, mistakesText, passedText, runText, verdictSentence, verdictWord } from './text.js'

export function html(report: Report): string {
  const { target } = report
  const cards = cardsOf(report)
  const body = `${header(report)}
<main>
${operationMatrix(report, cards)}
${failures(cards)}
${list('profile', mistakesText, mistakeLines(report))}
${unjudged(report)}
${requirements(report)}
${observations(report)}
${list('leftovers', 'Left on the tracker', leftOn(report))}
</main>`
  return htmlPage(`${verdictWord(report)}: ${target.baseUrl}`, body, script)
}

function header(report: Report): string {
  const { target, summary, startedAt } = report
  const passed = passedText(report)
  const counts = (['must', 'should'] as const).map((level) => {
    const { passed, failed, skipped } = summary[level]
    return `<li><b>${level} requirements</b> ${passed} passed, ${failed} failed, ${skipped} skipped</li>`
  })
  return `<header class="${summary.verdict}${isPart(report) ? ' part' : ''}">
<p class="verdict">${text(verdictWord(report))}</p>
<h1>${text(target.baseUrl)} ${text(verdictSentence(report))}</h1>
<ul class="facts">${counts.join('')}
<li>${text(runText(report))}, extension ${text(target.ext)}</li>
${passed === null ? '' : `<li>${text(passed)}</li>`}
<li><time datetime="${startedAt}">${startedAt}</time></li></ul>
</header>`
}

function list(id: string, title: string, lines: readonly string[]): string {
  if (lines.length === 0) return ''
  return `<section id="${id}"><h2>${title}</h2>
<ul>${lines.map((line) => `<li>${text(line)}</li>`).join('')}</ul></section>`
}

function unjudged(report: Report): string {
  const what = unjudgedText(report)
  if (what === null) return ''
  const rows = reasonsOf(report).map((one) => [String(one.count), text(one.text), text(one.named)])
  return `<section id="unjudged"><h2>Not judged</h2>
<p>${text(what)}.</p>
${table(['Requirements', 'Because', 'Which'], rows)}
${report.rest === null ? '' : block(restText, npx(report.rest), true)}</section>`
}

function requirements({ requirements: all }: Report): string {
  const sections = [...new Set(all.map(({ section }) => section))].sort((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  )
  const groups = sections.map((section) => {
    const rows = all.filter((one) => one.section === section).map(row)
    return `<tbody><tr class="section"><th colspan="4" scope="rowgroup">Section ${text(section)}</th></tr>
${rows.join('\n')}</tbody>`
  })
  const choice = (value: string) => `<option>${value}</option>`
  return `<section id="requirements"><h2>Requirements</h2>
<form class="filter"><label>Search <input type="search" name="search"></label>
<label>Outcome <select name="outcome"><option value="">all</option>${['failed', 'passed', 'skipped'].map(choice).join('')}</select></label>
<label>Level <select name="level"><option value="">all</option>${['must', 'should'].map(choice).join('')}</select></label>
<output name="count"></output></form>
<div class="wide"><table class="list"><thead><tr><th>Outcome</th><th>Level</th><th>Requirement</th><th>Statement</th></tr></thead>
${groups.join('\n')}</table></div></section>`
}

/** A row of a requirement. The reason alone names skipped operations, unless all of them are skipped. */
function row({ id, level, outcome, statement, checks, reason }: ReportRequirement): string {
  // If only some operations are skipped, the reason names those.
  const judged = checks.filter((one) => outcome === 'skipped' || one.outcome !== 'skipped')
  return `<tr id="${text(id)}" data-outcome="${outcome}" data-level="${level}"><td class="${outcome}">${outcome}</td><td>${level}</td>
<td><code>${text(id)}</code></td><td>${text(statement)} <small>${text(namesOf(judged))}</small>${reason ? `<br><small class="reason">${text(reason)}</small>` : ''}</td></tr>`
}

const namesOf = (all: readonly { readonly operation: string }[]): string =>
  all.length === operations.length ? 'all operations' : all.map(({ operation }) => operation).join(', ')

/** Marks up text between backticks as code. */
const prose = (words: string) => text(words).replace(/&#96;(.*?)&#96;/g, '<code>$1</code>')

/** A table of the questions that the document leaves open, what was seen, and at which operations. */
function observations({ observations: all }: Report): string {
  if (all.length === 0) return ''
  const groups = groupBy(all, ({ decision, value }) => [decision, value]).toSorted((a, b) =>
    (a[0]?.decision ?? '').localeCompare(b[0]?.decision ?? ''),
  )
  const rows = groups.map((group) => {
    const { decision = '', value = '' } = group[0] ?? {}
    const question = wordsOf(decision)?.question ?? stages.find(({ id }) => id === decision)?.statement
    return [
      `${question === undefined ? '' : `${prose(question)}<br>`}<small><code>${text(decision)}</code></small>`,
      prose(seenText(decision, value)),
      `<small>${text(namesOf(group))}</small>`,
    ]
  })
  return `<section id="observations"><h2>Observed</h2>
<p>What the document leaves open, and what this tracker does. None of it counts against it.</p>
${table(['Question', 'Seen', 'Operations'], rows, 'list')}</section>`
}
