/** The report on many trackers for people: `report.html`, `summary.md`, and a few lines at the end of a run. */
import { type Deviation, type FleetReport, type FleetTarget, verdicts } from './fleet.js'
import { htmlPage, table as htmlTable, text } from './html-page.js'
import { cell } from './markdown.js'
import { secondsOf } from './text.js'
import { bounded, counted, table } from './words.js'
import { writeFiles } from './write.js'

const MOST_SHOWN = 30

const isPartly = ({ verdict, part }: FleetTarget) => verdict === 'conforms' && part

/** How many of the trackers that conform were judged only in part. */
function partly(targets: readonly FleetTarget[]): string {
  const count = targets.filter(isPartly).length
  return count === 0 ? '' : ` (${count} as far as judged)`
}

/** The verdict on a tracker, in a few words. */
const wordOf = (one: FleetTarget) =>
  isPartly(one) ? `conforms as far as judged: ${one.judged} of ${one.of}` : one.verdict

/** `200 trackers: 3 unusable, 12 inconclusive, 60 deviate, 125 conform`, without verdicts that no tracker has. */
export function fleetSentence({ targets, summary }: FleetReport): string {
  const byVerdict = verdicts
    .toReversed()
    .filter((one) => summary.verdicts[one] > 0)
    .map((one) => `${summary.verdicts[one]} ${one}${one === 'conforms' ? partly(targets) : ''}`)
  return `${counted(targets.length, 'tracker')}: ${byVerdict.join(', ')}`
}

/** One line for each tracker on which the run left things; the tracker's own report names them. */
function leftLines(targets: readonly FleetTarget[]): string[] {
  const lines = targets
    .filter(({ leftovers }) => leftovers > 0)
    .map(({ name, leftovers }) => `Left on ${name}: ${leftovers}, named in ${name}/summary.md`)
  return bounded(lines, MOST_SHOWN, (more) => `… and on ${more} more`)
}

/** The text for standard output. */
export function fleetText(report: FleetReport, out: string | null): string {
  const { targets, deviations, durationMs } = report
  const bad = targets
    .filter(({ code }) => code > 0)
    .map((one) => `${one.verdict.padEnd(13)}${one.name}  ${one.because ?? ''}`)
  const lines = [
    ...bounded(bad, MOST_SHOWN),
    ...deviations
      .slice(0, 10)
      .map((one) => `${String(one.targets.length).padStart(5)} trackers  ${one.level} ${one.requirement}`),
    ...leftLines(targets),
    '',
    `${fleetSentence(report)}; ${secondsOf(durationMs)}`,
    ...(out === null ? [] : [`Report: ${out}`]),
  ]
  return `${lines.join('\n')}\n`
}

const deviationColumns = ['trackers', 'level', 'requirement', 'statement', 'for example']
const cellsOfDeviation = ({ targets, level, requirement, statement, message }: Deviation) => [
  ...[String(targets.length), level, requirement, statement, message],
]

const targetColumns = ['tracker', 'verdict', 'failed', 'left', 'because', 'base URL', 'requests']
const cellsOf = (one: FleetTarget) => [
  ...[one.name, wordOf(one), `${one.must.failed} must, ${one.should.failed} should`, String(one.leftovers)],
  ...[one.because ?? '', one.baseUrl ?? ''],
  `${one.requests} in ${secondsOf(one.durationMs)}`,
]

export function fleetMarkdown(report: FleetReport): string {
  const { targets, deviations, durationMs, seed, shard, list } = report
  const part = shard ? `, shard ${shard.index}/${shard.count} of ${list.targets}` : ''
  const cells = (rows: readonly string[][]) => rows.slice(0, MOST_SHOWN).map((row) => row.map(cell))
  const lines = [
    ...[`## ${fleetSentence(report)}`, '', `${secondsOf(durationMs)}, seed ${seed}${part}.`, ''],
    ...(deviations.length === 0
      ? []
      : [...table(deviationColumns, cells(deviations.map(cellsOfDeviation)), ['trackers']), '']),
    ...table(targetColumns, cells(targets.map(cellsOf)), ['left']),
    ...(targets.length > MOST_SHOWN ? ['', `… and ${targets.length - MOST_SHOWN} more.`] : []),
  ]
  return `${lines.join('\n')}\n`
}

export function fleetHtml(report: FleetReport): string {
  const { targets, deviations, startedAt, durationMs, seed, summary } = report
  const kind = summary.code === 0 ? 'conforms' : summary.code === 1 ? 'deviates' : 'inconclusive'
  const part = kind === 'conforms' && targets.some(isPartly)
  const rows = targets.map((one) => {
    const outcome = one.code === 0 && !isPartly(one) ? 'passed' : one.code === 1 ? 'failed' : 'skipped'
    const [name = '', word = '', ...rest] = cellsOf(one).map(text)
    const link = `<a href="${encodeURIComponent(one.name)}/report.html">${name}</a>`
    return [one.verdict === 'unusable' ? name : link, `<span class="${outcome}">${word}</span>`, ...rest]
  })
  const common = deviations.map((one) => {
    const [count = '', level = '', requirement = '', ...rest] = cellsOfDeviation(one).map(text)
    return [count, level, `<code>${requirement}</code>`, ...rest]
  })
  const body = `<header class="${kind}${part ? ' part' : ''}"><p class="verdict">${part ? 'conforms as far as judged' : kind}</p><h1>${text(fleetSentence(report))}</h1>
<ul class="facts"><li>${secondsOf(durationMs)}</li><li>seed ${seed}</li><li><time datetime="${startedAt}">${startedAt}</time></li></ul></header>
<main>
<section><h2>Deviations, the most common first</h2>
${htmlTable(deviationColumns, common)}</section>
<section><h2>Trackers, the worst first</h2>
${htmlTable(targetColumns, rows)}</section>
</main>`
  return htmlPage(fleetSentence(report), body)
}

/** Writes `report.json`, `report.html` and `summary.md` to a directory, each file in one step. */
export async function writeFleet(report: FleetReport, directory: string): Promise<void> {
  await writeFiles(directory, {
    'report.json': `${JSON.stringify(report, null, 2)}\n`,
    'report.html': fleetHtml(report),
    'summary.md': fleetMarkdown(report),
  })
}
