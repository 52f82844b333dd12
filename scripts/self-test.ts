/**
 * Tests the suite itself: runs it on every faulty tracker and on legal ones, and writes what was caught and which legal
 * trackers were accused. Exits with 1 if a fault was missed that is not in `fixtures/faulty/missed.ts`, or if a legal
 * tracker was accused.
 *
 *   npm run self-test -- [--only legal|faulty] [--vary 40] [--runs 20] [--seed 1] [--out DIR] [--narrow] [--name TEXT] [--thin N]
 *
 * The legal trackers are those of `fixtures/legal` and `fixtures/frameworks`, and the emulator: with its defaults, with
 * each decision changed alone, and with the seeds 1 to N of `vary`. `--seed` is that of the first legal tracker; each
 * further one gets the next, since what is drawn shows other mistakes of the suite each time. `--name TEXT` takes trackers whose id or name
 * contains the text. `--narrow` calls only the operation with the fault, in a quarter of the time, and all if that misses
 * it. `--thin N` also judges N recordings of each legal tracker that tell less than its trace does. Writes `self-test.json` and `self-test.md` to DIR, and the trace of each miss and accusation to `traces` in it;
 * without DIR, prints the table.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isMainThread } from 'node:worker_threads'
import type { Checked } from '../conformance/drive/run.js'
import { judge } from '../conformance/oracle/judge.js'
import { table } from '../conformance/report/words.js'
import { faultyTrackers } from '../fixtures/faulty/index.js'
import { missed } from '../fixtures/faulty/missed.js'
import { legalSubjects } from '../fixtures/legal/subjects.js'
import { runCheck, tryNarrowly, tryToCatch } from '../fixtures/self-test.js'
import { inThreads, workInThread } from './in-threads.js'
import { thinned } from './thinned.js'

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    ...{ out: text, only: text },
    narrow: { type: 'boolean', default: false },
    name: { ...text, default: '' },
    vary: { ...text, default: '40' },
    runs: { ...text, default: '20' },
    seed: { ...text, default: '1' },
    thin: { ...text, default: '0' },
  },
})
interface Row {
  /** The id of a faulty tracker, or the name of a legal one. */
  readonly tracker: string
  readonly isLegal: boolean
  readonly isCaught: boolean
  /** Whether the operation with the fault was blamed. */
  readonly isBlamed: boolean
  readonly must: number
  readonly should: number
  /** The findings, each rule and operation once. */
  readonly found: readonly string[]
  readonly trouble: string | null
  readonly requests: number
}

/** One task for each tracker. */
function tasks(): (() => Promise<Row>)[] {
  const { only, out, narrow, name: part, vary } = values
  const common = { runs: Number(values.runs) }
  const legalOnes = legalSubjects(Number(vary)).filter(({ name }) => name.includes(part))
  const legal = legalOnes.map(({ name, operations = [], use }, index) => async (): Promise<Row> => {
    const given = { ...common, seed: Number(values.seed) + index }
    const options = narrow ? { ...given, only: operations } : given
    const whole = await use((profile) => runCheck(profile, options))
    const parts = Array.from({ length: Number(values.thin) }, (_, part) =>
      judged(thinned(whole, 1000 * given.seed + part)),
    )
    for (const part of parts) if (part.findings.length > 0) keep(out, `${name} ${part.what}`, part)
    const checked = { ...whole, findings: [whole, ...parts].flatMap(({ findings }) => findings) }
    if (whole.findings.length > 0) keep(out, name, whole)
    return rowOf(name, checked, { isLegal: true, isCaught: false, isBlamed: false })
  })
  const faultyOnes = faultyTrackers.filter(({ id }) => id.includes(part))
  const faulty = faultyOnes.map((one) => async (): Promise<Row> => {
    const { isCaught, isBlamed, checked } = await (narrow ? tryNarrowly : tryToCatch)(one, common)
    if (!isBlamed) keep(out, one.id, checked)
    return rowOf(one.id, checked, { isLegal: false, isCaught, isBlamed })
  })
  return [...(only === 'faulty' ? [] : legal), ...(only === 'legal' ? [] : faulty)]
}

function rowOf(
  tracker: string,
  checked: Checked,
  about: Pick<Row, 'isLegal' | 'isCaught' | 'isBlamed'>,
): Row {
  const { findings, trouble, requests } = checked
  const of = (level: string) => findings.filter((one) => one.level === level).length
  const first = new Map(findings.toReversed().map((one) => [`${one.rule} ${one.operation}`, one]))
  const found = [...first.values()].map(
    ({ rule, operation, n, level, seen }) => `${level} ${rule} (${operation}) #${n}: ${seen.slice(0, 80)}`,
  )
  return { tracker, ...about, must: of('must'), should: of('should'), found, trouble, requests }
}

/** A recording with its findings. */
function judged({ what, ...recording }: ReturnType<typeof thinned>) {
  const { findings } = judge(recording.trace, recording.knowledge)
  return { ...recording, what, findings: findings.map((one) => ({ ...one, seen: `${one.seen} (${what})` })) }
}

/** Keeps the trace, with everything that is needed to judge it again. */
function keep(out: string | undefined, tracker: string, checked: Partial<Checked>): void {
  if (out === undefined) return
  const { knowledge, stories = new Map(), findings, trace } = checked
  const kept = { tracker, knowledge, stories: [...stories], findings, trace }
  const file = `${tracker.replaceAll(/[^\w.]+/g, '-').slice(0, 120)}.json`
  writeFileSync(join(out, 'traces', file), JSON.stringify(kept))
}

function summaryOf(rows: readonly Row[]): string[] {
  const legal = rows.filter(({ isLegal }) => isLegal)
  const faulty = rows.filter(({ isLegal }) => !isLegal)
  const caught = faulty.filter(({ isCaught }) => isCaught)
  const blamed = faulty.filter(({ isBlamed }) => isBlamed)
  const byMust = legal.filter(({ must }) => must > 0).length
  const byShould = legal.filter(({ must, should }) => must === 0 && should > 0).length
  return [
    faulty.length > 0 && `${share(caught, faulty)} faults caught, ${share(blamed, faulty)} at the operation.`,
    legal.length > 0 &&
      `${byMust} of ${legal.length} legal trackers accused by must, ${byShould} by should alone.`,
  ].filter((line) => line !== false)
}

const share = ({ length: part }: readonly Row[], { length: whole }: readonly Row[]) =>
  `${part} of ${whole} (${Math.round((1000 * part) / whole) / 10} %)`

/** With a name, also the faults that are caught, with the rules that caught them. */
function markdown(rows: readonly Row[], name: string): string {
  const firstOf = ({ found }: Row) => found.slice(0, 4).join('; ')
  const faults = rows
    .filter(({ isLegal, isBlamed }) => !isLegal && (!isBlamed || name !== ''))
    .map((row) => [row.tracker, missed[row.tracker] ?? 'no', firstOf(row)])
  const accused = rows
    .filter(({ isLegal, found }) => isLegal && found.length > 0)
    .map((row) => [row.tracker, firstOf(row)])
  const broken = rows.flatMap(({ tracker, trouble }) => (trouble === null ? [] : [[tracker, trouble]]))
  return [
    '# Self-test of the check',
    summaryOf(rows).join('\n'),
    name === '' ? '## Faults not caught at their operation' : '## Faults',
    table(['fault', 'known miss', 'found'], faults),
    '## Legal trackers accused',
    table(['tracker', 'found'], accused),
    '## Runs that ended before their time',
    table(['tracker', 'why'], broken),
    '',
  ].join('\n\n')
}

async function main(): Promise<number> {
  const { only, out, name } = values
  if (only !== undefined && only !== 'legal' && only !== 'faulty')
    throw new RangeError(`--only takes legal or faulty, not "${only}"`)
  if (out !== undefined) mkdirSync(join(out, 'traces'), { recursive: true })
  const rows = await inThreads<Row>(import.meta.url, availableParallelism(), tasks().length)
  if (rows.length === 0) throw new RangeError(`--name ${name}: no tracker has this text in its id or name`)
  if (out === undefined) console.log(markdown(rows, name))
  else {
    writeFileSync(join(out, 'self-test.md'), markdown(rows, name))
    writeFileSync(join(out, 'self-test.json'), JSON.stringify(rows, null, 2))
    console.log(summaryOf(rows).join('\n'))
  }
  const isAccused = rows.some(({ isLegal, found }) => isLegal && found.length > 0)
  const isMissed = rows.some((one) => !one.isLegal && !one.isBlamed && missed[one.tracker] === undefined)
  return isAccused || isMissed ? 1 : 0
}

if (isMainThread) process.exitCode = await main()
else await workInThread(tasks())
