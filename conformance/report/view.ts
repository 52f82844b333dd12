/** What every form of a report shows, in words. The renderers only mark it up. */
import { ONCE } from '../drive/confirmed.js'
import { NEVER } from '../drive/needs.js'
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
      rows: reasons.map(({ text, count, ids }) => [String(count), text, listed(ids, 2)]),
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
  const deviation = report.baseline ? 'new deviation' : 'deviation'
  if (verdict === 'deviates')
    return failedOf(report).counting > 0 ? `deviates: ${because}` : `has no ${deviation}, but ${because}`
  const apart = known === 0 ? '' : ` apart from ${counted(known, 'known deviation')}`
  if (!isPart(report)) return `conforms${apart}`
  if (judged < of) return `conforms${apart}, but only ${ofAll(judged, of)} judged`
  return `conforms${apart}, but ${ofAll(partlyOf(report), of)} judged at some operations only`
}

/** The verdict in a few words, for a title. */
export const verdictWord = (report: Report): string => {
  const { verdict } = report.summary
  return verdict === 'conforms' && isPart(report) ? 'conforms in part' : verdict
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

/** First the requirements that were not judged at all, each at its most common reason; then those judged in part. */
function unjudgedOf(report: Report) {
  const { requirements, summary, settings } = report
  if (!isPart(report)) return { title: '', reasons: [] }
  // At an operation with an answer, its status at least is judged.
  const statuses = requirements.find(({ id }) => id === 'status')?.checks ?? []
  const uncalled = statuses.flatMap(({ operation, reason }) => (reason === NEVER ? operation : []))
  const skipped = requirements.flatMap(({ id, outcome, checks }) => {
    const isWhole = outcome === 'skipped'
    const texts = checks.flatMap((check) => {
      if (check.outcome !== 'skipped' || check.reason === undefined) return []
      // The level of the run is left out, so that equal reasons become one.
      const text = check.reason.replace(/^(needs --safety [^,:]+)(, the run allows \w+$|: .*)/s, '$1')
      if (text !== NEVER || !uncalled.includes(check.operation)) return text
      const isOne = isWhole || uncalled.length === 1
      return isOne ? `${check.operation} was never called` : `${uncalled.length} operations were never called`
    })
    return texts.length === 0 ? [] : [{ id, isWhole, texts: [...new Set(texts)] }]
  })
  const reasons = byReason(skipped.filter(({ isWhole }) => isWhole))
  // A run that judged nothing has no requirements.
  const count = requirements.length === 0 ? 0 : summary.of - requirements.length
  const lacking = 'the profile says that the tracker lacks the operations'
  const text = settings.only.length > 0 ? 'not asked for (--only)' : lacking
  if (count > 0) reasons.push({ text, count, ids: [] })
  reasons.sort((a, b) => b.count - a.count)
  const some = skipped.filter(({ isWhole }) => !isWhole)
  const why = `judged at some operations only (${listed(commonIn(some), 2, 'reason')})`
  if (some.length > 0) reasons.push({ text: why, ...countedIn(some) })
  const once = checksOf(report).filter(({ reason = '' }) => reason.startsWith(ONCE))
  const ids = once.map(({ requirement, operation }) => `${requirement.id} (${operation})`)
  if (ids.length > 0) reasons.push({ text: `${ONCE} not again`, count: ids.length, ids })
  const none = summary.of - summary.judged
  const how = none > 0 ? 'not judged' : 'judged at some operations only'
  return { title: `${ofAll(none || partlyOf(report), summary.of)} ${how}`, reasons }
}

type Skipped = readonly { readonly id: string; readonly texts: readonly string[] }[]

const countedIn = (all: Skipped) => ({ count: all.length, ids: all.map(({ id }) => id) })

/** The reasons, the most common first. */
function commonIn(all: Skipped): string[] {
  const texts = all.flatMap((one) => one.texts)
  const groups = [...groupBy(texts, String)].toSorted(([, a], [, b]) => b.length - a.length)
  return groups.map(([text]) => text)
}

/** Each requirement is in one group, so that the counts add up. */
function byReason(all: Skipped): { text: string; count: number; ids: string[] }[] {
  const [text] = commonIn(all)
  if (text === undefined) return []
  const those = all.filter(({ texts }) => texts.includes(text))
  return [{ text, ...countedIn(those) }, ...byReason(all.filter((one) => !those.includes(one)))]
}

/** `2 of 9 requirements were`. */
const ofAll = (n: number, all: number) => `${n} of ${all} requirements ${n === 1 ? 'was' : 'were'}`

/** How many requirements were judged for some of their operations only. */
const partlyOf = ({ requirements }: Pick<Report, 'requirements'>): number =>
  requirements.filter(
    ({ outcome, checks }) => outcome !== 'skipped' && checks.some((check) => check.outcome === 'skipped'),
  ).length

/** Whether the verdict covers only a part of the document. */
export const isPart = (report: Pick<Report, 'summary' | 'requirements'>): boolean =>
  report.summary.judged < report.summary.of || partlyOf(report) > 0
