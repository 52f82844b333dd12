/** `tracker-kit check --targets`: runs the suite on many trackers, a few at a time. */
import { join } from 'node:path'
import { UnreachableError, UsageError } from '../contract/trouble.js'
import { version } from '../contract/version.js'
import { deviationsOf, fleetReport, fleetTarget, type Ran } from '../report/fleet.js'
import type { Report } from '../report/report.js'
import { announce } from './announce.js'
import { askedOf, checkTarget } from './check-target.js'
import { makeDirectory } from './files.js'
import { type Listed, readTargets } from './fleet-list.js'
import { removeReports, writeReports } from './report-files.js'
import { asideOf, exitCodes, type FlagValues, type Io, integerOf } from './usage.js'

/** Flags that each profile replaces, or that concern a single tracker. */
const refused = ['base-url', 'profile', 'token', 'ext', 'baseline', 'write-baseline', 'plan'] as const

/** The flags that determine how each tracker is judged, which all shards must share. */
const judging = ['safety', 'runs', 'only', 'fail-on', 'strict', 'max-requests'] as const

/** Returns the highest exit code of the trackers. */
export async function checkFleet(file: string, flags: FlagValues, io: Io): Promise<number> {
  const other = refused.find((name) => flags[name] !== undefined)
  if (other === 'plan')
    throw new UsageError(
      '--plan shows the run on one tracker; give --plan with --profile FILE in place of --targets, for each of them',
    )
  if (other !== undefined)
    throw new UsageError(`--${other} is about one tracker; leave it out with --targets`)
  const { runId, settings, out } = askedOf(flags, io.env)
  const { seed, seedGiven, shard } = settings
  const { targets, digest } = readTargets(file, io.env.TRACKER_TOKEN || undefined)
  const waiting = targets.filter(({ position }) => !shard || (position - 1) % shard.count === shard.index - 1)
  const startedAt = new Date()
  if (out !== null) await makeDirectory(out)
  // The checks do not see the environment, so they cannot read the run id there.
  const { targets: _, concurrency: _c, shard: _s, out: _o, ...given } = flags
  const passed = { ...given, seed: String(seed), quiet: '', ...(runId === null ? {} : { 'run-id': runId }) }
  const ran: Ran[] = []
  const total = waiting.length
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const one = await runOne(next, out === null ? passed : { ...passed, out: join(out, next.name) }, io)
      ran.push(one)
      const { verdict, because } = fleetTarget(one)
      const said = because === null ? verdict : `${verdict}: ${because}`
      asideOf(flags, io).err(`${ran.length}/${total} ${next.name} ${said}\n`)
    }
  }
  await Promise.all(Array.from({ length: integerOf(flags, 'concurrency', 4) }, work))
  const report = fleetReport({
    ...{ version, startedAt: startedAt.toISOString(), durationMs: Date.now() - startedAt.getTime() },
    settings: Object.fromEntries(judging.map((name) => [name, flags[name] ?? 'default'])),
    ...{ runId, seed, seedGiven, shard, list: { targets: targets.length, digest } },
    targets: ran.map(fleetTarget),
    deviations: ran.flatMap(({ name, report: one }) => (one ? deviationsOf(name, one) : [])),
  })
  if (out !== null) await writeReports(report, out)
  await announce(report, out, flags, io)
  return report.summary.code
}

/** Checks a tracker. No trouble with one tracker ends the checks of the others. */
async function runOne(listed: Listed, flags: FlagValues, io: Io): Promise<Ran> {
  const { profile, trouble, flags: own, ...entry } = listed
  let report: Report | null = null
  const ended = (code: number, because: string | null): Ran => ({ ...entry, code, because, report })
  await removeReports(flags)
  if (profile === null || trouble !== null) return ended(exitCodes.usage, trouble)
  if (io.signal.aborted) return ended(exitCodes.cancelled, 'not run: the run was cancelled')
  const err = (text: string) => io.err(`${listed.name}: ${text}`)
  const alone: Io = { ...io, out: () => undefined, err, env: {} }
  try {
    const onReport = (found: Report) => {
      report = found
    }
    const asked = { ...askedOf({ ...flags, ...own }, alone.env), onReport }
    return ended(await checkTarget({ profile }, asked, alone), null)
  } catch (error) {
    const { message } = error as Error
    if (error instanceof UsageError) return ended(exitCodes.usage, message)
    const isKnown = error instanceof UnreachableError
    return ended(exitCodes.unreachable, isKnown ? message : `the check itself broke: ${message}`)
  }
}
