/** Ends a run: writes its files, prints its verdict, returns the exit code. Also the flags that decide what fails. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { OfflineProfile } from '../client/profile.js'
import { UnreachableError, UsageError } from '../contract/trouble.js'
import type { Exchange } from '../oracle/exchange.js'
import { type Baseline, baselineOf, NO_REASON } from '../report/baseline.js'
import { operationsFor } from '../report/checked.js'
import { checkIds } from '../report/judged.js'
import { leftOn } from '../report/leftovers.js'
import type { AskedGate } from '../report/merge.js'
import type { Report } from '../report/report.js'
import { type Gate, judgedBy } from '../report/verdict.js'
import { counted } from '../report/words.js'
import { checkWritable, makeDirectory, schemaFor, writeJson } from './files.js'
import { addStepSummary, announce, readBaseline, writeReports, writeTrace } from './report-files.js'
import { exitCodes, type Flags, type FlagValues, type Io } from './usage.js'

/** The flags of every command that judges. */
export const judgingFlags = {
  only: ['ID[,ID]', 'judge only these requirements or operations; it saves hardly any request'],
  'fail-on': ['LEVEL', 'must (default) or should: the level from which a failed requirement counts'],
  baseline: ['FILE', 'file of known deviations, which do not count'],
  'write-baseline': ['FILE', 'write the deviations to FILE, as known ones'],
  strict: ['', 'let requirements that are not judged fail too'],
  quiet: ['', 'print no progress, only the verdict'],
  json: ['', 'print the report as JSON instead of text'],
  out: [
    'DIR',
    'write report.json, report.html, junit.xml, report.sarif, summary.md and trace.har there, without secrets',
  ],
} as const satisfies Flags

/** What the flags of a command that judges ask of its report, for runs and recordings. */
export interface Asked {
  readonly flags: FlagValues
  readonly gate: Gate
  /** The baseline whose reasons a new one keeps. */
  readonly former: Baseline | null
  /** Ids of requirements or operations; empty for all. */
  readonly only: readonly string[]
  /** The folder of the report. */
  readonly out: string | null
  readonly onReport?: (report: Report) => void
}

/** Throws a `UsageError` if a flag is wrong. */
export function reportAsked(flags: FlagValues): Asked {
  const baseline = flags.baseline === undefined ? null : readBaseline(flags.baseline)
  const file = flags['write-baseline'] ?? ''
  return {
    ...{ flags, gate: { ...gateOf(flags), baseline } },
    former: existsSync(file) ? readBaseline(file, '--write-baseline') : baseline,
    only: onlyOf(flags.only),
    out: flags.out === undefined ? null : resolve(flags.out),
  }
}

/** An error at the end would lose the results, so the places of the results are tried at the start. */
export async function preparePlaces({ flags, out }: Asked): Promise<void> {
  const { 'write-baseline': file } = flags
  if (file !== undefined) await checkWritable('write-baseline', file)
  if (out !== null) await makeDirectory(out)
}

interface Ending {
  readonly report: Report
  readonly trace: readonly Exchange[]
  readonly profile: OfflineProfile
  /** Why there was nothing to judge. */
  readonly trouble?: string | null
  readonly advice?: readonly string[]
}

/** Writes the files, prints the verdict, returns the exit code. Throws an `UnreachableError` if nothing could be judged. */
export async function endRun(ending: Ending, asked: Asked, io: Io): Promise<number> {
  const { report: found, trace, profile, trouble = null, advice = [] } = ending
  const { flags, out, onReport } = asked
  const { report, note } = await withDeviations(found, asked, io)
  onReport?.(report)
  if (out !== null) {
    await writeReports(report, out)
    await writeTrace(join(out, 'trace.har'), trace, profile)
  }
  if (trouble !== null) {
    await addStepSummary(report, io)
    throw new UnreachableError(trouble)
  }
  await announce(report, out, flags, io, advice)
  // With --json, standard output has only the report.
  if (flags.json === undefined) io.out(note)
  else io.err(note)
  return io.signal.aborted ? exitCodes.cancelled : exitCodeOf(report, flags)
}

function onlyOf(text: string | undefined): string[] {
  const ids = (text ?? '').split(',').flatMap((id) => id.trim() || [])
  if (text !== undefined && ids.length === 0) throw new UsageError('--only needs an id')
  checkIds(ids, '--only')
  return ids
}

/** Throws a `UsageError` on an id that is only about operations that the tracker lacks. */
export function checkOnly(only: readonly string[], { notImplemented = [] }: OfflineProfile): void {
  const missing = only.find((id) => operationsFor([id]).every((one) => notImplemented.includes(one)))
  if (missing !== undefined)
    throw new UsageError(`--only ${missing}: the profile says that the tracker lacks it (notImplemented)`)
}

function gateOf(flags: FlagValues): Pick<Gate, 'failOn' | 'strict'> {
  const failOn = flags['fail-on'] ?? 'must'
  if (failOn !== 'must' && failOn !== 'should')
    throw new UsageError(`--fail-on takes must or should, not "${failOn}"`)
  return { failOn, strict: flags.strict !== undefined }
}

/** The flags of `merge` that decide what fails; a field that is absent keeps the value of the shards. */
export function askedGate(flags: FlagValues): AskedGate {
  const { failOn, strict } = gateOf(flags)
  return { ...(flags['fail-on'] && { failOn }), ...(strict && { strict }) }
}

export function exitCodeOf(report: Report, flags: FlagValues = {}): number {
  const { summary, trouble, profile } = report
  if (summary.verdict === 'conforms') return codeWith(flags, leftOn(report))
  if (summary.verdict === 'deviates') return exitCodes.deviates
  // Mistakes of the profile alone kept the run from judging.
  const isMistaken = summary.judged === 0 && trouble === null && profile.length > 0
  return isMistaken ? exitCodes.usage : exitCodes.unreachable
}

/** The exit code of a success: `--fail-on-leftovers` makes leftovers a failure. */
export const codeWith = (flags: FlagValues, left: readonly string[] = []): number =>
  flags['fail-on-leftovers'] !== undefined && left.length > 0 ? exitCodes.deviates : exitCodes.ok

/**
 * Writes the baseline that the flags ask for, and judges the report by it, with a note for the reader. A run that did
 * not finish or judged nothing gives no baseline.
 */
async function withDeviations(report: Report, { flags, former }: Asked, { err, signal }: Io) {
  const file = flags['write-baseline']
  if (file === undefined) return { report, note: '' }
  const isWhole = report.trouble === null && !signal.aborted
  if (!isWhole || report.summary.verdict === 'inconclusive') {
    err(`${file} is not written, because ${isWhole ? 'nothing could be judged' : 'the run did not finish'}\n`)
    return { report, note: '' }
  }
  const baseline = { $schema: schemaFor('baseline', file), ...baselineOf(report, former) }
  await writeJson('write-baseline', file, baseline)
  const count = baseline.deviations.length
  const bare = baseline.deviations.filter(({ reason }) => reason === NO_REASON).length
  const which = bare < count ? `${bare} of them` : count === 1 ? 'it' : 'each'
  const advice = bare === 0 ? '' : `; give ${which} a reason`
  const note = `${counted(count, 'deviation')} written to ${file}${advice}\n`
  return { report: judgedBy(baseline, report, report.summary.requests), note }
}
