/** The verdict as a person reads it at the end of a run. */
import { type Alike, alike, groupBy, listed, moreOf } from './alike.js'
import { needsOf, replayOf } from './commands.js'
import type { Report, ReportRequirement } from './report.js'

const MOST_SHOWN = 20

export function verdictText(report: Report, out: string | null): string {
  const { summary, failures, leftovers, target, seed, safety, durationMs } = report
  const lines: string[] = []
  const news = failures.filter(({ known }) => !known)
  const groups = alike({ ...report, failures: news })
  for (const group of groups.slice(0, MOST_SHOWN)) lines.push(...failureLines(group), '')
  const rest = groups.slice(MOST_SHOWN).reduce((sum, group) => sum + 1 + group.rest.length, 0)
  if (rest > 0) lines.push(`… and ${rest} more failures${out === null ? '; --out DIR keeps all' : ''}`, '')
  if (news.length < failures.length)
    lines.push(`${failures.length - news.length} failures stand in the baseline`, '')
  lines.push(...skippedLines(report))
  if (leftovers.length > 0)
    lines.push('Left on the target:', ...leftovers.map((leftover) => `  ${leftover}`), '')
  for (const level of ['must', 'should'] as const) {
    const { passed, failed, skipped } = summary[level]
    lines.push(`${level.padEnd(8)}${passed} passed, ${failed} failed, ${skipped} skipped`)
  }
  lines.push(
    `observed  ${summary.observed} choices that the document leaves open`,
    `run       ${summary.requests} requests in ${(durationMs / 1000).toFixed(1)} s, safety ${safety}, seed ${seed}`,
    '',
    `${target.baseUrl} ${verdictSentence(report)}`,
  )
  if (out !== null) lines.push(`Report: ${out}`)
  return `${lines.join('\n')}\n`
}

export function verdictSentence({
  summary: { verdict, because },
  requirements,
}: Pick<Report, 'summary' | 'requirements'>): string {
  if (verdict === 'conforms') return `conforms${boundsOf(requirements)}`
  return verdict === 'deviates' ? `deviates: ${because}` : `was not judged (inconclusive): ${because}`
}

/** What the verdict does not speak of; empty where nothing was skipped. */
function boundsOf(requirements: readonly ReportRequirement[]): string {
  const skipped = requirements.filter(({ outcome }) => outcome === 'skipped')
  const partly = requirements.filter(
    ({ outcome, checks }) => outcome !== 'skipped' && checks.some((check) => check.outcome === 'skipped'),
  )
  if (skipped.length + partly.length === 0) return ''
  const reasons = groupBy(skipped, ({ checks, reason }) => reasonOf(checks[0]?.reason ?? reason ?? '').text)
    .toSorted((a, b) => b.length - a.length)
    .map((group, _, { length }) => {
      const [{ checks, reason } = { checks: [], reason: '' }] = group
      const { text } = reasonOf(checks[0]?.reason ?? reason ?? '')
      return length === 1 ? text : `${text} (${group.length})`
    })
  const checked = requirements.length - skipped.length
  return [
    ` in what was checked: ${checked} of ${requirements.length} requirements`,
    ...(partly.length > 0 ? [`, ${partly.length} of them for some operations only`] : []),
    ...(skipped.length > 0 ? [`; ${skipped.length} skipped because: ${listed(reasons, 2, 'reason')}`] : []),
  ].join('')
}

function failureLines(group: Alike): string[] {
  const { level, requirement, message, curl } = group.first
  const needs = curl === null ? '' : needsOf(curl)
  const more = moreOf(group)
  return [
    `FAILED ${level} ${requirement} (${listed(group.operations, 4, 'operation')})`,
    `  ${message}`,
    ...(curl === null ? [] : [`  ${needs === '' ? '' : `${needs}: `}${curl}`]),
    `  replay: ${replayOf(group.first)}`,
    ...(more === null ? [] : [`  ${more}`]),
  ]
}

/** Without the operation, so that what is skipped for many of them has one reason. */
function reasonOf(reason: string): { text: string; operation?: string } {
  const [, what, operation] = /^no (.+) of (\w+) was seen$/.exec(reason) ?? []
  return operation === undefined ? { text: reason } : { text: `no ${what} was seen`, operation }
}

/** One line for each reason, since one absent field skips much, and one for all operations without such an answer. */
function skippedLines({ requirements }: Report): string[] {
  const byReason = new Map<string, { readonly ids: Set<string>; readonly operations: Set<string> }>()
  for (const { id, checks } of requirements)
    for (const { reason } of checks) {
      if (reason === undefined) continue
      const { text, operation } = reasonOf(reason)
      const group = byReason.get(text) ?? { ids: new Set(), operations: new Set() }
      group.ids.add(id)
      if (operation !== undefined) group.operations.add(operation)
      byReason.set(text, group)
    }
  if (byReason.size === 0) return []
  const rows = [...byReason].map(
    ([
      reason,
      {
        ids,
        operations: { size },
        operations,
      },
    ]) => {
      const [first, second, ...rest] = ids
      const named = [first, second].filter((id) => id !== undefined).join(', ')
      const of =
        size > 0 ? ` of ${size} operation${size === 1 ? '' : 's'} (${[...operations].join(', ')})` : ''
      return `  ${reason}${of}: ${named}${rest.length > 0 ? ` and ${rest.length} more` : ''}`
    },
  )
  return ['Skipped, wholly or for some operations:', ...rows, '']
}
