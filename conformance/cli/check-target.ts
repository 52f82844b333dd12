/** Checks one target as the flags ask: one of `check`, or each of a fleet. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { OperationId } from '../contract/index.js'
import { UnreachableError, UsageError } from '../contract/trouble.js'
import { contact } from '../drive/contact.js'
import { check as checkTracker, type DriveOptions, type Shard } from '../drive/run.js'
import type { Exchange } from '../oracle/exchange.js'
import type { Baseline } from '../report/baseline.js'
import { lackedIn, nothingSeen, operationsFor, runReport } from '../report/checked.js'
import { DEFAULT_RUNS, planText } from '../report/plan.js'
import type { Report } from '../report/report.js'
import { listed } from '../report/words.js'
import { guardLedger, LEDGER, temporaryLedger } from './ledger-guard.js'
import { createProgress } from './progress.js'
import { flagsAgain, replayLine, restLine } from './replay.js'
import { type CheckTarget, limitsOf, safetyOf, seedOf, tokenNeeded } from './target.js'
import { asideOf, exitCodes, type FlagValues, type Io, integerOf } from './usage.js'
import { type Asked, checkOnly, endRun, preparePlaces, reportAsked } from './verdict.js'

interface AskedRun extends Asked {
  readonly settings: ReturnType<typeof settingsOf>
  readonly runId: string | null
}

/** The settings of a run from its flags, the same for every target. Throws a `UsageError` if a flag is wrong. */
export function askedOf(flags: FlagValues, env: Io['env']): AskedRun {
  const asked = reportAsked(flags)
  const runId = runIdOf(flags, env)
  return { ...asked, settings: settingsOf(flags, runId, asked.gate.baseline), runId }
}

/** Checks one tracker, prints the result, and returns the exit code. Closes the target. */
export async function checkTarget(target: CheckTarget, asked: AskedRun, io: Io): Promise<number> {
  try {
    const options = optionsOf(asked, target, io)
    if (asked.flags.plan !== undefined) {
      io.out(planText(options))
      if (target.lacksToken) io.out(`The run ${tokenNeeded}.\n`)
      return exitCodes.ok
    }
    return await runCheck(options, asked, io)
  } finally {
    await target.close?.()
  }
}

async function runCheck(options: DriveOptions, asked: AskedRun, io: Io): Promise<number> {
  const { flags, gate, settings, runId, only } = asked
  await preparePlaces(asked)
  const { profile, safety, seed, ledgerFile } = options
  const about = {
    ...{ options, only, startedAt: new Date(), vanished: !isLive(flags), runId },
    ...{ seedGiven: settings.seedGiven, replay: replayLine(flags, options), rest: restLine(flags) },
  }
  const aside = asideOf(flags, io)
  aside.err(
    `Checking ${profile.baseUrl} (extension ${profile.ext ?? 'Ext'}), safety ${safety}, seed ${seed}\n`,
  )
  const trace: Exchange[] = []
  try {
    await contact({ ...options, onExchange: (exchange) => void trace.push(exchange) })
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error
    const { message: trouble } = error
    const report = runReport(nothingSeen(trouble), about, gate)
    return endRun({ report, trace, profile, trouble }, asked, io)
  }
  const progress = createProgress(aside, 'story')
  const settle = guardLedger(isLive(flags) ? ledgerFile : null, profile.baseUrl, flags, io)
  const checked = io.signal.aborted
    ? nothingSeen('the run was cancelled')
    : await checkTracker(options, { signal: io.signal, onStory: progress.onProgress })
  progress.end()
  const report = runReport(checked, about, gate)
  const advice = adviceOn(report, options, flags, lackedIn(checked.trace, profile.ext))
  const code = await endRun({ report, trace: checked.trace, profile, advice }, asked, io).finally(settle)
  for (const { state, text } of report.baseline?.entries ?? [])
    if (state !== 'struck') io.err(`Baseline: ${text}\n`)
  return code
}

/** What the tracker may lack, and how to check more: with a profile, or with one that allows more. */
function adviceOn(report: Report, options: DriveOptions, flags: FlagValues, lacked: readonly OperationId[]) {
  const { profile, safety } = options
  const skips = (text: string) => report.requirements.some(({ reason = '' }) => reason.includes(text))
  const isLimited = flags.profile !== undefined && report.rest === null && profile.safety === safety
  const isBare = flags.profile === undefined && flags['base-url'] !== undefined
  const target = flagsAgain(flags, ['base-url', 'ext']).join(' ')
  return [
    lacked.length > 0 &&
      `${listed(lacked, 4, 'operation')} answered only 404, 405 or 501; if the tracker lacks what is named here, add it to "notImplemented" of the profile`,
    isLimited &&
      skips('needs --safety ') &&
      'More can be checked with a higher "safety" in the profile, which changes the tracker (--plan shows how)',
    isBare &&
      skips('the profile has no ') &&
      `Without a profile much cannot be checked; this writes one: npx tracker-kit init ${target}`,
  ].filter((line) => line !== false)
}

/** The generated cases are given by the flags, or else by those of the baseline, or else by the run id, for all shards alike. */
function settingsOf(flags: FlagValues, runId: string | null, baseline: Baseline | null) {
  const drawn =
    runId === null ? undefined : createHash('sha256').update(runId).digest().readUInt32BE() % 2 ** 31
  return {
    seed: seedOf(flags, baseline?.seed ?? drawn),
    seedGiven: flags.seed !== undefined || baseline?.seed !== undefined,
    runs: integerOf(flags, 'runs', baseline?.runs ?? DEFAULT_RUNS),
    ...limitsOf(flags),
    budget: integerOf(flags, 'max-requests', 0),
    shard: shardOf(flags.shard),
  }
}

/**
 * An id that all shards of one run share without communication and no other run has: `--run-id`, or else the id of the
 * run on a CI server; null if there is neither.
 */
function runIdOf(flags: FlagValues, env: Io['env']): string | null {
  const given = flags['run-id']
  if (given !== undefined) {
    if (!/^[\w.:@/+-]{1,200}$/.test(given))
      throw new UsageError(`--run-id takes up to 200 letters, digits and . : @ / + - _, not "${given}"`)
    return given
  }
  // A second attempt is another run, since the tracker may have changed.
  if (env.GITHUB_RUN_ID) return `github-${env.GITHUB_RUN_ID}-${env.GITHUB_RUN_ATTEMPT || '1'}`
  if (env.CI_PIPELINE_ID) return `pipeline-${env.CI_PIPELINE_ID}`
  return env.BUILD_ID ? `build-${env.BUILD_ID}` : null
}

function shardOf(text: string | undefined): Shard | null {
  if (text === undefined) return null
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(text)?.map(Number) ?? []
  if (index === undefined || count === undefined || index < 1 || index > count)
    throw new UsageError(`--shard takes I/N with I from 1 to N, not "${text}"`)
  return { index, count }
}

const isLive = (flags: FlagValues) => flags['base-url'] !== undefined || flags.profile !== undefined

/** The options of a run. Its safety is never higher than the profile allows. */
function optionsOf({ flags, settings, only, out }: AskedRun, { profile }: CheckTarget, io: Io): DriveOptions {
  checkOnly(only, profile)
  const safety = safetyOf(flags, profile, io)
  // A built-in emulator ends with the run, so it needs no ledger.
  const survey = isLive(flags) && safety !== 'read'
  const unnamed = survey ? temporaryLedger() : null
  const ledgerFile = out === null ? unnamed : join(out, LEDGER)
  const { seedGiven: _, ...own } = settings
  return { ...own, profile, safety, ledgerFile, survey, only: operationsFor(only) }
}
