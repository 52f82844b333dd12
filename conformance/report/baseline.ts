/** Known deviations: a run passes with this file if nothing else deviates and no entry is out of date. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { operationIds, safetyLevels } from '../contract/index.js'
import { rules } from '../oracle/judge.js'
import { type BaselineEntry, entryStates, type Report, type ReportFailure } from './report.js'

const entrySchema = z.strictObject({
  requirement: z.string().describe('Id of the requirement that fails'),
  operation: z.enum(operationIds).describe('The operation that deviates'),
  fingerprint: z.string().describe('Identifies the deviation, without made-up names and counts'),
  message: z.string().optional().describe('What was seen; only for readers'),
  reason: z.string().min(1).describe('Why it is accepted'),
  expires: z.iso.date().optional().describe('The last day on which it is accepted; the day after, it fails'),
})

export const baselineSchema = z.strictObject({
  $schema: z.string().optional(),
  schema: z.literal('tracker-kit/baseline@1'),
  seed: z
    .int32()
    .optional()
    .describe('The seed of the run that wrote it, so that later runs send the same generated cases'),
  runs: z.int().min(1).max(1_000_000).optional().describe('The number of generated cases in that run'),
  safety: z.enum(safetyLevels).optional().describe('The safety level of that run; a lower one sees less'),
  deviations: z.array(entrySchema).describe('The known deviations'),
})

export type Baseline = z.infer<typeof baselineSchema>
type Entry = z.infer<typeof entrySchema>

/** What identifies a deviation in each run: its place, and what was seen without names, values and counts. */
export const fingerprint = ({ seen = '', place = '' }: Pick<ReportFailure, 'seen' | 'place'>): string =>
  digestOf(`${place.replace(/\b\d+\b/g, 'N')} ${withoutValues(seen)}`.replace(/tk[0-9a-z]{5}\w*/g, 'NAME'))

/** What was seen; of an answer with a wrong status, the status; otherwise without the texts and numbers in it. */
export const withoutValues = (seen: string): string =>
  /^answered \d+/.exec(seen)?.[0] ?? seen.replace(/"(?:[^"\\]|\\.)*"/g, 'TEXT').replace(/\b\d+\b/g, 'N')

export const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12)

type Failed = Pick<ReportFailure, 'requirement' | 'operation' | 'seen' | 'place'>

/** The same text for a failure and for the entry that knows it. */
export const deviationOf = (one: Entry | BaselineEntry | Failed): string =>
  `${one.requirement} ${one.operation} ${'fingerprint' in one ? one.fingerprint : fingerprint(one)}`

/** Why the baseline accepts a failure on this day; null if it does not, or no longer does. */
export function acceptedFor(baseline: Baseline, failure: Failed, today: string): string | null {
  const key = deviationOf(failure)
  return baseline.deviations.find((one) => deviationOf(one) === key && !isExpired(one, today))?.reason ?? null
}

const isExpired = ({ expires }: Entry, today: string) => expires !== undefined && expires < today

type Found = Pick<Report, 'requirements' | 'failures' | 'seed' | 'runs' | 'safety' | 'recording'>

export function entriesOf(
  baseline: Baseline,
  { requirements, failures, seed, runs, safety, recording }: Found,
  today: string,
): BaselineEntry[] {
  const seen = new Set(failures.map(deviationOf))
  // Without judging an entry, a run cannot find that its deviation is gone.
  const checksOf = (entry: Entry) => requirements.find(({ id }) => id === entry.requirement)?.checks ?? []
  const isJudged = (entry: Entry) =>
    checksOf(entry).some(({ operation, outcome }) => operation === entry.operation && outcome !== 'skipped')
  const { safety: level = safety } = baseline
  const sameCases = baseline.seed === seed && baseline.runs === runs && level === safety
  return baseline.deviations.map((entry) => {
    const { requirement, operation, fingerprint: print } = entry
    const is = (state: BaselineEntry['state'], text: string) => ({
      ...{ requirement, operation, fingerprint: print, state },
      text: `${requirement} (${operation}) ${text}`,
    })
    if (!rules.has(requirement)) return is('void', 'does not exist')
    if (isExpired(entry, today)) return is('expired', `has expired on ${entry.expires}`)
    if (!isJudged(entry)) return is('unjudged', 'was not judged')
    if (seen.has(deviationOf(entry))) return is('struck', 'deviates as known')
    if (recording !== null) return is('unstruck', 'does not occur in the recording')
    if (sameCases) return is('gone', 'no longer deviates in this way')
    return is('unstruck', 'did not occur with the requests of this run (--seed, --runs, --safety)')
  })
}

/** Why a baseline is out of date, and the cure; null if it is not. Another shard may see what this one does not. */
export function staleOf(entries: readonly BaselineEntry[], isShard: boolean): string | null {
  const states: readonly string[] = ['void', 'expired', ...(isShard ? [] : ['gone'])]
  const stale = entries.filter(({ state }) => states.includes(state))
  if (stale.length === 0) return null
  const isOld = ({ state }: BaselineEntry) => state === 'expired'
  const told = [
    `the baseline is out of date: ${stale[0]?.text}${stale.length > 1 ? ` and ${stale.length - 1} more` : ''}`,
    stale.some(isOld) && 'change or remove the `expires` of an expired entry',
    !stale.every(isOld) && 'delete such an entry, or write the file again with --write-baseline',
  ]
  return told.filter((one) => one !== false).join('; ')
}

/** The state of each entry after all shards of a run, which had the same baseline: the first in the list of states. */
export function mergeEntries(shards: readonly (readonly BaselineEntry[])[]): BaselineEntry[] {
  const rank = ({ state }: BaselineEntry) => entryStates.indexOf(state)
  const [first = []] = shards
  return first.map((entry, index) =>
    shards.flatMap((entries) => entries[index] ?? []).reduce((a, b) => (rank(b) < rank(a) ? b : a), entry),
  )
}

/** A baseline of all deviations. Entries of `former` keep their reasons and dates. */
export function baselineOf(
  { failures, seed, runs, safety, recording }: Omit<Found, 'requirements'>,
  former: Baseline | null,
): Baseline {
  const before = new Map(former?.deviations.map((one) => [deviationOf(one), one]))
  const entries = failures.map(({ requirement, operation, message, ...one }): [string, Entry] => {
    const entry = { requirement, operation, fingerprint: fingerprint(one), message, reason: NO_REASON }
    const key = deviationOf(entry)
    const { reason = NO_REASON, expires } = before.get(key) ?? {}
    return [key, { ...entry, reason, ...(expires === undefined ? {} : { expires }) }]
  })
  return {
    schema: 'tracker-kit/baseline@1',
    ...(recording === null ? { seed, runs, safety } : {}),
    deviations: [...new Map(entries).values()],
  }
}

export const NO_REASON = 'Known when the baseline was written; say why it is accepted, and until when.'
