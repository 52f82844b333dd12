/**
 * Tests the suite itself: runs it, whole and destructive, on every faulty tracker and on legal ones, and writes which
 * requirement failed on which fault. Exits with 1 where a fault was not caught or a legal tracker was accused.
 *
 *   npm run self-test -- [--only legal|faulty] [--requirement ID] [--every 1] [--vary 200] [--runs 50] [--out DIR]
 *                        [--widths 1] [--safety destructive]
 *
 * The legal trackers are those of `fixtures/legal` and `fixtures/frameworks`, and the emulator: as it is, with each decision flipped alone, and under
 * the numbers 1 to N of `vary`. `--requirement ID` runs this requirement alone, on the legal trackers and on those that break it.
 * `--every N` takes each N-th faulty tracker alone. `--widths 1,8,16` runs the suite with so many checks at a time, one after the
 * other: whatever fails at the first of them and not at another, or the other way round, is told, and is an error. Writes `self-test.json` and `self-test.md` to DIR, or the latter to the standard output.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { type Safety, safetyLevels } from '../conformance/contract/index.js'
import { requirements } from '../conformance/requirements/index.js'
import { DEFAULT_RUNS, planOf } from '../conformance/suite/plan.js'
import { faultyTrackers } from '../fixtures/faulty/index.js'
import { frameworkTrackers } from '../fixtures/frameworks/index.js'
import { legalTrackers } from '../fixtures/legal/index.js'
import { oddTrackers } from '../fixtures/legal/odd.js'
import {
  flips,
  isCaught,
  planFor,
  runSuite,
  type SuiteResult,
  withFaulty,
  withOptions,
} from '../fixtures/self-test.js'

interface Options {
  readonly only: 'legal' | 'faulty' | null
  readonly requirement: string | null
  readonly every: number
  readonly vary: number
  readonly runs: number
  /** Checks at a time. */
  readonly widths: readonly number[]
  readonly safety: Safety
}

interface Share extends Options {
  readonly index: number
  readonly count: number
}

interface Row {
  /** Id of a faulty tracker, or name of a legal one. */
  readonly tracker: string
  readonly legal: boolean
  /** Checks at a time. */
  readonly width: number
  /** Whether the requirement and the operation that it breaks were named. */
  readonly right: boolean
  readonly result: SuiteResult
}

/** Every tracker once at each width, each as a piece of work. */
const tasks = (options: Options): (() => Promise<Row>)[] =>
  options.widths.flatMap((width) => tasksAt(width, options))

function tasksAt(width: number, options: Options): (() => Promise<Row>)[] {
  const { only, requirement, every, vary, runs: count, safety } = options
  const plan = planOf({ only: requirement === null ? [] : [requirement], shard: null })
  const common = { runs: count, plan, safety, concurrency: width }
  const legal = (tracker: string, result: SuiteResult): Row => ({
    ...{ tracker, legal: true, width, right: true, result },
  })
  const emulators = [
    { name: 'emulator' },
    ...flips.map(({ name, decisions }) => ({ name: `emulator, ${name}`, decisions })),
    ...Array.from({ length: vary }, (_, index) => ({ name: `emulator, vary ${index + 1}`, vary: index + 1 })),
  ]
  const legalTasks = [
    ...emulators.map(({ name, ...options }, index) => async () => {
      const result = await withOptions(options, (profile) =>
        runSuite(profile, { ...common, seed: index + 1 }),
      )
      return legal(name, result)
    }),
    ...oddTrackers.map(
      (tracker) => async () =>
        legal(
          `emulator, where ${tracker.name}`,
          await withFaulty(tracker, (profile) => runSuite(profile, common)),
        ),
    ),
    ...[...legalTrackers, ...frameworkTrackers].map(({ name, start }) => async () => {
      const running = await start()
      try {
        return legal(name, await runSuite(running.profile, common))
      } finally {
        await running.close()
      }
    }),
  ]
  const aimed = faultyTrackers.filter((one) => requirement === null || one.requirement === requirement)
  const taken = aimed.filter((_, index) => index % every === 0)
  const faultyTasks = taken.map((faulty) => async () => {
    const options = requirement === null ? common : { ...common, plan: planFor(faulty) }
    const result = await withFaulty(faulty, (profile) => runSuite(profile, options))
    return { tracker: faulty.id, legal: false, width, right: isCaught(faulty, result), result }
  })
  return [...(only === 'faulty' ? [] : legalTasks), ...(only === 'legal' ? [] : faultyTasks)]
}

async function work(share: Share): Promise<void> {
  for (const [index, task] of tasks(share).entries())
    if (index % share.count === share.index) parentPort?.postMessage([index, await task()])
}

/** It takes minutes, and the result comes at the end. */
const TOLD_EVERY = 25

async function gather(options: Options): Promise<Row[]> {
  const count = availableParallelism()
  const total = tasks(options).length
  const rows: Row[] = []
  let done = 0
  const worker = (index: number) =>
    new Promise<void>((resolve, reject) => {
      const share: Share = { index, count, ...options }
      new Worker(new URL(import.meta.url), { workerData: share })
        .on('message', ([place, row]: [number, Row]) => {
          rows[place] = row
          done += 1
          if (done % TOLD_EVERY === 0 || done === total) console.error(`${done}/${total} trackers`)
        })
        .on('error', reject)
        .on('exit', () => resolve())
    })
  await Promise.all(Array.from({ length: count }, (_, index) => worker(index)))
  return rows
}

const isMust = ({ level }: SuiteResult['failed'][number]) => level === 'must'

/** What fails at one width of a tracker and not at the first, or the other way round, in words. */
function differences(rows: readonly Row[], [first]: readonly number[]): string[] {
  const base = new Map(rows.filter(({ width }) => width === first).map((row) => [row.tracker, row]))
  const failures = ({ result }: Row) =>
    result.failed.map(({ requirement, checked, operations }) => `${requirement} (${checked}: ${operations})`)
  const missing = (some: readonly string[], all: readonly string[]) =>
    some.filter((one) => !all.includes(one))
  return rows.flatMap((row) => {
    const beside = base.get(row.tracker) ?? row
    // Of a fault that comes now and then, what was asked before decides where it is met.
    const isSometimes = faultyTrackers.some(({ id, also }) => id === row.tracker && also !== undefined)
    if (isSometimes && row.right === beside.right) return []
    const less = missing(failures(beside), failures(row))
    const more = missing(failures(row), failures(beside))
    if (less.length + more.length === 0) return []
    return [`${row.tracker}, ${row.width} at a time: less ${less.join('; ')}, more ${more.join('; ')}`]
  })
}

interface Summary {
  readonly faulty: number
  /** Those on which at least one requirement failed. */
  readonly caught: number
  /** Those on which the broken requirement failed and blamed the operation that breaks it. */
  readonly right: number
  readonly legal: number
  readonly falseAlarms: number
  /** Requirements that failed on no faulty tracker. */
  readonly neverFailed: readonly string[]
}

function summarize(rows: readonly Row[]): Summary {
  const faulty = rows.filter(({ legal }) => !legal)
  const legal = rows.filter((row) => row.legal)
  const failed = new Set(faulty.flatMap(({ result }) => result.failed.map(({ requirement }) => requirement)))
  return {
    faulty: faulty.length,
    caught: faulty.filter(({ result, right }) => right || result.failed.some(isMust)).length,
    right: faulty.filter(({ right }) => right).length,
    legal: legal.length,
    falseAlarms: legal.filter(({ result }) => result.failed.length > 0).length,
    neverFailed: requirements.map(({ id }) => id).filter((id) => !failed.has(id)),
  }
}

const LIMITS = [100, 200, 300, 500, 1000, 2000]

/** How many requests it took until a failure named the operation that is at fault; infinite where none did. */
function caughtAfter({ tracker, result }: Row): number {
  const operation = faultyTrackers.find(({ id }) => id === tracker)?.operation ?? 'every'
  const named = result.failed.filter(
    ({ operations }) => operation === 'every' || operations.includes(operation),
  )
  return Math.min(...named.map(({ after }) => after), Number.POSITIVE_INFINITY)
}

/** The faulty trackers that are caught by then, which is what `--max-requests` is worth. */
function curve(rows: readonly Row[]): string {
  const after = rows.filter(({ legal }) => !legal).map(caughtAfter)
  const caught = (limit: number) => {
    const count = after.filter((one) => one <= limit).length
    return [String(count), `${Math.round((100 * count) / after.length)} %`]
  }
  return table(
    ['requests', 'faults caught', 'of all'],
    [...LIMITS.map((limit) => [String(limit), ...caught(limit)]), ['a whole run', ...caught(1e9)]],
  )
}

const table = (head: readonly string[], body: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

function markdown(rows: readonly Row[], summary: Summary): string {
  const rowOf = new Map(rows.map((row) => [row.tracker, row]))
  const matrix = faultyTrackers.flatMap(({ id, requirement, statement }) => {
    const row = rowOf.get(id)
    if (row === undefined) return []
    const others = new Set(row.result.failed.map((one) => one.requirement))
    others.delete(requirement)
    const verdict = row.right ? 'yes' : row.result.failed.some(isMust) ? 'elsewhere' : 'no'
    return [[requirement, statement, verdict, [...others].join(', ')]]
  })
  const counts = requirements.map(({ id, level }) => {
    const aimed = faultyTrackers.filter(({ requirement }) => requirement === id)
    const right = aimed.filter((faulty) => rowOf.get(faulty.id)?.right).length
    const seen = rows.filter(
      ({ legal, result }) => !legal && result.failed.some((one) => one.requirement === id),
    )
    return [id, level, String(aimed.length), String(right), String(seen.length)]
  })
  const alarms = rows.flatMap(({ legal, tracker, result }) =>
    legal
      ? result.failed.map((one) => [
          tracker,
          one.level,
          one.requirement,
          one.operations.join(', '),
          one.messages.join('; '),
        ])
      : [],
  )
  return [
    '# Self-test of the suite',
    verdictOf(summary),
    '## Caught after so many requests',
    curve(rows),
    '## Requirements',
    table(
      ['requirement', 'level', 'faults aimed at it', 'caught there', 'faults on which it failed'],
      counts,
    ),
    `Never failed: ${summary.neverFailed.join(', ') || 'none'}.`,
    '## False alarms',
    alarms.length > 0
      ? table(['legal tracker', 'level', 'requirement', 'operation', 'message'], alarms)
      : 'None.',
    '## Faults',
    table(['requirement', 'what is wrong', 'caught there', 'failed as well'], matrix),
    '',
  ].join('\n\n')
}

function verdictOf({ faulty, caught, right, legal, falseAlarms }: Summary): string {
  return `${right} of ${faulty} faults caught at the right requirement and operation, ${caught} caught at all; ${falseAlarms} of ${legal} legal trackers accused.`
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      out: { type: 'string' },
      only: { type: 'string' },
      requirement: { type: 'string' },
      every: { type: 'string', default: '1' },
      vary: { type: 'string', default: '200' },
      runs: { type: 'string', default: String(DEFAULT_RUNS) },
      widths: { type: 'string', default: '1' },
      safety: { type: 'string', default: 'destructive' },
    },
  })
  const { only = null } = values
  if (only !== null && only !== 'legal' && only !== 'faulty')
    throw new RangeError(`--only takes legal or faulty, not "${only}"`)
  const { requirement = null } = values
  if (requirement !== null && !requirements.some(({ id }) => id === requirement))
    throw new RangeError(`--requirement takes an id of contract requirements, not "${requirement}"`)
  const safety = safetyLevels.find((one) => one === values.safety)
  if (safety === undefined)
    throw new RangeError(`--safety takes ${safetyLevels.join(', ')}, not "${values.safety}"`)
  const widths = values.widths.split(',').map(Number)
  const all = await gather({
    only,
    requirement,
    every: Number(values.every),
    vary: Number(values.vary),
    runs: Number(values.runs),
    ...{ widths, safety },
  })
  const rows = all.filter(({ width }) => width === widths[0])
  const others = differences(all, widths)
  for (const line of others) console.error(line)
  const summary = summarize(rows)
  const text = markdown(rows, summary)
  if (values.out === undefined) console.log(text)
  else {
    await mkdir(values.out, { recursive: true })
    await writeFile(join(values.out, 'self-test.md'), text)
    await writeFile(join(values.out, 'self-test.json'), JSON.stringify({ summary, rows }, null, 2))
    console.log(verdictOf(summary))
  }
  if (widths.length > 1) console.error(`${others.length} differences between ${widths.join(', ')} at a time`)
  // What can be judged at another level is less than what is broken.
  const isWhole = safety !== 'destructive' || summary.right === summary.faulty
  return isWhole && summary.falseAlarms === 0 && others.length === 0 ? 0 : 1
}

if (isMainThread) process.exitCode = await main()
else await work(workerData as Share)
