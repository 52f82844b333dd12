/** One report from the reports of all shards of a run. */
import { UsageError } from '../contract/trouble.js'
import { type Gate, verdictOf } from './build.js'
import type { Report, ReportRequirement } from './report.js'

export interface Part {
  /** Where it was read from, for errors. */
  readonly source: string
  readonly report: Report
}

/** Throws a `UsageError` unless the parts are all shards of one run: one suite, target and setting, each shard once. */
export function mergeReports(parts: readonly Part[], gate: Pick<Gate, 'failOn' | 'strict'>): Report {
  const [first] = parts
  if (!first) throw new UsageError('merge: needs the directories of the shards')
  const { shard } = first.report
  if (!shard) throw new UsageError(`merge: ${first.source} is the report of a whole run, not of a shard`)
  for (const part of parts) checkSame(first, part)
  const seen = new Map<number, string>()
  for (const { source, report } of parts) {
    const index = report.shard?.index ?? 0
    const other = seen.get(index)
    if (other !== undefined)
      throw new UsageError(`merge: ${other} and ${source} are both shard ${index}/${shard.count}`)
    seen.set(index, source)
  }
  for (let index = 1; index <= shard.count; index++)
    if (!seen.has(index)) throw new UsageError(`merge: shard ${index}/${shard.count} is missing`)

  const reports = parts.map(({ report }) => report)
  const requirements = mergeRequirements(reports)
  const trouble = reports.find(({ summary }) => summary.verdict === 'inconclusive')?.summary.because ?? null
  const count = (level: string) => {
    const of = (outcome: string) =>
      requirements.filter((one) => one.level === level && one.outcome === outcome).length
    return { passed: of('passed'), failed: of('failed'), skipped: of('skipped') }
  }
  const failures = reports.flatMap((report) => report.failures)
  const observations = unique(reports.flatMap((report) => report.observations))
  return {
    ...first.report,
    startedAt: reports.map(({ startedAt }) => startedAt).sort()[0] ?? first.report.startedAt,
    durationMs: Math.max(...reports.map(({ durationMs }) => durationMs)),
    shard: null,
    summary: {
      ...verdictOf({ requirements, failures, stale: [] }, trouble, gate),
      must: count('must'),
      should: count('should'),
      observed: observations.length,
      requests: reports.reduce((sum, { summary }) => sum + summary.requests, 0),
    },
    requirements,
    failures,
    observations,
    statuses: mergeStatuses(reports),
    leftovers: reports.flatMap(({ leftovers }) => leftovers),
  }
}

function checkSame(first: Part, part: Part): void {
  const facts = ({ report }: Part) => ({
    'suite version': report.version,
    target: `${report.target.baseUrl} ${report.target.ext}`,
    safety: report.safety,
    'number of shards': String(report.shard?.count ?? 'none'),
  })
  const [one, other] = [facts(first), facts(part)]
  for (const [name, value] of Object.entries(other)) {
    const expected = one[name as keyof typeof one]
    if (value !== expected)
      throw new UsageError(
        `merge: ${part.source} has another ${name} than ${first.source}: ${value} instead of ${expected}`,
      )
  }
}

/** What holds for every answer was judged by each shard on its own answers: failed in one, it has failed. */
function mergeRequirements(reports: readonly Report[]): ReportRequirement[] {
  const merged = new Map<string, ReportRequirement>()
  for (const requirement of reports.flatMap((report) => report.requirements)) {
    const before = merged.get(requirement.id)
    merged.set(requirement.id, before ? mergeRequirement(before, requirement) : requirement)
  }
  return [...merged.values()]
}

const weight = { skipped: 0, passed: 1, failed: 2 } as const

function mergeRequirement(one: ReportRequirement, other: ReportRequirement): ReportRequirement {
  const checks = one.checks.map((check) => {
    const twin = other.checks.find(({ operation }) => operation === check.operation)
    return twin && weight[twin.outcome] > weight[check.outcome] ? twin : check
  })
  const outcomes = checks.map(({ outcome }) => outcome)
  const outcome = outcomes.includes('failed') ? 'failed' : outcomes.includes('passed') ? 'passed' : 'skipped'
  const skipped = checks.filter((check) => check.outcome === 'skipped')
  const { reason: _, ...rest } = one
  const reason = skipped.map(({ operation, reason = '' }) => `${operation} skipped: ${reason}`).join('; ')
  return { ...rest, checks, outcome, ...(reason === '' ? {} : { reason }) }
}

function mergeStatuses(reports: readonly Report[]): Report['statuses'] {
  const sums: Record<string, Record<string, number>> = {}
  for (const { statuses } of reports)
    for (const [operation, counts] of Object.entries(statuses))
      for (const [status, count] of Object.entries(counts)) {
        const row = sums[operation] ?? {}
        sums[operation] = { ...row, [status]: (row[status] ?? 0) + count }
      }
  return sums
}

function unique<T>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]
}
