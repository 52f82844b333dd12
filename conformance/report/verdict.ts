/** Derives the verdict, and how much of the document it covers. */
import { groupBy } from '../oracle/json.js'
import { rules } from '../oracle/judge.js'
import { acceptedFor, type Baseline, deviationOf, digestOf, entriesOf, staleOf } from './baseline.js'
import type { Report, ReportFailure, ReportRequirement } from './report.js'
import { counted } from './words.js'

export interface Gate {
  readonly failOn: 'must' | 'should'
  readonly strict: boolean
  readonly baseline: Baseline | null
}

/** A report without what follows from the rest of it. */
export type Found = Omit<Report, 'schema' | 'summary'>

/** Adds what a baseline says of the failures, then the verdict and the sums. */
export function judgedBy(baseline: Baseline | null, report: Found, requests: number): Report {
  const today = new Date().toISOString().slice(0, 10)
  const failures = report.failures.map(({ reason: _, ...one }): ReportFailure => {
    const reason = baseline && acceptedFor(baseline, one, today)
    return { ...one, ...(reason === null ? { known: false } : { known: true, reason }) }
  })
  const entries = baseline && entriesOf(baseline, report, today)
  const digest = digestOf(JSON.stringify(baseline))
  return summedUp({ ...report, failures, baseline: entries && { digest, entries } }, requests)
}

/** Adds the verdict and the sums. `requests`: how many were judged. */
export function summedUp({ requirements, failures, ...found }: Found, requests: number): Report {
  const count = (level: string) => {
    const have = (outcome: string) =>
      requirements.filter((one) => one.level === level && one.outcome === outcome).length
    return { passed: have('passed'), failed: have('failed'), skipped: have('skipped') }
  }
  const summary: Report['summary'] = {
    ...verdictOf({ requirements, failures, ...found }),
    ...{ must: count('must'), should: count('should') },
    judged: requirements.filter(({ outcome }) => outcome !== 'skipped').length,
    of: rules.size,
    // A known deviation may fail at several requests.
    known: new Set(failures.filter(({ known }) => known).map(deviationOf)).size,
    ...{ observed: found.observations.length, requests },
  }
  return { schema: 'tracker-kit/report@1', ...found, summary, requirements, failures }
}

/** Failed requirements that the baseline does not wholly accept: whether they count for the verdict, or do not. */
export function failedOf({ requirements, failures, settings }: Found) {
  const isAccepted = (id: string) => {
    const own = failures.filter(({ requirement }) => requirement === id)
    return own.length > 0 && own.every(({ known }) => known)
  }
  const failed = requirements.filter(({ id, outcome }) => outcome === 'failed' && !isAccepted(id))
  const counting = failed.filter(({ level }) => level === 'must' || settings.failOn === 'should').length
  return { counting, other: failed.length - counting }
}

/** The verdict. A deviation counts whatever else went wrong; a run that judged nothing never conforms. */
function verdictOf(found: Found): Pick<Report['summary'], 'verdict' | 'because'> {
  const { requirements, profile, trouble, shard, settings } = found
  const failed = failedOf(found).counting
  const stale = staleOf(found.baseline?.entries ?? [], shard !== null)
  const told = failed > 0 && `${counted(failed, 'requirement')} failed`
  const because = [told, stale, trouble].filter(Boolean).join('; ')
  if (failed > 0 || stale !== null) return { verdict: 'deviates', because }
  if (because !== '') return { verdict: 'inconclusive', because }
  const mistaken = profile.map(({ field, words }) => `the profile's ${field} is refused: ${words}`)
  // A requirement that does not count has been judged nevertheless.
  if (!requirements.some(({ checks }) => checks.some(({ outcome }) => outcome !== 'skipped')))
    return { verdict: 'inconclusive', because: ['nothing could be judged', ...mistaken].join('; ') }
  const skipped = requirements.filter(
    ({ level, outcome }) => outcome === 'skipped' && (level === 'must' || settings.failOn === 'should'),
  ).length
  // Another shard may have judged what this one skipped.
  if (settings.strict && skipped > 0 && shard === null)
    return { verdict: 'deviates', because: `${counted(skipped, 'requirement')} skipped under --strict` }
  return { verdict: 'conforms', because: null }
}

/** A requirement with what its checks say of it: failed if one failed; passed if one passed and none failed. */
export function requirementWith(
  { id, level, section, statement }: Pick<ReportRequirement, 'id' | 'level' | 'section' | 'statement'>,
  checks: ReportRequirement['checks'],
): ReportRequirement {
  const outcomes = checks.map(({ outcome }) => outcome)
  const reason = reasonOf(checks)
  return {
    ...{ id, level, section, statement, operations: checks.map(({ operation }) => operation) },
    outcome: (['failed', 'passed'] as const).find((one) => outcomes.includes(one)) ?? 'skipped',
    ...(reason === '' ? {} : { reason }),
    checks,
  }
}

/** The reasons of skipped checks, with the operations if only some were skipped. */
function reasonOf(checks: ReportRequirement['checks']): string {
  const skipped = checks.filter(({ outcome }) => outcome === 'skipped')
  const groups = groupBy(skipped, ({ reason = '' }) => reason)
  const isWhole = skipped.length === checks.length && groups.size === 1
  const namesOf = (group: typeof skipped) => group.map(({ operation }) => operation).join(', ')
  return [...groups]
    .map(([reason, group]) => (isWhole ? reason : `${namesOf(group)} skipped: ${reason}`))
    .join('; ')
}
