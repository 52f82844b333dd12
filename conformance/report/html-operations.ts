/** The first screen of `report.html`: the operations against the areas of the requirements. */
import { operations } from '../contract/index.js'
import type { Cards } from './html-failures.js'
import { text } from './html-page.js'
import type { Report, ReportRequirement } from './report.js'

/** From what a reader wants to know first; each has a sign, since colour alone says nothing to many. */
const kinds = {
  failed: ['✗', 'failed'],
  known: ['≈', 'failed as the baseline knows'],
  inconclusive: ['?', 'inconclusive'],
  skipped: ['–', 'skipped'],
  passed: ['✓', 'passed'],
} as const

type Kind = keyof typeof kinds

interface Judgement {
  readonly kind: Kind
  readonly requirement: string
  readonly href: string
}

const areaOf = (id: string): string => id.split('.')[0] ?? id

/** Of a requirement that is checked once for all its operations the verdict stands at each of them. */
function judgementsOf(report: Report, { anchorOf }: Cards): Map<string, Judgement[]> {
  const cells = new Map<string, Judgement[]>()
  for (const requirement of report.requirements)
    for (const operation of requirement.operations) {
      const key = `${operation} ${areaOf(requirement.id)}`
      const judgement = judgementOf(report, requirement, operation, anchorOf)
      cells.set(key, [...(cells.get(key) ?? []), judgement])
    }
  return cells
}

function judgementOf(
  { failures }: Report,
  { id, checks }: ReportRequirement,
  operation: string,
  anchorOf: Cards['anchorOf'],
): Judgement {
  const check =
    checks.find((one) => one.operation === operation) ?? (checks.length === 1 ? checks[0] : undefined)
  const own = failures.filter(({ requirement }) => requirement === id)
  const blamed = own.filter((failure) => failure.operation === operation)
  const row = { requirement: id, href: id }
  if (check === undefined) return { kind: 'skipped', ...row }
  const isForAll = checks.length === 1
  const failed = isForAll || blamed.length > 0 ? blamed : own
  const [first] = failed
  if (check.outcome === 'failed' && first) {
    const kind = failed.every(({ known }) => known) ? 'known' : 'failed'
    return { kind, requirement: id, href: anchorOf(failed.find(({ known }) => !known) ?? first) }
  }
  // One check for many operations fails at those that it blames; of the others it has said nothing worse.
  if (check.outcome === 'failed') return { kind: isForAll ? 'passed' : 'failed', ...row }
  if (check.outcome === 'passed') return { kind: 'passed', ...row }
  return { kind: check.inconclusive === undefined ? 'skipped' : 'inconclusive', ...row }
}

/** The worst of a cell, and how many there are of it. */
function cell(all: readonly Judgement[] | undefined, about: string): string {
  if (all === undefined) return '<td></td>'
  const kind =
    (Object.keys(kinds) as Kind[]).find((one) => all.some((judged) => judged.kind === one)) ?? 'passed'
  const [sign, meaning] = kinds[kind]
  const of = all.filter((judged) => judged.kind === kind)
  const href = of[0]?.href ?? ''
  const count = of.length === all.length ? `${of.length}` : `${of.length}/${all.length}`
  const label = `${about}: ${of.length} of ${all.length} ${meaning}`
  return `<td class="${kind}"><a href="#${text(href)}" aria-label="${text(label)}">${sign}${count}</a></td>`
}

export function operationMatrix(report: Report, cards: Cards): string {
  if (report.requirements.length === 0) return ''
  const areas = [...new Set(report.requirements.map(({ id }) => areaOf(id)))]
  const cells = judgementsOf(report, cards)
  const shown = operations.filter(({ id }) => areas.some((area) => cells.has(`${id} ${area}`)))
  const head = areas.map((area) => `<th scope="col"><span>${text(area)}</span></th>`)
  const rows = shown.map(({ id, number }) => {
    const row = areas.map((area) => cell(cells.get(`${id} ${area}`), `${id}, ${area}`))
    return `<tr><th scope="row">${number} <code>${id}</code></th>${row.join('')}</tr>`
  })
  const present = new Set([...cells.values()].flat().map(({ kind }) => kind))
  const legend = (Object.keys(kinds) as Kind[])
    .filter((kind) => present.has(kind))
    .map((kind) => `<span class="${kind}">${kinds[kind].join(' ')}</span>`)
  return `<section id="operations"><h2>Operations and areas</h2>
<p>Each cell shows the worst outcome of an operation's requirements in an area and how many of them have it: ${legend.join(', ')}. It leads to the failure, or to the requirement.</p>
<div class="wide"><table class="areas"><thead><tr><th scope="col">Operation</th>${head.join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div></section>`
}
