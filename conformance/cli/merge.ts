/** `tracker-kit merge`: merges the shards' reports, of one tracker or of many. */
import { join, resolve } from 'node:path'
import { readJson } from '../client/files.js'
import { UsageError } from '../contract/trouble.js'
import { fleetSchema } from '../report/fleet.js'
import { mergeReports, type Part } from '../report/merge.js'
import { type Report, reportSchema } from '../report/report.js'
import { writeReports } from '../report/write.js'
import { announce } from './announce.js'
import { makeDirectory } from './files.js'
import { type FleetPart, mergeFleet } from './merge-fleet.js'
import type { Command, Io } from './usage.js'
import { askedGate, exitCodeOf } from './verdict.js'

/** Without a run id, only the settings tell shards of different runs apart, so the user has to know. */
function tellOfRunId({ runId }: Pick<Report, 'runId'>, io: Io): void {
  if (runId === null)
    io.err('The shards do not say that they are of one run; give check the same --run-id for each of them\n')
}

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
  async run({ flags: given, positionals }, io) {
    if (positionals.length === 0) throw new UsageError('needs the directories of the shards')
    if (given.out === undefined) throw new UsageError('needs --out DIR')
    const out = resolve(given.out)
    const parts: Part[] = []
    const fleets: FleetPart[] = []
    for (const directory of positionals) {
      const part = readPart(directory)
      if ('directory' in part) fleets.push(part)
      else parts.push(part)
    }
    const gate = askedGate(given)
    if (fleets.length > 0) {
      if (parts.length > 0)
        throw new UsageError(`${parts[0]?.source} is about one tracker, ${fleets[0]?.directory} about many`)
      if (given['fail-on'] !== undefined || given.strict !== undefined)
        throw new UsageError('--fail-on and --strict were for the runs of the shards; leave them out')
      await makeDirectory(out)
      const code = await mergeFleet(fleets, out, io)
      if (fleets[0]) tellOfRunId(fleets[0].report, io)
      return code
    }
    const report = mergeReports(parts, gate)
    tellOfRunId(report, io)
    await makeDirectory(out)
    await writeReports(report, out)
    await announce(report, out, report.settings, io)
    return exitCodeOf(report)
  },
}

function readPart(directory: string): Part | FleetPart {
  const source = join(directory, 'report.json')
  const value = readJson(`${source}`, source)
  const fleet = fleetSchema.safeParse(value)
  if (fleet.success) return { directory, report: fleet.data }
  const result = reportSchema.safeParse(value)
  if (result.success) return { source, report: result.data }
  const [issue] = result.error.issues
  throw new UsageError(`${source} is no report: ${issue?.path.join('.')}: ${issue?.message}`)
}
