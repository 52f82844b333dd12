/**
 * How near the emulator comes to other trackers by learning: agreement before and after, on the legal trackers and on
 * emulators under other decisions, by calls drawn from another seed.
 *
 *   npm run learn-test -- [--vary 50] [--only bare,terse] [--out FILE]
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ledgerView, simulate } from '../conformance/cli/simulate.js'
import type { Profile } from '../conformance/contract/index.js'
import { type DiffReport, diff, percent } from '../conformance/learn/diff.js'
import { learn } from '../conformance/learn/learn.js'
import type { Values } from '../conformance/learn/simulate.js'
import { createTracker } from '../emulator/index.js'
import { generator } from '../emulator/random.js'
import { legalTrackers } from '../fixtures/legal/index.js'

const { values } = parseArgs({
  options: {
    vary: { type: 'string', default: '50' },
    only: { type: 'string' },
    out: { type: 'string' },
    differences: { type: 'boolean', default: false },
    fixed: { type: 'boolean', default: false },
  },
})

interface Running {
  readonly profile: Profile
  close(): Promise<void>
}

const wanted = values.only?.split(',')
const subjects: { name: string; start: () => Promise<Running> }[] = [
  ...legalTrackers,
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
  simulate,
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

const learnt = (start: () => Promise<Running>, seed: number) =>
  using(start, (profile) => learn({ ...common, budget: 499, profile, asIs: false, random: generator(seed) }))

const compared = (start: () => Promise<Running>, decisions: Values, seed: number) =>
  using(start, (profile) =>
    // Without a ledger nothing is explained, which takes longer than the rest.
    diff({
      ...common,
      ...(values.differences ? {} : { ledger: {} }),
      profile,
      decisions,
      seed,
      sequences: 8,
      random: generator(seed),
    }),
  )

const cells = ({ total }: DiffReport) =>
  [total.status, total.code, total.errorBody, total.shape].map((share) => percent(share).padStart(8)).join('')
console.log(
  `${''.padEnd(10)}${'before: status   code   error   shape'.padEnd(34)} ${'after: status   code   error   shape'.padEnd(34)} requests  s`,
)
const results: unknown[] = []
for (const { name, start } of subjects) {
  const began = Date.now()
  const found = await learnt(start, 1)
  const seconds = ((Date.now() - began) / 1000).toFixed(0)
  const before = await compared(start, {}, 77)
  const after = await compared(start, found.decisions, 77)
  let fixed = ''
  if (values.fixed) {
    const again = await learnt(() => varied({ decisions: found.decisions as never }), 5)
    const ids = new Set([...Object.keys(again.decisions), ...Object.keys(found.decisions)])
    const differ = [...ids].filter(
      (id) => JSON.stringify(again.decisions[id]) !== JSON.stringify(found.decisions[id]),
    )
    fixed =
      differ.length === 0
        ? ' fixed'
        : ` moved: ${differ.map((id) => `${id} ${JSON.stringify(found.decisions[id])?.slice(0, 60)} -> ${JSON.stringify(again.decisions[id])?.slice(0, 60)}`).join(', ')}`
  }
  console.log(
    `${name.padEnd(10)}${cells(before)}   ${cells(after)}   ${String(found.requests).padStart(6)} ${seconds.padStart(4)}${fixed}`,
  )
  if (values.differences)
    for (const one of after.differences.slice(0, 40))
      console.log(
        `   ${one.respect} x${one.count} ${one.operation} ${JSON.stringify(one.request).slice(0, 200)}\n       target ${one.target.status} ${JSON.stringify(one.target.body)?.slice(0, 260)}\n       emulator ${one.emulator.status} ${JSON.stringify(one.emulator.body)?.slice(0, 260)} ${JSON.stringify(one.explainedBy)}`,
      )
  results.push({
    name,
    before: before.total,
    after: after.total,
    requests: found.requests,
    decisions: found.decisions,
  })
}
if (values.out !== undefined) writeFileSync(values.out, JSON.stringify(results, null, 2))
