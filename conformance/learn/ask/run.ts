/** Scenarios on a live target, through the suite's client: its safety ladder, its rate, its ledger and its clean-up. */
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
  /** Milliseconds for one request. */
  readonly timeout: number
  /** Requests a second at most; 0 sets no limit. */
  readonly rate: number
  /** Requests in all, those of the clean-up apart. */
  readonly budget: number
  readonly random: () => number
  readonly signal: AbortSignal
  readonly ledgerFile: string | null
  readonly onExchange?: ClientOptions['onExchange']
  readonly onProgress?: (done: number, total: number, scenario: string) => void
}

export interface Live {
  /** All that was sent, also what the guard asked and what looked around. */
  readonly trace: Trace
  readonly tag: string
  /** Scenarios that were not run, with the reason. */
  readonly skipped: Readonly<Record<string, string>>
  /** Why the run ended before its end. */
  readonly incomplete: string | null
  /** What could not be removed, in words. */
  readonly left: readonly string[]
  readonly requests: number
}

/** A run that goes on. */
export interface Run {
  readonly setting: Setting
  readonly trace: () => Trace
  readonly asked: readonly Asked[]
  /** So many requests may still be sent. */
  readonly left: number
  /** Those that the safety level and the profile allow. */
  allowed(scenarios: readonly Scenario[]): readonly Scenario[]
  /** Runs scenarios one after the other, and leaves the sessions that each has started. */
  all(scenarios: readonly Scenario[], setting?: Setting): Promise<void>
}

class Ended extends Error {}
class Spent extends Ended {}
class Doubted extends Ended {}

/** What all scenarios need, and some to spare. */
const THOROUGH = 900
/** So many requests, or a few more, are sent before it is asked whether the target is what it was. */
const HEARING = 100
/** Kept back for the last hearing: what the guard reads counts too, and nobody knows before how much that is. */
const LAST_HEARING = 4
/** Before one call. */
const MOST_PROOFS = 5
/** So many answers in a row of which nothing can be learnt: the target is no longer what it was. */
const SENSELESS = 10

/** `tell` sends the scenarios of the plan, as far as it can, and others. */
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
  /** By a client that no signal ends: what ends the run is no reason to leave what it made. */
  const inAnyCase = async <T>(more: Partial<ClientOptions>, work: (client: Client) => Promise<T>) => {
    const client = createClient(profile, { ...unending, ...more, ledger })
    return work(client).finally(client.close)
  }
  await inAnyCase({ onExchange }, (client) => lookAround(client, profile))
  const client = createClient(profile, { ...options, onExchange, ledger })
  // Whoever allows what cannot be undone has a copy.
  if (client.allows('write') && !client.allows('destructive')) ends = createEnds(client, profile)
  for (const exchange of exchanges) ends?.note(exchange)
  /** Those of the clean-up apart. */
  const requests = () => client.requests - (ends?.requests ?? 0)
  /** Answers that made sense, and those since that did not. */
  const sense = { made: 0, lost: 0 }
  let kept = LAST_HEARING
  const sending = (ask: Client['send'], proofs: number) => async (call: Call) => {
    if (signal.aborted) throw new Ended('the run was cancelled')
    // The reads that prove a change harmless are requests too.
    if (requests() + proofs + kept > budget)
      throw new Spent(`the budget of ${budget} requests is spent (--max-requests)`)
    const go = async (safe: Call) => {
      const before = exchanges.length
      const answer = await ask(safe)
      // What was read before, and cannot be otherwise since, is not asked again.
      if (exchanges.length > before) sent.set(exchanges.length, sentOf(safe, profile))
      return answer
    }
    const { status, json, headers } = await (ends ? ends.send(call, go) : go(call))
    const fault = senselessness(call, status, json)
    if (fault === null) Object.assign(sense, { made: sense.made + 1, lost: 0 })
    else if (fault !== undefined) sense.lost += 1
    // A target that was never otherwise is odd, and can be learnt as it is.
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
  /** When it last answered as at first. */
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
    // It only reads, which needs no proof.
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
          // An impersonation may have changed whom the administrator's token speaks for.
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
    // What a target says that has lost its senses is nothing to learn.
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

/** Where all that had to be asked was asked before. */
export function unlessSpent(error: unknown): void {
  if (!(error instanceof Spent)) throw error
}

type Send = (call: Call) => Promise<Seen>

/** For what looks around: an operation that the profile leaves out shows nothing. */
const leniently =
  (send: Send): Send =>
  async (call) =>
    (await send(call).catch(unlessWithheld)) ?? unanswered(call)

/** What is wrong with an answer whatever was asked; null for nothing, undefined where it does not tell. */
function senselessness(call: Call, status: number, json: unknown): string | null | undefined {
  if (status >= 500) return `${status}`
  if (json === undefined) return 'without JSON'
  const own = call.authorization === undefined && (call.as ?? 'administrator') === 'administrator'
  if (status !== 401) return null
  return own ? '401 to its administrator' : undefined
}

/** Who asks, and what is there to begin with. */
async function lookedAround(send: Send, profile: Profile): Promise<Setting['names']> {
  const names: Record<string, string> = {}
  const look = leniently(send)
  for (const as of ['administrator', 'restricted', 'password'] as const) {
    if (!profile.tokens[as]) continue
    const name = await usernameOf(async (call) => (await look(call)) as Answer, profile, as)
    if (name !== null) names[as] = name
    // An error in the language of the account.
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

/** The id of what a scenario made, once the page at that id bears it out. */
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
