/**
 * Measures how closely the emulator matches other trackers: agreement before and after learning, on the legal trackers
 * and on emulators with other decisions, by calls from another seed.
 *
 *   npm run learn-test -- [--vary 50] [--only fussy,problem] [--requests 100,200,300,500] [--out DIR]
 *
 * DIR gets the table, and a file for each tracker with its decisions and the differences that remain. With several
 * numbers of requests, a second table shows the agreement after each of them.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Profile } from '../conformance/contract/index.js'
import { ledgerView, type Values } from '../conformance/learn/copy/emulator.js'
import { learn } from '../conformance/learn/learn.js'
import { diff, type Shares } from '../conformance/learn/report/diff.js'
import { servers, varied } from '../fixtures/legal/subjects.js'
import { withOptions } from '../fixtures/self-test.js'
import { type Result, stepsTable, tableOf } from './learn-report.js'

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
const budgets = values.requests.split(',').map(Number)
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
  budget: 2000,
  signal: new AbortController().signal,
  ledgerFile: null,
} as const

const learnt = (profile: Profile, budget = budgets.at(-1) ?? 999) =>
  learn({ ...common, ledger: ledgerView, budget, profile, asIs: false })

const compared = (profile: Profile, decisions: Values) =>
  diff({ ...common, profile, decisions, seed: 77, runs: 100 })

/** Whether learning again, from the emulator that runs the decisions, gives the same decisions. */
async function isFixed(decisions: Values): Promise<boolean> {
  const again = await withOptions({ decisions: decisions as never }, (profile) => learnt(profile))
  const ids = [...Object.keys(again.decisions), ...Object.keys(decisions)]
  return ids.every((id) => JSON.stringify(again.decisions[id]) === JSON.stringify(decisions[id]))
}

if (out !== undefined) mkdirSync(out, { recursive: true })
const results: Result[] = []
for (const { name, use } of subjects) {
  const began = Date.now()
  const { decisions, requests } = await use((profile) => learnt(profile))
  const seconds = (Date.now() - began) / 1000
  const before = await use((profile) => compared(profile, {}))
  const by: [number, Shares][] = [[0, before.total]]
  for (const budget of budgets.slice(0, -1)) {
    const part = await use((profile) => learnt(profile, budget))
    by.push([budget, (await use((profile) => compared(profile, part.decisions))).total])
  }
  const { total, differences } = await use((profile) => compared(profile, decisions))
  // Only for variations of the emulator: what no decision describes is learnt differently from a live tracker.
  const fixed = name.startsWith('vary ') ? await isFixed(decisions) : null
  const result: Result = { name, by: [...by, [requests, total]], requests, seconds, fixed }
  results.push(result)
  console.log(tableOf([result]).split('\n')[2])
  if (out === undefined) continue
  const file = join(out, `${name.replace(' ', '-')}.json`)
  writeFileSync(file, JSON.stringify({ ...result, decisions, differences }))
  writeFileSync(join(out, 'learning.md'), tableOf(results))
}
console.log(`\n${tableOf(results)}`)
if (budgets.length > 1) console.log(stepsTable(results))
