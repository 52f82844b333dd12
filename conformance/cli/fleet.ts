/** `tracker-kit check --targets`: runs the suite on many trackers, a few at a time, each in its own process. */
import { fork } from 'node:child_process'
import { appendFile, mkdtemp, readdir, readFile, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { troubleOf, UsageError } from '../contract/trouble.js'
import { version } from '../contract/version.js'
import { deviationsOf, type FleetReport, fleetReport, fleetTarget, type Ran } from '../report/fleet.js'
import { fleetMarkdown, fleetSentence, fleetText, writeFleet } from '../report/fleet-text.js'
import { withoutCommands, workflowCommand } from '../report/github.js'
import { type Report, reportSchema } from '../report/report.js'
import { makeDirectory, makeFolders } from './files.js'
import { type Listed, readTargets } from './fleet-list.js'
import { guardLedger, LEDGER } from './ledger-guard.js'
import { asideOf, exitCodes, type FlagValues, type Io, inGithubActions, integerOf } from './usage.js'

/** Flags that each profile replaces, or that concern a single tracker. */
const refused = ['base-url', 'profile', 'token', 'ext', 'baseline', 'write-baseline', 'plan'] as const

/** The flags that determine how each tracker is judged, which all shards must share. */
const judging = ['safety', 'runs', 'only', 'fail-on', 'strict', 'max-requests'] as const

/** Returns the highest exit code of the trackers. */
export async function checkFleet(
  file: string,
  flags: FlagValues,
  { seed, seedGiven, runId, shard }: Pick<FleetReport, 'seed' | 'seedGiven' | 'runId' | 'shard'>,
  io: Io,
): Promise<number> {
  const other = refused.find((name) => flags[name] !== undefined)
  if (other === 'plan')
    throw new UsageError(
      '--plan shows the run on one tracker; give --plan with --profile FILE in place of --targets, for each of them',
    )
  if (other !== undefined)
    throw new UsageError(`--${other} is about one tracker; leave it out with --targets`)
  const concurrency = integerOf(flags, 'concurrency', 4)
  const { targets, digest } = readTargets(file, io.env.TRACKER_TOKEN || undefined)
  const mine = targets.filter(({ position }) => !shard || (position - 1) % shard.count === shard.index - 1)
  const startedAt = new Date()
  const out = flags.out === undefined ? null : resolve(flags.out)
  const directory = out ?? (await mkdtemp(join(tmpdir(), 'tracker-kit-fleet-')))
  if (out !== null) await makeDirectory(out)
  try {
    const { targets: _, concurrency: _c, shard: _s, ...passed } = flags
    const ran = await runAll(
      mine,
      {
        ...{ concurrency, directory, temporary: out === null },
        // The trackers' processes have an empty environment and cannot read the run id there.
        flags: { ...passed, seed: String(seed), ...(runId === null ? {} : { 'run-id': runId }) },
      },
      io,
    )
    const report = fleetReport({
      version,
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      runId,
      settings: Object.fromEntries(judging.map((name) => [name, flags[name] ?? 'default'])),
      seed,
      seedGiven,
      shard,
      list: { targets: targets.length, digest },
      targets: ran.map(fleetTarget),
      deviations: ran.flatMap(({ name, report: one }) => (one ? deviationsOf(name, one) : [])),
    })
    if (out !== null) await writeFleet(report, out)
    await tellFleet(report, out, io, flags)
    return report.summary.code
  } finally {
    if (out === null) await discard(directory)
  }
}

/** Deletes the files, except ledgers, which are there only if they have open entries. */
async function discard(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const folder = join(directory, name)
    const files = await readdir(folder)
    for (const file of files) if (file !== LEDGER) await rm(join(folder, file), { force: true })
    if (!files.includes(LEDGER)) await rmdir(folder)
  }
  if ((await readdir(directory)).length === 0) await rmdir(directory)
}

interface Runs {
  readonly concurrency: number
  /** The directory with a folder for each tracker. */
  readonly directory: string
  /** Whether the files are not wanted. */
  readonly temporary: boolean
  /** The flags of every tracker's check. */
  readonly flags: FlagValues
}

async function runAll(targets: readonly Listed[], runs: Runs, io: Io): Promise<Ran[]> {
  const aside = asideOf(runs.flags, io)
  const ran: Ran[] = []
  const waiting = [...targets]
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const one = await runOne(next, runs, io)
      ran.push(one)
      const { verdict, because } = fleetTarget(one)
      aside.err(`${ran.length}/${targets.length} ${next.name} ${verdict}${because ? `: ${because}` : ''}\n`)
    }
  }
  await Promise.all(Array.from({ length: runs.concurrency }, worker))
  return ran
}

async function runOne(listed: Listed, { directory, temporary, flags }: Runs, io: Io): Promise<Ran> {
  const folder = join(directory, listed.name)
  const { position, name, baseUrl, profile, source, trouble } = listed
  const ended = (done: Done, report: Report | null): Ran => ({ position, name, baseUrl, ...done, report })
  if (profile === null || trouble !== null) return ended({ code: exitCodes.usage, because: trouble }, null)
  if (io.signal.aborted)
    return ended({ code: exitCodes.cancelled, because: 'not run: the run was cancelled' }, null)
  try {
    await makeFolders(folder)
    // A report of an earlier run must not be mistaken for that of this run.
    await rm(join(folder, 'report.json'), { force: true })
  } catch (error) {
    const because = `its folder ${folder} cannot be made: ${troubleOf(error)}`
    return ended({ code: exitCodes.usage, because }, null)
  }
  const settle = guardLedger(join(folder, LEDGER), {
    temporary,
    baseUrl: baseUrl ?? '',
    // A profile without a file has its own token, so the sweep command must have a placeholder for it.
    flags: listed.flags.profile === undefined ? { ...listed.flags, token: '' } : listed.flags,
    io,
  })
  const done = await inProcess(
    { profile, source, flags: { ...flags, ...listed.flags, out: folder } },
    io.signal,
  ).finally(settle)
  return ended(done, await reportIn(folder))
}

/** What the parent sends to the process of a tracker. */
export interface Order {
  readonly profile: Record<string, unknown>
  readonly source: string
  readonly flags: FlagValues
}

/** What the process sends to the parent. */
export interface Done {
  readonly code: number
  /** Why there was no run to judge. */
  readonly because: string | null
}

/** Checks a tracker in a process. A process that ends without a message has no result. */
async function inProcess(order: Order, signal: AbortSignal): Promise<Done> {
  const { workerFile } = await import('./worker-file.js')
  const child = fork(workerFile, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  const cancel = () => void (child.connected && child.send('cancel'))
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    complaint = (complaint + chunk).slice(-2000)
  })
  child.send(order)
  signal.addEventListener('abort', cancel)
  return new Promise<Done>((found) => {
    child.on('message', (done: Done) => found(done))
    child.on('error', ({ message }) =>
      found({ code: exitCodes.unreachable, because: `the check did not start: ${message}` }),
    )
    child.on('close', (code, by) => {
      const last = /^\w*Error: .*$/m.exec(complaint)?.[0] ?? complaint.trim().split('\n').at(-1) ?? ''
      found({ code: exitCodes.unreachable, because: `the check itself broke (${by ?? code}): ${last}` })
    })
  }).finally(() => signal.removeEventListener('abort', cancel))
}

async function reportIn(folder: string): Promise<Report | null> {
  const text = await readFile(join(folder, 'report.json'), 'utf8').catch(() => null)
  return text === null ? null : reportSchema.parse(JSON.parse(text))
}

/** Prints the report on standard output; in GitHub Actions also as an annotation and in the step summary. */
export async function tellFleet(
  report: FleetReport,
  out: string | null,
  io: Io,
  flags: FlagValues = {},
): Promise<void> {
  if (flags.json !== undefined) return io.out(`${JSON.stringify(report, null, 2)}\n`)
  const text = flags.quiet === undefined ? fleetText(report, out) : `${fleetSentence(report)}\n`
  if (!inGithubActions(io)) return io.out(text)
  io.out(withoutCommands(text))
  if (report.summary.code > 0) io.out(workflowCommand('error', 'tracker-kit', fleetSentence(report)))
  const { GITHUB_STEP_SUMMARY: file } = io.env
  if (file) await appendFile(file, fleetMarkdown(report)).catch(() => undefined)
}
