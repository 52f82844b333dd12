/** Sends the chapters of a plan to a live target, with the driver's safety levels, ledger and clean-up. */
import { sweep } from '../../client/sweep.js'
import type { Safety } from '../../contract/index.js'
import { type Answered, type Ask, callOf, type Driver, Ended, nothing } from '../../drive/driver.js'
import { newField } from '../../drive/fields.js'
import { type RunOptions, run } from '../../drive/run.js'
import { newUser } from '../../drive/users.js'
import type { Exchange } from '../../oracle/exchange.js'
import { type Sent, sentOf } from '../trace/recorded.js'
import type { Trace } from '../trace/trace.js'
import { isSwitched } from './acting.js'
import { careful } from './careful.js'
import { witnessOf } from './witness.js'

/** No budget stops the survey and the clean-up. */
export interface LiveOptions
  extends Pick<RunOptions, 'profile' | 'safety' | 'timeout' | 'rate' | 'budget' | 'ledgerFile'> {
  readonly signal: AbortSignal
  /** Called with each exchange; returns its number in the file that has those of several runs. */
  readonly onExchange?: (exchange: Exchange) => number
  /** Called before each chapter: how many are done, and how many there are. */
  readonly onProgress?: (chapter: string, done: number, total: number) => void
}

/** Related requests. */
export interface Chapter {
  readonly id: string
  /** The lowest safety level at which it sends anything. */
  readonly level: Safety
  send(driver: Driver): Promise<void>
}

class Spent extends Ended {}

/** After this many requests, or a few more, the run checks whether the target still answers as at first. */
const HEARING = 100
/** Requests that are kept back: the guard's reads before one call, and two checks. */
const RESERVE = 11
/** After this many useless answers in a row it checks at once. */
const SENSELESS = 10

export async function runLive(plan: readonly Chapter[], options: LiveOptions) {
  const { profile, budget, signal, onProgress } = options
  const exchanges: Exchange[] = []
  const sent = new Map<number, Sent>()
  const skipped: Record<string, string> = {}
  const waiting = new Set(plan)
  let spent = 0
  /** The number of the exchanges from which something can be learnt: the first ones. */
  let reliable: number | undefined
  const asked = { ...options, budget: 0, only: [], survey: true, repeats: false }
  const onExchange = (exchange: Exchange) =>
    exchanges.push({ ...exchange, n: options.onExchange?.(exchange) ?? exchange.n })
  const { driver, leftovers, trouble } = await run(asked, { signal, onExchange }, (driver) =>
    live(driver).finally(() => {
      reliable ??= exchanges.length
    }),
  )
  if (trouble !== null) for (const { id } of waiting) skipped[id] = trouble
  return {
    /** All exchanges before the clean-up, including the reads of the guard and of the survey. */
    trace: { exchanges: exchanges.slice(0, reliable), sent } satisfies Trace,
    tag: driver.client.guard.ledger.tag,
    /** Chapters that were not sent to their end, with the reason. */
    skipped,
    /** Why the run ended early; null if it did not. */
    incomplete: trouble,
    /** Descriptions of what the run could not remove or restore. */
    left: leftovers,
    requests: spent,
  }

  async function live(inner: Driver): Promise<void> {
    const { client, habits } = inner
    async function counted<T>(work: () => Promise<T>): Promise<T> {
      const before = client.requests
      return work().finally(() => {
        spent += client.requests - before
      })
    }
    /** The point at which the target last answered as at first. */
    let trusted = { spent, exchanges: exchanges.length }
    /** The number of useless answers in a row. */
    let lost = 0
    const disagreement = await counted(() => witnessOf(inner))
    async function hear(): Promise<void> {
      const before = exchanges.length
      const why = await counted(disagreement)
      if (why !== null) {
        // What came before the useless answers was useful.
        reliable = lost >= SENSELESS ? before - lost : trusted.exchanges
        throw new Ended(`the target came to answer otherwise, after request ${trusted.spent}: ${why}`)
      }
      trusted = { spent, exchanges: exchanges.length }
      lost = 0
    }
    const driver: Driver = Object.assign(Object.create(inner) as Driver, {
      async ask(asked: Ask): Promise<Answered> {
        // Whoever allows `destructive` runs against a copy, so leftovers do no harm.
        const ask = client.allows('destructive') ? asked : careful(inner, asked)
        if (ask === null) return nothing
        if (spent + RESERVE > budget)
          throw new Spent(`the budget of ${budget} requests is spent (--max-requests)`)
        const before = exchanges.length
        const answered = await counted(() => inner.ask(ask))
        if (answered.status === 0) return answered
        // The client does not repeat a read whose answer cannot have changed; then there is no new exchange.
        if (exchanges.length > before) sent.set(exchanges.at(-1)?.n ?? 0, sentOf(callOf(ask), profile))
        const { caller = 'administrator' } = ask
        const isRefused = answered.status === 401 && caller === 'administrator'
        // Such an answer shows nothing, whatever was asked.
        lost = answered.status >= 500 || answered.json === undefined || isRefused ? lost + 1 : 0
        if ((spent - trusted.spent >= HEARING || lost >= SENSELESS) && !isSwitched(inner)) await hear()
        return answered
      },
    })
    // The first user and field show whether others can be removed again.
    if (client.allows('write')) for (const make of [newUser, newField]) await make(driver)
    if (client.allows('destructive')) {
      for (const kind of ['user', 'field', 'link'] as const) habits.canRemove.set(kind, true)
      habits.canFree = true
    }
    for (const chapter of plan) {
      const { id, level } = chapter
      onProgress?.(id, plan.length - waiting.size, plan.length)
      // The last chapter has requests for any budget.
      if (client.allows(level))
        await chapter.send(driver).catch((error: unknown) => {
          if (!(error instanceof Spent) || waiting.size > 1) throw error
          skipped[id] = error.message
        })
      else skipped[id] = `needs --safety ${level}`
      waiting.delete(chapter)
      // Other chapters need the owner of each token, and a plugin that is not installed.
      const { ledger } = client.guard
      await sweep(client, profile, ledger, ({ kind }) => kind !== 'session' && kind !== 'plugin')
    }
    await hear()
  }
}
