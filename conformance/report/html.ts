/**
 * `report.html`: one file that needs no other and can be opened from disk. It shows everything without scripts; its
 * only script filters and copies, and no other script may run.
 */
import { seenText, wordsOf } from '../contract/decisions/index.js'
import { operations } from '../contract/index.js'
import { stages } from '../oracle/stages.js'
import { type Alike, groupBy } from './alike.js'
import { type Fact, factsOf } from './evidence.js'
import { script } from './html-assets.js'
import { operationMatrix } from './html-operations.js'
import { block, code, htmlPage, list, markup, partSection, section, table, text } from './html-page.js'
import type { Report, ReportFailure, ReportRequirement } from './report.js'
import * as view from './view.js'

export function html(report: Report): string {
  const { target, startedAt } = report
  const { news, known } = view.groupsOf(report)
  const { profile, unjudged, leftovers } = view.partsOf(report)
  const groups = [...news, ...known]
  const anchorOf = (failure: ReportFailure) =>
    anchorAt(groups.findIndex(({ first, rest }) => first === failure || rest.includes(failure)))
  return htmlPage({
    colour: view.verdictColour(report),
    word: view.verdictWord(report),
    title: `${target.baseUrl} ${view.verdictSentence(report)}`,
    facts: [...view.countsOf(report), ['extension', target.ext], ['started', startedAt]],
    sections: [
      operationMatrix(report, anchorOf),
      section('failures', 'Failures', groups.map(card)),
      partSection(profile),
      partSection(unjudged),
      requirements(report),
      observations(report),
      partSection(leftovers),
    ],
    script,
  })
}

const anchorAt = (index: number) => `failure-${index + 1}`

/** How many cards are open at the start. */
const OPEN = 3

/** Failures that look alike: all that a reader needs of the first, and the messages of the others. */
function card({ first, operations: names, rest, more }: Alike, index: number): string {
  const { requirement, level, known, message } = first
  const tags = [level, ...(known ? ['in the baseline'] : [])].map((tag) => `<span class="tag">${tag}</span>`)
  const facts = factsOf(first)
  const rows = facts
    .filter(({ kind }) => kind === undefined)
    .map((fact) => `<div><dt>${text(fact.name)}</dt><dd>${text(fact.text)}</dd></div>`)
  const others = new Set(rest.map((one) => `${one.requirement} (${one.operation}): ${one.message}`))
  return markup(
    `<details class="failure"${index < OPEN && !known ? ' open' : ''}>`,
    `<summary>${code(requirement)} ${tags.join(' ')} ${names.map(code).join(' ')}</summary>`,
    // The anchor is inside, since a browser opens the elements around the target of a link.
    `<p class="message" id="${anchorAt(index)}">${text(message)}</p>`,
    `<dl class="judged">${rows.join('')}</dl>`,
    ...facts.filter(({ kind }) => kind !== undefined).map(blockOf),
    more !== '' && `<details class="alike"><summary>${text(more)}</summary>${list([...others])}</details>`,
    '</details>',
  )
}

const blockOf = ({ name, text: content, kind }: Fact) =>
  kind === 'step'
    ? `<details><summary>${text(name)}</summary><pre>${text(content)}</pre></details>`
    : block(name, content, kind === 'command')

const choice = (label: string, name: string, values: readonly string[]) =>
  `<label>${label} <select name="${name}"><option value="">all</option>${values.map((value) => `<option>${value}</option>`).join('')}</select></label>`

function requirements({ requirements: all }: Report): string {
  const bodies = groupBy(view.bySection(all), ({ section }) => section).map((group) =>
    markup(
      `<tbody><tr class="section"><th colspan="4" scope="rowgroup">Section ${text(group[0]?.section ?? '')}</th></tr>`,
      ...group.map(row),
      '</tbody>',
    ),
  )
  return section('requirements', 'Requirements', [
    '<form class="filter"><label>Search <input type="search" name="search"></label>',
    choice('Outcome', 'outcome', view.outcomes),
    choice('Level', 'level', view.levels),
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
    table(['question', 'seen', 'operations'], rows, 'list'),
  ])
}
