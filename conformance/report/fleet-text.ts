/** The report on many trackers for people: `report.html`, `summary.md`, and a few lines at the end of a run. */
import { type FleetReport, type FleetTarget, verdicts } from './fleet.js'
import { header, htmlPage, table as htmlTable, markup, section, text, timeOf } from './html-page.js'
import { cell } from './markdown.js'
import { secondsOf } from './text.js'
import { bounded, counted, table } from './words.js'
import { writeFiles } from './write.js'

const MOST_SHOWN = 30

const isPartly = ({ verdict, part }: FleetTarget) => verdict === 'conforms' && part

/** `200 trackers: 3 unusable, 12 inconclusive, 60 deviate, 125 conform`, without verdicts that no tracker has. */
export function fleetSentence({ targets, summary }: FleetReport): string {
  const partly = targets.filter(isPartly).length
  const byVerdict = verdicts
    .toReversed()
    .filter((one) => summary.verdicts[one] > 0)
    .map((one) => `${summary.verdicts[one]} ${one}`)
  const part = partly === 0 ? '' : ` (${partly} as far as judged)`
  return `${counted(targets.length, 'tracker')}: ${byVerdict.join(', ').replace('conforms', `conforms${part}`)}`
}

/** The text for standard output. */
export function fleetText(report: FleetReport, out: string | null): string {
  const { targets, deviations, durationMs } = report
  const bad = targets
    .filter(({ code }) => code > 0)
    .map((one) => `${one.verdict.padEnd(13)}${one.name}  ${one.because ?? ''}`)
  // The tracker's own report names what was left.
  const left = targets
    .filter(({ leftovers }) => leftovers > 0)
    .map(({ name, leftovers }) => `Left on ${name}: ${leftovers}, named in ${name}/summary.md`)
  const lines = [
    ...bounded(bad, MOST_SHOWN),
    ...deviations
      .slice(0, 10)
      .map((one) => `${String(one.targets.length).padStart(5)} trackers  ${one.level} ${one.requirement}`),
    ...bounded(left, MOST_SHOWN, (more) => `… and on ${more} more`),
    '',
    `${fleetSentence(report)}; ${secondsOf(durationMs)}`,
    ...(out === null ? [] : [`Report: ${out}`]),
  ]
  return `${lines.join('\n')}\n`
}

const deviationColumns = ['trackers', 'level', 'requirement', 'statement', 'for example']
const targetColumns = ['tracker', 'verdict', 'failed', 'left', 'because', 'base URL', 'requests']

/** The rows of both tables, as text. */
const rowsOf = ({ deviations, targets }: FleetReport) => ({
  deviations: deviations.map(({ targets: { length }, level, requirement, statement, message }) => [
    ...[String(length), level, requirement, statement, message],
  ]),
  targets: targets.map((one) => [
    one.name,
    isPartly(one) ? `conforms as far as judged: ${one.judged} of ${one.of}` : one.verdict,
    ...[`${one.must.failed} must, ${one.should.failed} should`, String(one.leftovers)],
    ...[one.because ?? '', one.baseUrl ?? '', `${one.requests} in ${secondsOf(one.durationMs)}`],
  ]),
})

export function fleetMarkdown(report: FleetReport): string {
  const { targets, durationMs, seed, shard, list } = report
  const part = shard ? `, shard ${shard.index}/${shard.count} of ${list.targets}` : ''
  const rows = rowsOf(report)
  const shown = (all: readonly string[][]) => all.slice(0, MOST_SHOWN).map((row) => row.map(cell))
  const lines = [
    ...[`## ${fleetSentence(report)}`, '', `${secondsOf(durationMs)}, seed ${seed}${part}.`, ''],
    ...(rows.deviations.length > 0
      ? [...table(deviationColumns, shown(rows.deviations), ['trackers']), '']
      : []),
    ...table(targetColumns, shown(rows.targets), ['left']),
    ...(targets.length > MOST_SHOWN ? ['', `… and ${targets.length - MOST_SHOWN} more.`] : []),
  ]
  return `${lines.join('\n')}\n`
}

export function fleetHtml(report: FleetReport): string {
  const { targets, startedAt, durationMs, seed, summary } = report
  const kind = (['conforms', 'deviates'] as const)[summary.code] ?? 'inconclusive'
  const part = kind === 'conforms' && targets.some(isPartly)
  const rows = rowsOf(report)
  const linked = rows.targets.map(([name = '', ...cells], index) => {
    const one = targets[index] as FleetTarget
    const link = `<a href="${encodeURIComponent(name)}/report.html">${text(name)}</a>`
    const outcome = one.code === 0 && !isPartly(one) ? 'passed' : one.code === 1 ? 'failed' : 'skipped'
    const [word, ...rest] = cells.map(text)
    return [one.verdict === 'unusable' ? name : link, `<span class="${outcome}">${word}</span>`, ...rest]
  })
  const body = markup(
    header(part ? 'conforms as far as judged' : kind, part ? `${kind} part` : kind, fleetSentence(report), [
      ...[secondsOf(durationMs), `seed ${seed}`, timeOf(startedAt)],
    ]),
    '<main>',
    section('deviations', 'Deviations, the most common first', [
      htmlTable(
        deviationColumns,
        rows.deviations.map((row) => row.map(text)),
      ),
    ]),
    section('trackers', 'Trackers, the worst first', [htmlTable(targetColumns, linked)]),
    '</main>',
  )
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
