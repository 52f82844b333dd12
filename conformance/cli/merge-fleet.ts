/** Merges the reports of a fleet's shards, with the folders of all trackers beside the result. */
import { cp } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { troubleOf, UsageError } from '../contract/trouble.js'
import { type FleetReport, fleetReport } from '../report/fleet.js'
import { writeFleet } from '../report/fleet-text.js'
import { type Part, wholeRun } from '../report/merge.js'

/** Throws a `UsageError` unless the parts are all shards of one list that contain each of its trackers once. */
export function mergeFleets(parts: readonly Part<FleetReport>[]): FleetReport {
  const { reports, ...span } = wholeRun(parts, (report) => ({
    ...{ list: report.list, ...report.settings, seedGiven: report.seedGiven },
  }))
  const [first] = reports as [FleetReport]
  const targets = reports.flatMap((report) => report.targets)
  const positions = new Set(targets.map(({ position }) => position))
  for (let position = 1; position <= first.list.targets; position++)
    if (!positions.has(position))
      throw new UsageError(`no shard has tracker ${position} of ${first.list.targets}`)
  if (targets.length > positions.size) throw new UsageError('two shards have the same tracker')
  const deviations = reports.flatMap((report) => report.deviations)
  return fleetReport({ ...first, ...span, targets, deviations })
}

/** Writes the merged report, and copies the trackers' folders to it. */
export async function writeMerged(
  merged: FleetReport,
  parts: readonly Part<FleetReport>[],
  out: string,
): Promise<void> {
  for (const { source, report } of parts)
    for (const { name } of report.targets.filter(({ verdict }) => verdict !== 'unusable')) {
      const folder = join(dirname(source), name)
      await cp(folder, join(out, name), { recursive: true }).catch((error: unknown) => {
        throw new UsageError(`the folder ${folder} cannot be copied: ${troubleOf(error)}`)
      })
    }
  await writeFleet(merged, out)
}
