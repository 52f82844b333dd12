/** Ends a run: writes its files, prints its verdict, returns the exit code. Also the flags that decide what fails. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { OfflineProfile } from '../client/profile.js'
import { UnreachableError, UsageError } from '../contract/trouble.js'
import type { Exchange } from '../oracle/exchange.js'
import type { Baseline } from '../report/baseline.js'
import { operationsFor } from '../report/checked.js'
import { checkIds } from '../report/judged.js'
import { leftOn } from '../report/leftovers.js'
import type { AskedGate } from '../report/merge.js'
import type { Report } from '../report/report.js'
import type { Gate } from '../report/verdict.js'
import { counted } from '../report/words.js'
import { addStepSummary, announce } from './announce.js'
import { readBaseline, writeBaseline, writeReports, writeTrace } from './report-files.js'
import { exitCodes, type Flags, type FlagValues, type Io } from './usage.js'

/** The flags of every command that judges. */
export const judgingFlags = {
  only: ['ID[,ID]', 'judge only these requirements or operations; a run still sends most of its requests'],
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

interface Ending {
  readonly report: Report
  readonly trace: readonly Exchange[]
  readonly profile: OfflineProfile
  /** Why there was nothing to judge. */
  readonly trouble?: string | null
  readonly advice?: readonly string[]
}

/** Writes the files, prints the verdict, returns the exit code. Throws an `UnreachableError` if nothing could be judged. */
export async function endRun(
  { report, trace, profile, trouble = null, advice = [] }: Ending,
  asked: Asked,
  io: Io,
): Promise<number> {
  const { flags, out, onReport } = asked
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
  const file = flags['write-baseline']
  const code = io.signal.aborted ? exitCodes.cancelled : exitCodeOf(report, flags)
  return file === undefined ? code : keepDeviations(file, report, code, asked, io)
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

/** Writes the baseline. Deviations are wanted here, so the run succeeds; an unfinished run gives no baseline. */
async function keepDeviations(file: string, report: Report, code: number, { flags, former }: Asked, io: Io) {
  if (code === exitCodes.unreachable || code === exitCodes.cancelled) {
    io.err(`${file} is not written, because the run did not finish\n`)
    return code
  }
  const count = await writeBaseline(file, report, former)
  const advice = count === 0 ? '' : `; give ${count === 1 ? 'it' : 'each'} a reason`
  // With --json, standard output has only the report.
  const tell = flags.json === undefined ? io.out : io.err
  tell(`${counted(count, 'deviation')} written to ${file}${advice}\n`)
  return exitCodes.ok
}
