/** The first screen of `report.html`: a table of operations by areas of the requirements. */
import { operations } from '../contract/index.js'
import type { Cards } from './html-failures.js'
import { text } from './html-page.js'
import type { Report } from './report.js'

/** By importance to the reader. Each kind has a sign, since not every reader can tell the colours apart. */
const kinds = {
  failed: ['✗', 'failed'],
  known: ['≈', 'failed, but in the baseline'],
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

function judgementsOf({ requirements, failures }: Report, { anchorOf }: Cards): Map<string, Judgement[]> {
  const cells = new Map<string, Judgement[]>()
  for (const { id, checks } of requirements)
    for (const { operation, outcome } of checks) {
      const own = failures.filter((one) => one.requirement === id && one.operation === operation)
      const [first] = own.toSorted((a, b) => Number(a.known) - Number(b.known))
      const isKnown = outcome === 'failed' && first?.known
      const judgement: Judgement = {
        kind: isKnown ? 'known' : outcome,
        requirement: id,
        href: first === undefined ? id : anchorOf(first),
      }
      const key = `${operation} ${areaOf(id)}`
      cells.set(key, [...(cells.get(key) ?? []), judgement])
    }
  return cells
}

/** A cell of the table: its worst outcome, and how many requirements have it. */
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
