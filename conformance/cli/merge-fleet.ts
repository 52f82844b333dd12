/** One report from those of a fleet's shards, with the folders of all trackers beside it. */
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { troubleOf, UsageError } from '../contract/trouble.js'
import { type FleetReport, fleetReport } from '../report/fleet.js'
import { writeFleet } from '../report/fleet-text.js'
import { tellFleet } from './fleet.js'
import type { Io } from './usage.js'

export interface FleetPart {
  readonly directory: string
  readonly report: FleetReport
}

/** Throws a `UsageError` unless the parts are all shards of one list, with each tracker of it once. */
export function mergeFleets(parts: readonly FleetPart[]): FleetReport {
  const [first] = parts
  const shard = first?.report.shard
  if (!first) throw new UsageError('merge: needs the directories of the shards')
  if (!shard) throw new UsageError(`merge: ${first.directory} is the report of a whole list, not of a shard`)
  const seen = new Map<number, string>()
  for (const { directory, report } of parts) {
    checkSame(first, { directory, report })
    const { index } = report.shard ?? { index: 0 }
    const other = seen.get(index)
    if (other !== undefined)
      throw new UsageError(`merge: ${other} and ${directory} are both shard ${index}/${shard.count}`)
    seen.set(index, directory)
  }
  for (let index = 1; index <= shard.count; index++)
    if (!seen.has(index)) throw new UsageError(`merge: shard ${index}/${shard.count} is missing`)
  const reports = parts.map(({ report }) => report)
  const targets = reports.flatMap((report) => report.targets)
  const positions = new Set(targets.map(({ position }) => position))
  for (let position = 1; position <= first.report.list.targets; position++)
    if (!positions.has(position))
      throw new UsageError(`merge: no shard has tracker ${position} of ${first.report.list.targets}`)
  if (targets.length > positions.size) throw new UsageError('merge: two shards have the same tracker')
  return fleetReport({
    version: first.report.version,
    startedAt: reports.map(({ startedAt }) => startedAt).sort()[0] ?? first.report.startedAt,
    durationMs: Math.max(...reports.map(({ durationMs }) => durationMs)),
    seed: first.report.seed,
    shard: null,
    list: first.report.list,
    targets,
    deviations: reports.flatMap(({ deviations }) => deviations),
  })
}

function checkSame(first: FleetPart, part: FleetPart): void {
  const facts = ({ report: { version, list, shard } }: FleetPart) => ({
    'suite version': version,
    'list of trackers': `${list.targets} trackers, ${list.digest}`,
    'number of shards': String(shard?.count ?? 'none'),
  })
  const one = facts(first)
  for (const [name, value] of Object.entries(facts(part))) {
    const expected = one[name as keyof typeof one]
    if (value !== expected)
      throw new UsageError(
        `merge: ${part.directory} has another ${name} than ${first.directory}: ${value} instead of ${expected}`,
      )
  }
}

/** Writes the report and copies the trackers' folders to it; the exit code. */
export async function mergeFleet(parts: readonly FleetPart[], out: string, io: Io): Promise<number> {
  const report = mergeFleets(parts)
  for (const { directory, report: part } of parts)
    for (const { name, verdict } of part.targets) {
      const asked = verdict !== 'unusable'
      try {
        if (asked) await cp(join(directory, name), join(out, name), { recursive: true })
      } catch (error) {
        throw new UsageError(
          `merge: the folder ${join(directory, name)} cannot be copied: ${troubleOf(error)}`,
        )
      }
    }
  await writeFleet(report, out)
  await tellFleet(report, out, io)
  return report.summary.code
}
