/** Sends the chapters of a plan to a live target, with the suite's safety levels, rate, ledger and clean-up. */
import { type Answer, type Call, NoAnswer } from '../../client/call.js'
import { speaksForOwner } from '../../client/callers.js'
import { type Client, type ClientOptions, createClient, unanswered } from '../../client/client.js'
import { Withheld } from '../../client/judge.js'
import { createLedger } from '../../client/ledger.js'
import { madeUpTag } from '../../client/made-up.js'
import { changedOtherwise, lookAround } from '../../client/survey.js'
import { leftoversOf, sweep } from '../../client/sweep.js'
import type { Profile, Safety } from '../../contract/index.js'
import type { Ask } from '../../drive/ask.js'
import { type Answered, createDriver, type Driver, Ended, nothing } from '../../drive/driver.js'
import { newField } from '../../drive/fields.js'
import { newUser } from '../../drive/users.js'
import type { Exchange } from '../../oracle/exchange.js'
import { type Sent, sentOf } from '../trace/recorded.js'
import type { Trace } from '../trace/trace.js'
import { careful } from './careful.js'
import { witnessOf } from './witness.js'

export interface LiveOptions {
  readonly profile: Profile
  readonly safety: Safety
  /** The timeout of one request in milliseconds. */
  readonly timeout: number
  /** The greatest number of requests per second; 0 sets no limit. */
  readonly rate: number
  /** The greatest number of requests, without those of the clean-up. */
  readonly budget: number
  readonly signal: AbortSignal
  readonly ledgerFile: string | null
  readonly onExchange?: ClientOptions['onExchange']
  readonly onProgress?: (done: number, total: number, chapter: string) => void
}

export interface Live {
  /** All exchanges, including the reads of the guard and the look-ups. */
  readonly trace: Trace
  readonly tag: string
  /** Chapters that were not sent to their end, with the reason. */
  readonly skipped: Readonly<Record<string, string>>
  /** Why the run ended early; null if it did not. */
  readonly incomplete: string | null
  /** Descriptions of what the run could not remove or restore. */
  readonly left: readonly string[]
  readonly requests: number
}

/** Related requests. */
export interface Chapter {
  readonly id: string
  /** The lowest safety level at which it sends anything. */
  readonly level: Safety
  send(driver: Driver): Promise<void>
}

class Spent extends Ended {}
class Doubted extends Ended {}

/** After this many requests, or a few more, the run checks whether the target still answers as at first. */
const HEARING = 100
/** Requests that are kept back for the last check; the guard's reads count too, and their number is unknown beforehand. */
const LAST_HEARING = 4
/** The greatest number of the guard's reads before one call. */
const MOST_PROOFS = 5
/** After this many useless answers in a row, the target no longer works as before, and the run ends. */
const SENSELESS = 10

export async function runLive(plan: readonly Chapter[], options: LiveOptions): Promise<Live> {
  const { profile, budget, signal } = options
  const tag = madeUpTag()
  const ledger = createLedger(options.ledgerFile, { tag, baseUrl: profile.baseUrl })
  const exchanges: Exchange[] = []
  const pending: Exchange[] = []
  const sent = new Map<number, Sent>()
  const onExchange = (exchange: Exchange) => {
    const numbered = { ...exchange, n: exchanges.length + 1 }
    exchanges.push(numbered)
    pending.push(numbered)
    options.onExchange?.(numbered)
  }
  const { signal: _, ...unending } = options
  /** Uses a client that no signal stops, because a run must clean up even if it was cancelled. */
  const inAnyCase = async <T>(more: Partial<ClientOptions>, work: (client: Client) => Promise<T>) => {
    const client = createClient(profile, { ...unending, ...more, ledger })
    return work(client).finally(client.close)
  }
  await inAnyCase({ onExchange }, (client) => lookAround(client, profile))
  const client = createClient(profile, { ...options, onExchange, ledger })
  /** The number of useful answers, and of useless ones since the last useful answer. */
  const sense = { made: 0, lost: 0 }
  let kept = LAST_HEARING
  /** Requests of the clean-up between chapters and stories, which no budget stops half-way. */
  let cleaning = 0
  const cleaner = Object.assign(Object.create(client) as Client, {
    async send(call: Call) {
      const before = client.requests
      return client.send(call).finally(() => {
        cleaning += client.requests - before
      })
    },
  })
  const sending = (ask: Client['send'], proofs: number) => async (call: Call) => {
    if (signal.aborted) throw new Ended('the run was cancelled')
    // The guard's reads, which prove a change harmless, count as requests.
    if (client.requests - cleaning + proofs + kept > budget)
      throw new Spent(`the budget of ${budget} requests is spent (--max-requests)`)
    const before = exchanges.length
    const answer = await ask(call)
    // The client does not repeat a read whose answer cannot have changed; then there is no new exchange.
    if (exchanges.length > before) sent.set(exchanges.length, sentOf(call, profile))
    const { status, json } = answer
    const fault = senselessness(call, status, json)
    if (fault === null) Object.assign(sense, { made: sense.made + 1, lost: 0 })
    else if (fault !== undefined) sense.lost += 1
    // A target that has always answered in this way is odd, but the run can learn it as it is.
    if (fault && sense.lost >= SENSELESS && (sense.made >= SENSELESS || status >= 500))
      throw new Ended(`the target came to answer ${fault}, ${sense.lost} times in a row`)
    return answer
  }
  const skipped: Record<string, string> = {}
  for (const { id, level } of plan) if (!client.allows(level)) skipped[id] = `needs --safety ${level}`
  const own = Object.assign(Object.create(client) as Client, { send: sending(client.look, MOST_PROOFS) })
  const { notImplemented = [] } = profile
  const inner = createDriver(
    { profile, client: own, budget: 0, sends: (op) => !notImplemented.includes(op), isPatient: false },
    { pending },
  )
  /** The point at which the target last answered as at first. */
  let trusted = { requests: 0, exchanges: 0 }
  const trust = () => {
    trusted = { requests: client.requests, exchanges: exchanges.length }
  }
  let incomplete: string | null = null
  const trace = (): Trace => ({ exchanges: [...exchanges], sent })
  const done = new Set<string>()
  try {
    // These calls only read, so the guard needs no reads before them.
    const hear = leniently(sending(client.send, 0))
    const name = await client.guard.nameOf('administrator')
    const disagreement = await witnessOf(hear, profile, `${tag}nobody`, name ?? undefined)
    const heard = async () => {
      const otherwise = await disagreement()
      if (otherwise !== null) throw new Doubted(otherwise)
      trust()
    }
    /** Whether an impersonation lets a token act as another user, who may be refused what its owner is not. */
    const isSwitched = async () => {
      for (const entry of ledger.open.filter(({ kind }) => kind === 'session'))
        if (!(await speaksForOwner(hear, entry))) return true
      return false
    }
    trust()
    const driver: Driver = Object.assign(Object.create(inner) as Driver, {
      client: cleaner,
      async ask(ask: Ask): Promise<Answered> {
        // Whoever allows `destructive` runs against a copy, so leftovers do no harm.
        const safe = client.allows('destructive') ? ask : careful(inner, ask)
        if (safe === null) return nothing
        const answered = await inner.ask(safe)
        if (client.requests - trusted.requests >= HEARING && !(await isSwitched())) await heard()
        return answered
      },
    })
    // The first user and field show whether others can be removed again.
    if (client.allows('write')) for (const make of [newUser, newField]) await make(driver)
    if (client.allows('destructive')) {
      for (const kind of ['user', 'field', 'link'] as const) inner.habits.canRemove.set(kind, true)
      inner.habits.canFree = true
    }
    const due = plan.filter(({ level }) => client.allows(level))
    for (const [index, chapter] of due.entries()) {
      options.onProgress?.(index, due.length, chapter.id)
      // The last chapter has requests for any budget.
      await chapter.send(driver).catch((error: unknown) => {
        if (!(error instanceof Spent) || index < due.length - 1) throw error
      })
      done.add(chapter.id)
      // An impersonation may have changed the user that the administrator's token acts as.
      if (ledger.open.some(({ kind }) => kind === 'session'))
        await sweep(cleaner, profile, ledger, ({ kind }) => kind !== 'session')
    }
    kept = 0
    await heard().catch((error: unknown) => {
      if (!(error instanceof Spent)) throw error
    })
  } catch (error) {
    if (!(error instanceof NoAnswer || error instanceof Ended || signal.aborted)) throw error
    incomplete = signal.aborted ? 'the run was cancelled' : (error as Error).message
    if (error instanceof Doubted) {
      incomplete = `the target came to answer otherwise, after request ${trusted.requests}: ${incomplete}`
      exchanges.splice(trusted.exchanges)
    }
    // The last useless answers are dropped, because nothing can be learnt from them.
    if (sense.lost >= SENSELESS) exchanges.splice(Math.max(0, exchanges.length - sense.lost))
    for (const { id } of plan) if (!done.has(id)) skipped[id] ??= incomplete
  }
  client.close()
  const requests = client.requests - cleaning
  const left = await inAnyCase({}, async (client) => {
    const last = await sweep(client, profile, ledger)
    return [...leftoversOf([...inner.swept, last]), ...(await changedOtherwise(client, profile))]
  }).catch(() => ledger.open.map(({ kind, name }) => `${kind} ${name}`))
  return { trace: trace(), tag, skipped, incomplete, left, requests }
}

type Send = (call: Call) => Promise<Answer>

/** For look-ups: a call that the guard withholds, such as an operation that the profile excludes, counts as unanswered. */
const leniently =
  (send: Send): Send =>
  (call) =>
    send(call).catch((error: unknown) => {
      if (error instanceof Withheld) return unanswered(call)
      throw error
    })

/** What makes an answer useless, whatever was asked; null if nothing does, undefined if the answer does not show it. */
function senselessness(call: Call, status: number, json: unknown): string | null | undefined {
  if (status >= 500) return `${status}`
  if (json === undefined) return 'without JSON'
  const own = call.authorization === undefined && (call.as ?? 'administrator') === 'administrator'
  if (status !== 401) return null
  return own ? '401 to its administrator' : undefined
}
