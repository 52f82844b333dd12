/** The verdict as a person reads it at the end of a run. */
import { type Alike, alike, bounded, listed, moreOf } from './alike.js'
import { needsOf, npx, replayOf, restText } from './commands.js'
import { judgedRows, witnessLines } from './evidence.js'
import { leftOn } from './leftovers.js'
import type { Report } from './report.js'
import { isPart, partlyOf, reasonsOf, unjudgedText } from './skipped.js'

const MOST_SHOWN = 20
const MOST_REASONS = 10
const MOST_LEFT = 10

/** `advice`: what else the reader may want to run, beneath all the rest. */
export function verdictText(report: Report, out: string | null, advice: readonly string[] = []): string {
  const { summary, failures, target } = report
  const lines: string[] = []
  const news = failures.filter(({ known }) => !known)
  const groups = alike({ ...report, failures: news })
  for (const group of groups.slice(0, MOST_SHOWN)) lines.push(...failureLines(group), '')
  const rest = groups.slice(MOST_SHOWN).reduce((sum, group) => sum + 1 + group.rest.length, 0)
  if (rest > 0) lines.push(`… and ${rest} more failures${out === null ? '; --out DIR keeps all' : ''}`, '')
  if (news.length < failures.length)
    lines.push(`${failures.length - news.length} failures are in the baseline`, '')
  if (report.profile.length > 0)
    lines.push(`${mistakesText}:`, ...mistakeLines(report).map((line) => `  ${line}`), '')
  const kept = out === null ? '; --out DIR keeps all' : ''
  const left = leftOn(report).map((line) => `  ${line}`)
  if (left.length > 0)
    lines.push(
      'Left on the target:',
      ...bounded(left, MOST_LEFT, (more) => `  … and ${more} more${kept}`),
      '',
    )
  for (const level of ['must', 'should'] as const) {
    const { passed, failed, skipped } = summary[level]
    lines.push(`${`${level} requirements`.padEnd(21)}${passed} passed, ${failed} failed, ${skipped} skipped`)
  }
  lines.push(
    ...runLines(report),
    '',
    `${target.baseUrl} ${verdictSentence(report)}`,
    ...unjudgedLines(report, out),
    ...advice,
  )
  if (out !== null) lines.push(`Report: ${out}`)
  return `${lines.join('\n')}\n`
}

/** The verdict in one line, with what does not count for it. What it says nothing about is listed below it. */
export function verdictSentence(report: Report): string {
  const { because } = report.summary
  const fields = report.profile.map(({ field }) => field).join(', ')
  const isSaid = fields === '' || because?.includes("the profile's ")
  const beside = [uncountedText(report), isSaid ? null : `the profile is mistaken in ${fields}`]
  return [verdictAlone(report), ...beside.filter((one) => one !== null)].join('; ')
}

/** `2 should requirements failed (--fail-on should counts them)`; null where none has, or they count. */
function uncountedText({ requirements, failures, settings }: Report): string | null {
  if (settings.failOn === 'should') return null
  const isNew = (id: string) => failures.some(({ requirement, known }) => requirement === id && !known)
  const count = requirements.filter((one) => one.level === 'should' && isNew(one.id)).length
  return count === 0
    ? null
    : `${count} should requirement${count === 1 ? '' : 's'} failed (--fail-on should counts ${count === 1 ? 'it' : 'them'})`
}

function verdictAlone(report: Report): string {
  const { verdict, because, judged, of, known } = report.summary
  if (verdict === 'deviates') return `deviates: ${because}`
  if (verdict === 'inconclusive') return `was not judged (inconclusive): ${because}`
  const apart = known === 0 ? '' : ` apart from ${known} known deviation${known === 1 ? '' : 's'}`
  if (!isPart(report)) return `conforms${apart}`
  const part =
    judged < of
      ? `${judged} of ${of} requirements`
      : `${partlyOf(report)} of ${of} requirements for some operations only`
  return `conforms${apart === '' ? '' : `${apart},`} as far as judged: ${part}`
}

/** The verdict in a word or a few, for a title. */
export function verdictWord(report: Pick<Report, 'summary' | 'requirements'>): string {
  const { verdict } = report.summary
  return verdict === 'conforms' && isPart(report) ? 'conforms as far as judged' : verdict
}

/** What colour a verdict has: yellow for what nobody may take for the whole. */
export function verdictColour(report: Report): 'red' | 'green' | 'yellow' {
  const { verdict } = report.summary
  if (verdict === 'deviates') return 'red'
  return verdict === 'inconclusive' || isPart(report) || uncountedText(report) !== null ? 'yellow' : 'green'
}

/** Before the fields of the profile that the target refuses, and each of them in words. */
export const mistakesText = 'The profile is mistaken, which is not held against the tracker'

export const mistakeLines = ({ profile }: Pick<Report, 'profile'>): string[] =>
  profile.map(({ field, words }) => `${field}: ${words}`)

/** How long something took, as every report says it: `1.2 s`. */
export const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** What a run sent, or what was recorded of somebody else's. */
export function runText({ recording, summary: { requests }, durationMs, safety, ...report }: Report): string {
  if (recording === null)
    return `${requests} requests in ${secondsOf(durationMs)}, safety ${safety}, ${seedText(report)}`
  return `${requests} recorded requests of ${listed(recording.files, 3, 'file')}`
}

/** `passed over 9 entries: 7 to another host, 2 answered from a cache`; null where none was, or nothing was recorded. */
export function passedText({ recording }: Report): string | null {
  const { passed = [] } = recording ?? {}
  const total = passed.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return null
  const reasons = passed.map(({ reason, count }) => `${count} ${reason}`)
  return `passed over ${total} entr${total === 1 ? 'y' : 'ies'}: ${reasons.join(', ')}`
}

function runLines(report: Report): string[] {
  const passed = passedText(report)
  const { observed } = report.summary
  return [
    ...(report.recording === null ? [['observed', `${observed} choices that the document leaves open`]] : []),
    [report.recording === null ? 'run' : 'recording', runText(report)],
    ...(passed === null ? [] : [['', passed]]),
  ].map(([name = '', text = '']) => `${name.padEnd(21)}${text}`)
}

/** `seed 7`, or those of all shards. */
const seedText = ({ seed, seeds = [seed] }: Pick<Report, 'seed' | 'seeds'>) =>
  `seed${seeds.length > 1 ? 's' : ''} ${seeds.join(', ')}`

/** Enough to know what was asked. */
function failureLines(group: Alike): string[] {
  const { level, requirement, message, curl, statement, section } = group.first
  const needs = curl === null ? '' : needsOf(curl)
  const more = moreOf(group)
  return [
    `FAILED ${level} ${requirement} (${listed(group.operations, 4, 'operation')})`,
    `  section ${section}: ${statement}`,
    `  ${message}`,
    ...judgedRows(group.first).map(([name, value]) => `  ${name}: ${value}`),
    ...witnessLines(group.first).map((line) => `  ${line}`),
    ...(curl === null ? [] : [`  ${needs === '' ? '' : `${needs}: `}${curl}`]),
    `  replay: ${replayOf(group.first)}`,
    ...(more === null ? [] : [`  ${more}`]),
  ]
}

function unjudgedLines(report: Report, out: string | null): string[] {
  const what = unjudgedText(report)
  if (what === null) return []
  const reasons = reasonsOf(report)
  const width = String(reasons[0]?.count ?? 0).length
  const rows = reasons.map(({ text, count, named }) => {
    const ids = named === '' ? '' : `: ${named}`
    return `  ${String(count).padStart(width)}  ${text}${ids}`
  })
  const where = out === null ? '; --out DIR keeps all' : ''
  return [
    `${what}:`,
    ...bounded(rows, MOST_REASONS, (more) => `  … and ${more} more reason${more === 1 ? '' : 's'}${where}`),
    ...(report.rest === null ? [] : [`${restText}: ${npx(report.rest)}`]),
  ]
}
