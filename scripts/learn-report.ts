/** The results of the learning test, as tables in Markdown. */
import type { Share, Shares } from '../conformance/learn/report/diff.js'
import { table } from '../conformance/report/words.js'

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

const least = (shares: readonly (number | null)[]) => Math.min(...shares.map((share) => share ?? 1))

const cellOf = (results: readonly Result[], side: 'before' | 'after', sum: typeof mean) =>
  respects.map((respect) => percent(sum(results.map((result) => shareOf(result[side][respect]))))).join(' / ')

function rowOf(name: string, results: readonly Result[]): string[] {
  const seconds = mean(results.map((result) => result.seconds)) ?? 0
  const checked = results.filter(({ fixed }) => fixed !== null)
  const fixed = checked.filter((result) => result.fixed).length
  return [
    ...[name, cellOf(results, 'before', mean), cellOf(results, 'after', mean)],
    ...[String(Math.max(...results.map(({ requests }) => requests))), seconds.toFixed(0)],
    checked.length === 0 ? '–' : `${fixed} of ${checked.length}`,
  ]
}

/** Trackers of one kind, such as `vary 7`, share a row. */
export function tableOf(results: readonly Result[]): string {
  const varied = results.filter(({ name }) => name.startsWith('vary '))
  const others = results.filter(({ name }) => !name.startsWith('vary '))
  const rows = [
    ...others.map((result) => rowOf(result.name, [result])),
    ...(varied.length === 0
      ? []
      : [
          rowOf(`${varied.length} varied, mean`, varied),
          ['the least of them', '', cellOf(varied, 'after', least), '', '', ''],
        ]),
  ]
  const before = 'before: status / code / errorBody / shape, %'
  const head = ['tracker', before, 'after', 'requests', 'seconds', 'fixed point']
  return [...table(head, rows, ['requests', 'seconds']), ''].join('\n')
}

/** The agreement after some numbers of requests; after none, that of an emulator with the defaults. */
export interface Steps {
  readonly name: string
  readonly by: readonly (readonly [requests: number, shares: Shares])[]
}

/** The agreement of `status` and `errorBody`, with a column for each number of requests. */
export function stepsTable(all: readonly Steps[]): string {
  const columns = all[0]?.by.map(([requests]) => (requests === 0 ? 'defaults' : `${requests} requests`)) ?? []
  const cell = ({ status, errorBody }: Shares) =>
    `${percent(shareOf(status))} / ${percent(shareOf(errorBody))}`
  const rows = all.map(({ name, by }) => [name, ...by.map(([, shares]) => cell(shares))])
  return [...table(['tracker: status / errorBody, %', ...columns], rows), ''].join('\n')
}
