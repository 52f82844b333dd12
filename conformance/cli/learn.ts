/** `tracker-kit learn`: finds the decisions with which the emulator answers like a recorded or live tracker. */
import type { Profile } from '../contract/profile.js'
import { UnreachableError } from '../contract/trouble.js'
import { ledgerView } from '../learn/copy/emulator.js'
import { literal } from '../learn/fit/settle.js'
import { type Learned, learnFrom, learn as learnLive } from '../learn/learn.js'
import { condensed } from '../report/leftovers.js'
import { counted, listed } from '../report/words.js'
import { checkWritable, writeJson } from './files.js'
import { liveFlags, liveTarget } from './live-options.js'
import { createProgress } from './progress.js'
import { passedText, type Recordings, recordingsFrom } from './recordings.js'
import { flagsAgain, kept, shellWord } from './replay.js'
import { asideOf, type Command, type FlagValues } from './usage.js'
import { codeWith } from './verdict.js'

/** Users that a run leaves, as measured on the emulator; a few more at the level destructive. */
const DISABLED = 55
/** The most decisions that the summary names of a kind; the file has all. */
const MOST_NAMED = 12

export const learn: Command = {
  about:
    'Learns how a tracker behaves, from recorded traffic or by asking it, and writes a decisions file for tracker-kit serve and createTracker.',
  flags: {
    from: ['FILE.har', 'learn from recorded traffic, and send nothing without --profile; repeatable'],
    ...liveFlags,
    'max-requests': ['N', 'end after N requests and the clean-up; default 999', 1, 1_000_000],
    'as-is': ['', 'also learn what the document does not allow'],
    out: ['FILE', 'file for the decisions, and FILE.trace.har for the exchanges; default standard output'],
  },
  examples: ['learn --from traffic.har --out learnt.json', 'learn --profile tracker.json --out learnt.json'],
  async run({ flags, all }, io) {
    const files = all.from ?? []
    if (flags.out !== undefined) await checkWritable('out', flags.out)
    const recordings = files.length === 0 ? null : recordingsFrom(files, flags, io.env)
    const isLive = recordings === null || flags.profile !== undefined
    const settings = { ledger: ledgerView, asIs: flags['as-is'] !== undefined }
    const learned = isLive ? await live() : await offline(recordings)
    const isNothing = Object.values(learned.evidence).every(({ sure }) => sure === 'never-shown')
    if (isNothing && !io.signal.aborted)
      throw new UnreachableError(`nothing was learnt: ${learned.incomplete ?? 'recordings show too little'}`)
    if (flags.out === undefined) io.out(`${JSON.stringify(learned, null, 2)}\n`)
    else await writeJson('out', flags.out, learned)
    const passed = passedText(recordings?.traces ?? [])
    if (passed !== '') asideOf(flags, io).err(`Recorded entries that learn skipped: ${passed}\n`)
    asideOf(flags, io).err(summary(learned, flags, all.from))
    return codeWith(flags, learned.left)

    async function offline({ profile, traces }: Recordings): Promise<Learned> {
      const { onProgress, end } = createProgress(asideOf(flags, io))
      const learned = await learnFrom({ ...settings, profile, traces, onProgress }).finally(end)
      return { ...learned, ...missingIn(profile) }
    }

    async function live(): Promise<Learned> {
      const { options, settle } = await liveTarget(flags, io, {
        requests: 999,
        doing: (baseUrl) => `Learning ${baseUrl}`,
        disabled: DISABLED,
      })
      const asked = { ...options, ...settings, traces: recordings?.traces ?? [] }
      return { ...(await learnLive(asked).finally(settle)), ...missingIn(options.profile) }
    }
  },
}

/** The operations that the target does not have: an emulator of it does not have them either. */
const missingIn = ({ notImplemented }: Pick<Profile, 'notImplemented'>) =>
  notImplemented ? { notImplemented } : {}

function summary(learned: Learned, flags: FlagValues, files: readonly string[] = []): string {
  const { decisions, evidence, deviations, exchanges, requests, incomplete, skipped, left = [] } = learned
  const idsOf = (sure: string) => Object.keys(evidence).filter((id) => evidence[id]?.sure === sure)
  const count = (sure: string) => idsOf(sure).length
  const rules = decisions['learned-answers']
  const isOffline = files.length > 0 && flags.profile === undefined
  const traces = isOffline ? files : [`${flags.out ?? 'FILE'}.trace.har`, ...files]
  const lines = [
    `${requests > 0 ? `${counted(requests, 'request')}, ` : ''}${counted(exchanges, 'exchange')}: ${count('known')} decisions known, ${count('narrowed')} narrowed to a few values, ${count('contradicted')} contradicted, ${count('never-shown')} never shown, which stay at the default; ${counted(Array.isArray(rules) ? rules.length : 0, 'answer')} copied word for word`,
  ]
  const named = {
    'not the default': Object.keys(decisions).filter((id) => !literal.includes(id)),
    ...{ narrowed: idsOf('narrowed'), contradicted: idsOf('contradicted') },
  }
  for (const [what, ids] of Object.entries(named))
    if (ids.length > 0) lines.push(`${what}: ${listed(ids, MOST_NAMED)}`)
  if (deviations.length > 0)
    lines.push(
      `deviations from the document: ${deviations.length}, ${flags['as-is'] === undefined ? 'not learnt' : 'learnt where a decision or a copied answer covers them'}; the report of ${isOffline ? 'judge' : 'check'} has ${deviations.length === 1 ? 'it' : 'them'} under these requirements:`,
      ...deviations.map(({ requirement, message }) => `  ${requirement}  ${message}`),
    )
  if (incomplete !== undefined)
    lines.push(`Incomplete: ${incomplete}; what was not asked is listed under "skipped"`)
  else if (skipped?.requests !== undefined)
    lines.push(`Not everything was asked that check sends: ${skipped.requests}`)
  lines.push(...condensed(left).map((line) => `left on the target: ${line}`))
  if (flags.out !== undefined) {
    const sources = traces.map((file, index) => `${index + 1}:N is exchange N of ${file}`)
    if (traces.length > 1) lines.push(`In its evidence, ${sources.join(', ')}`)
    const target = isOffline ? files.map((file) => `--from ${shellWord(file)}`) : flagsAgain(flags, kept)
    const again = ['npx tracker-kit diff', ...target, `--decisions ${shellWord(flags.out)}`].join(' ')
    const more = isOffline ? '' : `, and the exchanges to ${flags.out}.trace.har`
    lines.push(`Written to ${flags.out}${more}; check it with: ${again}`)
  }
  return `${lines.join('\n')}\n`
}
