/** What a report does not judge, by reason: one absent field skips many requirements, so each reason appears once. */
import type { Report } from './report.js'

export interface Unjudged {
  /** `93 of 150 requirements were not judged, and 9 were for some operations only`. */
  readonly what: string
  /**
   * The most common first. Each has the number of requirements that were skipped for it, wholly or for some operations,
   * and the names of the first of them. A requirement counts for each of its reasons.
   */
  readonly reasons: readonly { readonly text: string; readonly count: number; readonly named: string }[]
}

/** Null if all were judged completely. */
export function unjudgedOf(report: Report): Unjudged | null {
  const { judged, of } = report.summary
  if (!isPart(report)) return null
  const partly = partlyOf(report)
  const none = of - judged
  const reasons = reasonsOf(report)
  const were = (count: number) => (count === 1 ? 'was' : 'were')
  const some = `${partly} ${were(partly)} for some operations only`
  const whole = `${none} of ${of} requirements ${were(none)} not judged${partly === 0 ? '' : `, and ${some}`}`
  const isNoted = reasons.reduce((sum, { count }) => sum + count, 0) > none + partly
  const note = isNoted ? ' (one may have several reasons)' : ''
  return { what: `${none === 0 ? `Of ${of} requirements ${some}` : whole}${note}`, reasons }
}

function reasonsOf({ requirements, settings, summary }: Report): Unjudged['reasons'] {
  const groups = new Map<string, Map<string, boolean>>()
  for (const { id, outcome: whole, checks } of requirements)
    for (const { outcome, reason } of checks) {
      if (outcome !== 'skipped' || reason === undefined) continue
      // The level of the run is left out, so that equal reasons become one.
      const text = reason.replace(/^(needs --safety \w+)(, the run allows \w+$|: .*)/s, '$1')
      groups.set(text, (groups.get(text) ?? new Map()).set(id, whole !== 'skipped'))
    }
  const reasons = [...groups].map(([reason, ids]) => {
    const isPartly = [...ids.values()].includes(true)
    const text = isPartly ? `${reason} (some of these at single operations only)` : reason
    return { text, count: ids.size, named: firstOf([...ids.keys()]) }
  })
  // A run that judged nothing has no requirements.
  const count = requirements.length === 0 ? 0 : summary.of - requirements.length
  const lacking = 'the profile says that the tracker lacks the operations'
  const text = settings.only.length > 0 ? 'not asked for (--only)' : lacking
  if (count > 0) reasons.push({ text, count, named: '' })
  return reasons.toSorted((a, b) => b.count - a.count)
}

const firstOf = (ids: readonly string[]) =>
  `${ids.slice(0, 2).join(', ')}${ids.length > 2 ? ` and ${ids.length - 2} more` : ''}`

/** How many requirements were judged for some of their operations only. */
export const partlyOf = ({ requirements }: Pick<Report, 'requirements'>): number =>
  requirements.filter(
    ({ outcome, checks }) => outcome !== 'skipped' && checks.some((check) => check.outcome === 'skipped'),
  ).length

/** Whether the verdict covers only a part of the document. */
export const isPart = (report: Pick<Report, 'summary' | 'requirements'>): boolean =>
  report.summary.judged < report.summary.of || partlyOf(report) > 0
