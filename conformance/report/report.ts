/** `report.json`: what a run found, as data. Everything else that a run prints is drawn from it. */
import { z } from 'zod'
import { operationIds, safetyLevels } from '../contract/index.js'

const outcome = z.enum(['passed', 'failed', 'skipped'])
const level = z.enum(['must', 'should'])
const operation = z.enum(operationIds)
const counts = z.object({ passed: z.int(), failed: z.int(), skipped: z.int() })
const headers = z.record(z.string(), z.string())

const check = z.object({ operation, outcome, reason: z.string().optional() })

const requirement = z.object({
  id: z.string(),
  level,
  section: z.string(),
  statement: z.string(),
  operations: z.array(operation),
  /** Failed when one of its checks failed, passed when one passed and none failed. */
  outcome,
  /** Why it, or some of its checks, were skipped. */
  reason: z.string().optional(),
  /** One for each operation, or one for all of them. */
  checks: z.array(check),
})

const failure = z.object({
  requirement: z.string(),
  level,
  operation,
  message: z.string(),
  request: z.object({ method: z.string(), url: z.string(), headers, body: z.unknown() }).nullable(),
  response: z.object({ status: z.int(), headers, body: z.unknown() }).nullable(),
  curl: z.string().nullable(),
  replay: z.string(),
  /** It stands in the baseline, and does not count. */
  known: z.boolean(),
  /** Why the baseline accepts it, where it does. */
  reason: z.string().optional(),
})

export const reportSchema = z.object({
  schema: z.literal('tracker-kit/report@1'),
  /** Version of the suite. */
  version: z.string(),
  target: z.object({ baseUrl: z.string(), ext: z.string() }),
  startedAt: z.iso.datetime(),
  durationMs: z.number(),
  seed: z.int(),
  runs: z.int(),
  safety: z.enum(safetyLevels),
  shard: z.object({ index: z.int(), count: z.int() }).nullable(),
  summary: z.object({
    verdict: z.enum(['conforms', 'deviates', 'inconclusive']),
    /** Why the verdict is not `conforms`, in one sentence; null when it is. */
    because: z.string().nullable(),
    must: counts,
    should: counts,
    /** Observations. */
    observed: z.int(),
    requests: z.int(),
  }),
  requirements: z.array(requirement),
  failures: z.array(failure),
  observations: z.array(z.object({ decision: z.string(), operation, value: z.string() })),
  /** Operation, status, number of answers. */
  statuses: z.partialRecord(operation, z.record(z.string(), z.int())),
  /** What the run made and could not remove, in words. */
  leftovers: z.array(z.string()),
})

export type Report = z.infer<typeof reportSchema>
export type ReportFailure = z.infer<typeof failure>
export type ReportRequirement = z.infer<typeof requirement>
