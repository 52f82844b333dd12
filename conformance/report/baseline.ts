/** Known deviations: a file that lets a run pass as long as nothing else deviates, and nothing of it is out of date. */

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { operationIds } from '../contract/index.js'
import { troubleOf, UsageError } from '../contract/trouble.js'
import { requirements as catalogue } from '../requirements/index.js'
import type { Report, ReportFailure, ReportRequirement } from './report.js'

const entrySchema = z.strictObject({
  requirement: z.string(),
  operation: z.enum(operationIds),
  fingerprint: z.string(),
  /** What the fingerprint stands for, as it was seen. For the reader alone. */
  message: z.string().optional(),
  reason: z.string().min(1),
  /** The last day on which it is known; the day after, it fails. */
  expires: z.iso.date().optional(),
})

const baselineSchema = z.strictObject({
  schema: z.literal('tracker-kit/baseline@1'),
  /** Of the run that it was written from, so that later runs send the same generated cases. */
  seed: z
    .int()
    .min(-(2 ** 31))
    .max(2 ** 31 - 1)
    .optional(),
  runs: z.int().min(1).max(1_000_000).optional(),
  deviations: z.array(entrySchema),
})

export type Baseline = z.infer<typeof baselineSchema>
type Entry = z.infer<typeof entrySchema>

/** Throws a `UsageError` that names the file and the field. */
export function readBaseline(file: string): Baseline {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`check: --baseline ${file} cannot be read: ${troubleOf(error)}`)
  }
  const result = baselineSchema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new UsageError(`check: --baseline ${file}: field "${issue?.path.join('.')}": ${issue?.message}`)
}

/** What stays the same when the same deviation is seen in another run: made-up names and counts do not. */
export function fingerprint({ message }: Pick<ReportFailure, 'message'>): string {
  const stable = message
    .replace(/ \(once; .*\)$/, '')
    .replace(/tk[0-9a-z]{5}\w*/g, 'NAME')
    .replace(/\b(?!(?:[1-5]\d\d)\b)\d+\b/g, 'N')
  return createHash('sha256').update(stable).digest('hex').slice(0, 12)
}

const keyOf = (requirement: string, operation: string, print: string) =>
  `${requirement} ${operation} ${print}`

/** Why the baseline accepts a failure on this day; null where it does not, or no more. */
export function acceptedFor(
  baseline: Baseline,
  failure: Pick<ReportFailure, 'requirement' | 'operation' | 'message'>,
  today: string,
): string | null {
  const key = keyOf(failure.requirement, failure.operation, fingerprint(failure))
  const entry = baseline.deviations.find(
    (one) => keyOf(one.requirement, one.operation, one.fingerprint) === key && !isExpired(one, today),
  )
  return entry?.reason ?? null
}

const isExpired = ({ expires }: Entry, today: string) => expires !== undefined && expires < today

/** Which generated cases a run sent. */
export type Cases = Readonly<Record<'seed' | 'runs', number>>

export interface Absent {
  /** In words, each entry that is out of date: unknown, expired, or passing now. */
  readonly outdated: readonly string[]
  /** In words, each entry that this run's generated cases could not be expected to show again. */
  readonly unstruck: readonly string[]
}

/** What of the baseline this run did not see, though it judged it. */
export function absentFrom(
  baseline: Baseline,
  { requirements, failures, seed, runs }: Pick<Report, 'requirements' | 'failures'> & Cases,
  today: string,
): Absent {
  const seen = new Set(failures.map((one) => keyOf(one.requirement, one.operation, fingerprint(one))))
  const sameCases = baseline.seed === seed && baseline.runs === runs
  const outdated: string[] = []
  const unstruck: string[] = []
  for (const entry of baseline.deviations) {
    const name = `${entry.requirement} (${entry.operation})`
    if (!catalogue.some(({ id }) => id === entry.requirement)) outdated.push(`${name} does not exist`)
    else if (isExpired(entry, today)) outdated.push(`${name} has expired on ${entry.expires}`)
    else if (!isJudged(entry, requirements)) continue
    else if (seen.has(keyOf(entry.requirement, entry.operation, entry.fingerprint))) continue
    else if (sameCases || !isGenerated(entry)) outdated.push(`${name} does not deviate so any more`)
    else unstruck.push(`${name} did not strike with this run's generated cases (--seed, --runs)`)
  }
  return { outdated, unstruck }
}

/** What a run did not judge, it cannot find to pass. */
function isJudged({ requirement, operation }: Entry, requirements: readonly ReportRequirement[]): boolean {
  const checks = requirements.find(({ id }) => id === requirement)?.checks ?? []
  const own = checks.filter((check) => check.operation === operation)
  return (own.length > 0 ? own : checks).some(({ outcome }) => outcome !== 'skipped')
}

/** Found by generated cases, or judged from all answers, those to generated cases among them. */
const isGenerated = ({ requirement }: Entry) =>
  requirement.startsWith('property.') || catalogue.find(({ id }) => id === requirement)?.phase === 'end'

/** A first baseline of all that deviates; the number of its entries. Throws a `UsageError` when the file cannot be written. */
export function writeBaseline(
  file: string,
  { failures, seed, runs }: Pick<Report, 'failures'> & Cases,
): number {
  const entries = new Map<string, Entry>()
  for (const failure of failures) {
    const { requirement, operation, message } = failure
    const print = fingerprint(failure)
    entries.set(keyOf(requirement, operation, print), {
      requirement,
      operation,
      fingerprint: print,
      message,
      reason: 'Known when the baseline was written; say why it is accepted, and until when.',
    })
  }
  const deviations = [...entries.values()]
  const baseline: Baseline = { schema: 'tracker-kit/baseline@1', seed, runs, deviations }
  try {
    writeFileSync(file, `${JSON.stringify(baseline, null, 2)}\n`)
  } catch (error) {
    throw new UsageError(`check: --write-baseline ${file} cannot be written: ${troubleOf(error)}`)
  }
  return deviations.length
}
