/** The verdict for a person, at the end of a run, and the sentences that every form of a report has. */
import { type Alike, alike, moreOf } from './alike.js'
import { evidenceLines, npx, restText } from './evidence.js'
import { leftOn } from './leftovers.js'
import type { Report } from './report.js'
import { isPart, partlyOf, unjudgedOf } from './skipped.js'
import { bounded, counted, listed } from './words.js'

const MOST_SHOWN = 20
const MOST_REASONS = 10
const MOST_LEFT = 10

/** Colours text. */
export type Paint = (colour: 'red' | 'green' | 'yellow', text: string) => string

export const plain: Paint = (_colour, text) => text

/** `advice`: other commands that the reader may want to run, at the end of the text. */
export function verdictText(
  report: Report,
  out: string | null,
  advice: readonly string[] = [],
  paint = plain,
): string {
  const kept = out === null ? '; --out DIR keeps all' : ''
  const news = report.failures.filter(({ known }) => !known)
  const known = report.failures.length - news.length
  const groups = alike({ ...report, failures: news })
  const hidden = failuresIn(groups.slice(MOST_SHOWN))
  const left = bounded(leftOn(report), MOST_LEFT, (more) => `… and ${more} more${kept}`)
  const paragraphs = [
    ...groups.slice(0, MOST_SHOWN).map((group) => failureLines(group, paint)),
    hidden > 0 ? [`… and ${counted(hidden, 'more failure')}${kept}`] : [],
    known > 0 ? [`${counted(known, 'failure')} ${known === 1 ? 'is' : 'are'} in the baseline`] : [],
    titled(`${mistakesText}:`, mistakeLines(report)),
    titled('Left on the target:', left),
    runLines(report, paint),
    [
      verdictLine(report, paint),
      ...unjudgedLines(report, kept, paint),
      ...advice.map((line) => paint('yellow', line)),
      ...(out === null ? [] : [`Report: ${out}`]),
    ],
  ]
  const written = paragraphs.filter(({ length }) => length > 0).map((lines) => lines.join('\n'))
  return `${written.join('\n\n')}\n`
}

/** How many failures are in these groups. */
export const failuresIn = (groups: readonly Alike[]): number =>
  groups.reduce((sum, { rest }) => sum + 1 + rest.length, 0)

const titled = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)]

export const verdictLine = (report: Report, paint = plain): string =>
  `${report.target.baseUrl} ${paint(verdictColour(report), verdictSentence(report))}`

/** The verdict in one line, with failures that do not count for it. What was not judged is listed below it. */
export function verdictSentence(report: Report): string {
  const { because } = report.summary
  const fields = report.profile.map(({ field }) => field).join(', ')
  const isSaid = fields === '' || because?.includes("the profile's ")
  const beside = [uncountedText(report), isSaid ? null : `the profile is mistaken in ${fields}`]
  return [verdictAlone(report), ...beside.filter((one) => one !== null)].join('; ')
}

/** `2 should requirements failed (--fail-on should counts them)`; null if none failed or they count. */
function uncountedText({ requirements, failures, settings }: Report): string | null {
  if (settings.failOn === 'should') return null
  const isNew = (id: string) => failures.some(({ requirement, known }) => requirement === id && !known)
  const count = requirements.filter((one) => one.level === 'should' && isNew(one.id)).length
  const it = count === 1 ? 'it' : 'them'
  return count === 0 ? null : `${counted(count, 'should requirement')} failed (--fail-on should counts ${it})`
}

function verdictAlone(report: Report): string {
  const { verdict, because, judged, of, known } = report.summary
  if (verdict === 'inconclusive') return `was not judged (inconclusive): ${because}`
  if (verdict === 'deviates')
    return isDeviation(report) ? `deviates: ${because}` : `has no new deviation, but ${because}`
  const apart = known === 0 ? '' : ` apart from ${counted(known, 'known deviation')}`
  if (!isPart(report)) return `conforms${apart}`
  const [count, some] = judged < of ? [judged, ''] : [partlyOf(report), ' for some operations only']
  return `conforms${apart && `${apart},`} as far as judged: ${count} of ${of} requirements${some}`
}

/** An old baseline and --strict fail a run in which nothing deviates. */
const isDeviation = ({ summary: { because } }: Pick<Report, 'summary'>) =>
  / requirements? failed/.test(because ?? '')

/** The verdict in a few words, for a title. */
export function verdictWord(report: Pick<Report, 'summary' | 'requirements'>): string {
  const { verdict } = report.summary
  if (verdict === 'deviates' && !isDeviation(report)) return 'fails'
  return verdict === 'conforms' && isPart(report) ? 'conforms as far as judged' : verdict
}

/** The colour of a verdict: yellow if it does not cover everything. */
export function verdictColour(report: Report): 'red' | 'green' | 'yellow' {
  const { verdict } = report.summary
  if (verdict === 'deviates') return 'red'
  return verdict === 'inconclusive' || isPart(report) || uncountedText(report) !== null ? 'yellow' : 'green'
}

/** The title of the list of fields of the profile that the target refuses. */
export const mistakesText = 'The profile is mistaken, which is not held against the tracker'

export const mistakeLines = ({ profile }: Pick<Report, 'profile'>): string[] =>
  profile.map(({ field, words }) => `${field}: ${words}`)

/** A duration, as every report shows it: `1.2 s`. */
export const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** What a run sent; or how much traffic was recorded, and `left out 9 entries: 7 to another host` if entries were. */
export function runTexts({
  recording,
  summary: { requests },
  durationMs,
  safety,
  ...report
}: Report): string[] {
  const { seed, seeds = [seed] } = report
  if (recording === null) {
    const drawn = `seed${seeds.length > 1 ? 's' : ''} ${seeds.join(', ')}`
    return [`${requests} requests in ${secondsOf(durationMs)}, safety ${safety}, ${drawn}`]
  }
  const { files, passed } = recording
  const total = passed.reduce((sum, { count }) => sum + count, 0)
  const reasons = passed.map(({ reason, count }) => `${count} ${reason}`).join(', ')
  return [
    `${requests} recorded requests of ${listed(files, 3, 'file')}`,
    ...(total === 0 ? [] : [`left out ${counted(total, 'entry', 'entries')}: ${reasons}`]),
  ]
}

/** The counts of the requirements at each level, such as `3 passed`. */
export const countsOf = ({ summary }: Report, paint = plain) =>
  (['must', 'should'] as const).map((level) => {
    const { passed, failed, skipped } = summary[level]
    const count = (number: number, what: string, colour: Parameters<Paint>[0]) =>
      number === 0 ? `0 ${what}` : paint(colour, `${number} ${what}`)
    const counts = [count(passed, 'passed', 'green'), count(failed, 'failed', 'red')]
    return { name: `${level} requirements`, counts: [...counts, count(skipped, 'skipped', 'yellow')] }
  })

/** The counts of requirements, and of the requests that were sent or recorded. */
function runLines(report: Report, paint: Paint): string[] {
  const [run = '', ...passed] = runTexts(report)
  const isRun = report.recording === null
  const choices = `${report.summary.observed} choices that the document leaves open`
  return [
    ...countsOf(report, paint).map(({ name, counts }) => [name, counts.join(', ')]),
    ...(isRun ? [['observed', choices]] : []),
    [isRun ? 'run' : 'recording', run],
    ...passed.map((text) => ['', text]),
  ].map(([name = '', text = '']) => `${name.padEnd(21)}${text}`)
}

/** The lines of a failure, with enough to recognise the request. */
function failureLines(group: Alike, paint: Paint): string[] {
  const { level, requirement, message } = group.first
  const more = moreOf(group)
  const title = `${paint('red', 'FAILED')} ${level} ${requirement} (${listed(group.operations, 4, 'operation')})`
  return titled(title, [message, ...evidenceLines(group.first), ...(more === null ? [] : [more])])
}

function unjudgedLines(report: Report, kept: string, paint: Paint): string[] {
  const { what, reasons } = unjudgedOf(report) ?? { what: '', reasons: [] }
  if (what === '') return []
  const width = String(reasons[0]?.count ?? 0).length
  const rows = reasons.map(
    ({ text, count, named }) => `${String(count).padStart(width)}  ${text}${named && `: ${named}`}`,
  )
  const moreOf = (more: number) => `… and ${counted(more, 'more reason')}${kept}`
  return [
    ...titled(`${paint('yellow', what)}:`, bounded(rows, MOST_REASONS, moreOf)),
    ...(report.rest === null ? [] : [`${paint('yellow', restText)}: ${npx(report.rest)}`]),
  ]
}
