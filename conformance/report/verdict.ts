/** Derives the verdict, and how much of the document it covers. */

import { groupBy } from '../oracle/json.js'
import { rules } from '../oracle/judge.js'
import { type Baseline, countKnown } from './baseline.js'
import type { Report, ReportFailure, ReportRequirement } from './report.js'
import { counted } from './words.js'

export interface Gate {
  readonly failOn: 'must' | 'should'
  /** Whether a skipped requirement fails, too. */
  readonly strict: boolean
  readonly baseline: Baseline | null
}

export type Verdict = Pick<Report['summary'], 'verdict' | 'because'>

export interface Found {
  readonly requirements: readonly ReportRequirement[]
  readonly failures: readonly ReportFailure[]
  /** Entries of the baseline that are out of date, in words. */
  readonly stale: readonly string[]
  /** What kept the run from judging. */
  readonly trouble: string | null
  /** Fields of the profile that the target refused. */
  readonly profile?: Report['profile']
  /** Whether only some of the requirements were judged, so that the merged report gives the final verdict. */
  readonly isShard: boolean
}

/** The verdict. A deviation counts whatever else went wrong; a run that judged nothing never conforms. */
export function verdictOf(found: Found, { failOn, strict }: Pick<Gate, 'failOn' | 'strict'>): Verdict {
  const { requirements, failures, stale, trouble, profile = [], isShard } = found
  const gated = requirements.filter(({ level }) => level === 'must' || failOn === 'should')
  const isAccepted = (id: string) => {
    const own = failures.filter(({ requirement }) => requirement === id)
    return own.length > 0 && own.every(({ known }) => known)
  }
  const failed = gated.filter(({ id, outcome }) => outcome === 'failed' && !isAccepted(id)).length
  const told = [
    failed > 0 ? `${counted(failed, 'requirement')} failed` : null,
    stale.length > 0 ? `the baseline is out of date: ${firstOf(stale)}; ${STALE_CURE}` : null,
    trouble,
  ].filter((one) => one !== null)
  const because = told.join('; ')
  if (failed > 0 || stale.length > 0) return { verdict: 'deviates', because }
  if (told.length > 0) return { verdict: 'inconclusive', because }
  const mistaken = profile.map(({ field, words }) => `the profile's ${field} is refused: ${words}`)
  // A requirement that does not count has been judged nevertheless.
  if (!requirements.some(({ checks }) => checks.some(({ outcome }) => outcome !== 'skipped')))
    return { verdict: 'inconclusive', because: ['nothing could be judged', ...mistaken].join('; ') }
  const skipped = gated.filter(({ outcome }) => outcome === 'skipped').length
  // Another shard may have judged what this one skipped.
  if (strict && skipped > 0 && !isShard)
    return { verdict: 'deviates', because: `${counted(skipped, 'requirement')} skipped under --strict` }
  return { verdict: 'conforms', because: null }
}

const STALE_CURE = 'delete such an entry from its file, or write the file again with --write-baseline'

const firstOf = ([first = '', ...rest]: readonly string[]) =>
  rest.length === 0 ? first : `${first}, and ${rest.length} more`

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

/** The numbers of a summary. */
export function sumsOf(
  requirements: readonly ReportRequirement[],
  failures: readonly ReportFailure[],
): Pick<Report['summary'], 'must' | 'should' | 'judged' | 'of' | 'known'> {
  const count = (level: string) => {
    const have = (outcome: string) =>
      requirements.filter((one) => one.level === level && one.outcome === outcome).length
    return { passed: have('passed'), failed: have('failed'), skipped: have('skipped') }
  }
  return {
    must: count('must'),
    should: count('should'),
    judged: requirements.filter(({ outcome }) => outcome !== 'skipped').length,
    of: rules.size,
    known: countKnown(failures),
  }
}
