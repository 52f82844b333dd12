/** From a report's verdict to the exit code, and the flags that draw the line. */

import { UsageError } from '../contract/trouble.js'
import { writeBaseline } from '../report/baseline.js'
import { leftOn } from '../report/leftovers.js'
import type { AskedGate } from '../report/merge.js'
import type { Report } from '../report/report.js'
import type { Gate } from '../report/verdict.js'
import { exitCodes, type FlagValues, type Io } from './usage.js'

export function gateOf(command: string, flags: FlagValues): Pick<Gate, 'failOn' | 'strict'> {
  const failOn = flags['fail-on'] ?? 'must'
  if (failOn !== 'must' && failOn !== 'should')
    throw new UsageError(`${command}: --fail-on takes must or should, not "${failOn}"`)
  return { failOn, strict: flags.strict !== undefined }
}

/** What `merge` was asked for; what is left out is as it was for the shards. */
export function askedGate(command: string, flags: FlagValues): AskedGate {
  const { failOn } = gateOf(command, flags)
  return {
    ...(flags['fail-on'] === undefined ? {} : { failOn }),
    ...(flags.strict === undefined ? {} : { strict: true }),
  }
}

export function exitCodeOf(report: Report, flags: FlagValues = {}): number {
  const code = verdictCode(report)
  const isLeft = flags['fail-on-leftovers'] !== undefined && leftOn(report).length > 0
  return isLeft && code === exitCodes.ok ? exitCodes.deviates : code
}

function verdictCode({ summary: { verdict, judged }, trouble, profile }: Report): number {
  // What the run was to judge it could not for the profile alone.
  if (verdict === 'inconclusive' && judged === 0 && trouble === null && profile.length > 0)
    return exitCodes.usage
  if (verdict === 'conforms') return exitCodes.ok
  return verdict === 'deviates' ? exitCodes.deviates : exitCodes.unreachable
}

/** What deviates is what was asked for, so it is a success; a run that judged little would be a poor baseline. */
export function keepDeviations(
  file: string,
  report: Report,
  code: number,
  flags: FlagValues,
  io: Io,
): number {
  // The report on standard output is for a program.
  const tell = flags.json === undefined ? io.out : io.err
  if (code === exitCodes.unreachable || code === exitCodes.cancelled) {
    io.err(`${file} is not written, since the run did not come to its end\n`)
    return code
  }
  const count = writeBaseline(file, report)
  const advice = count === 0 ? '' : `; give ${count === 1 ? 'it' : 'each'} a reason`
  tell(`${count} deviation${count === 1 ? '' : 's'} written to ${file}${advice}\n`)
  return exitCodes.ok
}
