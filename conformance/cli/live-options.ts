/** The flags that `learn` and `diff` share: the tracker, and limits for the requests to it. */
import { UsageError } from '../contract/trouble.js'
import { contact } from '../drive/contact.js'
import type { LiveOptions } from '../learn/ask/run.js'
import type { Exchange } from '../oracle/exchange.js'
import { guardLedger, temporaryLedger } from './ledger-guard.js'
import { createProgress } from './progress.js'
import { writeTrace } from './report-files.js'
import { limitsOf, safetyOf, seedFlag, seedOf, targetFlags, targetOf } from './target.js'
import { asideOf, type Flags, type FlagValues, type Io, integerOf } from './usage.js'

export const liveFlags = {
  ...targetFlags,
  safety: ['LEVEL', "read, write or destructive; default the profile's, else read"],
  seed: seedFlag('seed of made-up values, default random'),
  'fail-on-leftovers': ['', 'exit with 1 if anything is left, as disabled users always are from write on'],
  quiet: ['', 'print no progress, only the result'],
} as const satisfies Flags

type Options = Omit<LiveOptions, 'onProgress'>

export async function liveTarget(
  flags: FlagValues,
  io: Io,
  /** The default limit of requests, the first line about a base URL, and about how many users a writing run leaves. */
  run: { readonly requests: number; readonly doing: (baseUrl: string) => string; readonly disabled: number },
) {
  if (flags['base-url'] === undefined && flags.profile === undefined)
    throw new UsageError('needs --base-url or --profile of the tracker, or --from with recorded traffic')
  const { profile } = await targetOf(flags, io)
  const safety = safetyOf(flags, profile, io)
  const trace: Exchange[] = []
  const options = {
    profile,
    safety,
    ...limitsOf(flags),
    budget: integerOf(flags, 'max-requests', run.requests),
    signal: io.signal,
    ledgerFile:
      flags.out !== undefined ? `${flags.out}.ledger.jsonl` : safety === 'read' ? null : temporaryLedger(),
    onExchange: (exchange: Exchange) => trace.push({ ...exchange, n: trace.length + 1 }),
  }
  const seed = seedOf(flags)
  // Printed before the first request, whose answer may take long.
  const aside = asideOf(flags, io)
  aside.err(
    `${run.doing(profile.baseUrl)}, safety ${safety}, seed ${seed}\n${burden(options, run.disabled)}\n`,
  )
  await contact(options)
  const endGuard = guardLedger(options.ledgerFile, profile.baseUrl, flags, io)
  const { onProgress, end } = createProgress(aside)
  // To be called after the run, however it ended.
  const settle = async () => {
    end()
    endGuard()
    if (flags.out !== undefined) await writeTrace(`${flags.out}.trace.har`, trace, profile)
  }
  return { options: { ...options, onProgress }, seed, settle }
}

/** The load for the tracker, printed while the run can still be cancelled. */
function burden({ safety, budget, rate, profile }: Options, disabled: number): string {
  const { notImplemented = [] } = profile
  const pace = rate > 0 ? `${rate} a second` : 'as fast as the tracker answers (--rate N sets a limit)'
  const isNone = safety === 'read' || notImplemented.some((id) => /^(create|update)User$/.test(id))
  const left = isNone ? '' : `; leaves about ${disabled} disabled users on the tracker`
  const stays = safety === 'write' ? ', and one of each kind of thing that it cannot remove' : ''
  return `At most ${budget} requests and then the clean-up, ${pace}${left}${stays}`
}
