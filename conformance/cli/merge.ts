/** `tracker-kit merge`: merges the shards' reports, of one tracker or of many. */
import { cp } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { readJson } from '../client/files.js'
import { troubleOf, UsageError } from '../contract/trouble.js'
import { type FleetReport, fleetReport, fleetSchema } from '../report/fleet.js'
import { mergeReports, type Part, wholeRun } from '../report/merge.js'
import { type Report, reportSchema } from '../report/report.js'
import { makeDirectory } from './files.js'
import { announce, writeReports } from './report-files.js'
import type { Command } from './usage.js'
import { askedGate, exitCodeOf } from './verdict.js'

export const merge: Command = {
  about: `Makes one report of the shards' reports.
Each DIR before --out is the --out of a shard: check --shard 1/2 --run-id 7 --out shard-1`,
  flags: {
    out: [
      'DIR',
      'folder for the one report of all shards: report.json, report.html, junit.xml, report.sarif and summary.md; for a fleet without the SARIF and JUnit files, and with the folder of each tracker',
    ],
    'fail-on': ['LEVEL', "the level from which a failed requirement counts; default the shards'"],
    strict: ['', "let skipped requirements fail too; default the shards'"],
  },
  takes: 'DIR... --out DIR',
  examples: ['merge shard-1 shard-2 --out report', 'merge shard-* --out report --strict'],
  async run({ flags, positionals }, io) {
    if (flags.out === undefined) throw new UsageError('needs --out DIR')
    const out = resolve(flags.out)
    const parts = positionals.map(readPart)
    const runs = parts.filter((part) => part.report.schema === 'tracker-kit/report@1') as Part<Report>[]
    const fleets = parts.filter((part) => part.report.schema === 'tracker-kit/fleet@1') as Part<FleetReport>[]
    const gate = askedGate(flags)
    if (fleets.length > 0 && runs.length > 0)
      throw new UsageError(`${runs[0]?.source} is about one tracker, ${fleets[0]?.source} about many`)
    if (fleets.length > 0 && (flags['fail-on'] !== undefined || flags.strict !== undefined))
      throw new UsageError('--fail-on and --strict were for the runs of the shards; leave them out')
    const report = fleets.length > 0 ? mergeFleets(fleets) : mergeReports(runs, gate)
    // Without a run id, only the settings tell shards of different runs apart, so the user has to know.
    if (report.runId === null)
      io.err('The shards do not say that they are of one run; give check the same --run-id for all of them\n')
    await makeDirectory(out)
    await copyFolders(fleets, out)
    await writeReports(report, out)
    await announce(report, out, {}, io)
    return report.schema === 'tracker-kit/fleet@1' ? report.summary.code : exitCodeOf(report)
  },
}

function readPart(directory: string): Part<Report | FleetReport> {
  const source = join(directory, 'report.json')
  const value = readJson(source, source)
  const result = z.discriminatedUnion('schema', [reportSchema, fleetSchema]).safeParse(value)
  if (result.success) return { source, report: result.data }
  const [issue] = result.error.issues
  throw new UsageError(`${source} is no report: ${issue?.path.join('.')}: ${issue?.message}`)
}

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
  return fleetReport({ ...first, ...span, targets, deviations: reports.flatMap((one) => one.deviations) })
}

/** Copies the trackers' folders to that of the merged report. */
async function copyFolders(parts: readonly Part<FleetReport>[], out: string): Promise<void> {
  for (const { source, report } of parts)
    for (const { name } of report.targets.filter(({ verdict }) => verdict !== 'unusable')) {
      const folder = join(dirname(source), name)
      await cp(folder, join(out, name), { recursive: true }).catch((error: unknown) => {
        throw new UsageError(`the folder ${folder} cannot be copied: ${troubleOf(error)}`)
      })
    }
}
