/**
 * What is left of the requests, spent where the answers so far say least: each scenario is rehearsed at length on the
 * simulator, and of its calls those are sent whose answer is the least certain.
 */
import type { Simulate, Values } from '../copy/copy.js'
import type { Fitted } from '../fit/decisions.js'
import { pairsUnder } from '../fit/literals.js'
import type { Recording } from '../trace/trace.js'
import { newsIn } from './news.js'
import { anew, type Candidate, type Rehearsal, rehearsed } from './rehearsal.js'
import type { Run } from './run.js'
import type { Asked, Scenario, Step } from './script.js'

export interface FurtherOptions {
  readonly recording: Recording
  readonly simulate: Simulate
  /** What the answers so far say. */
  readonly fitted: Fitted
  readonly values: Values
}

/** So many requests are kept back for ids that answers do not tell. */
export const RESERVE = 4

/** Of these scenarios. */
export async function askFurther(
  run: Run,
  scenarios: readonly Scenario[],
  { recording: { mirrors, calls: recorded }, simulate, values, fitted }: FurtherOptions,
): Promise<void> {
  const { asked } = run
  // How far the decisions alone foresee: rules for what they do not would foresee whatever was asked.
  const { 'learned-answers': _, ...decided } = fitted.values
  const pairs = await pairsUnder(decided, mirrors, recorded, simulate)
  const simulator = await simulate(mirrors, values, { causes: true })
  if (!simulator) return
  const told = toldBy(fitted)
  const todo = new Set<Rehearsal>()
  for (const scenario of run.allowed(scenarios))
    if (!told.has(scenario.decision)) todo.add(await rehearsed(anew(scenario), run.setting, simulator))
  const choose = choiceOf(todo, newsIn([...todo], pairs), lostTokens(asked))
  let room = run.left - RESERVE
  for (;;) {
    const wanted = choose(room)
    if (wanted.size === 0) return
    for (const rehearsal of todo) {
      const calls = rehearsal.calls.filter((call) => wanted.has(call))
      if (calls.length === 0) continue
      const before = asked.length
      await send(rehearsal, calls)
      // None of the others of that rehearsal can be sent any more.
      todo.delete(rehearsal)
      room -= asked.length - before
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

/** Below that, two values of a decision were not told apart. */
const SETTLED = 0.5

/** The decisions all of whose values are told apart already. */
const toldBy = ({ tried }: Fitted): Set<string | undefined> =>
  new Set(
    [...tried]
      .filter(([, trials]) => trials.length > 0 && trials.every(({ worse }) => worse >= SETTLED))
      .map(([id]) => id),
  )

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

/** What a call of a probe counts, which hardly any client makes. */
const SELDOM = 0.3
/** What the call counts beside that which tells the values of its decision apart. */
const TELLING = 0.6
const LEAST = 0.05

/** The calls that tell most, in relation to what they take, together with those that they build on; so many at most. */
function choiceOf(
  todo: ReadonlySet<Rehearsal>,
  news: ReturnType<typeof newsIn>,
  lost: ReadonlySet<string>,
): (most: number) => ReadonlySet<Candidate> {
  const worths = new Map<Candidate, number>()
  const weigh = ({ scenario: { decision }, calls }: Rehearsal) => {
    const telling = decision && calls.findLast(({ reads }) => reads.has(decision))
    for (const call of calls) {
      const { as = 'administrator', authorization } = call.step
      const isLost = authorization === undefined && lost.has(as)
      const own = news.of(call) * (decision ? SELDOM : 1) + (call === telling ? TELLING : 0)
      worths.set(call, isLost ? 0 : own)
    }
  }

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

  function best(wanted: ReadonlySet<Candidate>, left: number): readonly Candidate[] {
    let found: { calls: readonly Candidate[]; score: number } = { calls: [], score: 0 }
    for (const rehearsal of todo)
      for (const call of rehearsal.calls) {
        if (wanted.has(call)) continue
        const value = worths.get(call) ?? 0
        if (value < LEAST || value < found.score) continue
        const calls = needed(rehearsal, call, wanted)
        const kept = calls.filter(({ step }) => step.keep).length
        // What is sent for the sake of all calls of a scenario is not the first one's alone.
        const score = value / (calls.length - 0.6 * kept)
        if (calls.length <= left && score > found.score) found = { calls, score }
      }
    return found.calls
  }

  return (most) => {
    const wanted = new Set<Candidate>()
    for (const rehearsal of todo) weigh(rehearsal)
    for (;;) {
      const calls = best(wanted, most - wanted.size)
      if (calls.length === 0) return wanted
      for (const call of calls) {
        wanted.add(call)
        const changed = new Set(news.add(call))
        for (const rehearsal of todo) if (rehearsal.calls.some((one) => changed.has(one))) weigh(rehearsal)
      }
    }
  }
}
