/** The report on many trackers for people: `report.html`, `summary.md`, and a few lines at the end of a run. */
import { type FleetReport, type FleetTarget, verdicts } from './fleet.js'
import { htmlPage, partSection } from './html-page.js'
import { partBlocks } from './markdown.js'
import type { Cell, Part } from './view.js'
import { bounded, counted, secondsOf, written } from './words.js'

const MOST_SHOWN = 30

const isPartly = ({ verdict, part }: FleetTarget) => verdict === 'conforms' && part

/** `200 trackers: 3 unusable, 12 inconclusive, 60 deviates, 125 conforms`, without verdicts that no tracker has. */
export function fleetSentence({ targets, summary }: FleetReport): string {
  const partly = targets.filter(isPartly).length
  const byVerdict = verdicts
    .toReversed()
    .filter((one) => summary.verdicts[one] > 0)
    .map((one) => `${summary.verdicts[one]} ${one}`)
  const part = partly === 0 ? '' : ` (${partly} in part)`
  return `${counted(targets.length, 'tracker')}: ${byVerdict.join(', ').replace('conforms', `conforms${part}`)}`
}

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
      .map((one) => `${counted(one.targets.length, 'tracker')}: ${one.level} ${one.requirement}`),
    ...bounded(left, MOST_SHOWN, (more) => `… and on ${more} more`),
    '',
    `${fleetSentence(report)}; ${secondsOf(durationMs)}`,
    ...(out === null ? [] : [`Report: ${out}`]),
  ]
  return `${lines.join('\n')}\n`
}

const partsOf = ({ deviations, targets }: FleetReport): Part[] => [
  {
    ...{ id: 'deviations', title: 'Deviations, the most common first' },
    head: ['trackers', 'level', 'requirement', 'statement', 'for example'],
    rows: deviations.map(({ targets: { length }, level, requirement, statement, message }) => [
      ...[String(length), level, requirement, statement, message],
    ]),
  },
  {
    ...{ id: 'trackers', title: 'Trackers, the worst first' },
    head: ['tracker', 'verdict', 'failed', 'left', 'because', 'base URL', 'requests'],
    rows: targets.map((one): Cell[] => [
      one.verdict === 'unusable'
        ? one.name
        : { text: one.name, href: `${encodeURIComponent(one.name)}/report.html` },
      isPartly(one) ? `conforms in part: ${one.judged} of ${one.of} requirements` : one.verdict,
      ...[`${one.must.failed} must, ${one.should.failed} should`, String(one.leftovers)],
      ...[one.because ?? '', one.baseUrl ?? ''],
      `${one.requests} in ${secondsOf(one.durationMs)}`,
    ]),
  },
]

export function fleetMarkdown(report: FleetReport): string {
  const { durationMs, seed, shard, list } = report
  const part = shard ? `, shard ${shard.index}/${shard.count} of ${list.targets}` : ''
  const head = [`## ${fleetSentence(report)}`, `${secondsOf(durationMs)}, seed ${seed}${part}.`]
  return written([...head, ...partsOf(report).flatMap(partBlocks)])
}

export function fleetHtml(report: FleetReport): string {
  const { targets, startedAt, durationMs, seed, summary } = report
  const word = (['conforms', 'deviates'] as const)[summary.code] ?? 'inconclusive'
  const isPart = word === 'conforms' && targets.some(isPartly)
  const colours = { conforms: isPart ? 'yellow' : 'green', deviates: 'red', inconclusive: 'yellow' } as const
  return htmlPage({
    ...{ colour: colours[word], word: isPart ? 'conforms in part' : word },
    title: fleetSentence(report),
    facts: Object.entries({ duration: secondsOf(durationMs), seed: String(seed), started: startedAt }),
    sections: partsOf(report).map(partSection),
  })
}
