/** Merges the reports of a fleet's shards, with the folders of all trackers beside the result. */
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { troubleOf, UsageError } from '../contract/trouble.js'
import { type FleetReport, fleetReport } from '../report/fleet.js'
import { writeFleet } from '../report/fleet-text.js'
import { checkSameRun, type Facts } from '../report/same-run.js'
import { tellFleet } from './fleet.js'
import type { Io } from './usage.js'

export interface FleetPart {
  readonly directory: string
  readonly report: FleetReport
}

/** Throws a `UsageError` unless the parts are all shards of one list that contain each of its trackers once. */
export function mergeFleets(parts: readonly FleetPart[]): FleetReport {
  const [first] = parts
  const shard = first?.report.shard
  if (!first) throw new UsageError('needs the directories of the shards')
  if (!shard) throw new UsageError(`${first.directory} is the report of a whole list, not of a shard`)
  checkSameRun(
    parts.map(({ directory, report }) => ({ ...report, source: directory, facts: factsOf(report) })),
  )
  const reports = parts.map(({ report }) => report)
  const targets = reports.flatMap((report) => report.targets)
  const positions = new Set(targets.map(({ position }) => position))
  for (let position = 1; position <= first.report.list.targets; position++)
    if (!positions.has(position))
      throw new UsageError(`no shard has tracker ${position} of ${first.report.list.targets}`)
  if (targets.length > positions.size) throw new UsageError('two shards have the same tracker')
  const { version, startedAt, runId, settings, seed, seedGiven, list } = first.report
  return fleetReport(
    {
      ...{ version, runId, settings, seed, seedGiven, list, targets },
      startedAt: reports.map((report) => report.startedAt).sort()[0] ?? startedAt,
      durationMs: Math.max(...reports.map(({ durationMs }) => durationMs)),
      shard: null,
      deviations: reports.flatMap(({ deviations }) => deviations),
    },
    Math.max(...reports.map(({ summary }) => summary.code)),
  )
}

const factsOf = ({ runId, version, list, settings, shard }: FleetReport): Facts => ({
  'run id': runId ?? 'none',
  'suite version': version,
  'list of trackers': `${list.targets} trackers, ${list.digest}`,
  ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [`--${name}`, value || 'given'])),
  'number of shards': String(shard?.count ?? 'none'),
})

/** Writes the report, copies the trackers' folders to it, and returns the exit code. */
export async function mergeFleet(parts: readonly FleetPart[], out: string, io: Io): Promise<number> {
  const report = mergeFleets(parts)
  for (const { directory, report: part } of parts)
    for (const { name, verdict } of part.targets) {
      const asked = verdict !== 'unusable'
      try {
        if (asked) await cp(join(directory, name), join(out, name), { recursive: true })
      } catch (error) {
        throw new UsageError(`the folder ${join(directory, name)} cannot be copied: ${troubleOf(error)}`)
      }
    }
  await writeFleet(report, out)
  await tellFleet(report, out, io)
  return report.summary.code
}
