/** What every form of a report shows, in words. The renderers only mark it up. */
import { groupBy } from '../oracle/json.js'
import { type Alike, alike } from './alike.js'
import { npx } from './evidence.js'
import { leftOn } from './leftovers.js'
import type { Report, ReportRequirement } from './report.js'
import { failedOf } from './verdict.js'
import { counted, listed, secondsOf } from './words.js'

/** A cell of a table, perhaps with a link for forms that can show it. */
export type Cell = string | { readonly text: string; readonly href: string }

/** A list, or a table if it has a head. */
export interface Part {
  readonly id: string
  /** What the rows are about, and the same in a few words, for forms that have headings. */
  readonly title: string
  readonly heading?: string
  readonly head?: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  /** A command that the rows suggest, with its title. */
  readonly command?: readonly [title: string, line: string] | false
}

export const wordsIn = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.text)

/** Groups of failures that look alike, those that the baseline does not know and those that it knows. */
export function groupsOf(report: Report) {
  const groups = alike(report)
  const those = (wanted: boolean) => groups.filter(({ first }) => first.known === wanted)
  return { news: those(false), known: those(true) }
}

export const failuresIn = (groups: readonly Alike[]): number =>
  groups.reduce((sum, { rest }) => sum + 1 + rest.length, 0)

/** The parts besides the failures, without rows if there is nothing to say. */
export function partsOf(report: Report): { readonly [id in 'profile' | 'unjudged' | 'leftovers']: Part } {
  const { profile, rest } = report
  const { title, reasons } = unjudgedOf(report)
  return {
    profile: {
      ...{ id: 'profile', title: 'The profile is mistaken, which is not held against the tracker' },
      rows: profile.map(({ field, words }) => [`${field}: ${words}`]),
    },
    unjudged: {
      ...{ id: 'unjudged', title, heading: 'Not judged', head: ['requirements', 'because', 'which'] },
      rows: reasons.map(({ text, count, named }) => [String(count), text, named]),
      // The command changes the tracker, so not all may run it.
      command: rest !== null && [REST, npx(rest)],
    },
    leftovers: {
      ...{ id: 'leftovers', title: 'Left on the tracker' },
      rows: leftOn(report).map((line) => [line]),
    },
  }
}

const REST = 'More can be checked with this command, which changes the tracker (--plan shows how)'

/** The verdict in one line, with failures that do not count for it. What was not judged is listed below it. */
export function verdictSentence(report: Report): string {
  const { because } = report.summary
  const fields = report.profile.map(({ field }) => field).join(', ')
  const { other } = failedOf(report)
  const cure = `--fail-on should counts ${other === 1 ? 'it' : 'them'}`
  return [
    verdictAlone(report),
    other > 0 && `${counted(other, 'should requirement')} failed (${cure})`,
    fields !== '' && !because?.includes("the profile's ") && `the profile is mistaken in ${fields}`,
  ]
    .filter((part) => part !== false)
    .join('; ')
}

function verdictAlone(report: Report): string {
  const { verdict, because, judged, of, known } = report.summary
  if (verdict === 'inconclusive') return `was not judged (inconclusive): ${because}`
  // An old baseline and --strict fail a run in which nothing deviates.
  if (verdict === 'deviates')
    return failedOf(report).counting > 0
      ? `deviates: ${because}`
      : `has no ${report.baseline ? 'new ' : ''}deviation, but ${because}`
  const apart = known === 0 ? '' : ` apart from ${counted(known, 'known deviation')}`
  if (!isPart(report)) return `conforms${apart}`
  const [count, some] = judged < of ? [judged, ''] : [partlyOf(report), ' for some operations only']
  return `conforms${apart && `${apart},`} as far as judged: ${count} of ${of} requirements${some}`
}

/** The verdict in a few words, for a title. */
export const verdictWord = (report: Report): string => {
  const { verdict } = report.summary
  return verdict === 'conforms' && isPart(report) ? 'conforms as far as judged' : verdict
}

export type Colour = 'red' | 'green' | 'yellow'

/** The colour of a verdict: yellow if it does not cover everything. */
export function verdictColour(report: Report): Colour {
  const { verdict } = report.summary
  if (verdict === 'deviates') return 'red'
  return verdict === 'inconclusive' || isPart(report) || failedOf(report).other > 0 ? 'yellow' : 'green'
}

/** The counts of requirements, and what a run sent or how much traffic was recorded, as rows of a name and a text. */
export function countsOf(report: Report): (readonly [name: string, text: string])[] {
  const { summary, recording, durationMs, safety, seed, seeds = [seed] } = report
  const sums = (['must', 'should'] as const).map((level) => {
    const { passed, failed, skipped } = summary[level]
    return [`${level} requirements`, `${passed} passed, ${failed} failed, ${skipped} skipped`] as const
  })
  if (recording === null) {
    const drawn = `seed${seeds.length > 1 ? 's' : ''} ${seeds.join(', ')}`
    const sent = `${summary.requests} requests in ${secondsOf(durationMs)}, safety ${safety}, ${drawn}`
    const choices = `${counted(summary.observed, 'choice')} that the document leaves open`
    return [...sums, ['observed', choices], ['run', sent]]
  }
  const { files, passed } = recording
  const total = passed.reduce((sum, { count }) => sum + count, 0)
  const reasons = passed.map(({ reason, count }) => `${count} ${reason}`).join(', ')
  const left = `left out ${counted(total, 'entry', 'entries')}: ${reasons}`
  const recorded = `${summary.requests} recorded requests of ${listed(files, 3, 'file')}`
  return [...sums, ['recording', total === 0 ? recorded : `${recorded}; ${left}`]]
}

/** Each check with its failures, those that the baseline does not know first. `known`: it knows all of them. */
export const checksOf = ({ requirements, failures }: Report) =>
  requirements.flatMap((requirement) =>
    requirement.checks.map((check) => {
      const all = failures.filter(
        (one) => one.requirement === requirement.id && one.operation === check.operation,
      )
      const own = all.toSorted((a, b) => Number(a.known) - Number(b.known))
      const kind = check.outcome === 'failed' && own[0]?.known ? 'known' : check.outcome
      return { requirement, ...check, kind, own }
    }),
  )

export type CheckView = ReturnType<typeof checksOf>[number]

export const bySection = (requirements: readonly ReportRequirement[]): ReportRequirement[] =>
  requirements.toSorted((a, b) => a.section.localeCompare(b.section, 'en', { numeric: true }))

/** Which requirements were not judged, and the reasons, the most common first. One requirement may have several. */
function unjudgedOf(report: Report) {
  const { requirements, summary, settings } = report
  if (!isPart(report)) return { title: '', reasons: [] }
  const sentence = (count: number, what: string) =>
    count === 0 ? [] : [`${count} of ${summary.of} requirements ${count === 1 ? 'was' : 'were'} ${what}`]
  const partly = sentence(partlyOf(report), 'judged for some operations only')
  const skipped = requirements.flatMap(({ id, outcome: whole, checks }) =>
    // The level of the run is left out, so that equal reasons become one.
    checks.flatMap(({ outcome, reason }) => {
      const text = reason?.replace(/^(needs --safety \w+)(, the run allows \w+$|: .*)/s, '$1')
      const isPartly = whole !== 'skipped'
      return outcome === 'skipped' && text !== undefined ? [{ id, text, isPartly }] : []
    }),
  )
  const reasons = [...groupBy(skipped, ({ text }) => text)].map(([text, group]) => {
    const ids = [...new Set(group.map(({ id }) => id))]
    const count = new Set(group.flatMap(({ id, isPartly }) => (isPartly ? id : []))).size
    const part =
      count === 0 ? '' : ` (${count < ids.length ? `${count} of them ` : ''}at some operations only)`
    return { text: text + part, count: ids.length, named: listed(ids, 2) }
  })
  // A run that judged nothing has no requirements.
  const count = requirements.length === 0 ? 0 : summary.of - requirements.length
  const lacking = 'the profile says that the tracker lacks the operations'
  const text = settings.only.length > 0 ? 'not asked for (--only)' : lacking
  if (count > 0) reasons.push({ text, count, named: '' })
  const told = reasons.reduce((sum, one) => sum + one.count, 0)
  const note = told > summary.of - summary.judged + partlyOf(report) ? ' (one may have several reasons)' : ''
  const title = [...sentence(summary.of - summary.judged, 'not judged'), ...partly].join('; ') + note
  return { title, reasons: reasons.toSorted((a, b) => b.count - a.count) }
}

/** How many requirements were judged for some of their operations only. */
const partlyOf = ({ requirements }: Pick<Report, 'requirements'>): number =>
  requirements.filter(
    ({ outcome, checks }) => outcome !== 'skipped' && checks.some((check) => check.outcome === 'skipped'),
  ).length

/** Whether the verdict covers only a part of the document. */
export const isPart = (report: Pick<Report, 'summary' | 'requirements'>): boolean =>
  report.summary.judged < report.summary.of || partlyOf(report) > 0
