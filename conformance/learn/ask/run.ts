/** Runs scenarios on a live target through the suite's client, with its safety levels, rate, ledger and clean-up. */
import { type Answer, type Call, NoAnswer } from '../../client/call.js'
import { usernameOf } from '../../client/callers.js'
import { type Client, type ClientOptions, createClient, unanswered } from '../../client/client.js'
import { createLedger } from '../../client/ledger.js'
import { madeUpPassword, madeUpTag } from '../../client/made-up.js'
import { changedOtherwise, lookAround } from '../../client/survey.js'
import { leftoversOf, sweep } from '../../client/sweep.js'
import type { Profile, Safety } from '../../contract/index.js'
import type { Exchange } from '../../oracle/exchange.js'
import { type Seen, type Sent, sentOf, sessionOf } from '../trace/recorded.js'
import type { Trace } from '../trace/trace.js'
import { createEnds, type Ends } from './ends.js'
import {
  type Asked,
  type Binding,
  createScript,
  type Scenario,
  type Setting,
  unlessWithheld,
} from './script.js'
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
  readonly random: () => number
  readonly signal: AbortSignal
  readonly ledgerFile: string | null
  readonly onExchange?: ClientOptions['onExchange']
  readonly onProgress?: (done: number, total: number, scenario: string) => void
}

export interface Live {
  /** All exchanges, including the reads of the guard and the look-ups. */
  readonly trace: Trace
  readonly tag: string
  /** Scenarios that were not run, with the reason. */
  readonly skipped: Readonly<Record<string, string>>
  /** Why the run ended early; null if it did not. */
  readonly incomplete: string | null
  /** Descriptions of what the run could not remove or restore. */
  readonly left: readonly string[]
  readonly requests: number
}

/** A run in progress. */
export interface Run {
  readonly setting: Setting
  readonly trace: () => Trace
  readonly asked: readonly Asked[]
  /** The number of requests that the run may still send. */
  readonly left: number
  /** The scenarios that the safety level and the profile allow. */
  allowed(scenarios: readonly Scenario[]): readonly Scenario[]
  /** Runs scenarios one after the other, and ends the sessions that each has started. */
  all(scenarios: readonly Scenario[], setting?: Setting): Promise<void>
}

class Ended extends Error {}
class Spent extends Ended {}
class Doubted extends Ended {}

/** The budget from which all scenarios run in full length, with some requests to spare. */
const THOROUGH = 900
/** After this many requests, or a few more, the run checks whether the target still answers as at first. */
const HEARING = 100
/** Requests that are kept back for the last check; the guard's reads count too, and their number is unknown beforehand. */
const LAST_HEARING = 4
/** The greatest number of the guard's reads before one call. */
const MOST_PROOFS = 5
/** After this many useless answers in a row, the target no longer works as before, and the run ends. */
const SENSELESS = 10

/** Runs scenarios on a live target. `tell` sends the scenarios of the plan, as far as it can, and others. */
export async function runLive(
  plan: readonly Scenario[],
  options: LiveOptions,
  tell: (run: Run) => Promise<void> = (run) => run.all(plan),
): Promise<Live> {
  const { profile, random, budget, signal } = options
  const tag = madeUpTag()
  const ledger = createLedger(options.ledgerFile, { tag, baseUrl: profile.baseUrl })
  const exchanges: Exchange[] = []
  const sent = new Map<number, Sent>()
  let ends = null as Ends | null
  const onExchange = (exchange: Exchange) => {
    const numbered = { ...exchange, n: exchanges.length + 1 }
    exchanges.push(numbered)
    ends?.note(numbered)
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
  // Whoever allows `destructive` runs against a copy, so leftovers do no harm.
  if (client.allows('write') && !client.allows('destructive')) ends = createEnds(client, profile)
  for (const exchange of exchanges) ends?.note(exchange)
  /** The number of requests without those of the clean-up. */
  const requests = () => client.requests - (ends?.requests ?? 0)
  /** The number of useful answers, and of useless ones since the last useful answer. */
  const sense = { made: 0, lost: 0 }
  let kept = LAST_HEARING
  const sending = (ask: Client['send'], proofs: number) => async (call: Call) => {
    if (signal.aborted) throw new Ended('the run was cancelled')
    // The guard's reads, which prove a change harmless, count as requests.
    if (requests() + proofs + kept > budget)
      throw new Spent(`the budget of ${budget} requests is spent (--max-requests)`)
    const go = async (safe: Call) => {
      const before = exchanges.length
      const answer = await ask(safe)
      // The client does not repeat a read whose answer cannot have changed; then there is no new exchange.
      if (exchanges.length > before) sent.set(exchanges.length, sentOf(safe, profile))
      return answer
    }
    const { status, json, headers } = await (ends ? ends.send(call, go) : go(call))
    const fault = senselessness(call, status, json)
    if (fault === null) Object.assign(sense, { made: sense.made + 1, lost: 0 })
    else if (fault !== undefined) sense.lost += 1
    // A target that has always answered in this way is odd, but the run can learn it as it is.
    if (fault && sense.lost >= SENSELESS && (sense.made >= SENSELESS || status >= 500))
      throw new Ended(`the target came to answer ${fault}, ${sense.lost} times in a row`)
    return { status, json, headers }
  }
  const send = sending(client.look, MOST_PROOFS)
  const find = (binding: Binding, seen: Seen, further: boolean) => findLive(client, binding, seen, further)
  const asked: Asked[] = []
  const skipped: Record<string, string> = {}
  for (const scenario of plan) {
    const reason = reasonAgainst(scenario, client, profile)
    if (reason !== null) skipped[scenario.id] = reason
  }
  const done = new Set<string>()
  /** The point at which the target last answered as at first. */
  let trusted = { requests: 0, exchanges: 0 }
  const trust = () => {
    trusted = { requests: client.requests, exchanges: exchanges.length }
  }
  let incomplete: string | null = null
  const password = profile.password?.valid ?? madeUpPassword()
  client.redact.hide(password)
  const disposable = [...(profile.customField?.ids ?? [])]
  const trace = (): Trace => ({ exchanges: [...exchanges], sent })
  try {
    const names = await lookedAround(send, profile)
    // These calls only read, so the guard needs no reads before them.
    const hear = sending(client.send, 0)
    const witness = await witnessOf(leniently(hear), profile, `${tag}nobody`, names.administrator)
    const heard = async () => {
      const otherwise = await witness.disagreement()
      if (otherwise !== null) throw new Doubted(otherwise)
      trust()
    }
    trust()
    const run: Run = {
      setting: { profile, tag, password, random, disposable, thorough: budget >= THOROUGH, names },
      trace,
      asked,
      get left() {
        return budget - requests() - LAST_HEARING
      },
      allowed: (scenarios) => scenarios.filter((one) => reasonAgainst(one, client, profile) === null),
      async all(scenarios, setting = run.setting) {
        for (const [index, scenario] of run.allowed(scenarios).entries()) {
          options.onProgress?.(index, scenarios.length, scenario.id)
          done.add(scenario.id)
          await scenario.run(createScript(scenario, setting, { send, find }, (one) => asked.push(one)))
          // An impersonation may have changed the user that the administrator's token acts as.
          if (ledger.open.some(({ kind }) => kind === 'session'))
            await sweep(client, profile, ledger, ({ kind }) => kind !== 'session')
          if (client.requests - trusted.requests >= HEARING) await heard()
        }
      },
    }
    if (ends) await run.all([{ id: 'ends', safety: 'write', run: ends.prove }])
    await tell(run)
    kept = 0
    await heard().catch(unlessSpent)
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
  const left = await inAnyCase({}, async (client) => {
    const last = await sweep(client, profile, ledger)
    return [...leftoversOf(ends?.endsWith(last) ?? [last]), ...(await changedOtherwise(client, profile))]
  }).catch(() => ledger.open.map(({ kind, name }) => `${kind} ${name}`))
  return { trace: trace(), tag, skipped, incomplete, left, requests: requests() }
}

/** Ignores the error that the budget is spent, where everything necessary was asked before; rethrows other errors. */
export function unlessSpent(error: unknown): void {
  if (!(error instanceof Spent)) throw error
}

type Send = (call: Call) => Promise<Seen>

/** For look-ups: a call that the guard withholds, such as an operation that the profile excludes, counts as unanswered. */
const leniently =
  (send: Send): Send =>
  async (call) =>
    (await send(call).catch(unlessWithheld)) ?? unanswered(call)

/** What makes an answer useless, whatever was asked; null if nothing does, undefined if the answer does not show it. */
function senselessness(call: Call, status: number, json: unknown): string | null | undefined {
  if (status >= 500) return `${status}`
  if (json === undefined) return 'without JSON'
  const own = call.authorization === undefined && (call.as ?? 'administrator') === 'administrator'
  if (status !== 401) return null
  return own ? '401 to its administrator' : undefined
}

/** Reads the names of the callers, and what exists at the start; returns the names. */
async function lookedAround(send: Send, profile: Profile): Promise<Setting['names']> {
  const names: Record<string, string> = {}
  const look = leniently(send)
  for (const as of ['administrator', 'restricted', 'password'] as const) {
    if (!profile.tokens[as]) continue
    const name = await usernameOf(async (call) => (await look(call)) as Answer, profile, as)
    if (name !== null) names[as] = name
    // The refusal shows an error in the language of the account.
    if (as !== 'administrator') await look({ operation: 'getUserCreatePage', as })
  }
  if (profile.user) await look({ operation: 'getUser', path: { user_id: profile.user.username } })
  for (const operation of ['listCustomFields', 'listPlugins'] as const) await look({ operation })
  return names
}

function reasonAgainst({ safety, needs }: Scenario, client: Client, profile: Profile): string | null {
  if (!client.allows(safety)) return `needs --safety ${safety}`
  const isThere = (field: string) =>
    field.split('.').reduce<unknown>((value, name) => (value as Profile)?.[name as never], profile) !==
    undefined
  return needs === undefined || isThere(needs) ? null : `the profile has no ${needs}`
}

/** The id of what a scenario created, if a page at that id confirms it; for a session, its credentials. Null if unknown. */
async function findLive(
  { guard, send }: Client,
  { kind, of }: Binding,
  seen: Seen,
  further: boolean,
): Promise<string | null> {
  if (kind === 'session') return sessionOf(seen)
  const known = kind === 'user' ? 'user' : 'customField'
  const entry = guard.ledger.open.findLast((one) => one.kind === known && one.name === of)
  if (seen.status >= 300 || entry === undefined) return null
  const text = (id: number | null | undefined) => (id === null || id === undefined ? null : String(id))
  const told = entry.id ?? (await guard.proofs.adopt(entry, seen as Answer))
  if (told !== null || !further) return text(told)
  const shown = await send(
    kind === 'user' ? { operation: 'getUser', path: { user_id: of } } : { operation: 'listCustomFields' },
  )
  return text(await guard.proofs.adopt(entry, shown))
}
