/** `tracker-kit diff`: compares a tracker and an emulator, or two recordings, by the same calls. */
import { readJsonObject } from '../client/files.js'
import { UnreachableError, UsageError } from '../contract/trouble.js'
import { decisionsOf } from '../learn/copy/emulator.js'
import { type DiffReport, diffFrom, diff as diffLive, diffTraces, respects } from '../learn/report/diff.js'
import { leavesOf } from '../learn/trace/compare.js'
import { condensed } from '../report/leftovers.js'
import { counted } from '../report/words.js'
import { checkWritable, writeJson } from './files.js'
import { liveFlags, liveTarget } from './live-options.js'
import { recordingsFrom } from './recordings.js'
import { type Command, exitCodes, type FlagValues, integerOf } from './usage.js'
import { codeWith } from './verdict.js'

/** Users that a run leaves, as measured on the emulator. */
const DISABLED = 50

export const diff: Command = {
  about:
    'Compares a tracker, live or recorded, with an emulator set to a decisions file, and shows where they differ: in statuses, ' +
    'numbers and bodies of errors, and members of answers with their types. It does not compare the values of successful answers.',
  flags: {
    from: ['FILE.har', 'compare recorded answers, and send nothing; repeatable'],
    with: ['FILE.har', 'compare them with this recording of the same calls, in place of an emulator'],
    ...liveFlags,
    decisions: ['FILE', 'decisions file of tracker-kit learn; default the default decisions'],
    runs: ['N', 'generated requests in addition to the others, default 100', 0, 10_000],
    'min-agreement': [
      'SHARE',
      'from 0 to 1: the share that must agree, in all or of each kind: status=0.99,code=0.99,errorBody=0.97,shape=0.98; default all statuses',
    ],
    'max-requests': ['N', 'end after N requests and the clean-up; default 3000', 1, 1_000_000],
    json: ['', 'print the report as JSON'],
    out: ['FILE', 'JSON file for the report; and FILE.trace.har for the exchanges'],
  },
  examples: [
    'diff --from traffic.har --decisions learnt.json',
    'diff --profile tracker.json --decisions learnt.json --out diff.json',
  ],
  async run({ flags, all }, io) {
    const least = leastOf(flags)
    const runs = integerOf(flags, 'runs', 100)
    const file =
      flags.decisions === undefined ? {} : readJsonObject(`--decisions ${flags.decisions}`, flags.decisions)
    const decisions = decisionsOf(file, `--decisions ${flags.decisions}`)
    if (flags.out !== undefined) await checkWritable('out', flags.out)
    const files = all.from ?? []
    if (flags.with !== undefined && (files.length !== 1 || flags.decisions !== undefined))
      throw new UsageError('--with compares with one --from, and without --decisions')
    const report = files.length > 0 ? await recorded() : await live()
    const why = report.incomplete ?? report.lacking?.words ?? 'no call was allowed'
    if (report.calls === 0 && !io.signal.aborted)
      throw new UnreachableError(`nothing could be compared: ${why}`)
    if (flags.out !== undefined) await writeJson('out', flags.out, report)
    if (flags.json !== undefined) io.out(`${JSON.stringify(report, null, 2)}\n`)
    else io.out(flags.quiet === undefined ? text(report, flags) : `${agreement(report)}\n`)
    const { count = 0, of = 0 } = report.lacking ?? {}
    const agrees = count * 2 <= of && agreesEnough(report.total, least)
    return agrees ? codeWith(flags, report.left) : exitCodes.deviates

    async function recorded(): Promise<DiffReport> {
      const other = flags.with === undefined ? [] : [flags.with]
      const { profile, traces } = recordingsFrom([...files, ...other], flags, io.env)
      const [one, two] = traces
      return flags.with === undefined || !one || !two
        ? diffFrom(traces, profile, decisions)
        : diffTraces(one, two, profile)
    }

    async function live(): Promise<DiffReport> {
      const { options, seed, settle } = await liveTarget(flags, io, {
        requests: 3000,
        doing: (baseUrl) => `Comparing ${baseUrl} with an emulator`,
        disabled: DISABLED,
      })
      return diffLive({ ...options, decisions, seed, runs }).finally(settle)
    }
  },
}

type Shares = DiffReport['total']

/** The smallest shares that must agree: of all comparisons, or of each kind that is named. */
type Least = Readonly<Partial<Record<keyof Shares | 'all', number>>>

/** By default all statuses must agree. */
function leastOf({ 'min-agreement': given = 'status=1' }: FlagValues): Least {
  const known: readonly string[] = ['all', ...respects]
  return Object.fromEntries(
    given.split(',').map((part) => {
      const [, name = 'all', text = ''] = /^(?:([a-zA-Z]+)=)?([\d.]+)$/.exec(part.trim()) ?? []
      const share = Number(text)
      if (text === '' || !known.includes(name) || !(share >= 0 && share <= 1))
        throw new UsageError(
          `--min-agreement takes a share from 0 to 1, or one for each of ${respects.join(', ')}, as status=0.99,errorBody=0.97; not "${given}"`,
        )
      return [name, share]
    }),
  )
}

/** Whether enough agrees. A kind without comparisons agrees. */
const agreesEnough = (total: Shares, least: Least): boolean =>
  Object.entries(least).every(([name, share]) => {
    if (name === 'all') return overall(total) >= share
    const { equal, of } = total[name as keyof typeof total]
    return of === 0 || equal / of >= share
  })

const SHOWN = 20

function text(report: DiffReport, { with: second, out, from }: FlagValues): string {
  const { calls, total, operations, differences, incomplete, left = [] } = report
  const [one, other] = second === undefined ? ['target  ', 'emulator'] : ['first   ', 'second  ']
  const row = (name: string, shares: Shares) =>
    `${name.padEnd(26)}${respects.map((respect) => percent(shares[respect]).padStart(10)).join('')}`
  return [
    counted(calls, 'call'),
    `${''.padEnd(26)}${respects.map((respect) => respect.padStart(10)).join('')}`,
    ...Object.entries(operations).map(([name, shares]) => row(name, shares)),
    row('total', total),
    agreement(report),
    ...differences
      .slice(0, SHOWN)
      .flatMap(({ operation, respect, count, request, target, emulator }) => [
        '',
        `${operation} (${respect}, ${counted(count, 'call')}, exchange ${request.exchange}): ${request.line} ${request.body === null ? '' : `${clip(request.body)} `}as ${request.as}`,
        `  ${one}  ${target.status} ${clip(target.body)}`,
        `  ${other}  ${emulator.status} ${clip(emulator.body)}`,
        ...firstDifference(respect, target.body, emulator.body),
      ]),
    ...(differences.length > SHOWN
      ? ['', `and ${differences.length - SHOWN} more: --out FILE has them all`]
      : []),
    ...(incomplete === undefined ? [] : [`Incomplete: ${incomplete}`]),
    ...condensed(left).map((line) => `left on the target: ${line}`),
    ...(out ? [`Written to ${out}${from ? '' : `; the exchanges are in ${out}.trace.har`}`] : []),
    '',
  ].join('\n')
}

const agreement = ({ total, calls, differences, lacking }: DiffReport) =>
  `agreement ${(100 * overall(total)).toFixed(2)} %${lacking ? ` of ${counted(calls, 'call')}` : ''}, ${counted(differences.length, 'difference')}${lacking ? `; ${lacking.words}` : ''}`

const MOST = 160

const cut = (text: string) => (text.length > MOST ? `${text.slice(0, MOST)}…` : text)

const clip = (value: unknown) => cut(JSON.stringify(value) ?? '')

/** Where bodies differ first, if their shown parts are equal, or the shapes differ, in which values do not count. */
function firstDifference(respect: string, target: unknown, emulator: unknown): string[] {
  if (respect !== 'shape' && clip(target) !== clip(emulator)) return []
  const [one, other] = [leavesOf(target), leavesOf(emulator)]
  const kindOf = (value: unknown) => (value === null ? 'null' : typeof value)
  const differs = (at: string) =>
    respect === 'shape' ? kindOf(one.get(at)) !== kindOf(other.get(at)) : one.get(at) !== other.get(at)
  const at = [...one.keys(), ...other.keys()].find(differs)
  if (at === undefined) return []
  const [a = 'nothing', b = 'nothing'] = [one, other].map((leaves) => JSON.stringify(leaves.get(at)))
  const from = Math.max(0, a.split('').findIndex((sign, index) => sign !== b[index]) - 20)
  return [`  differs first${at && ` at ${at}`}: ${cut(a.slice(from))} and ${cut(b.slice(from))}`]
}

const percent = ({ equal, of }: Shares[keyof Shares]) =>
  of === 0 ? '–' : `${((100 * equal) / of).toFixed(1)} %`

/** The share of comparisons that agree, in all respects together. */
function overall(shares: Shares): number {
  const all = respects.map((respect) => shares[respect])
  const of = all.reduce((sum, share) => sum + share.of, 0)
  return of === 0 ? 0 : all.reduce((sum, share) => sum + share.equal, 0) / of
}
