/**
 * What is left of the requests, spent where the answers so far say least: each scenario is rehearsed at length on the
 * simulator, and of its calls those are sent whose answer is the least certain.
 */

import { changeBetween, changed } from '../copy/change.js'
import type { LedgerView, Pair, Simulate, Simulator, Values } from '../copy/copy.js'
import type { Fitted } from '../fit/decisions.js'
import { pairsUnder } from '../fit/literals.js'
import { distance } from '../trace/compare.js'
import type { Recording } from '../trace/trace.js'
import { newsIn } from './news.js'
import { anew, type Candidate, type Rehearsal, rehearsed } from './rehearsal.js'
import type { Run } from './run.js'
import type { Asked, Scenario, Step } from './script.js'

export interface FurtherOptions {
  readonly recording: Recording
  readonly ledger: LedgerView
  readonly simulate: Simulate
  /** What the answers so far say. */
  readonly fitted: Fitted
  readonly values: Values
  readonly more: Readonly<Record<string, readonly unknown[]>>
}

/** Values of a decision that no call so far has told apart, and the calls that would, with how plainly. */
interface Doubt {
  readonly tells: ReadonlyMap<Candidate, number>
  /** How plainly the most telling of them does. */
  readonly plainest: number
}

/** So many requests are kept back for ids that answers do not tell. */
export const RESERVE = 4

/** Of these scenarios. */
export async function askFurther(
  run: Run,
  scenarios: readonly Scenario[],
  options: FurtherOptions,
): Promise<void> {
  const { asked } = run
  const { mirrors, calls: recorded } = options.recording
  const { simulate, values, fitted } = options
  // How far the decisions alone foresee: rules for what they do not would foresee whatever was asked.
  const { 'learned-answers': _, ...decided } = fitted.values
  const pairs = await pairsUnder(decided, mirrors, recorded, simulate)
  const simulator = await simulate(mirrors, values, { causes: true })
  if (!simulator) return
  const lost = lostTokens(asked)
  const rehearsals: Rehearsal[] = []
  for (const scenario of run.allowed(scenarios))
    rehearsals.push(await rehearsed(anew(scenario), run.setting, simulator))
  const doubts = await doubtsOf(rehearsals, options)
  const choice = choiceOf(rehearsals, doubts, pairs, lost)
  let room = run.left - RESERVE
  for (;;) {
    const wanted = choice.next(room)
    if (wanted.size === 0) return
    for (const rehearsal of rehearsals) {
      const calls = rehearsal.calls.filter((call) => wanted.has(call))
      if (calls.length === 0) continue
      const before = asked.length
      await send(rehearsal, calls)
      const sent = new Set(asked.slice(before).map(keyOf))
      // What is not let out tells nothing: another call may.
      choice.sent(rehearsal, (call) => sent.has(keyOf(call)))
      room -= sent.size
    }
  }

  async function send({ scenario, setting, calls }: Rehearsal, wanted: readonly Candidate[]): Promise<void> {
    const known = new Map(calls.map((call) => [keyOf(call), call.seen]))
    // The same call may come again: a second session of one user.
    const chosen = new Set(wanted.map(keyOf))
    const instead = (step: Step) => {
      const key = keyOf({ step })
      return chosen.has(key) ? undefined : (known.get(key) ?? null)
    }
    await run.all([scenario], { ...setting, instead })
  }
}

const keyOf = ({ step }: Pick<Asked, 'step'>) => JSON.stringify(step)

/** Whose token the target took no more at the end: a change of password may have ended it. */
function lostTokens(asked: readonly Asked[]): Set<string> {
  const lost = new Set<string>()
  for (const { step, seen } of asked) {
    if (step.authorization !== undefined) continue
    if (seen.status === 401) lost.add(step.as ?? 'administrator')
    else lost.delete(step.as ?? 'administrator')
  }
  return lost
}

/** Below that, two values of a decision were not told apart. */
const SETTLED = 0.5

async function doubtsOf(
  rehearsals: readonly Rehearsal[],
  { fitted: { tried }, values, ledger, simulate, more, recording: { mirrors } }: FurtherOptions,
): Promise<Doubt[]> {
  const doubts: Doubt[] = []
  for (const [id, entry] of Object.entries(ledger)) {
    const concerned = rehearsals.filter(({ calls }) => calls.some(({ reads }) => reads.has(id)))
    if (concerned.length === 0) continue
    const present = JSON.stringify(id in values ? values[id] : entry.default)
    const trials = new Map((tried.get(id) ?? []).map((trial) => [JSON.stringify(trial.value), trial.worse]))
    for (const value of [entry.default, ...entry.alternatives, ...(more[id] ?? [])]) {
      const written = JSON.stringify(value)
      if (written === present || (trials.get(written) ?? 0) >= SETTLED) continue
      const simulator = await simulate(mirrors, { ...values, [id]: value })
      if (!simulator) continue
      const tells = new Map<Candidate, number>()
      for (const { calls } of concerned) compareUnder(simulator, calls, id, tells)
      if (tells.size > 0) doubts.push({ tells, plainest: Math.max(...tells.values()) })
    }
  }
  return doubts
}

/** Which calls come out otherwise. Those that do not depend on the decision, and find what they found before, do not. */
function compareUnder(
  simulator: Simulator,
  calls: readonly Candidate[],
  id: string,
  tells: Map<Candidate, number>,
): void {
  let change: ReturnType<typeof changeBetween> = null
  for (const call of calls.slice(0, calls.findLastIndex(({ reads }) => reads.has(id)) + 1)) {
    if (change === null && !call.reads.has(id)) continue
    const state = change === null ? call.before : changed(call.before, change)
    const other = simulator.send(call.sent, state, {})
    change = changeBetween(call.after, other.after)
    const plainly = Math.min(1, distance({ seen: call.seen, given: [] }, other.seen) / 100)
    if (plainly > 0.004) tells.set(call, plainly)
  }
}

interface Choice {
  /** The calls that tell most, in relation to what they take, together with those that they build on. */
  next(most: number): ReadonlySet<Candidate>
  /** None of the others of that rehearsal can be sent any more. */
  sent(rehearsal: Rehearsal, isAnswered: (call: Candidate) => boolean): void
}

function choiceOf(
  rehearsals: readonly Rehearsal[],
  doubts: readonly Doubt[],
  known: readonly Pair[],
  lost: ReadonlySet<string>,
): Choice {
  const news = newsIn(rehearsals, known)
  const open = new Set(doubts)
  const weights = new Map(doubts.map((doubt) => [doubt, weightOf(doubt)]))
  const todo = new Set(rehearsals)
  /** Which call a doubt was left to. */
  const leftTo = new Map<Doubt, Candidate>()
  const worth = (call: Candidate) => {
    const { as, authorization } = call.step
    if (authorization === undefined && lost.has(as ?? 'administrator')) return 0
    let sum = news.of(call)
    for (const doubt of open) sum += (doubt.tells.get(call) ?? 0) * (weights.get(doubt) ?? 0)
    return sum
  }
  const worths = new Map<Candidate, number>()
  const weigh = (calls: Iterable<Candidate>) => {
    for (const call of calls) worths.set(call, worth(call))
  }
  for (const { calls } of rehearsals) weigh(calls)

  function needed({ calls }: Rehearsal, call: Candidate, wanted: ReadonlySet<Candidate>): Candidate[] {
    const found = new Set<Candidate>()
    const add = (one: Candidate | undefined) => {
      if (!one || found.has(one) || wanted.has(one)) return
      found.add(one)
      for (const index of one.needs) add(calls[index])
    }
    for (const one of calls) if (one.step.keep) add(one)
    add(call)
    return [...found]
  }

  function best(wanted: ReadonlySet<Candidate>, left: number): readonly Candidate[] | null {
    let found: { calls: readonly Candidate[]; score: number } | null = null
    for (const rehearsal of todo)
      for (const call of rehearsal.calls) {
        if (wanted.has(call)) continue
        const value = worths.get(call) ?? 0
        if (value < LEAST || value < (found?.score ?? 0)) continue
        const calls = needed(rehearsal, call, wanted)
        const kept = calls.filter(({ step }) => step.keep).length
        // What is sent for the sake of all calls of a scenario is not the first one's alone.
        const score = value / (calls.length - 0.6 * kept)
        if (calls.length <= left && score > (found?.score ?? 0)) found = { calls, score }
      }
    return found?.calls ?? null
  }

  return {
    next(most) {
      const wanted = new Set<Candidate>()
      for (;;) {
        const calls = best(wanted, most - wanted.size)
        if (!calls) return wanted
        for (const call of calls) {
          wanted.add(call)
          weigh(news.add(call))
          for (const doubt of open) {
            if ((doubt.tells.get(call) ?? 0) < doubt.plainest / 2) continue
            open.delete(doubt)
            leftTo.set(doubt, call)
            weigh(doubt.tells.keys())
          }
        }
      }
    },
    sent(rehearsal, isAnswered) {
      todo.delete(rehearsal)
      const calls = new Set(rehearsal.calls)
      for (const [doubt, call] of leftTo) {
        if (!calls.has(call) || isAnswered(call)) continue
        leftTo.delete(doubt)
        open.add(doubt)
        weigh(doubt.tells.keys())
      }
    },
  }
}

/** The more calls come out otherwise, the more it matters. */
const weightOf = ({ tells, plainest }: Doubt) =>
  1.5 * Math.sqrt([...tells.values()].reduce((sum, plainly) => sum + plainly, 0) / plainest)

const LEAST = 0.05
