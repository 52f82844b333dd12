/** What a report does not judge, by reason: one absent field skips many requirements, so each reason appears once. */
import type { Report } from './report.js'

/**
 * The reasons, the most common first. Each has the number of requirements that were skipped for it, wholly or for some
 * operations, and the names of the first of them. A requirement counts for each of its reasons.
 */
export function reasonsOf({ requirements, settings, summary }: Report) {
  const groups = new Map<string, Set<string>>()
  for (const { id, ...requirement } of requirements)
    for (const { outcome, reason } of requirement.checks.length > 0 ? requirement.checks : [requirement]) {
      if (outcome !== 'skipped' || reason === undefined) continue
      // The level of the run is left out, so that equal reasons become one.
      const text = reason.replace(/^(needs --safety \w+)(, the run allows \w+$|: .*)/s, '$1')
      groups.set(text, (groups.get(text) ?? new Set()).add(id))
    }
  const reasons = [...groups].map(([text, ids]) => ({ text, count: ids.size, named: firstOf([...ids]) }))
  // A run that judged nothing has no requirements.
  const count = requirements.length === 0 ? 0 : summary.of - requirements.length
  const lacking = 'the profile says that the tracker lacks the operations'
  const text = settings.only.length > 0 ? 'not asked for (--only)' : lacking
  if (count > 0) reasons.push({ text, count, named: '' })
  return reasons.toSorted((a, b) => b.count - a.count)
}

const firstOf = (ids: readonly string[]) =>
  `${ids.slice(0, 2).join(', ')}${ids.length > 2 ? ` and ${ids.length - 2} more` : ''}`

/** `93 of 150 requirements were not judged, and 9 were for some operations only`; null if all were judged completely. */
export function unjudgedText(report: Report): string | null {
  const { judged, of } = report.summary
  const partly = partlyOf(report)
  const none = of - judged
  if (none === 0 && partly === 0) return null
  const some = partly === 0 ? '' : `${partly} ${partly === 1 ? 'was' : 'were'} for some operations only`
  const reasons = reasonsOf(report).reduce((sum, { count }) => sum + count, 0)
  const noted = reasons > none + partly ? ' (one may have several reasons)' : ''
  if (none === 0) return `Of ${of} requirements ${some}${noted}`
  return `${none} of ${of} requirements ${none === 1 ? 'was' : 'were'} not judged${some === '' ? '' : `, and ${some}`}${noted}`
}

/** How many requirements were judged for some of their operations only. */
export const partlyOf = ({ requirements }: Pick<Report, 'requirements'>): number =>
  requirements.filter(
    ({ outcome, checks }) => outcome !== 'skipped' && checks.some((check) => check.outcome === 'skipped'),
  ).length

/** Whether the verdict covers only a part of the document. */
export const isPart = (report: Pick<Report, 'summary' | 'requirements'>): boolean =>
  report.summary.judged < report.summary.of || partlyOf(report) > 0
