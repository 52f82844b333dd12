/** The results of the learning test, as tables in Markdown. */
import type { Share, Shares } from '../conformance/learn/report/diff.js'
import { table } from '../conformance/report/words.js'

export interface Result {
  readonly name: string
  /** The agreement after some numbers of requests; after none, that of an emulator with the defaults. */
  readonly by: readonly (readonly [requests: number, shares: Shares])[]
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

const least = (shares: readonly (number | null)[]) => Math.min(...shares.map((share) => share ?? 1))

/** `at`: 0 before learning, -1 after it. */
function cellOf(results: readonly Result[], at: 0 | -1, sum: typeof mean): string {
  const all = results.flatMap(({ by }) => by.at(at)?.[1] ?? [])
  return respects.map((respect) => percent(sum(all.map((shares) => shareOf(shares[respect]))))).join(' / ')
}

function rowOf(name: string, results: readonly Result[]): string[] {
  const seconds = mean(results.map((result) => result.seconds)) ?? 0
  const checked = results.filter(({ fixed }) => fixed !== null)
  const fixed = checked.filter((result) => result.fixed).length
  return [
    ...[name, cellOf(results, 0, mean), cellOf(results, -1, mean)],
    ...[String(Math.max(...results.map(({ requests }) => requests))), seconds.toFixed(0)],
    checked.length === 0 ? '–' : `${fixed} of ${checked.length}`,
  ]
}

/** Trackers of one kind, such as `vary 7`, share a row. */
export function tableOf(results: readonly Result[]): string {
  const varied = results.filter(({ name }) => name.startsWith('vary '))
  const rows = results.filter((one) => !varied.includes(one)).map((one) => rowOf(one.name, [one]))
  if (varied.length > 0)
    rows.push(rowOf(`${varied.length} varied, mean`, varied), [
      ...['the least of them', '', cellOf(varied, -1, least), '', '', ''],
    ])
  const before = 'before: status / code / errorBody / shape, %'
  const head = ['tracker', before, 'after', 'requests', 'seconds', 'fixed point']
  return [...table(head, rows, ['requests', 'seconds']), ''].join('\n')
}

/** The agreement of `status` and `errorBody`, with a column for each number of requests. */
export function stepsTable(all: readonly Result[]): string {
  const columns = all[0]?.by.map(([requests]) => (requests === 0 ? 'defaults' : `${requests} requests`)) ?? []
  const cell = ({ status, errorBody }: Shares) =>
    `${percent(shareOf(status))} / ${percent(shareOf(errorBody))}`
  const rows = all.map(({ name, by }) => [name, ...by.map(([, shares]) => cell(shares))])
  return [...table(['tracker: status / errorBody, %', ...columns], rows), ''].join('\n')
}
