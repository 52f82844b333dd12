/** Merges the reports of all shards of a run, on one tracker or many. */
import { operationIds } from '../contract/index.js'
import { UsageError } from '../contract/trouble.js'
import { NEVER } from '../drive/needs.js'
import { groupBy } from '../oracle/json.js'
import { mergeEntries } from './baseline.js'
import type { Report, ReportRequirement, Sharded } from './report.js'
import { type Gate, requirementWith, summedUp } from './verdict.js'
import { bounded } from './words.js'

/** What makes the merged run fail; a field that is absent keeps the value of the shards. */
export type AskedGate = Partial<Pick<Gate, 'failOn' | 'strict'>>

/** Throws a `UsageError` unless the parts are all shards of one run, each once, with the same suite, target and settings. */
export function mergeReports(parts: readonly Part<Report>[], asked: AskedGate = {}): Report {
  const { reports, ...span } = wholeRun(parts, factsOf)
  const [first] = reports as [Report]
  const all = reports.flatMap((report) => report.requirements)
  const requirements = [...groupBy(all, ({ id }) => id).values()].map(mergedRequirement)
  const failures = reports.flatMap((report) => report.failures)
  const observations = unique(reports.flatMap((report) => report.observations))
  const entries = mergeEntries(reports.map(({ baseline }) => baseline?.entries ?? []))
  // Each shard tries the fields that it needs, so several may report the same mistake.
  const mistakes = reports.flatMap((report) => report.profile)
  const profile = unique(mistakes, ({ field }) => field)
  const seeds = unique(reports.map(({ seed }) => seed))
  const found = {
    ...{ ...first, ...span, settings: { ...first.settings, ...asked } },
    ...(seeds.length > 1 ? { seeds } : {}),
    trouble: troubleOf(reports),
    rest: reports.find(({ rest }) => rest !== null)?.rest ?? null,
    baseline: first.baseline && { ...first.baseline, entries },
    ...{ requirements, failures, observations, profile },
    leftovers: reports.flatMap(({ leftovers }) => leftovers),
  }
  const requests = reports.reduce((sum, { summary }) => sum + summary.requests, 0)
  return summedUp(found, requests)
}

/** What kept shards from judging, even where they also found a deviation. */
function troubleOf(reports: readonly Report[]): string | null {
  const all = reports.flatMap(({ trouble, shard, summary: { verdict, because } }) => {
    const told = trouble ?? (verdict === 'inconclusive' ? because : null)
    return told === null ? [] : [`shard ${shard?.index}/${shard?.count}: ${told}`]
  })
  return bounded(all, 3, (more) => `and ${more} more shards`).join('; ') || null
}

const factsOf = ({ target, safety, runs, settings, baseline }: Report) => ({
  ...{ target, safety, runs, ...settings, only: settings.only.toSorted() },
  baseline: baseline?.digest ?? null,
})

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

const unique = <T>(items: readonly T[], keyOf: (item: T) => unknown = (item) => item): T[] => [
  ...new Map(items.map((item) => [JSON.stringify(keyOf(item)), item])).values(),
]

export interface Part<R> {
  /** Where the report was read from, for errors. */
  readonly source: string
  readonly report: R
}

/**
 * The facts of the whole run. Throws a `UsageError` unless the parts are all shards of one run, each once. `factsOf`
 * returns what else the shards share.
 */
export function wholeRun<R extends Sharded>(
  parts: readonly Part<R>[],
  factsOf: (report: R) => { readonly seedGiven: boolean; readonly [name: string]: unknown },
) {
  const [first] = parts
  if (!first) throw new UsageError('needs the directories of the shards')
  const { shard } = first.report
  if (!shard) throw new UsageError(`${first.source} is the report of a whole run, not of a shard`)
  const facts = (report: R) => {
    const { seedGiven, ...shared } = factsOf(report)
    const { runId, version, seed } = report
    // Without a run id, seeds that the user chose must be equal; random seeds differ within one run.
    const drawn = runId === null ? { seed: seedGiven ? seed : 'random' } : {}
    const all = { runId, version, shards: report.shard?.count, ...shared, ...drawn }
    return Object.entries(all).map(([name, value]) => [name, JSON.stringify(value)] as const)
  }
  const shared = new Map(facts(first.report))
  for (const { source, report } of parts)
    for (const [name, value] of facts(report)) {
      if (value === shared.get(name)) continue
      const advice = name === 'seed' ? '; give the shards the same --seed or --run-id' : ''
      throw new UsageError(
        `${source} has another ${name} than ${first.source}: ${value} instead of ${shared.get(name)}${advice}`,
      )
    }
  for (let index = 1; index <= shard.count; index++) {
    const [one, other] = parts.filter(({ report }) => report.shard?.index === index)
    const name = `shard ${index}/${shard.count}`
    if (!one) throw new UsageError(`${name} is missing`)
    if (other) throw new UsageError(`${one.source} and ${other.source} are both ${name}`)
  }
  const reports = parts.map(({ report }) => report)
  return {
    reports,
    startedAt: reports.map(({ startedAt }) => startedAt).sort()[0] ?? first.report.startedAt,
    durationMs: Math.max(...reports.map(({ durationMs }) => durationMs)),
    shard: null,
  }
}
