/** Merges the reports of all shards of a run. */
import { operationIds } from '../contract/index.js'
import { NEVER } from '../drive/needs.js'
import { mergeEntries, staleOf } from './baseline.js'
import type { Report, ReportRequirement } from './report.js'
import { type Facts, type Part, wholeRun } from './same-run.js'
import { type Gate, outcomeOf, reasonOf, sumsOf, type Verdict, verdictOf } from './verdict.js'
import { bounded } from './words.js'

/** What makes the merged run fail; a field that is absent keeps the value of the shards. */
export type AskedGate = Partial<Pick<Gate, 'failOn' | 'strict'>>

/** Throws a `UsageError` unless the parts are all shards of one run, each once, with the same suite, target and settings. */
export function mergeReports(parts: readonly Part<Report>[], asked: AskedGate = {}): Report {
  const { reports, ...span } = wholeRun(parts, (report) => ({
    facts: factsOf(report),
    seedGiven: report.settings.seedGiven,
  }))
  const [first] = reports as [Report]
  const { settings, baseline } = first
  const gate = { failOn: asked.failOn ?? settings.failOn, strict: asked.strict ?? settings.strict }
  const requirements = mergeRequirements(reports)
  const failures = reports.flatMap((report) => report.failures)
  const observations = unique(reports.flatMap((report) => report.observations))
  const entries = mergeEntries(reports.map((report) => report.baseline?.entries ?? []))
  const shards = reports.map((report) => ({ report, ...ownVerdict(report, gate) }))
  const trouble = troubleOf(shards)
  // Each shard tries the fields that it needs, so several may report the same mistake.
  const mistakes = reports.flatMap((report) => report.profile.map((one) => [one.field, one] as const))
  const profile = [...new Map(mistakes).values()]
  const stale = staleOf(entries, false)
  const found = { requirements, failures, stale, trouble, profile, isShard: false }
  const seeds = unique(reports.map(({ seed }) => seed))
  return {
    ...first,
    ...span,
    settings: { ...settings, ...gate },
    ...(seeds.length > 1 ? { seeds } : {}),
    summary: {
      ...worst(verdictOf(found, gate), shards),
      ...sumsOf(requirements, failures),
      observed: observations.length,
      requests: reports.reduce((sum, { summary }) => sum + summary.requests, 0),
    },
    trouble,
    rest: reports.find(({ rest }) => rest !== null)?.rest ?? null,
    baseline: baseline && { ...baseline, entries },
    requirements,
    failures,
    observations,
    profile,
    leftovers: reports.flatMap(({ leftovers }) => leftovers),
  }
}

type Judged = Verdict & { readonly report: Report }

const nameOf = ({ shard }: Report) => `shard ${shard?.index}/${shard?.count}`

/** The verdict of a shard: its own, or a new one if the merged run has other rules for what makes it fail. */
function ownVerdict(report: Report, gate: Pick<Gate, 'failOn' | 'strict'>): Verdict {
  const { settings, summary, baseline } = report
  if (settings.failOn === gate.failOn && settings.strict === gate.strict) return summary
  return verdictOf({ ...report, stale: staleOf(baseline?.entries ?? [], true), isShard: true }, gate)
}

const MOST_TOLD = 3

/** What kept shards from judging, even where they also found a deviation. */
function troubleOf(shards: readonly Judged[]): string | null {
  const all = shards.flatMap(({ report, verdict, because }) => {
    const trouble = report.trouble ?? (verdict === 'inconclusive' ? because : null)
    return trouble === null ? [] : [`${nameOf(report)}: ${trouble}`]
  })
  const told = bounded(all, MOST_TOLD, (more) => `and ${more} more shards`)
  return told.length === 0 ? null : told.join('; ')
}

const severity = { conforms: 0, inconclusive: 1, deviates: 2 } as const

/** The merged verdict is never better than that of a shard. */
function worst(whole: Verdict, shards: readonly Judged[]): Verdict {
  const [worse] = shards
    .filter(({ verdict }) => severity[verdict] > severity[whole.verdict])
    .toSorted((a, b) => severity[b.verdict] - severity[a.verdict])
  if (!worse) return whole
  const own = `${nameOf(worse.report)}: ${worse.because}`
  return { verdict: worse.verdict, because: whole.because === null ? own : `${own}; ${whole.because}` }
}

function factsOf(report: Report): Facts {
  const { target, settings, baseline } = report
  return {
    target: `${target.baseUrl} ${target.ext}`,
    safety: report.safety,
    'number of runs': String(report.runs),
    '--only': settings.only.toSorted().join(',') || 'none',
    '--fail-on': settings.failOn,
    '--strict': settings.strict ? 'given' : 'not given',
    baseline: baseline?.digest ?? 'none',
    profile: settings.profile,
  }
}

/** Merges the shards' requirements: one that failed in a shard has failed, and one that passed in a shard is not skipped. */
function mergeRequirements(reports: readonly Report[]): ReportRequirement[] {
  const merged = new Map<string, ReportRequirement>()
  for (const requirement of reports.flatMap((report) => report.requirements)) {
    const before = merged.get(requirement.id)
    merged.set(requirement.id, before ? mergeRequirement(before, requirement) : requirement)
  }
  return [...merged.values()]
}

type Check = ReportRequirement['checks'][number]

/** Whether the reason is true of one shard alone. */
const ofShard = ({ reason = '' }: Check) => / in shard \d+\/\d+$/.test(reason)

const weight = { skipped: 0, passed: 1, failed: 2 } as const
const weightOf = (check: Check) => (ofShard(check) ? -1 : weight[check.outcome])

function mergeRequirement(one: ReportRequirement, other: ReportRequirement): ReportRequirement {
  const best = new Map(one.checks.map((check) => [check.operation, check]))
  for (const check of other.checks) {
    const before = best.get(check.operation)
    if (!before || weightOf(check) > weightOf(before)) best.set(check.operation, check)
  }
  const checks = operationIds.flatMap((operation) => {
    const check = best.get(operation)
    return check && ofShard(check) ? { ...check, reason: NEVER } : (check ?? [])
  })
  const { reason: _, ...rest } = one.outcome === 'failed' ? one : other
  const reason = reasonOf(checks)
  return {
    ...rest,
    ...{ checks, outcome: outcomeOf(checks), operations: checks.map(({ operation }) => operation) },
    ...(reason === null ? {} : { reason }),
  }
}

const unique = <T>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
]
