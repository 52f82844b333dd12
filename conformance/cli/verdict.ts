/** From a report's verdict to the exit code, and the flags that draw the line. */

import { UsageError } from '../contract/trouble.js'
import type { AskedGate } from '../report/merge.js'
import type { Report } from '../report/report.js'
import type { Gate } from '../report/verdict.js'
import { exitCodes, type FlagValues } from './usage.js'

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

export function exitCodeOf({ summary: { verdict, judged }, trouble, profile }: Report): number {
  // What the run was to judge it could not for the profile alone.
  if (verdict === 'inconclusive' && judged === 0 && trouble === null && profile.length > 0)
    return exitCodes.usage
  if (verdict === 'conforms') return exitCodes.ok
  return verdict === 'deviates' ? exitCodes.deviates : exitCodes.unreachable
}
