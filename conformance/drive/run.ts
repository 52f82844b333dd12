/** One run: sends all stories to one target, and cleans up. */
import { NoAnswer } from '../client/call.js'
import { type ClientOptions, createClient } from '../client/client.js'
import { createLedger } from '../client/ledger.js'
import { madeUpTag } from '../client/made-up.js'
import { isWithin } from '../client/permit.js'
import { changedOtherwise, lookAround } from '../client/survey.js'
import { closeTold, leftoversOf } from '../client/sweep.js'
import type { OperationId, Profile } from '../contract/index.js'
import type { Exchange } from '../oracle/exchange.js'
import type { Judgement } from '../oracle/finding.js'
import { judge } from '../oracle/judge.js'
import { confirmed, counted } from './confirmed.js'
import { createDriver, type Driver, type DriverOptions, Ended } from './driver.js'
import { lastStories, type Story, stories } from './stories/index.js'
import { shorten } from './stories/sequences.js'
import { type Mistake, tryProfile } from './trials.js'
import { retire, usable } from './users.js'

export interface DriveOptions extends Pick<ClientOptions, 'safety' | 'timeout' | 'rate'> {
  readonly profile: Profile
  readonly seed: number
  /** Generated requests. */
  readonly runs: number
  /** Requests in all, those of the clean-up apart; 0 sets no limit. */
  readonly budget: number
  /** Where the ledger goes; null keeps it in memory. */
  readonly ledgerFile: string | null
  /** Operations; empty for all. */
  readonly only: readonly OperationId[]
  /** Which part of the stories; without it, or null, all. */
  readonly shard?: Shard | null
  /** Compares what reads show of the target before the run and after it. */
  readonly survey?: boolean
}

export type RunOptions = Omit<DriveOptions, 'seed' | 'runs'> & Partial<Pick<DriverOptions, 'repeats'>>

/** `index`: from 1 to `count`. */
export type Shard = Readonly<Record<'index' | 'count', number>>

export interface Checked extends Judgement, Pick<Driver, 'trace' | 'stories' | 'sequences' | 'knowledge'> {
  readonly leftovers: readonly string[]
  readonly mistakes: readonly Mistake[]
  /** Why the run ended early; null where it did not. */
  readonly trouble: string | null
  readonly requests: number
}

export interface Following extends Pick<ClientOptions, 'onExchange'> {
  /** After an abort the run sends only the clean-up. */
  readonly signal?: AbortSignal
  /** Called before each story: how many are done, and how many there are. */
  readonly onStory?: (story: string, done: number, total: number) => void
}

/** Sends what `work` asks a driver for, between a survey and a clean-up. */
export async function run(
  options: RunOptions,
  { signal, onExchange }: Following,
  work: (driver: Driver) => Promise<void>,
): Promise<Pick<Checked, 'leftovers' | 'trouble' | 'requests'> & { readonly driver: Driver }> {
  const { profile, safety, timeout, rate, budget, repeats = true, survey = false } = options
  const pending: Exchange[] = []
  const ledger = createLedger(options.ledgerFile, { tag: madeUpTag(), baseUrl: profile.baseUrl })
  const client = createClient(profile, {
    ...{ safety, timeout, rate, ledger },
    onExchange(exchange) {
      pending.push(exchange)
      onExchange?.(exchange)
    },
  })
  const driver = createDriver({ profile, client, pending, budget, sends: sender(options), signal, repeats })
  try {
    const trouble = await attempt(driver, async () => {
      driver.story = 'survey'
      driver.proceed()
      if (survey) await lookAround(client, profile)
      await work(driver)
    })
    const broken = await attempt(driver, async () => {
      driver.story = 'clean-up'
      await driver.sweep()
      driver.flush()
    })
    const swept = leftoversOf(driver.swept)
    const otherwise = survey ? await changedOtherwise(client, profile, swept) : []
    driver.flush()
    closeTold(ledger, driver.swept)
    const { requests } = client
    return { driver, trouble: trouble ?? broken, leftovers: [...swept, ...otherwise], requests }
  } finally {
    client.close()
  }
}

/** Drives a target and judges what it answered. */
export async function check(options: DriveOptions, following: Following = {}): Promise<Checked> {
  const mistakes: Mistake[] = []
  const { driver, ...ran } = await run(options, following, async (driver) => {
    driver.story = 'profile'
    mistakes.push(...(await tryProfile(driver)))
    await tell(driver, options, following)
  })
  const { trace, stories, sequences, knowledge } = driver
  // A whole trace is judged without the last refusals of a token that has ended.
  const judgement = ran.trouble === null ? driver.judgement() : judge(trace, knowledge)
  const judged = counted(judgement, driver, ran.trouble)
  return { ...ran, ...judged, trace, stories, sequences, knowledge, mistakes }
}

/** Returns why the work ended early, or null. The clean-up follows even after an error of the suite itself. */
async function attempt(driver: Driver, work: () => Promise<void>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof Ended || error instanceof NoAnswer) return error.message
    const words = error instanceof Error ? error.message : String(error)
    return `the suite itself failed in "${driver.story}": ${words}`
  }
}

const sender =
  ({ only, profile }: Pick<DriveOptions, 'only' | 'profile'>) =>
  (op: OperationId) =>
    !profile.notImplemented?.includes(op) && (only.length === 0 || only.includes(op))

/** The stories of a run, in their order. */
export function storiesOf(options: Pick<DriveOptions, 'safety' | 'only' | 'profile' | 'shard'>): Story[] {
  const { safety, shard = null } = options
  return [...stories, ...lastStories]
    .filter((_, index) => shard === null || index % shard.count === shard.index - 1)
    .filter(({ level, of }) => isWithin(level, safety) && (of?.some(sender(options)) ?? true))
}

/** Runs the stories, and runs those again whose findings are not confirmed. */
async function tell(driver: Driver, options: DriveOptions, { onStory }: Following): Promise<void> {
  const all = async (list: readonly Story[]) => {
    for (const [done, story] of list.entries()) {
      driver.story = story.id
      onStory?.(story.id, done, list.length)
      await story.run(driver, options)
      await retire(driver, usable(driver).slice(0, 4))
      driver.flush()
      // An impersonation may end the token that has asked for it.
      if (!lastStories.includes(story)) await assertTokens(driver)
    }
  }
  const own = storiesOf(options)
  await all(own)
  if (own.some(({ id }) => id === 'sequences')) await shorten(driver, options)
  // A fault may appear only sometimes.
  for (let times = 0; times < 2; times += 1) {
    const again = unconfirmed(driver)
    if (again.size > 0) await all(own.filter(({ id, isOnce }) => again.has(id) && !isOnce))
  }
}

/** The stories with an unconfirmed finding. */
function unconfirmed({ judgement, stories, trace }: Driver): Set<string> {
  const { findings } = judgement()
  const sure = new Set(confirmed(findings, trace))
  return new Set(findings.filter((one) => !sure.has(one)).map(({ n }) => stories.get(n) ?? ''))
}

/**
 * Ends the run where a token is refused after it was accepted, and an own page of its caller shows that it has ended. It must not
 * look like a deviation.
 */
async function assertTokens({ client, trace }: Driver): Promise<void> {
  // The token of the password account may end with a change of its password.
  for (const as of ['administrator', 'restricted'] as const) {
    const last = trace.findLast(({ caller, status }) => caller === as && status !== 0)
    if (last?.status !== 401 || !trace.some((one) => one.caller === as && one.status === 200)) continue
    const page = await client.send({ operation: 'getAccountPage', as }).catch((error: unknown) => {
      if (!(error instanceof NoAnswer)) throw error
    })
    if (page?.status === 401)
      throw new Ended(
        `the token of tokens.${as} is not accepted any more, though it was before: 401; give one that lasts for the run`,
      )
  }
}
