/** Merges the reports of all shards of a run. */
import { operationIds } from '../contract/index.js'
import { NEVER } from '../drive/needs.js'
import { groupBy } from '../oracle/json.js'
import { mergeEntries, staleOf } from './baseline.js'
import type { Report, ReportRequirement } from './report.js'
import { type Facts, type Part, seedFact, wholeRun } from './same-run.js'
import { type Gate, requirementWith, sumsOf, verdictOf } from './verdict.js'
import { bounded } from './words.js'

/** What makes the merged run fail; a field that is absent keeps the value of the shards. */
export type AskedGate = Partial<Pick<Gate, 'failOn' | 'strict'>>

/** Throws a `UsageError` unless the parts are all shards of one run, each once, with the same suite, target and settings. */
export function mergeReports(parts: readonly Part<Report>[], asked: AskedGate = {}): Report {
  const { reports, ...span } = wholeRun(parts, factsOf)
  const [first] = reports as [Report]
  const settings = { ...first.settings, ...asked }
  const requirements = [
    ...groupBy(
      reports.flatMap((report) => report.requirements),
      ({ id }) => id,
    ).values(),
  ].map(mergedRequirement)
  const failures = reports.flatMap((report) => report.failures)
  const observations = unique(reports.flatMap((report) => report.observations))
  const entries = mergeEntries(reports.map(({ baseline }) => baseline?.entries ?? []))
  const trouble = troubleOf(reports)
  // Each shard tries the fields that it needs, so several may report the same mistake.
  const mistakes = reports.flatMap((report) => report.profile.map((one) => [one.field, one] as const))
  const profile = [...new Map(mistakes).values()]
  const found = { requirements, failures, stale: staleOf(entries, false), trouble, profile, isShard: false }
  const seeds = unique(reports.map(({ seed }) => seed))
  return {
    ...first,
    ...span,
    settings,
    ...(seeds.length > 1 ? { seeds } : {}),
    summary: {
      ...verdictOf(found, settings),
      ...sumsOf(requirements, failures),
      observed: observations.length,
      requests: reports.reduce((sum, { summary }) => sum + summary.requests, 0),
    },
    trouble,
    rest: reports.find(({ rest }) => rest !== null)?.rest ?? null,
    baseline: first.baseline && { ...first.baseline, entries },
    requirements,
    failures,
    observations,
    profile,
    leftovers: reports.flatMap(({ leftovers }) => leftovers),
  }
}

const MOST_TOLD = 3

/** What kept shards from judging, even where they also found a deviation. */
function troubleOf(reports: readonly Report[]): string | null {
  const all = reports.flatMap(({ trouble, shard, summary: { verdict, because } }) => {
    const told = trouble ?? (verdict === 'inconclusive' ? because : null)
    return told === null ? [] : [`shard ${shard?.index}/${shard?.count}: ${told}`]
  })
  return bounded(all, MOST_TOLD, (more) => `and ${more} more shards`).join('; ') || null
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
    ...seedFact(report, settings.seedGiven),
  }
}

type Check = ReportRequirement['checks'][number]

/** Whether the reason is true of one shard alone. */
const ofShard = ({ reason = '' }: Check) => / in shard \d+\/\d+$/.test(reason)

const weight = { skipped: 0, passed: 1, failed: 2 } as const
const weightOf = (check: Check) => (ofShard(check) ? -1 : weight[check.outcome])

/** A check that failed in a shard has failed, and one that passed in a shard is not skipped. */
function mergedRequirement(group: readonly ReportRequirement[]): ReportRequirement {
  const all = group.flatMap(({ checks }) => checks).toSorted((a, b) => weightOf(b) - weightOf(a))
  const checks = operationIds.flatMap((id) => {
    const best = all.find(({ operation }) => operation === id)
    return best && ofShard(best) ? { ...best, reason: NEVER } : (best ?? [])
  })
  const failed = group.filter(({ outcome }) => outcome === 'failed')
  // What failed in a shard at the level should may have failed in another at the level must.
  const candidates = failed.length > 0 ? failed : group
  const one = candidates.find(({ level }) => level === 'must') ?? candidates[0]
  return requirementWith(one as ReportRequirement, checks)
}

const unique = <T>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
]
