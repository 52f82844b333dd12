/** The results of the learning test, as a table in Markdown and as a figure. */
import type { Share, Shares } from '../conformance/learn/report/diff.js'

export interface Result {
  readonly name: string
  readonly before: Shares
  readonly after: Shares
  readonly requests: number
  readonly seconds: number
  /** Whether learning from the emulator that runs the file produces the same file; null if this was not tried. */
  readonly fixed: boolean | null
}

const respects = ['status', 'code', 'errorBody', 'shape'] as const

const shareOf = ({ equal, of }: Share) => (of === 0 ? null : equal / of)
const percent = (share: number | null) => (share === null ? '–' : (100 * share).toFixed(1))

const mean = (shares: readonly (number | null)[]) => {
  const known = shares.filter((share) => share !== null)
  return known.length === 0 ? null : known.reduce((sum, share) => sum + share, 0) / known.length
}

interface Row {
  readonly name: string
  readonly before: readonly (number | null)[]
  readonly after: readonly (number | null)[]
  readonly least: readonly (number | null)[]
  readonly requests: number
  readonly seconds: number
  readonly fixed: string
}

/** The rows of the table; trackers of one kind, such as `vary 7`, share a row. */
export function rowsOf(results: readonly Result[]): Row[] {
  const varied = results.filter(({ name }) => name.startsWith('vary '))
  const others = results.filter(({ name }) => !name.startsWith('vary '))
  const rows = others.map((result) => rowOf(result.name, [result]))
  return varied.length === 0 ? rows : [...rows, rowOf(`${varied.length} varied, mean`, varied)]
}

function rowOf(name: string, results: readonly Result[]): Row {
  const shares = (side: 'before' | 'after') =>
    respects.map((respect) => results.map((result) => shareOf(result[side][respect])))
  const checked = results.filter(({ fixed }) => fixed !== null)
  const fixed = checked.filter((result) => result.fixed).length
  return {
    name,
    before: shares('before').map(mean),
    after: shares('after').map(mean),
    least: shares('after').map((all) => Math.min(...all.map((share) => share ?? 1))),
    requests: Math.max(...results.map(({ requests }) => requests)),
    seconds: mean(results.map(({ seconds }) => seconds)) ?? 0,
    fixed:
      checked.length === 0
        ? '–'
        : results.length === 1
          ? fixed === 1
            ? 'yes'
            : 'no'
          : `${fixed} of ${checked.length}`,
  }
}

export function tableOf(results: readonly Result[]): string {
  const rows = rowsOf(results).flatMap((row) => {
    const cells = (shares: Row['before']) => shares.map(percent).join(' / ')
    const end = `${row.requests} | ${row.seconds.toFixed(0)} | ${row.fixed} |`
    return [
      `| ${row.name} | ${cells(row.before)} | ${cells(row.after)} | ${end}`,
      ...(row.name.includes('varied') ? [`| the least of them | | ${cells(row.least)} | | | |`] : []),
    ]
  })
  return [
    '| tracker | before: status / code / error body / shape, % | after | requests | seconds | fixed point |',
    '|---|---|---|--:|--:|---|',
    ...rows,
    '',
  ].join('\n')
}

/** The agreement after some numbers of requests; after none, that of an emulator with the defaults. */
export interface Steps {
  readonly name: string
  readonly by: readonly (readonly [requests: number, shares: Shares])[]
}

/** The agreement of statuses and error bodies, with a column for each number of requests. */
export function stepsTable(all: readonly Steps[]): string {
  const columns = all[0]?.by.map(([requests]) => (requests === 0 ? 'defaults' : `${requests} requests`)) ?? []
  const cell = ({ status, errorBody }: Shares) =>
    `${percent(shareOf(status))} / ${percent(shareOf(errorBody))}`
  return [
    `| tracker: statuses / error bodies, % | ${columns.join(' | ')} |`,
    `|---|${columns.map(() => '---').join('|')}|`,
    ...all.map(({ name, by }) => `| ${name} | ${by.map(([, shares]) => cell(shares)).join(' | ')} |`),
    '',
  ].join('\n')
}

const ROW = 44
const LEFT = 130
const WIDTH = 400

/** Two bars for each tracker: the share of equal statuses before and after learning. */
export function figureOf(results: readonly Result[]): string {
  const rows = rowsOf(results)
  const height = rows.length * ROW + 46
  const bars = rows.flatMap(({ name, before, after }, index) => {
    const top = 34 + index * ROW
    const bar = (share: number | null, at: number, kind: string) =>
      `<rect class="${kind}" x="${LEFT}" y="${at}" width="${(WIDTH * (share ?? 0)).toFixed(1)}" height="13"/>` +
      `<text x="${LEFT + WIDTH * (share ?? 0) + 6}" y="${at + 11}">${percent(share)} %</text>`
    return [
      `<text x="${LEFT - 10}" y="${top + 18}" text-anchor="end">${name}</text>`,
      bar(before[0] ?? null, top, 'before'),
      bar(after[0] ?? null, top + 16, 'after'),
    ]
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + WIDTH + 70} ${height}" role="img" aria-label="Statuses that agree, before and after learning">
<style>text { font: 12px system-ui, sans-serif; fill: #1c2329 } .before { fill: #b6c0ca } .after { fill: #1f6feb } @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .before { fill: #57606a } .after { fill: #58a6ff } }</style>
<rect class="before" x="${LEFT}" y="8" width="10" height="10"/><text x="${LEFT + 15}" y="17">before learning</text>
<rect class="after" x="${LEFT + 120}" y="8" width="10" height="10"/><text x="${LEFT + 135}" y="17">after: statuses that agree, by calls drawn anew</text>
${bars.join('\n')}
</svg>
`
}
