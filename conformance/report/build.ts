/** From what the checks handed over to the report. */

import type { Exchange } from '../client/call.js'
import { redactorOf } from '../client/redact.js'
import type { Safety } from '../contract/index.js'
import { version } from '../contract/version.js'
import { requirements as catalogue } from '../requirements/index.js'
import type { RunRecord, TestRecord } from '../suite/loop.js'
import type { Plan } from '../suite/plan.js'
import type { Evidence, RunOptions } from '../suite/types.js'
import { acceptedFor, baselineDigest, entriesOf, staleOf } from './baseline.js'
import { shortened } from './evidence.js'
import { profileDigest } from './profile-digest.js'
import type { Report, ReportFailure, ReportRequirement } from './report.js'
import { type Gate, levelLeftOut, outcomeOf, reasonOf, sumsOf, verdictOf } from './verdict.js'

export interface Finished {
  readonly options: RunOptions
  readonly plan: Plan
  readonly records: readonly TestRecord[]
  /** Null when the run did not come to its end. */
  readonly end: RunRecord | null
  /** What stopped the run, or an error of the suite itself. */
  readonly trouble: string | null
  readonly startedAt: Date
  readonly durationMs: number
  /** The command line that runs one requirement again. */
  readonly replay: (requirement: string) => string
  /** The target ends with the run. */
  readonly vanishes?: boolean
  /** What the command line knows, and a run that nobody typed has not. */
  readonly line?: Line
}

export interface Line {
  readonly runId: string | null
  /** Whether somebody chose the seed. */
  readonly seedGiven: boolean
  /** The same command at another level. */
  readonly rest: (safety: Safety) => string
}

export function buildReport(finished: Finished, gate: Gate): Report {
  const { options, end, records } = finished
  // Exchanges have none any more; what checks say of them may quote an answer.
  const { text } = redactorOf(options.profile)
  const withReason = <T extends { readonly reason?: string | undefined }>(one: T): T =>
    one.reason === undefined ? one : { ...one, reason: text(one.reason) }
  const requirements = requirementsOf(finished).map((one) =>
    withReason({ ...one, checks: one.checks.map(withReason) }),
  )
  const today = new Date().toISOString().slice(0, 10)
  const { baseline } = gate
  const failures = failuresOf(finished).map((one) => {
    const failure = { ...one, message: text(one.message), ...judgedOf(one, text) }
    const reason = baseline && acceptedFor(baseline, failure, today)
    return { ...failure, known: reason !== null, ...(reason === null ? {} : { reason }) }
  })
  const { seed, runs, safety, shard, only } = options
  const entries = baseline ? entriesOf(baseline, { requirements, failures, seed, runs }, today) : []
  const trouble = finished.trouble ?? targetTrouble(records)
  const stale = staleOf(entries, shard !== null)
  const leftOut = levelLeftOut(requirements, safety, options.profile.safety)
  const observations = (end?.observations ?? []).map((one) => ({ ...one, value: text(one.value) }))
  const profile = (end?.mistakes ?? []).map(({ field, words, exchange }) => ({
    field,
    words: text(words),
    request: exchange?.request ?? null,
    response: exchange?.response ?? null,
  }))
  return {
    schema: 'tracker-kit/report@1',
    version,
    target: { baseUrl: options.profile.baseUrl, ext: options.profile.ext ?? 'Ext' },
    startedAt: finished.startedAt.toISOString(),
    durationMs: Math.round(finished.durationMs),
    runId: finished.line?.runId ?? null,
    settings: {
      failOn: gate.failOn,
      strict: gate.strict,
      only: [...only],
      seedGiven: finished.line?.seedGiven ?? false,
      profile: profileDigest(options.profile),
    },
    seed,
    runs,
    safety,
    shard,
    summary: {
      ...verdictOf({ requirements, failures, stale, trouble, profile, isShard: shard !== null }, gate),
      ...sumsOf(requirements, failures),
      observed: observations.length,
      requests: end?.requests ?? 0,
    },
    trouble,
    rest: leftOut === null ? null : (finished.line?.rest(leftOut) ?? null),
    baseline: baseline && { digest: baselineDigest(baseline), entries },
    requirements,
    failures,
    observations,
    statuses: end?.statuses ?? {},
    profile,
    leftovers: (end?.leftovers ?? []).map(text),
    vanished: finished.vanishes ?? false,
    recording: null,
  }
}

function requirementsOf({ plan, records, trouble }: Finished): ReportRequirement[] {
  const steps = [...plan.main, ...plan.last, ...plan.end].filter(({ silent }) => !silent)
  const byKey = new Map(records.map((record) => [`${record.requirement} ${record.operation}`, record]))
  return catalogue.flatMap((requirement) => {
    const checks = steps
      .filter((step) => step.requirement.id === requirement.id)
      .map(({ operation }) => {
        const record = byKey.get(`${requirement.id} ${operation}`)
        const reason = record ? record.reason : `not run: ${trouble ?? 'the run ended before it'}`
        const outcome = record?.outcome ?? ('skipped' as const)
        const { inconclusive, durationMs } = record ?? {}
        return {
          ...{ operation, outcome },
          ...(reason === undefined ? {} : { reason }),
          ...(inconclusive === undefined ? {} : { inconclusive }),
          ...(durationMs === undefined ? {} : { durationMs: Math.round(durationMs) }),
        }
      })
    if (checks.length === 0) return []
    const { id, level, section, statement } = requirement
    const outcome = outcomeOf(checks)
    const reason = reasonOf(checks)
    const of = requirement.each ? checks.map(({ operation }) => operation) : requirement.operations
    const about = { id, level, section, statement, operations: [...of], outcome }
    return [{ ...about, ...(reason === null ? {} : { reason }), checks }]
  })
}

function failuresOf({ records, replay }: Finished): Omit<ReportFailure, 'known'>[] {
  return records.flatMap(({ requirement, failures }) => {
    const { level, statement, section } = catalogue.find(({ id }) => id === requirement) ?? unknownOne
    return failures.map(({ operation, message, exchange, evidence, place, expected, seen }) => ({
      requirement,
      level,
      operation,
      statement,
      section,
      message,
      ...{ place, expected, seen },
      request: exchange?.request ?? null,
      response: exchange?.response ?? null,
      ...stepsOf(exchange, evidence),
      ...{ witnesses: [], follows: [] },
      curl: exchange?.curl ?? null,
      ...scriptIn(evidence),
      replay: replay(requirement),
    }))
  })
}

const unknownOne = { level: 'must', statement: '', section: '' } as const

const MOST_STEPS = 12

/** The last one is the failure's own request, unless another shows what that one did. */
function stepsOf(
  exchange: Exchange | null,
  evidence: Evidence | undefined,
): Pick<ReportFailure, 'steps' | 'earlier'> {
  const all = evidence?.steps ?? []
  const before = all.at(-1) === exchange ? all.slice(0, -1) : all
  const shown = before.slice(-MOST_STEPS)
  const earlier = (evidence?.earlier ?? 0) + before.length - shown.length
  return { steps: shown.map(stepOf), earlier: shown.length === 0 ? 0 : earlier }
}

function stepOf({ request, response }: Exchange): ReportFailure['steps'][number] {
  return {
    request: { ...request, body: shortened(request.body) },
    response: { ...response, body: shortened(response.body) },
  }
}

function scriptIn(evidence: Evidence | undefined): Pick<ReportFailure, 'script' | 'noScript'> {
  const { text, cannot } = evidence?.script ?? { text: null, cannot: 'there was no answer' }
  return { script: text, ...(cannot === null ? {} : { noScript: cannot }) }
}

/** Where the check itself does not say what was right and what was seen, its message may. */
function judgedOf(
  { message, place, expected, seen }: Omit<ReportFailure, 'known'>,
  text: (value: string) => string,
): Pick<ReportFailure, 'place' | 'expected' | 'seen'> {
  const [, right, wrong] = /expected (.+?), saw ([^,;(]+)/.exec(message) ?? []
  const judged = { place, expected: expected ?? right, seen: seen ?? wrong }
  return Object.fromEntries(
    Object.entries(judged).flatMap(([name, value]) => (value === undefined ? [] : [[name, text(value)]])),
  )
}

/** What the target did to stop the run from judging, if it did. */
function targetTrouble(records: readonly TestRecord[]): string | null {
  const stopped = records.find(({ inconclusive }) => inconclusive === 'target')
  return stopped?.reason?.replace(/^inconclusive: /, '') ?? null
}
