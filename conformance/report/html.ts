/**
 * `report.html`: one file that needs no other and can be opened from disk. It shows everything without scripts; its
 * only script copies commands, and no other script may run.
 */
import { seenText, wordsOf } from '../contract/decisions/index.js'
import { operations } from '../contract/index.js'
import { groupBy } from '../oracle/json.js'
import { stages } from '../oracle/stages.js'
import type { Alike } from './alike.js'
import { type Fact, factsOf } from './evidence.js'
import { block, code, htmlPage, list, markup, partSection, section, table, text } from './html-page.js'
import type { Report, ReportFailure } from './report.js'
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

/** By importance to the reader. Each kind has a sign, since not every reader can tell the colours apart. */
const signs = {
  failed: ['✗', 'failed'],
  known: ['≈', 'failed, but in the baseline'],
  skipped: ['–', 'skipped'],
  passed: ['✓', 'passed'],
} as const

const kinds = Object.keys(signs) as (keyof typeof signs)[]

const areaOf = (id: string): string => id.split('.')[0] ?? id

type AnchorOf = (failure: ReportFailure) => string

/** The first screen: a table of operations by areas of the requirements. */
function operationMatrix(report: Report, anchorOf: AnchorOf): string {
  const areas = [...new Set(report.requirements.map(({ id }) => areaOf(id)))]
  const keyOf = ({ operation, requirement }: view.CheckView) => `${operation}, ${areaOf(requirement.id)}`
  const cells = groupBy(view.checksOf(report), keyOf)
  const head = areas.map((area) => `<th scope="col"><span>${text(area)}</span></th>`)
  const rows = operations.flatMap(({ id, number }) => {
    const keys = areas.map((area) => `${id}, ${area}`)
    if (!keys.some((key) => cells.has(key))) return []
    const row = keys.map((key) => cell(key, cells.get(key), anchorOf))
    return `<tr><th scope="row">${number} <code>${id}</code></th>${row.join('')}</tr>`
  })
  if (rows.length === 0) return ''
  const legend = kinds.map((kind) => `<span class="${kind}">${signs[kind].join(' ')}</span>`)
  return section('operations', 'Operations and areas', [
    `<p>Each cell shows the worst outcome of an operation's requirements in an area and how many of them have it: ${legend.join(', ')}. It leads to the failure, or to the requirement.</p>`,
    `<div class="wide"><table class="areas"><thead><tr><th scope="col">Operation</th>${head.join('')}</tr></thead>`,
    `<tbody>${rows.join('\n')}</tbody></table></div>`,
  ])
}

/** A cell of the table: its worst outcome, and how many requirements have it. */
function cell(key: string, all: readonly view.CheckView[] = [], anchorOf: AnchorOf): string {
  const kind = kinds.find((one) => all.some((check) => check.kind === one))
  const of = all.filter((check) => check.kind === kind)
  const [first] = of
  if (kind === undefined || first === undefined) return '<td></td>'
  const [sign, meaning] = signs[kind]
  const count = of.length === all.length ? `${of.length}` : `${of.length}/${all.length}`
  const label = `${key}: ${of.length} of ${all.length} ${meaning}`
  const href = first.own[0] ? anchorOf(first.own[0]) : first.requirement.id
  return `<td class="${kind}"><a href="#${text(href)}" aria-label="${text(label)}">${sign}${count}</a></td>`
}

const anchorAt = (index: number) => `failure-${index + 1}`

const MOST_OPEN = 3

/** Failures that look alike: all that a reader needs of the first, and the messages of the others. */
function card({ first, operations: names, rest, more }: Alike, index: number): string {
  const { requirement, level, known, message } = first
  const tags = [level, ...(known ? ['in the baseline'] : [])].map((tag) => `<span class="tag">${tag}</span>`)
  const factsHtml = (isShort: boolean) =>
    factsOf(first).flatMap((fact) => ((fact.kind === undefined) === isShort ? factHtml(fact) : []))
  const others = new Set(rest.map((one) => `${one.requirement} (${one.operation}): ${one.message}`))
  return markup(
    `<details class="failure"${index < MOST_OPEN && !known ? ' open' : ''}>`,
    `<summary>${code(requirement)} ${tags.join(' ')} ${names.map(code).join(' ')}</summary>`,
    // The anchor is inside, since a browser opens the elements around the target of a link.
    `<p class="message" id="${anchorAt(index)}">${text(message)}</p>`,
    `<dl class="judged">${factsHtml(true).join('')}</dl>`,
    ...factsHtml(false),
    more !== '' && `<details class="alike"><summary>${text(more)}</summary>${list([...others])}</details>`,
    '</details>',
  )
}

function factHtml({ name, text: content, kind }: Fact): string {
  if (kind === undefined) return `<div><dt>${text(name)}</dt><dd>${text(content)}</dd></div>`
  if (kind !== 'step') return block(name, content, kind === 'command')
  return `<details${content.startsWith('GET ') ? '' : ' open'}><summary>${text(name)}</summary><pre>${text(content)}</pre></details>`
}

function requirements({ requirements: all }: Report): string {
  const rows = view.bySection(all).map(({ id, section, level, outcome, statement, checks, reason }) => {
    // The reason alone names skipped operations, unless all of them are skipped.
    const judged = checks.filter((one) => outcome === 'skipped' || one.outcome !== 'skipped')
    const why = reason ? `<br><small class="reason">${text(reason)}</small>` : ''
    return [
      text(section),
      `<span class="${outcome}">${outcome}</span>`,
      level,
      `<code id="${text(id)}">${text(id)}</code>`,
      `${text(statement)} <small>${text(namesOf(judged))}</small>${why}`,
    ]
  })
  const head = ['section', 'outcome', 'level', 'requirement', 'statement']
  return section('requirements', 'Requirements', [table(head, rows, 'list')])
}

const namesOf = (all: readonly { readonly operation: string }[]): string =>
  all.length === operations.length ? 'all operations' : all.map(({ operation }) => operation).join(', ')

/** Marks up text between backticks as code. */
const prose = (words: string) => text(words).replace(/&#96;(.*?)&#96;/g, '<code>$1</code>')

/** A table of the questions that the document leaves open, what was seen, and at which operations. */
function observations({ observations: all }: Report): string {
  if (all.length === 0) return ''
  const sorted = all.toSorted((a, b) => a.decision.localeCompare(b.decision))
  const groups = groupBy(sorted, ({ decision, value }) => `${decision} ${value}`)
  const rows = [...groups.values()].map((group) => {
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

/** Copies a command. */
const script = `
document.addEventListener('click', async ({ target }) => {
  if (!target.matches('[data-copy]')) return
  await navigator.clipboard.writeText(target.parentElement.nextElementSibling.textContent)
  target.textContent = 'Copied'
})
`
