/** From what the checks handed over to the report. */
import { version } from '../contract/version.js'
import { requirements as catalogue } from '../requirements/index.js'
import type { Plan } from '../suite/plan.js'
import type { RunRecord, TestRecord } from '../suite/register.js'
import type { RunOptions } from '../suite/run.js'
import { redactor } from '../target/redact.js'
import { absentFrom, acceptedFor, type Baseline } from './baseline.js'
import type { Report, ReportFailure, ReportRequirement } from './report.js'

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
}

export interface Gate {
  readonly failOn: 'must' | 'should'
  /** A skipped requirement fails too. */
  readonly strict: boolean
  readonly baseline: Baseline | null
}

export function buildReport(finished: Finished, gate: Gate): Report {
  const { options, end, records } = finished
  // Exchanges have none any more; what checks say of them may quote an answer.
  const { text } = redactor(options.profile)
  const withReason = <T extends { readonly reason?: string | undefined }>(one: T): T =>
    one.reason === undefined ? one : { ...one, reason: text(one.reason) }
  const requirements = requirementsOf(finished).map((one) =>
    withReason({ ...one, checks: one.checks.map(withReason) }),
  )
  const today = new Date().toISOString().slice(0, 10)
  const { baseline } = gate
  const failures = failuresOf(finished).map((one) => {
    const failure = { ...one, message: text(one.message) }
    const reason = baseline && acceptedFor(baseline, failure, today)
    return { ...failure, known: reason !== null, ...(reason === null ? {} : { reason }) }
  })
  const { seed, runs } = options
  const found = { requirements, failures, seed, runs }
  const stale = baseline ? absentFrom(baseline, found, today).outdated : []
  const count = (level: string) => {
    const outcomes = requirements.filter((one) => one.level === level).map(({ outcome }) => outcome)
    const of = (outcome: string) => outcomes.filter((one) => one === outcome).length
    return { passed: of('passed'), failed: of('failed'), skipped: of('skipped') }
  }
  const observations = (end?.observations ?? []).map((one) => ({ ...one, value: text(one.value) }))
  return {
    schema: 'tracker-kit/report@1',
    version,
    target: { baseUrl: options.profile.baseUrl, ext: options.profile.ext ?? 'Ext' },
    startedAt: finished.startedAt.toISOString(),
    durationMs: Math.round(finished.durationMs),
    seed,
    runs,
    safety: options.safety,
    shard: options.shard,
    summary: {
      ...verdictOf({ requirements, failures, stale }, finished.trouble ?? targetTrouble(records), gate),
      must: count('must'),
      should: count('should'),
      observed: observations.length,
      requests: end?.requests ?? 0,
    },
    requirements,
    failures,
    observations,
    statuses: end?.statuses ?? {},
    leftovers: (end?.leftovers ?? []).map(text),
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
        return { operation, outcome, ...(reason === undefined ? {} : { reason }) }
      })
    if (checks.length === 0) return []
    const { id, level, section, statement } = requirement
    const outcomes = new Set(checks.map(({ outcome }) => outcome))
    const outcome = outcomes.has('failed') ? 'failed' : outcomes.has('passed') ? 'passed' : 'skipped'
    const reason = reasonOf(checks)
    const operations = requirement.each ? checks.map(({ operation }) => operation) : requirement.operations
    return [
      {
        id,
        level,
        section,
        statement,
        operations: [...operations],
        outcome,
        ...(reason === null ? {} : { reason }),
        checks,
      },
    ]
  })
}

/** The reasons of skipped checks; with the operations where only some were skipped. */
function reasonOf(checks: ReportRequirement['checks']): string | null {
  const skipped = checks.filter(({ outcome }) => outcome === 'skipped')
  if (skipped.length === 0) return null
  const operationsOf = new Map<string, string[]>()
  for (const { operation, reason = '' } of skipped)
    operationsOf.set(reason, [...(operationsOf.get(reason) ?? []), operation])
  const whole = skipped.length === checks.length && operationsOf.size === 1
  return [...operationsOf]
    .map(([reason, operations]) => (whole ? reason : `${operations.join(', ')} skipped: ${reason}`))
    .join('; ')
}

function failuresOf({ records, replay }: Finished): Omit<ReportFailure, 'known'>[] {
  return records.flatMap(({ requirement, failures }) => {
    const level = catalogue.find(({ id }) => id === requirement)?.level ?? 'must'
    return failures.map(({ operation, message, exchange }) => ({
      requirement,
      level,
      operation,
      message,
      request: exchange?.request ?? null,
      response: exchange?.response ?? null,
      curl: exchange?.curl ?? null,
      replay: replay(requirement),
    }))
  })
}

type Verdict = Pick<Report['summary'], 'verdict' | 'because'>

/** What the target did to stop the run from judging, if it did. */
function targetTrouble(records: readonly TestRecord[]): string | null {
  const stopped = records.find(({ inconclusive }) => inconclusive === 'target')
  return stopped?.reason?.replace(/^inconclusive: /, '') ?? null
}

interface Found {
  readonly requirements: readonly ReportRequirement[]
  readonly failures: readonly ReportFailure[]
  /** Entries of the baseline that are out of date, in words. */
  readonly stale: readonly string[]
}

/** A deviation that was seen counts, whatever else went wrong; a run that says nothing never conforms. */
export function verdictOf(
  { requirements, failures, stale }: Found,
  trouble: string | null,
  { failOn, strict }: Pick<Gate, 'failOn' | 'strict'>,
): Verdict {
  const gated = requirements.filter(({ level }) => level === 'must' || failOn === 'should')
  const isAccepted = (id: string) => {
    const own = failures.filter(({ requirement }) => requirement === id)
    return own.length > 0 && own.every(({ known }) => known)
  }
  const failed = gated.filter(({ id, outcome }) => outcome === 'failed' && !isAccepted(id)).length
  // Without it, what was not judged any more would pass for good.
  const rest = trouble === null ? '' : `; ${trouble}`
  if (failed > 0) return deviates(`${countOf(failed, 'requirement')} failed${rest}`)
  const [first] = stale
  if (first !== undefined)
    return deviates(
      `the baseline is out of date: ${first}${stale.length > 1 ? `, and ${stale.length - 1} more` : ''}${rest}`,
    )
  if (trouble !== null) return inconclusive(trouble)
  const checks = gated.flatMap((requirement) => requirement.checks)
  if (!checks.some(({ outcome }) => outcome !== 'skipped')) return inconclusive('nothing could be judged')
  const skipped = gated.filter(({ reason }) => reason !== undefined).length
  if (strict && skipped > 0) return deviates(`${countOf(skipped, 'requirement')} skipped under --strict`)
  return { verdict: 'conforms', because: null }
}

const deviates = (because: string): Verdict => ({ verdict: 'deviates', because })
const inconclusive = (because: string): Verdict => ({ verdict: 'inconclusive', because })
const countOf = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
