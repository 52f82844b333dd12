/** One run: everything that is sent to one target, and what is left there. */
import { createClient } from '../client/client.js'
import { createLedger } from '../client/ledger.js'
import { madeUpTag } from '../client/made-up.js'
import { leftoversOf, sweep } from '../client/sweep.js'
import { type OperationId, operationIds, type Profile, type Safety, safetyLevels } from '../contract/index.js'
import type { Exchange } from '../oracle/exchange.js'
import type { Judgement } from '../oracle/finding.js'
import type { Knowledge } from '../oracle/knowledge.js'
import { confirmed } from './confirmed.js'
import { createDriver, type Driver, Ended } from './driver.js'
import { type Given, lastStories, type Story, stories } from './stories/index.js'
import { type Mistake, tryProfile } from './trials.js'
import { retire, usable } from './users.js'

export interface DriveOptions {
  readonly profile: Profile
  readonly safety: Safety
  readonly seed: number
  /** Generated requests. */
  readonly runs: number
  /** Milliseconds for one request. */
  readonly timeout: number
  /** Requests a second at most; 0 sets no limit. */
  readonly rate: number
  /** Requests in all, those of the clean-up apart; 0 sets no limit. */
  readonly budget: number
  /** Where the ledger goes; null keeps it in memory. */
  readonly ledgerFile: string | null
  /** Operations; empty for all. */
  readonly only: readonly OperationId[]
}

export interface Driven {
  readonly trace: readonly Exchange[]
  /** The story of each exchange, by its number. */
  readonly stories: ReadonlyMap<number, string>
  /** What the trace may be judged by: the profile without secrets and without its mistakes. */
  readonly knowledge: Knowledge
  readonly leftovers: readonly string[]
  readonly mistakes: readonly Mistake[]
  /** Requests that were not sent, since nothing proved them harmless. */
  readonly withheld: ReadonlyMap<OperationId, number>
  /** Why the run came to an end before its time; null where it did not. */
  readonly trouble: string | null
  readonly requests: number
  /** The same as of the trace and the knowledge. */
  readonly judgement: Judgement
}

export interface Following {
  /** Once it is aborted nothing more is sent but the clean-up. */
  readonly signal?: AbortSignal
  readonly onExchange?: (exchange: Exchange) => void
}

export async function drive(options: DriveOptions, { signal, onExchange }: Following = {}): Promise<Driven> {
  const { profile, safety } = options
  const pending: Exchange[] = []
  const ledger = createLedger(options.ledgerFile, { tag: madeUpTag(), baseUrl: profile.baseUrl })
  const client = createClient(profile, {
    ...{ safety, timeout: options.timeout, rate: options.rate, ledger },
    onExchange(exchange) {
      pending.push(exchange)
      onExchange?.(exchange)
    },
  })
  const driver = createDriver(
    { profile, client, budget: options.budget, sends: sender(options) },
    { pending },
  )
  const mistakes: Mistake[] = []
  try {
    const trouble = await tell(driver, options, mistakes, signal)
    if (trouble !== null || driver.story !== 'clean-up') await clean(driver)
    return {
      trace: driver.trace,
      stories: driver.stories,
      knowledge: driver.knowledge,
      leftovers: leftoversOf(driver.swept),
      mistakes,
      withheld: driver.withheld,
      trouble,
      requests: client.requests,
      judgement: driver.judgement(),
    }
  } finally {
    client.close()
  }
}

const sender = ({ only, profile }: DriveOptions) => {
  const { notImplemented = [] } = profile
  const asked = operationIds.filter((op) => !notImplemented.includes(op))
  const wanted = new Set(only.length === 0 ? asked : asked.filter((op) => only.includes(op)))
  return (op: OperationId) => wanted.has(op)
}

/** Tells the stories, those again in which something failed, and the last ones. */
async function tell(
  driver: Driver,
  options: DriveOptions,
  mistakes: Mistake[],
  signal?: AbortSignal,
): Promise<string | null> {
  const given: Given = options
  const allows = (level: Safety) => safetyLevels.indexOf(level) <= safetyLevels.indexOf(options.safety)
  const allowed = ({ level, of }: Story) => allows(level) && (of?.some(driver.sends) ?? true)
  const all = async (list: readonly Story[]) => {
    for (const story of list.filter(allowed)) {
      if (signal?.aborted) throw new Ended('the run was cancelled')
      driver.story = story.id
      await story.run(driver, given)
      await retire(driver, usable(driver).slice(0, 4))
      driver.flush()
    }
  }
  try {
    driver.story = 'profile'
    mistakes.push(...(await tryProfile(driver, allows)))
    await all([...stories, ...lastStories])
    await clean(driver)
    const again = unconfirmed(driver)
    if (again.size > 0) await all(stories.filter(({ id, isOnce }) => again.has(id) && !isOnce))
    return null
  } catch (error) {
    if (error instanceof Ended) return error.message
    throw error
  }
}

/** Disables, deletes and puts back what is left; also who a token speaks for. */
async function clean(driver: Driver): Promise<void> {
  const { client, profile } = driver
  driver.story = 'clean-up'
  driver.swept.push(await sweep(client, profile, client.guard.ledger))
  driver.flush()
}

/** The stories with a finding that shows only once. */
function unconfirmed({ judgement, stories }: Driver): Set<string> {
  const { findings } = judgement()
  const sure = new Set(confirmed(findings))
  return new Set(findings.filter((one) => !sure.has(one)).map(({ n }) => stories.get(n) ?? ''))
}
