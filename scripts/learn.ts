/**
 * Measures how closely the emulator matches other trackers: agreement before and after learning, on the legal trackers
 * and on emulators with other decisions, by calls from another seed.
 *
 *   npm run learn-test -- [--vary 50] [--only fussy,problem] [--requests 300] [--out DIR]
 *
 * DIR gets the table, and a file for each tracker with its decisions and the differences that remain.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Profile } from '../conformance/contract/index.js'
import { ledgerView, type Values } from '../conformance/learn/copy/emulator.js'
import { learn } from '../conformance/learn/learn.js'
import { diff, respects, type Shares } from '../conformance/learn/report/diff.js'
import { table } from '../conformance/report/words.js'
import { servers, varied } from '../fixtures/legal/subjects.js'

const { values } = parseArgs({
  options: {
    vary: { type: 'string', default: '50' },
    only: { type: 'string' },
    requests: { type: 'string', default: '999' },
    out: { type: 'string' },
  },
})
const { out } = values
const wanted = values.only?.split(',')
const subjects = [
  ...servers,
  ...Array.from({ length: Number(values.vary) }, (_, index) => ({
    ...varied(index + 1),
    name: `vary ${index + 1}`,
  })),
].filter(({ name }) => wanted === undefined || wanted.includes(name))

const common = {
  safety: 'destructive',
  timeout: 5000,
  rate: 0,
  signal: new AbortController().signal,
  ledgerFile: null,
} as const

const learnt = (profile: Profile) =>
  learn({ ...common, ledger: ledgerView, budget: Number(values.requests), profile, asIs: false })

const compared = (profile: Profile, decisions: Values) =>
  diff({ ...common, budget: 2000, profile, decisions, seed: 77, runs: 100 })

interface Result {
  readonly name: string
  /** The agreement of an emulator with the defaults. */
  readonly before: Shares
  readonly after: Shares
  readonly requests: number
  readonly seconds: number
}

const meanOf = (shares: readonly number[]) => shares.reduce((sum, share) => sum + share, 0) / shares.length

function cellOf(results: readonly Result[], when: 'before' | 'after', sum: typeof meanOf): string {
  const percents = respects.map((respect) => {
    const shares = results.map((one) => one[when][respect]).filter(({ of }) => of > 0)
    return shares.length === 0 ? '–' : (100 * sum(shares.map(({ equal, of }) => equal / of))).toFixed(1)
  })
  return percents.join(' / ')
}

function rowOf(name: string, results: readonly Result[]): string[] {
  return [
    ...[name, cellOf(results, 'before', meanOf), cellOf(results, 'after', meanOf)],
    String(Math.max(...results.map(({ requests }) => requests))),
    meanOf(results.map(({ seconds }) => seconds)).toFixed(0),
  ]
}

/** The emulators under `vary` share a row. */
function tableOf(results: readonly Result[]): string {
  const varied = results.filter(({ name }) => name.startsWith('vary '))
  const rows = results.filter((one) => !varied.includes(one)).map((one) => rowOf(one.name, [one]))
  const least = cellOf(varied, 'after', (shares) => Math.min(...shares))
  if (varied.length > 0)
    rows.push(rowOf(`${varied.length} varied, mean`, varied), ['the least of them', '', least, '', ''])
  const before = `before: ${respects.join(' / ')}, %`
  return `${table(['tracker', before, 'after', 'requests', 'seconds'], rows, ['requests', 'seconds'])}\n`
}

if (out !== undefined) mkdirSync(out, { recursive: true })
const results: Result[] = []
for (const { name, use } of subjects) {
  const began = Date.now()
  const { decisions, requests } = await use(learnt)
  const seconds = (Date.now() - began) / 1000
  const { total: before } = await use((profile) => compared(profile, {}))
  const { total: after, differences } = await use((profile) => compared(profile, decisions))
  const result: Result = { name, before, after, requests, seconds }
  results.push(result)
  console.log(tableOf([result]).split('\n')[2])
  if (out === undefined) continue
  const file = join(out, `${name.replace(' ', '-')}.json`)
  writeFileSync(file, JSON.stringify({ ...result, decisions, differences }))
  writeFileSync(join(out, 'learning.md'), tableOf(results))
}
console.log(`\n${tableOf(results)}`)
