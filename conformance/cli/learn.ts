/** `tracker-kit learn`: probes a live tracker, and writes the decisions under which the emulator answers like it. */
import { generator } from '../../emulator/random.js'
import { UnreachableError } from '../contract/trouble.js'
import { type Learned, learn as learnFrom } from '../learn/learn.js'
import { condensed } from '../report/leftovers.js'
import { checkWritable, writeJson } from './files.js'
import { codeWith, liveFlags, liveTarget } from './live-options.js'
import { flagsAgain, shellWord } from './replay.js'
import { asideOf, exitCodes, type Flags, type FlagValues, givenTo, type Io } from './usage.js'

const learnFlags: Flags = {
  ...liveFlags,
  'max-requests': ['N', 'end after N requests and the clean-up; default 999'],
  'as-is': ['', 'learn also what the document does not allow'],
  out: ['FILE', 'where the decisions go, and FILE.trace.har what was asked; default standard output'],
}

/** Users that are left, measured on the emulator; somewhat more at the level destructive. */
const DISABLED = 40

const ABOUT =
  'Learns how a live tracker behaves, and writes a decisions file for tracker-kit serve and createTracker.'

export async function learn(argv: readonly string[], io: Io): Promise<number> {
  const given = givenTo('learn', { about: ABOUT, flags: learnFlags }, argv, io)
  if (given === null) return exitCodes.ok
  const { flags } = given
  if (flags.out !== undefined) await checkWritable('out', flags.out, 'learn')
  const { options, seed, settle } = await liveTarget('learn', flags, io, {
    requests: 999,
    doing: (baseUrl) => `Learning ${baseUrl}`,
    disabled: DISABLED,
  })
  const { ledgerView, simulate } = await import('../learn/copy/emulator.js')
  const learned = await learnFrom({
    ...options,
    ledger: ledgerView,
    simulate,
    asIs: flags['as-is'] !== undefined,
    random: generator(seed),
  }).finally(settle)
  if (
    learned.incomplete !== undefined &&
    Object.values(learned.evidence).every(({ sure }) => sure === 'not-probed')
  )
    throw new UnreachableError(`learn: nothing was learnt: ${learned.incomplete}`)
  if (flags.out === undefined) io.out(`${JSON.stringify(learned, null, 2)}\n`)
  else await writeJson('out', flags.out, learned, 'learn')
  asideOf(flags, io).err(summary(learned, flags))
  return codeWith(flags, learned.left)
}

/** What the comparison takes over of the learning's flags. */
const diffed = ['base-url', 'profile', 'ext', 'safety', 'timeout', 'rate']

function summary(
  { decisions, evidence, deviations, requests, incomplete, left = [] }: Learned,
  flags: FlagValues,
): string {
  const count = (sure: string) => Object.values(evidence).filter((one) => one.sure === sure).length
  const rules = decisions['learned-answers']
  return [
    `${requests} requests: ${count('seen')} decisions learnt, ${count('contradicted')} with answers against them, ${count('not-probed')} left at the default, as no answer shows them; ${Array.isArray(rules) ? rules.length : 0} answers copied as they are`,
    ...(deviations.length === 0
      ? []
      : [
          `${deviations.length} deviations from the document, ${flags['as-is'] === undefined ? 'not ' : ''}learnt; the report of check has ${deviations.length === 1 ? 'it' : 'them'} under these requirements:`,
          ...deviations.map(({ requirement, message }) => `  ${requirement}  ${message}`),
        ]),
    ...(incomplete === undefined
      ? []
      : [`Incomplete: ${incomplete}; what was not asked is listed under "skipped"`]),
    ...condensed(left).map((line) => `left on the target: ${line}`),
    ...(flags.out === undefined
      ? []
      : [
          `Written to ${flags.out}; check it with: ${['npx tracker-kit diff', ...flagsAgain(flags, diffed), `--decisions ${shellWord(flags.out)}`].join(' ')}`,
        ]),
    '',
  ].join('\n')
}
