/**
 * Measures how closely the emulator matches other trackers: agreement before and after learning, on the legal trackers
 * and on emulators with other decisions, by calls from another seed.
 *
 *   npm run learn-test -- [--vary 50] [--only fussy,problem] [--requests 100,200,300,500] [--out DIR] [--differences]
 *
 * DIR gets a file for each tracker, and a table of all files there: two runs with different `--only` may share it. With `--requests`, a small table shows the agreement after these numbers of requests.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Profile } from '../conformance/contract/index.js'
import { ledgerView, type Values } from '../conformance/learn/copy/emulator.js'
import { learn } from '../conformance/learn/learn.js'
import { type DiffReport, diff, type Shares } from '../conformance/learn/report/diff.js'
import { createTracker } from '../emulator/index.js'
import { frameworkTrackers } from '../fixtures/frameworks/index.js'
import { legalTrackers } from '../fixtures/legal/index.js'
import { type Result, type Steps, stepsTable, tableOf } from './learn-report.js'

const { values } = parseArgs({
  options: {
    vary: { type: 'string', default: '50' },
    only: { type: 'string' },
    requests: { type: 'string', default: '999' },
    out: { type: 'string' },
    differences: { type: 'boolean', default: false },
  },
})

interface Running {
  readonly profile: Profile
  close(): Promise<void>
}

const wanted = values.only?.split(',')
const subjects: { name: string; start: () => Promise<Running> }[] = [
  ...legalTrackers,
  ...frameworkTrackers,
  ...Array.from({ length: Number(values.vary) }, (_, index) => ({
    name: `vary ${index + 1}`,
    start: () => varied({ vary: index + 1 }),
  })),
].filter(({ name }) => wanted === undefined || wanted.includes(name))

async function varied(options: Parameters<typeof createTracker>[0]): Promise<Running> {
  const tracker = await createTracker(options)
  const server = await tracker.listen()
  return { profile: tracker.profileFor(server.url), close: () => server.close() }
}

const common = {
  ledger: ledgerView,
  safety: 'destructive',
  timeout: 5000,
  rate: 0,
  budget: 2000,
  signal: new AbortController().signal,
  ledgerFile: null,
} as const

async function using<T>(start: () => Promise<Running>, work: (profile: Profile) => Promise<T>): Promise<T> {
  const running = await start()
  try {
    return await work(running.profile)
  } finally {
    await running.close()
  }
}

const budgets = values.requests.split(',').map(Number)

const learnt = (start: () => Promise<Running>, budget = budgets.at(-1) ?? 999) =>
  using(start, (profile) => learn({ ...common, budget, profile, asIs: false }))

const compared = (start: () => Promise<Running>, decisions: Values, seed: number) =>
  using(start, (profile) =>
    // Without a ledger, differences are not explained, which would take longer than the rest.
    diff({
      ...common,
      ...(values.differences ? {} : { ledger: {} }),
      profile,
      decisions,
      seed,
      runs: 100,
    }),
  )

/** The decisions with another value after learning again, from the emulator that runs the first file. */
async function moved(decisions: Values): Promise<string[]> {
  const again = await learnt(() => varied({ decisions: decisions as never }))
  const ids = new Set([...Object.keys(again.decisions), ...Object.keys(decisions)])
  return [...ids].filter((id) => JSON.stringify(again.decisions[id]) !== JSON.stringify(decisions[id]))
}

function tell({ differences }: DiffReport, ids: readonly string[]): void {
  if (ids.length > 0) console.log(`   moved: ${ids.join(', ')}`)
  for (const { respect, count, operation, request, target, emulator, explainedBy } of differences)
    console.log(
      [
        `   ${respect} x${count} ${operation} ${JSON.stringify(request).slice(0, 200)}`,
        `       target ${target.status} ${JSON.stringify(target.body)?.slice(0, 260)}`,
        `       emulator ${emulator.status} ${JSON.stringify(emulator.body)?.slice(0, 260)} ${JSON.stringify(explainedBy)}`,
      ].join('\n'),
    )
}

const results: Result[] = []
const steps: Steps[] = []
for (const { name, start } of subjects) {
  const began = Date.now()
  const { decisions, requests } = await learnt(start)
  const seconds = (Date.now() - began) / 1000
  const before = await compared(start, {}, 77)
  const bySteps: [number, Shares][] = [[0, before.total]]
  for (const budget of budgets.slice(0, -1))
    bySteps.push([budget, (await compared(start, (await learnt(start, budget)).decisions, 77)).total])
  const after = await compared(start, decisions, 77)
  // Only for variations of the emulator: what no decision describes is learnt differently from a live tracker.
  const ids = name.startsWith('vary ') ? await moved(decisions) : null
  const fixed = ids && ids.length === 0
  const result: Result = { name, before: before.total, after: after.total, requests, seconds, fixed }
  results.push(result)
  steps.push({ name, by: [...bySteps, [requests, after.total]] })
  console.log(tableOf([result]).split('\n')[2])
  if (values.differences) tell(after, ids ?? [])
  if (values.out === undefined) continue
  mkdirSync(values.out, { recursive: true })
  writeFileSync(join(values.out, `${name.replace(' ', '-')}.json`), JSON.stringify({ ...result, decisions }))
  writeFileSync(join(values.out, 'learning.md'), tableOf(allIn(values.out)))
}
console.log(`\n${tableOf(results)}`)
if (budgets.length > 1) console.log(stepsTable(steps))

function allIn(directory: string): Result[] {
  const files = readdirSync(directory).filter((file) => file.endsWith('.json'))
  const found = files.map((file) => JSON.parse(readFileSync(join(directory, file), 'utf8')) as Result)
  const place = ({ name }: Result) => {
    const index = legalTrackers.findIndex((tracker) => tracker.name === name)
    return index < 0 ? legalTrackers.length : index
  }
  return found.sort((a, b) => place(a) - place(b) || a.name.localeCompare(b.name, 'en', { numeric: true }))
}
