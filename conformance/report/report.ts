/** `report.json`: what a run found, as data. All other output of a run is derived from it. */
import { z } from 'zod'
import { operationIds, safetyLevels } from '../contract/index.js'

const outcome = z.enum(['passed', 'failed', 'skipped'])
const level = z.enum(['must', 'should'])
const operation = z.enum(operationIds)
const counts = z.object({ passed: z.int(), failed: z.int(), skipped: z.int() })
const headers = z.record(z.string(), z.string())

/** By priority: of the states in several shards, the first in this list counts. */
export const entryStates = ['void', 'expired', 'struck', 'unstruck', 'gone', 'unjudged'] as const

const baselineEntry = z.object({
  requirement: z.string(),
  operation,
  fingerprint: z.string(),
  /**
   * `struck`: the run saw the deviation. `gone`: judged, but not seen. `void`: the requirement does not exist.
   * `unstruck`: not seen, but other generated cases were sent. `unjudged`: the run did not judge it.
   */
  state: z.enum(entryStates),
  text: z.string(),
})

const requirement = z.object({
  id: z.string(),
  level,
  section: z.string(),
  statement: z.string(),
  operations: z.array(operation),
  /** Failed if one of the checks failed; passed if one passed and none failed. */
  outcome,
  /** Why the requirement, or some of its checks, were skipped. */
  reason: z.string().optional(),
  checks: z.array(z.object({ operation, outcome, reason: z.string().optional() })),
})

const request = z.object({ method: z.string(), url: z.string(), headers, body: z.unknown() })
const response = z.object({ status: z.int(), headers, body: z.unknown() })

/** An exchange with its number in trace.har, and what it did. */
const step = z.object({ request, response, n: z.int(), did: z.string() })

export const failureSchema = z.object({
  requirement: z.string(),
  level,
  operation,
  /** The statement of the requirement, and the section of the document that contains it. */
  statement: z.string(),
  section: z.string(),
  message: z.string(),
  /** What was judged: its place in the answer, what is right there, and what was there. Absent if the message says all. */
  place: z.string().optional(),
  expected: z.string().optional(),
  seen: z.string().optional(),
  request: request.nullable(),
  response: response.nullable(),
  /** The steps that led to the request, in order; empty if the request alone shows the failure. */
  steps: z.array(step).default([]),
  /** Numbers of the exchanges in trace.har that exclude every other explanation. The last is that of the request itself. */
  witnesses: z.array(z.int()).default([]),
  /** Requirements, with their operations, that failed only because of this failure. */
  follows: z.array(z.string()).default([]),
  /** A command that sends only this request. */
  curl: z.string().nullable(),
  replay: z.string(),
  /** Whether the failure is in the baseline and so does not count. */
  known: z.boolean(),
  reason: z.string().optional(),
})

/** What reports on one tracker and on many have in common. */
export const shardedSchema = z.object({
  version: z.string(),
  startedAt: z.iso.datetime(),
  durationMs: z.number(),
  /** An id that all shards of one run share and no other run has; null if there is none. */
  runId: z.string().nullable(),
  seed: z.int(),
  shard: z.object({ index: z.int(), count: z.int() }).nullable(),
})

export const reportSchema = shardedSchema.extend({
  schema: z.literal('tracker-kit/report@1'),
  target: z.object({ baseUrl: z.string(), ext: z.string() }),
  /** What else the shards of one run share. */
  settings: z.object({
    failOn: level,
    strict: z.boolean(),
    only: z.array(z.string()),
    /** Whether the user chose the seed; a random seed differs between shards. */
    seedGiven: z.boolean(),
    /** A digest of the profile without the target and secrets. */
    profile: z.string(),
  }),
  /** All seeds of a merged report whose shards had different ones. */
  seeds: z.array(z.int()).optional(),
  runs: z.int(),
  safety: z.enum(safetyLevels),
  summary: z.object({
    verdict: z.enum(['conforms', 'deviates', 'inconclusive']),
    /** Why the verdict is not `conforms`, in one sentence; null if it is. */
    because: z.string().nullable(),
    must: counts,
    should: counts,
    /** Requirements that were judged for at least some operations. */
    judged: z.int(),
    /** All requirements, even if the run was limited to some. */
    of: z.int(),
    /** Deviations that are in the baseline. */
    known: z.int(),
    observed: z.int(),
    requests: z.int(),
  }),
  /** What kept the run from judging, whatever the verdict is; null if nothing did. */
  trouble: z.string().nullable(),
  /** The command that also judges what the safety level left out; null if it left out nothing or may not rise. */
  rest: z.string().nullable(),
  baseline: z.object({ digest: z.string(), entries: z.array(baselineEntry) }).nullable(),
  requirements: z.array(requirement),
  failures: z.array(failureSchema),
  observations: z.array(z.object({ decision: z.string(), operation, value: z.string() })),
  /**
   * Fields of the profile, such as `plugin.priority`, that the target refuses, with its own words or what it did instead of
   * answering; requirements that need them were skipped.
   */
  profile: z.array(z.object({ field: z.string(), words: z.string() })).default([]),
  /** What the run created and could not remove, in words. */
  leftovers: z.array(z.string()),
  /** Whether the target ended with the run, together with all that was left on it. */
  vanished: z.boolean().default(false),
  /** For recorded traffic: its files, and the entries that were left out. Null if a run sent the requests. */
  recording: z
    .object({ files: z.array(z.string()), passed: z.array(z.object({ reason: z.string(), count: z.int() })) })
    .nullable()
    .default(null),
})

export type Sharded = z.infer<typeof shardedSchema>
export type Report = z.infer<typeof reportSchema>
export type ReportFailure = z.infer<typeof failureSchema>
export type BaselineEntry = z.infer<typeof baselineEntry>
export type ReportRequirement = z.infer<typeof requirement>
