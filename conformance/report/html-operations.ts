/** The first screen of `report.html`: a table of operations by areas of the requirements. */
import { operations } from '../contract/index.js'
import { groupBy } from '../oracle/json.js'
import { section, text } from './html-page.js'
import type { Report, ReportFailure } from './report.js'
import { type CheckView, checksOf } from './view.js'

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

export function operationMatrix(report: Report, anchorOf: AnchorOf): string {
  const areas = [...new Set(report.requirements.map(({ id }) => areaOf(id)))]
  const keyOf = ({ operation, requirement }: CheckView) => `${operation}, ${areaOf(requirement.id)}`
  const cells = groupBy(checksOf(report), keyOf)
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
function cell(key: string, all: readonly CheckView[] = [], anchorOf: AnchorOf): string {
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
