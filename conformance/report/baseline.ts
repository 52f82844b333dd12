/** Known deviations: a file that lets a run pass as long as nothing else deviates, and nothing of it is out of date. */

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { UsageError } from '../cli/usage.js'
import { operationIds } from '../contract/index.js'
import { troubleOf } from '../contract/trouble.js'
import { requirements as catalogue } from '../requirements/index.js'
import type { ReportFailure, ReportRequirement } from './report.js'

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

/** Whether a failure stands in the baseline, on this day or any before it expires. */
export function isKnown(
  baseline: Baseline,
  failure: Pick<ReportFailure, 'requirement' | 'operation' | 'message'>,
  today: string,
): boolean {
  const key = keyOf(failure.requirement, failure.operation, fingerprint(failure))
  return baseline.deviations.some(
    (entry) =>
      keyOf(entry.requirement, entry.operation, entry.fingerprint) === key && !isExpired(entry, today),
  )
}

const isExpired = ({ expires }: Entry, today: string) => expires !== undefined && expires < today

/** In words, each entry that is out of date: unknown, expired, or passing now. */
export function outdated(
  baseline: Baseline,
  requirements: readonly ReportRequirement[],
  failures: readonly ReportFailure[],
  today: string,
): string[] {
  const seen = new Set(failures.map((one) => keyOf(one.requirement, one.operation, fingerprint(one))))
  return baseline.deviations.flatMap((entry) => {
    const name = `${entry.requirement} (${entry.operation})`
    if (!catalogue.some(({ id }) => id === entry.requirement)) return [`${name} does not exist`]
    if (isExpired(entry, today)) return [`${name} has expired on ${entry.expires}`]
    const ran = requirements.find(({ id }) => id === entry.requirement)
    // What this run did not judge, it cannot find to pass.
    const judged = ran?.checks.some(({ outcome }) => outcome !== 'skipped') ?? false
    const present = seen.has(keyOf(entry.requirement, entry.operation, entry.fingerprint))
    return judged && !present ? [`${name} does not deviate so any more`] : []
  })
}

/** A first baseline of all that deviates. Throws a `UsageError` when the file cannot be written. */
export function writeBaseline(file: string, failures: readonly ReportFailure[]): void {
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
  const baseline: Baseline = { schema: 'tracker-kit/baseline@1', deviations: [...entries.values()] }
  try {
    writeFileSync(file, `${JSON.stringify(baseline, null, 2)}\n`)
  } catch (error) {
    throw new UsageError(`check: --write-baseline ${file} cannot be written: ${troubleOf(error)}`)
  }
}
