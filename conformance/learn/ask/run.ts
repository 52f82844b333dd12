/** Scenarios on a live target, through the suite's client: its safety ladder, its rate, its ledger and its clean-up. */

import { type Answer, type Call, NoAnswer } from '../../client/call.js'
import { usernameOf } from '../../client/callers.js'
import { type Client, type ClientOptions, createClient } from '../../client/client.js'
import { Withheld } from '../../client/judge.js'
import { createLedger, type Entry, type Ledger } from '../../client/ledger.js'
import { isObject } from '../../client/look.js'
import { madeUpPassword, madeUpTag } from '../../client/made-up.js'
import { changedOtherwise, lookAround } from '../../client/survey.js'
import { leftoversOf, sweep } from '../../client/sweep.js'
import type { Profile, Safety } from '../../contract/index.js'
import type { Exchange } from '../../oracle/exchange.js'
import { type Seen, type Sent, sentOf } from '../trace/recorded.js'
import type { Trace } from '../trace/trace.js'
import {
  type Asked,
  type Binding,
  createScript,
  type Scenario,
  type Sender,
  type Setting,
  sessionOf,
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

/** What all scenarios need, and some to spare. */
const THOROUGH = 900

class Ended extends Error {}
class Spent extends Ended {}
class Doubted extends Ended {}

/** So many requests, or a few more, are sent before it is asked whether the target is what it was. */
const HEARING = 100
const LAST_HEARING = 4
/** Before one call. */
const MOST_PROOFS = 5

/** So many answers in a row of which nothing can be learnt: the target is no longer what it was. */
const SENSELESS = 10

/** What a run knows when it has asked all that its scenarios ask. */
export interface Progress {
  readonly setting: Setting
  readonly trace: () => Trace
  readonly asked: readonly Asked[]
  /** Runs a scenario, and leaves the sessions that it has started. */
  readonly run: (scenario: Scenario, setting: Setting) => Promise<void>
  /** The scenarios that the safety level and the profile allow. */
  readonly allowed: readonly Scenario[]
  /** So many requests may still be sent. */
  readonly left: number
}

export interface Beside {
  /** The scenarios are not run one after the other: what comes last chooses of their calls. */
  readonly choosing?: boolean
  /** Run in any case, before the first scenario that writes. */
  readonly first?: readonly Scenario[]
  /** Not run by themselves: what comes last chooses of their calls too. */
  readonly spare?: readonly Scenario[]
  /** Comes after the last scenario. */
  last?(progress: Progress): Promise<void>
}

/** Runs the scenarios that the safety level and the profile allow. */
export async function runLive(
  scenarios: readonly Scenario[],
  options: LiveOptions,
  { last, choosing = false, first = [], spare = [] }: Beside = {},
): Promise<Live> {
  const { profile, random, budget } = options
  const tag = madeUpTag()
  const ledger = createLedger(options.ledgerFile, { tag, baseUrl: profile.baseUrl })
  const exchanges: Exchange[] = []
  const sent = new Map<number, Sent>()
  const onExchange = (exchange: Exchange) => {
    const numbered = { ...exchange, n: exchanges.length + 1 }
    exchanges.push(numbered)
    options.onExchange?.(numbered)
  }
  await survey({ ...options, onExchange }, ledger)
  const client = createClient(profile, { ...options, onExchange, ledger })
  const plain = senderOf(client, options, MOST_PROOFS)
  /** It only reads, which needs no proof. */
  const witnessing = senderOf(client, options, 0)
  /** What was read before anything was written is not asked again. */
  const read = new Map<string, Seen>()
  const remembering: Sender = {
    ...plain,
    async send(call) {
      const seen = await plain.send(call)
      read.set(keyOf(call), seen)
      return seen
    },
  }
  const sender: Sender = {
    ...plain,
    async send(call) {
      const key = keyOf(call)
      const seen = read.get(key) ?? (await plain.send(call))
      read.delete(key)
      return seen
    },
  }
  const asked: Asked[] = []
  const record = (one: Asked) => void asked.push(one)
  /** Answers that made sense, and those since that did not. */
  const sense = { made: 0, lost: 0 }
  const skipped: Record<string, string> = {}
  /** When it last answered as at first. */
  let trusted = { requests: 0, exchanges: 0 }
  let incomplete: string | null = null
  const done = new Set<string>()
  /** Kept back until all is asked: what the guard reads counts too, and nobody knows before how much that is. */
  let kept = LAST_HEARING
  const disposable = [...(profile.customField?.ids ?? [])]
  const password = profile.password?.valid ?? madeUpPassword()
  client.redact.hide(password)
  let setting: Setting = {
    profile,
    tag,
    password,
    random,
    disposable,
    thorough: budget >= THOROUGH,
    names: {},
  }
  try {
    const names = await lookedAround(lenient(remembering), profile)
    setting = { ...setting, names }
    const witness = await witnessOf(lenient(witnessing), profile, `${tag}nobody`, names.administrator)
    const heard = async () => {
      const otherwise = await witness.disagreement()
      if (otherwise !== null) throw new Doubted(otherwise)
      trusted = { requests: client.requests, exchanges: exchanges.length }
    }
    trusted = { requests: client.requests, exchanges: exchanges.length }
    const writing = scenarios.findIndex(({ safety }) => safety !== 'read')
    const all =
      writing < 0 ? scenarios : [...scenarios.slice(0, writing), ...first, ...scenarios.slice(writing)]
    for (const [index, scenario] of all.entries()) {
      if (index === writing) read.clear()
      options.onProgress?.(index, all.length, scenario.id)
      const reason = reasonAgainst(scenario, client, profile)
      if (reason !== null) {
        skipped[scenario.id] = reason
        continue
      }
      if (choosing && !first.includes(scenario)) continue
      await run(scenario, setting)
      if (client.requests - trusted.requests >= HEARING) await heard()
    }
    const allowed = [
      ...scenarios.filter(({ id }) => skipped[id] === undefined),
      ...spare.filter((one) => reasonAgainst(one, client, profile) === null),
    ]
    const left = budget - client.requests - LAST_HEARING
    await last?.({ run, setting, trace, asked, allowed, left }).catch(unlessSpent)
    kept = 0
    await heard().catch(unlessSpent)
  } catch (error) {
    if (!(error instanceof NoAnswer || error instanceof Ended || options.signal.aborted)) throw error
    incomplete = options.signal.aborted ? 'the run was cancelled' : (error as Error).message
    if (error instanceof Doubted) {
      incomplete = `the target came to answer otherwise, after request ${trusted.requests}: ${incomplete}`
      exchanges.splice(trusted.exchanges)
    }
    // What a target says that has lost its senses is nothing to learn.
    if (sense.lost >= SENSELESS) exchanges.splice(Math.max(0, exchanges.length - sense.lost))
    for (const { id } of scenarios) if (!done.has(id)) skipped[id] ??= incomplete
  }
  const requests = client.requests
  client.close()
  const left = await cleanUp(options, ledger)
  return { trace: trace(), tag, skipped, incomplete, left, requests }

  function trace(): Trace {
    return { exchanges: [...exchanges], sent }
  }

  async function run(scenario: Scenario, setting: Setting): Promise<void> {
    done.add(scenario.id)
    await scenario.run(createScript(scenario, setting, sender, record))
    // An impersonation may have changed whom the administrator's token speaks for.
    const isOther = ({ kind }: Entry) => kind !== 'session'
    if (!ledger.open.every(isOther)) await sweep(client, profile, ledger, isOther)
  }

  function senderOf(live: Client, { signal }: LiveOptions, proofs: number): Sender {
    const send: Sender['send'] = async (call) => {
      if (signal.aborted) throw new Ended('the run was cancelled')
      // The reads that prove a change harmless are requests too.
      if (live.requests + proofs + kept > budget)
        throw new Spent(`the budget of ${budget} requests is spent (--max-requests)`)
      const { status, json, headers } = await live.send(call)
      sent.set(exchanges.length, sentOf(call, profile))
      const fault = senselessness(call, status, json)
      if (fault === null) Object.assign(sense, { made: sense.made + 1, lost: 0 })
      else if (fault !== undefined) sense.lost += 1
      // A target that was never otherwise is odd, and can be learnt as it is.
      if (fault && sense.lost >= SENSELESS && (sense.made >= SENSELESS || status >= 500))
        throw new Ended(`the target came to answer ${fault}, ${sense.lost} times in a row`)
      return { status, json, headers }
    }
    return {
      send,
      find: (binding, seen, further) => findLive(live, binding, seen, further),
    }
  }
}

/** For what looks around: an operation that the profile leaves out shows nothing. */
const lenient = (sender: Sender): Sender => ({
  ...sender,
  send: (call) =>
    sender.send(call).catch((error: unknown) => {
      if (error instanceof Withheld) return { status: 501, json: undefined, headers: {} }
      throw error
    }),
})

/** `null` for a header that is not sent is another call than none. */
const keyOf = ({ as = 'administrator', ...call }: Call) =>
  JSON.stringify(Object.entries({ as, ...call }).sort(([a], [b]) => a.localeCompare(b)))

/** All that had to be asked was asked before. */
function unlessSpent(error: unknown): void {
  if (!(error instanceof Spent)) throw error
}

/** What is wrong with an answer whatever was asked; null for nothing, undefined where it does not tell. */
function senselessness(call: Call, status: number, json: unknown): string | null | undefined {
  if (status >= 500) return `${status}`
  if (json === undefined) return 'without JSON'
  const own = call.authorization === undefined && (call.as ?? 'administrator') === 'administrator'
  if (status !== 401) return null
  return own ? '401 to its administrator' : undefined
}

/** Who asks, and what is there to begin with. */
async function lookedAround({ send }: Sender, profile: Profile): Promise<Setting['names']> {
  const names: Record<string, string> = {}
  for (const as of ['administrator', 'restricted', 'password'] as const) {
    if (!profile.tokens[as]) continue
    const name = await usernameOf(async (call) => (await send(call)) as Answer, profile, as)
    if (name !== null) names[as] = name
    // An error in the language of the account.
    if (as !== 'administrator') await send({ operation: 'getUserCreatePage', as })
  }
  if (profile.user) await send({ operation: 'getUser', path: { user_id: profile.user.username } })
  for (const operation of ['listCustomFields', 'listPlugins'] as const) await send({ operation })
  return names
}

/** One that no signal ends: what ends the run is no reason to leave what it made. */
const unending = ({ profile, signal: _, ...options }: LiveOptions, ledger: Ledger): Client =>
  createClient(profile, { ...options, ledger })

async function survey(options: LiveOptions, ledger: Ledger): Promise<void> {
  const client = unending(options, ledger)
  await lookAround(client, options.profile).finally(client.close)
}

async function cleanUp(options: LiveOptions, ledger: Ledger): Promise<string[]> {
  const client = unending(options, ledger)
  const { profile } = options
  try {
    const left = leftoversOf([await sweep(client, profile, ledger)])
    return [...left, ...(await changedOtherwise(client, profile))]
  } catch {
    return ledger.open.map(({ kind, name }) => `${kind} ${name}`)
  } finally {
    client.close()
  }
}

function reasonAgainst({ safety, needs }: Scenario, client: Client, profile: Profile): string | null {
  if (!client.allows(safety)) return `needs --safety ${safety}`
  if (needs === undefined) return null
  const [top = '', below] = needs.split('.')
  const value = profile[top as keyof Profile]
  const there =
    below === undefined ? value : isObject(value) ? (value as Record<string, unknown>)[below] : undefined
  return there === undefined ? `the profile has no ${needs}` : null
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
  const told = entry.id ?? (await guard.proofs.adopt(entry, seen as Answer))
  if (told !== null || !further) return text(told)
  const shown = await send(
    kind === 'user' ? { operation: 'getUser', path: { user_id: of } } : { operation: 'listCustomFields' },
  )
  return text(await guard.proofs.adopt(entry, shown))
}

const text = (id: number | null | undefined) => (id === null || id === undefined ? null : String(id))
