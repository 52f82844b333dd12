/**
 * What is left of the requests, spent where the answers so far say least: each scenario is rehearsed at length on the
 * simulator, and of its calls those are sent whose answer is the least certain.
 */
import { isObject } from '../suite/look.js'
import { distance } from './compare.js'
import type { Fitted } from './fit.js'
import { pairsUnder } from './literals.js'
import type { Mirror } from './mirror.js'
import { isSpecific, ofMembers, type Pair, siblings } from './rules.js'
import type { Asked } from './run.js'
import {
  createScript,
  namesIn,
  type Recorded,
  type Scenario,
  type Sender,
  type Setting,
  type Step,
} from './script.js'
import {
  type Cause,
  type LedgerView,
  type Replayed,
  replay,
  type Simulate,
  type Simulator,
  type Values,
} from './simulate.js'

export interface FurtherOptions {
  readonly ledger: LedgerView
  readonly simulate: Simulate
  /** What the answers so far say. */
  readonly fitted: Fitted
  readonly values: Values
  readonly more: Readonly<Record<string, readonly unknown[]>>
}

/** A call of a rehearsal. */
interface Candidate {
  readonly recorded: Recorded
  readonly replayed: Replayed
  readonly read: ReadonlySet<string>
  /** Positions of the calls of the same rehearsal that it builds on. */
  readonly needs: readonly number[]
}

interface Rehearsal {
  readonly scenario: Scenario
  readonly setting: Setting
  readonly calls: readonly Candidate[]
}

/** Values of a decision that no call so far has told apart, and the calls that would, with how plainly. */
interface Doubt {
  readonly id: string
  readonly tells: ReadonlyMap<Candidate, number>
}

/** So many requests are kept back for ids that answers do not tell. */
const RESERVE = 4

export async function askFurther(asked: Asked, options: FurtherOptions): Promise<void> {
  const { sender, mirror, transcript, record, allowed, left } = asked
  if (left <= RESERVE) return
  const { simulate, values, fitted } = options
  // How far the decisions alone foresee: rules for what they do not would foresee whatever was asked.
  const { 'learned-answers': _, ...decided } = { ...fitted.values } as Values & {
    'learned-answers'?: unknown
  }
  const pairs = await pairsUnder(decided, mirror, transcript, simulate)
  const simulator = await simulate(mirror, values, { causes: true })
  if (!simulator) return
  const rehearsals: Rehearsal[] = []
  for (const scenario of allowed) rehearsals.push(await rehearsed(again(scenario), asked.setting, simulator))
  const doubts = await doubtsOf(rehearsals, options, mirror)
  const wanted = chosen(rehearsals, doubts, pairs, left - RESERVE)
  for (const { scenario, setting, calls } of rehearsals) {
    if (!calls.some((call) => wanted.has(call))) continue
    const known = new Map(calls.map((call) => [JSON.stringify(call.recorded.step), call]))
    const instead = (step: Step) => {
      const call = known.get(JSON.stringify(step))
      return call && wanted.has(call) ? undefined : (call?.recorded.seen ?? null)
    }
    await scenario.run(createScript(scenario, { ...setting, instead }, sender, record))
  }
}

/** Under a name of its own, so that what it makes is its own too. */
const again = (scenario: Scenario): Scenario => ({ ...scenario, id: `more-${scenario.id}` })

async function rehearsed(scenario: Scenario, asked: Setting, simulator: Simulator): Promise<Rehearsal> {
  const fixed = asked.random()
  const setting: Setting = { ...asked, thorough: true, disposable: [], random: () => fixed }
  const calls: Candidate[] = []
  let last: Pick<Replayed, 'cause'> & { read: ReadonlySet<string> } = { cause: null, read: new Set() }
  const sender: Sender = {
    async send(call) {
      const { seen, cause } = await simulator.send(call)
      last = { cause, read: simulator.takeRead() }
      return seen
    },
    async find({ kind, of }) {
      const id = kind === 'session' ? null : simulator.idOf(kind, of)
      return id === null ? null : String(id)
    },
  }
  const made = new Map<string, number>()
  const record = (recorded: Recorded) => {
    const { step, seen, bound } = recorded
    calls.push({
      recorded,
      replayed: { seen, bound, cause: last.cause },
      read: last.read,
      needs: [...new Set([...wordsOf(step), ...namesIn(step)].flatMap((word) => made.get(word) ?? []))],
    })
    if (seen.status >= 300) return
    for (const word of madeBy(step)) made.set(word, calls.length - 1)
  }
  simulator.restore(simulator.start)
  simulator.takeRead()
  await scenario.run(createScript(scenario, setting, sender, record))
  return { scenario, setting, calls }
}

/** By what later calls speak of the thing that a call makes. */
function madeBy({ operation, body, bind }: Step): string[] {
  const { username, email, realname, custom_field } = (isObject(body) ? body : {}) as Record<string, unknown>
  const names =
    operation === 'createUser'
      ? [username, email, realname]
      : operation === 'createCustomField' && isObject(custom_field)
        ? [custom_field.name]
        : []
  const words = names.filter((name): name is string => typeof name === 'string' && name.length > 5)
  return bind ? [bind.name, ...words] : words
}

const wordsOf = ({ path, body, headers }: Step): string[] =>
  leaves([path, body, headers]).flatMap((text) => [text, text.trim(), text.toLowerCase()])

const leaves = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(leaves)
      : []

/** Below that, two values of a decision were not told apart. */
const SETTLED = 0.5

async function doubtsOf(
  rehearsals: readonly Rehearsal[],
  { fitted: { tried }, values, ledger, simulate, more }: FurtherOptions,
  mirror: Mirror,
): Promise<Doubt[]> {
  const doubts: Doubt[] = []
  for (const [id, entry] of Object.entries(ledger)) {
    const concerned = rehearsals.filter(({ calls }) => calls.some(({ read }) => read.has(id)))
    if (concerned.length === 0) continue
    const present = JSON.stringify(id in values ? values[id] : entry.default)
    const trials = new Map((tried.get(id) ?? []).map((trial) => [JSON.stringify(trial.value), trial.worse]))
    for (const value of [entry.default, ...entry.alternatives, ...(more[id] ?? [])]) {
      const written = JSON.stringify(value)
      if (written === present || (trials.get(written) ?? 0) >= SETTLED) continue
      const simulator = await simulate(mirror, { ...values, [id]: value })
      if (!simulator) continue
      const tells = new Map<Candidate, number>()
      for (const { calls } of concerned) {
        const until = calls.findLastIndex(({ read }) => read.has(id)) + 1
        const answers = await replay(
          simulator,
          calls.slice(0, until).map(({ recorded }) => recorded),
          mirror,
        )
        for (const [index, other] of answers.entries()) {
          const call = calls[index] as Candidate
          const plainly = Math.min(1, distance(call.recorded, other) / 100)
          if (plainly > 0.004) tells.set(call, plainly)
        }
      }
      if (tells.size > 0) doubts.push({ id, tells })
    }
  }
  return doubts
}

/** The calls that tell most, in relation to what they take, together with those that they build on. */
function chosen(
  rehearsals: readonly Rehearsal[],
  doubts: readonly Doubt[],
  known: readonly Pair[],
  most: number,
): Set<Candidate> {
  const news = newsIn(rehearsals, known)
  const open = new Set(doubts)
  const weights = new Map(doubts.map((doubt) => [doubt, weightOf(doubt)]))
  const wanted = new Set<Candidate>()
  const worth = (call: Candidate) => {
    let sum = news.of(call)
    for (const doubt of open) sum += (doubt.tells.get(call) ?? 0) * (weights.get(doubt) ?? 0)
    return sum
  }
  const needed = ({ calls }: Rehearsal, call: Candidate): Candidate[] => {
    const found = new Set<Candidate>()
    const add = (one: Candidate | undefined) => {
      if (!one || found.has(one) || wanted.has(one)) return
      found.add(one)
      for (const index of one.needs) add(calls[index])
    }
    for (const one of calls) if (one.recorded.step.keep) add(one)
    add(call)
    return [...found]
  }
  let left = most
  for (;;) {
    let best: { calls: readonly Candidate[]; score: number } | null = null
    for (const rehearsal of rehearsals)
      for (const call of rehearsal.calls) {
        if (wanted.has(call)) continue
        const value = worth(call)
        if (value < LEAST || value < (best?.score ?? 0)) continue
        const calls = needed(rehearsal, call)
        const score = value / calls.length
        if (calls.length <= left && score > (best?.score ?? 0)) best = { calls, score }
      }
    if (process.env.DBG) {
      const b = best as { calls: Candidate[]; score: number } | null
      const c = b?.calls.at(-1)
      if (!b || !c) console.log('END left', left)
      else
        console.log(
          left,
          b.calls.length,
          b.score.toFixed(2),
          `news ${news.of(c).toFixed(2)}`,
          c.recorded.step.operation,
          JSON.stringify(c.recorded.step.body ?? c.recorded.step.rawBody ?? c.recorded.step.path ?? ''),
          '=',
          c.replayed.cause?.outcome,
          'doubts',
          [...open]
            .filter((d) => d.tells.has(c))
            .map((d) => `${d.id}:${((d.tells.get(c) ?? 0) * (weights.get(d) ?? 0)).toFixed(2)}`)
            .join(),
        )
    }
    if (!best) return wanted
    left -= best.calls.length
    for (const call of best.calls) {
      wanted.add(call)
      news.add(call)
      for (const doubt of open) if ((doubt.tells.get(call) ?? 0) >= plainest(doubt) / 2) open.delete(doubt)
    }
  }
}

const plainest = ({ tells }: Doubt) => Math.max(...tells.values())

/** The more calls come out otherwise, the more it matters. */
const weightOf = ({ tells }: Doubt) =>
  1.5 *
  Math.sqrt([...tells.values()].reduce((sum, plainly) => sum + plainly, 0) / plainest({ id: '', tells }))

const LEAST = 0.05

/** What about calls has not been asked about yet, how many calls it concerns, and how often such things surprise. */
function newsIn(rehearsals: readonly Rehearsal[], known: readonly Pair[]) {
  /** By token, the operations of which it is known. */
  const seen = new Map<string, Set<string>>()
  /** By token and operation, how many calls have it. */
  const counts = new Map<string, number>()
  const tokens = new Map<Candidate, readonly string[]>()
  /** By kind of token, of how many that were met for the first time it was known what comes of them. */
  const luck = new Map<string, { right: number; wrong: number }>()
  const add = (operation: string, own: readonly string[]) => {
    for (const token of own) seen.set(token, (seen.get(token) ?? new Set()).add(operation))
  }
  for (const { recorded, replayed } of known) {
    const { operation } = recorded.step
    const own = tokensOf(replayed.cause).filter((token) => !seen.get(token)?.has(operation))
    add(operation, own)
    const isRight = recorded.seen.status === replayed.seen.status
    for (const kind of new Set(own.map((token) => kindOf(token, replayed.seen.status)))) {
      const { right, wrong } = luck.get(kind) ?? { right: 0, wrong: 0 }
      luck.set(kind, isRight ? { right: right + 1, wrong } : { right, wrong: wrong + 1 })
    }
  }
  for (const { calls } of rehearsals)
    for (const call of calls) {
      const own = tokensOf(call.replayed.cause)
      tokens.set(call, own)
      for (const token of own) {
        const key = `${call.recorded.step.operation} ${token}`
        counts.set(key, (counts.get(key) ?? 0) + 1)
      }
    }
  /** The operations to which what one of them does with it is carried over. */
  const alike = (operation: string, token: string): readonly string[] =>
    siblings.find((family) => ofMembers.test(token) && (family as readonly string[]).includes(operation)) ?? [
      operation,
    ]
  const newsOf = (operation: string, token: string, status: number): number => {
    const where = seen.get(token)
    if (where?.has(operation)) return 0
    const family = alike(operation, token)
    const reach = family
      .filter((one) => !where?.has(one))
      .reduce((sum, one) => sum + (counts.get(`${one} ${token}`) ?? 0), 0)
    // What several operations do likewise is carried over to all.
    const shared = /^(subject|authorization|header|body|=unauth)/.test(token)
      ? 1 / (1 + (where?.size ?? 0))
      : 1
    const carried = family.some((one) => where?.has(one)) ? 0.15 : shared
    const { right, wrong } = luck.get(kindOf(token, status)) ?? { right: 0, wrong: 0 }
    const surprise = (wrong + 0.5) / (right + wrong + 1.5)
    return carried * surprise * weightFor(token) * Math.sqrt(reach)
  }
  return {
    add: (call: Candidate) => add(call.recorded.step.operation, tokens.get(call) ?? []),
    of(call: Candidate): number {
      const { recorded, replayed } = call
      const all = (tokens.get(call) ?? [])
        .map((token) => newsOf(recorded.step.operation, token, replayed.seen.status))
        .sort((a, b) => b - a)
      // What is new beside what is newest is seldom told apart from it.
      return 3 * all.reduce((sum, one, index) => sum + one / (index + 1), 0)
    },
  }
}

const weightFor = (token: string) => (token.startsWith('=') ? 1 : isSpecific(token) ? 0.8 : 0.3)

/** The same of any member, and whether the call is done. */
const kindOf = (token: string, status: number) =>
  `${status < 300} ${/^(=|subject|caller|authorization|body|header|query)/.test(token) ? token : token.replace(/^[^:=]+/, '*').replace(/=.*/, '=')}`

/**
 * What is true of a call: how it comes out, what is peculiar about it, and which of two faults is told. Limits of length
 * are one thing, however many of them a text passes.
 */
function tokensOf(cause: Cause | null): string[] {
  if (!cause) return []
  const features = cause.features.map((feature) => feature.replace(/(longer|shorter)-than-\d+$/, '$1'))
  const faults = features.filter((feature) => /^(caller:other|body:(?!object|unknown))/.test(feature))
  const outcome = `=${cause.outcome}`
  return [...new Set([outcome, ...features, ...faults.map((fault) => `${outcome} ${fault}`)])]
}
