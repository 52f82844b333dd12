/**
 * Spends the remaining requests where the answers so far show least: it rehearses each scenario at full length on the
 * simulator, and sends those of its calls that promise most news.
 */

import { replay, type Simulate, type Values } from '../copy/copy.js'
import type { Recording } from '../trace/trace.js'
import { newsIn } from './news.js'
import { anew, type Candidate, type Rehearsal, rehearsed } from './rehearsal.js'
import type { Run } from './run.js'
import type { Asked, Scenario, Step } from './script.js'

export interface FurtherOptions {
  readonly recording: Recording
  readonly simulate: Simulate
  /** The values learnt from the answers so far. */
  readonly values: Values
  /** The values without learnt rules: with such rules the simulator would predict every answer that it has learnt from. */
  readonly decided: Values
}

/** The number of requests that are kept back to look up ids that answers do not show. */
export const RESERVE = 4

/** Sends calls of these scenarios until the budget is spent or no call promises news. */
export async function askFurther(
  run: Run,
  scenarios: readonly Scenario[],
  { recording: { mirrors, calls }, simulate, values, decided }: FurtherOptions,
): Promise<void> {
  const { asked } = run
  const [foreseeing, rehearsing] = [
    await simulate(mirrors, decided, { causes: true }),
    await simulate(mirrors, values, { causes: true }),
  ]
  if (!foreseeing || !rehearsing) return
  const rehearsals = new Set<Rehearsal>()
  for (const scenario of run.allowed(scenarios))
    rehearsals.add(await rehearsed(anew(scenario), run.setting, rehearsing))
  const news = newsIn([...rehearsals], replay(foreseeing, calls))
  let room = run.left - RESERVE
  for (;;) {
    const wanted = chosen(rehearsals, news.of, news.add, room)
    if (wanted.size === 0) return
    for (const rehearsal of rehearsals) {
      const own = rehearsal.calls.filter((call) => wanted.has(call))
      if (own.length === 0) continue
      const before = asked.length
      await send(rehearsal, own)
      rehearsals.delete(rehearsal)
      // A call that the guard withholds takes no request, so there is room for other calls.
      room -= new Set(asked.slice(before).map(keyOf)).size
    }
  }

  async function send({ scenario, setting, calls: all }: Rehearsal, wanted: readonly Candidate[]) {
    const known = new Map(all.map((call) => [keyOf(call), call.seen]))
    // A scenario may send the same call twice, for instance to start a second session of one user.
    const keys = new Set(wanted.map(keyOf))
    const instead = (step: Step) => {
      const key = keyOf({ step })
      return keys.has(key) ? undefined : (known.get(key) ?? null)
    }
    await run.all([scenario], { ...setting, instead })
  }
}

const keyOf = ({ step }: Pick<Asked, 'step'>) => JSON.stringify(step)

const LEAST = 0.05

/** The calls that bring most news for the requests that they take, and the calls that these depend on. */
function chosen(
  rehearsals: Iterable<Rehearsal>,
  worth: (call: Candidate) => number,
  /** Marks a call as chosen, and returns the calls that are worth less because of it. */
  take: (call: Candidate) => Iterable<Candidate>,
  most: number,
): ReadonlySet<Candidate> {
  const wanted = new Set<Candidate>()
  const all = [...rehearsals]
  const worths = new Map(all.flatMap(({ calls }) => calls.map((call) => [call, worth(call)] as const)))
  for (;;) {
    const calls = best(most - wanted.size)
    if (!calls) return wanted
    for (const call of calls) {
      wanted.add(call)
      for (const other of take(call)) worths.set(other, worth(other))
    }
  }

  function best(left: number): readonly Candidate[] | null {
    let found: { calls: readonly Candidate[]; score: number } | null = null
    for (const rehearsal of all)
      for (const call of rehearsal.calls) {
        const value = worths.get(call) ?? 0
        if (wanted.has(call) || value < LEAST || value < (found?.score ?? 0)) continue
        const calls = needed(rehearsal, call)
        const kept = calls.filter(({ step }) => step.keep).length
        // Calls with `keep` serve all calls of a scenario, so they count only in part.
        const score = value / (calls.length - 0.6 * kept)
        if (calls.length <= left && score > (found?.score ?? 0)) found = { calls, score }
      }
    return found?.calls ?? null
  }

  function needed({ calls }: Rehearsal, call: Candidate): Candidate[] {
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
}
