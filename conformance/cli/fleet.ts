/** `tracker-kit check --targets`: runs the suite on many trackers, a few at a time, each in its own process. */
import { fork } from 'node:child_process'
import { join, resolve } from 'node:path'
import { UsageError } from '../contract/trouble.js'
import { version } from '../contract/version.js'
import { deviationsOf, type FleetReport, fleetReport, fleetTarget, type Ran } from '../report/fleet.js'
import { writeFleet } from '../report/fleet-text.js'
import type { Report } from '../report/report.js'
import { announce, ofFleet } from './announce.js'
import { makeDirectory } from './files.js'
import { type Listed, readTargets } from './fleet-list.js'
import { guardLedger, LEDGER, temporaryLedger } from './ledger-guard.js'
import { asideOf, exitCodes, type FlagValues, type Io, integerOf } from './usage.js'

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
  if (out !== null) await makeDirectory(out)
  const { targets: _, concurrency: _c, shard: _s, out: _o, ...passed } = flags
  // The trackers' processes have an empty environment and cannot read the run id there.
  const runIdFlag = runId === null ? {} : { 'run-id': runId }
  const runs = { concurrency, out, flags: { ...passed, seed: String(seed), ...runIdFlag } }
  const ran = await runAll(mine, runs, io)
  const report = fleetReport({
    ...{ version, startedAt: startedAt.toISOString(), durationMs: Date.now() - startedAt.getTime() },
    settings: Object.fromEntries(judging.map((name) => [name, flags[name] ?? 'default'])),
    ...{ runId, seed, seedGiven, shard, list: { targets: targets.length, digest } },
    targets: ran.map(fleetTarget),
    deviations: ran.flatMap(({ name, report: one }) => (one ? deviationsOf(name, one) : [])),
  })
  if (out !== null) await writeFleet(report, out)
  await announce(ofFleet(report, out), flags, io)
  return report.summary.code
}

interface Runs {
  readonly concurrency: number
  /** The directory with a folder for each tracker; null if the reports are not kept. */
  readonly out: string | null
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

async function runOne(listed: Listed, { out, flags }: Runs, io: Io): Promise<Ran> {
  const { profile, source, trouble, flags: own, ...entry } = listed
  const unrun = (code: number, because: string | null): Ran => ({ ...entry, code, because, report: null })
  if (profile === null || trouble !== null) return unrun(exitCodes.usage, trouble)
  if (io.signal.aborted) return unrun(exitCodes.cancelled, 'not run: the run was cancelled')
  const folder = out === null ? {} : { out: join(out, listed.name) }
  const ledgerFile = folder.out === undefined ? temporaryLedger() : join(folder.out, LEDGER)
  const settle = guardLedger(ledgerFile, {
    temporary: out === null,
    baseUrl: listed.baseUrl ?? '',
    // A profile without a file has its own token, so the sweep command must have a placeholder for it.
    flags: own.profile === undefined ? { ...own, token: '' } : own,
    io,
  })
  const order = { profile, source, ledgerFile, flags: { ...flags, ...own, ...folder } }
  return { ...entry, ...(await inProcess(order, io.signal).finally(settle)) }
}

/** What the parent sends to the process of a tracker. */
export interface Order {
  readonly profile: Record<string, unknown>
  readonly source: string
  readonly ledgerFile: string
  readonly flags: FlagValues
}

/** What the process sends to the parent. */
export interface Done {
  readonly code: number
  /** Why there was no run to judge. */
  readonly because: string | null
  /** Null if there was no run to judge. */
  readonly report: Report | null
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
    const broke = (because: string) => found({ code: exitCodes.unreachable, because, report: null })
    child.on('error', ({ message }) => broke(`the check did not start: ${message}`))
    child.on('close', (code, by) => {
      const last = /^\w*Error: .*$/m.exec(complaint)?.[0] ?? complaint.trim().split('\n').at(-1) ?? ''
      broke(`the check itself broke (${by ?? code}): ${last}`)
    })
  }).finally(() => signal.removeEventListener('abort', cancel))
}
