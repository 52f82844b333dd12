/** The first screen of `report.html`: a table of operations by areas of the requirements. */
import { operations } from '../contract/index.js'
import { groupBy } from '../oracle/json.js'
import type { Cards } from './html-failures.js'
import { section, text } from './html-page.js'
import type { Report } from './report.js'

/** By importance to the reader. Each kind has a sign, since not every reader can tell the colours apart. */
const signs = {
  failed: ['✗', 'failed'],
  known: ['≈', 'failed, but in the baseline'],
  skipped: ['–', 'skipped'],
  passed: ['✓', 'passed'],
} as const

type Kind = keyof typeof signs
const kinds = Object.keys(signs) as Kind[]

interface Judgement {
  readonly kind: Kind
  /** The operation and the area. */
  readonly key: string
  readonly href: string
}

const areaOf = (id: string): string => id.split('.')[0] ?? id

const judgementsOf = ({ requirements, failures }: Report, { anchorOf }: Cards): Judgement[] =>
  requirements.flatMap(({ id, checks }) =>
    checks.map(({ operation, outcome }) => {
      const own = failures.filter((one) => one.requirement === id && one.operation === operation)
      const first = own.find(({ known }) => !known) ?? own[0]
      const kind = outcome === 'failed' && first?.known ? 'known' : outcome
      return { kind, key: `${operation}, ${areaOf(id)}`, href: first === undefined ? id : anchorOf(first) }
    }),
  )

/** A cell of the table: its worst outcome, and how many requirements have it. */
function cell(key: string, all: readonly Judgement[] = []): string {
  const kind = kinds.find((one) => all.some((judged) => judged.kind === one))
  if (kind === undefined) return '<td></td>'
  const [sign, meaning] = signs[kind]
  const of = all.filter((judged) => judged.kind === kind)
  const count = of.length === all.length ? `${of.length}` : `${of.length}/${all.length}`
  const label = `${key}: ${of.length} of ${all.length} ${meaning}`
  return `<td class="${kind}"><a href="#${text(of[0]?.href ?? '')}" aria-label="${text(label)}">${sign}${count}</a></td>`
}

export function operationMatrix(report: Report, cards: Cards): string {
  const areas = [...new Set(report.requirements.map(({ id }) => areaOf(id)))]
  const judgements = judgementsOf(report, cards)
  const cells = groupBy(judgements, ({ key }) => key)
  const head = areas.map((area) => `<th scope="col"><span>${text(area)}</span></th>`)
  const rows = operations.flatMap(({ id, number }) => {
    const keys = areas.map((area) => `${id}, ${area}`)
    if (!keys.some((key) => cells.has(key))) return []
    const row = keys.map((key) => cell(key, cells.get(key)))
    return `<tr><th scope="row">${number} <code>${id}</code></th>${row.join('')}</tr>`
  })
  const legend = kinds
    .filter((kind) => judgements.some((judged) => judged.kind === kind))
    .map((kind) => `<span class="${kind}">${signs[kind].join(' ')}</span>`)
  if (rows.length === 0) return ''
  return section('operations', 'Operations and areas', [
    `<p>Each cell shows the worst outcome of an operation's requirements in an area and how many of them have it: ${legend.join(', ')}. It leads to the failure, or to the requirement.</p>`,
    `<div class="wide"><table class="areas"><thead><tr><th scope="col">Operation</th>${head.join('')}</tr></thead>`,
    `<tbody>${rows.join('\n')}</tbody></table></div>`,
  ])
}
