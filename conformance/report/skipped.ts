/** What a report does not judge, by reason: one absent field skips many requirements, so each reason appears once. */
import type { Report } from './report.js'

/**
 * The reasons, the most common first. Each has the number of requirements that were skipped for it, wholly or for some
 * operations, and the names of the first of them. A requirement counts for each of its reasons.
 */
export function reasonsOf({ requirements, settings, shard, summary }: Report) {
  const groups = new Map<string, Set<string>>()
  for (const { id, ...requirement } of requirements)
    for (const { outcome, reason } of requirement.checks.length > 0 ? requirement.checks : [requirement]) {
      if (outcome !== 'skipped' || reason === undefined) continue
      // The level of the run is left out, so that equal reasons become one.
      const text = reason.replace(/^(needs --safety \w+)(, the run allows \w+$|: .*)/s, '$1')
      groups.set(text, (groups.get(text) ?? new Set()).add(id))
    }
  const reasons = [...groups].map(([text, ids]) => ({ text, count: ids.size, named: firstOf([...ids]) }))
  const unasked = summary.of - requirements.length
  const why = [
    ...(settings.only.length > 0 ? ['not asked for (--only)'] : []),
    ...(shard ? [`in other shards than ${shard.index}/${shard.count}`] : []),
  ]
  if (unasked > 0 && why.length > 0) reasons.push({ text: why.join(', or '), count: unasked, named: '' })
  return reasons.toSorted((a, b) => b.count - a.count)
}

const firstOf = (ids: readonly string[]) =>
  `${ids.slice(0, 2).join(', ')}${ids.length > 2 ? ` and ${ids.length - 2} more` : ''}`

/**
 * `93 of 150 requirements were not judged, and 9 were for some operations only`, with how many of them are due to
 * mistakes of the profile; null if all were judged completely.
 */
export function unjudgedText(report: Report): string | null {
  const { judged, of } = report.summary
  const partly = partlyOf(report)
  const none = of - judged
  if (none === 0 && partly === 0) return null
  const some = partly === 0 ? '' : `${partly} ${partly === 1 ? 'was' : 'were'} for some operations only`
  const reasons = reasonsOf(report)
  const notes = [
    mistaken(report) > 0 ? `${mistaken(report)} because the profile is mistaken` : null,
    reasons.reduce((sum, { count }) => sum + count, 0) > none + partly
      ? 'one may have several reasons'
      : null,
  ].filter((note) => note !== null)
  const noted = notes.length === 0 ? '' : ` (${notes.join('; ')})`
  if (none === 0) return `Of ${of} requirements ${some}${noted}`
  return `${none} of ${of} requirements ${none === 1 ? 'was' : 'were'} not judged${some === '' ? '' : `, and ${some}`}${noted}`
}

/** How many requirements were not judged for all operations because the target refuses a field of the profile. */
const mistaken = ({ requirements, profile }: Report): number =>
  requirements.filter(({ checks }) =>
    checks.some(
      ({ outcome, reason }) =>
        outcome === 'skipped' &&
        profile.some(({ field }) => reason?.startsWith(`the profile's ${field} is refused `)),
    ),
  ).length

/** How many requirements were judged for some of their operations only. */
export const partlyOf = ({ requirements }: Pick<Report, 'requirements'>): number =>
  requirements.filter(
    ({ outcome, checks }) => outcome !== 'skipped' && checks.some((check) => check.outcome === 'skipped'),
  ).length

/** Whether the verdict covers only a part of the document. */
export const isPart = (report: Pick<Report, 'summary' | 'requirements'>): boolean =>
  report.summary.judged < report.summary.of || partlyOf(report) > 0
