/** `report.json`: what a run found, as data. Everything else that a run prints is drawn from it. */
import { z } from 'zod'
import { operationIds, safetyLevels } from '../contract/index.js'

const outcome = z.enum(['passed', 'failed', 'skipped'])
const level = z.enum(['must', 'should'])
const operation = z.enum(operationIds)
const counts = z.object({ passed: z.int(), failed: z.int(), skipped: z.int() })
const headers = z.record(z.string(), z.string())

const check = z.object({
  operation,
  outcome,
  reason: z.string().optional(),
})

const baselineEntry = z.object({
  requirement: z.string(),
  operation,
  fingerprint: z.string(),
  /**
   * `struck`: the run saw it. `gone`: judged, and not seen. `void`: expired, or of a requirement that there is not.
   * `unstruck`: not seen with other generated cases than the baseline's. `unjudged`: the run says nothing of it.
   */
  state: z.enum(['struck', 'gone', 'void', 'unstruck', 'unjudged']),
  /** The state in words. */
  text: z.string(),
})

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

const request = z.object({ method: z.string(), url: z.string(), headers, body: z.unknown() })
const response = z.object({ status: z.int(), headers, body: z.unknown() })

const step = z.object({
  request,
  response,
  /** Its number in trace.har, and what it did, where it is a witness. */
  n: z.int().optional(),
  did: z.string().optional(),
})

const failure = z.object({
  requirement: z.string(),
  level,
  operation,
  /** Of the requirement, and where in the document it stands. */
  statement: z.string(),
  section: z.string(),
  message: z.string(),
  /** What was judged: where in the answer, what is right there, and what stood there. Absent where the message says it all. */
  place: z.string().optional(),
  expected: z.string().optional(),
  seen: z.string().optional(),
  request: request.nullable(),
  response: response.nullable(),
  /** What led to the request, in order; empty where the request alone shows it. */
  steps: z.array(step).default([]),
  /** Numbers of the exchanges in trace.har that exclude every other explanation, the last one of the request itself. */
  witnesses: z.array(z.int()).default([]),
  /** Requirements, with their operations, that fail only for this failure. */
  follows: z.array(z.string()).default([]),
  /** The request alone. */
  curl: z.string().nullable(),
  replay: z.string(),
  /** It stands in the baseline, and does not count. */
  known: z.boolean(),
  /** Why the baseline accepts it, where it does. */
  reason: z.string().optional(),
})

const mistake = z.object({
  /** Dotted, as `plugin.priority`. */
  field: z.string(),
  /** The target's own, or what it did instead. */
  words: z.string(),
})

export const reportSchema = z.object({
  schema: z.literal('tracker-kit/report@1'),
  /** Version of the suite. */
  version: z.string(),
  target: z.object({ baseUrl: z.string(), ext: z.string() }),
  startedAt: z.iso.datetime(),
  durationMs: z.number(),
  /** What all shards of one run share, and no other run has; null where nobody said it. */
  runId: z.string().nullable(),
  /** What else the shards of one run have in common. */
  settings: z.object({
    failOn: level,
    strict: z.boolean(),
    only: z.array(z.string()),
    /** Whether somebody chose the seed; one drawn at random is another in each shard. */
    seedGiven: z.boolean(),
    /** Digest of the profile, but for the target and what is secret. */
    profile: z.string(),
  }),
  seed: z.int(),
  /** All of them, where the shards of a merged report had different ones. */
  seeds: z.array(z.int()).optional(),
  runs: z.int(),
  safety: z.enum(safetyLevels),
  shard: z.object({ index: z.int(), count: z.int() }).nullable(),
  summary: z.object({
    verdict: z.enum(['conforms', 'deviates', 'inconclusive']),
    /** Why the verdict is not `conforms`, in one sentence; null when it is. */
    because: z.string().nullable(),
    must: counts,
    should: counts,
    /** Requirements that were judged, at least for some operations. */
    judged: z.int(),
    /** Requirements that there are, whatever was asked for. */
    of: z.int(),
    /** Deviations that stand in the baseline. */
    known: z.int(),
    /** Observations. */
    observed: z.int(),
    requests: z.int(),
  }),
  /** What kept the run from judging, whatever the verdict is; null where nothing did. */
  trouble: z.string().nullable(),
  /** The command line that also judges what the level of safety left out; null where it left nothing out, or must. */
  rest: z.string().nullable(),
  /** The baseline that the run had, with what became of each entry. */
  baseline: z.object({ digest: z.string(), entries: z.array(baselineEntry) }).nullable(),
  requirements: z.array(requirement),
  failures: z.array(failure),
  observations: z.array(z.object({ decision: z.string(), operation, value: z.string() })),
  /** Operation, status, number of answers. */
  statuses: z.partialRecord(operation, z.record(z.string(), z.int())),
  /** Fields of the profile that the target refuses; what needs them was skipped. */
  profile: z.array(mistake).default([]),
  /** What the run made and could not remove, in words. */
  leftovers: z.array(z.string()),
  /** The target ended with the run, and with it all that was left there. */
  vanished: z.boolean().default(false),
  /** Where recorded traffic was judged: its files, and what of them was passed over. Null where a run asked the target. */
  recording: z
    .object({
      files: z.array(z.string()),
      passed: z.array(z.object({ reason: z.string(), count: z.int() })),
    })
    .nullable()
    .default(null),
})

export type Report = z.infer<typeof reportSchema>
export type ReportFailure = z.infer<typeof failure>
export type BaselineEntry = z.infer<typeof baselineEntry>
export type ReportRequirement = z.infer<typeof requirement>
