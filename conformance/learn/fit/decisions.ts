/** Finds the decisions under which the emulator answers most like the target: it tries one after the other until none helps. */
import { memoised } from '../../contract/memoised.js'
import { same } from '../../oracle/json.js'
import { differsIn, type LedgerView, type Played, replayed, simulate, type Values } from '../copy/emulator.js'
import { distance } from '../trace/compare.js'
import type { Recorded, Seen } from '../trace/recorded.js'
import type { Recording } from '../trace/trace.js'

export interface FitOptions extends Pick<Recording, 'mirrors' | 'calls'> {
  readonly ledger: LedgerView
  /** Returns further values to try for a decision, given its value in force. */
  readonly more?: (id: string, present: unknown) => readonly unknown[]
  /** The values with which it may start; it takes those that fit best. */
  readonly starts: readonly Values[]
  readonly onStep?: (done: number, total: number) => void
}

/** The emulator's answer to each call under some values, and its distance from the target's answer. */
interface Line {
  readonly values: Values
  readonly played: readonly Played[]
  readonly distances: readonly number[]
  /** The sum of the distances; the old ones are taken after the end of a replay that stopped early. */
  readonly sum: number
}

/** How often each decision is tried at most. */
const PASSES = 6
/** Two sums of distances that differ by less are equal. */
const EPSILON = 1e-6
/** A call supports another value if its distance is smaller by more than this under that value. */
const PLAIN = 5

export type Fitted = Awaited<ReturnType<typeof fitDecisions>>

export async function fitDecisions(options: FitOptions) {
  const { mirrors, calls, ledger, more, starts, onStep } = options
  const first: Line[] = []
  for (const start of starts) first.push(...(await replays(start, first)))
  let line = first.toSorted((a, b) => a.sum - b.sum)[0] as Line
  const settingIn = (values: Values, id: string) => (id in values ? values[id] : ledger[id]?.default)
  const lastReplays = new Map<string, Line>()
  /** For each decision, the replays under its other values, and the one under the best. */
  const tried = new Map<string, { readonly others: readonly Line[]; readonly best: Line }>()
  // Decisions of few operations come first, since a general one may hide them.
  const breadth = (id: string) => ledger[id]?.operations.length ?? 0
  const ids = Object.keys(ledger).sort((a, b) => breadth(a) - breadth(b))
  for (let pass = 0; pass < PASSES; pass++) {
    const before = line
    for (const [index, id] of ids.entries()) {
      onStep?.(pass * ids.length + index, PASSES * ids.length)
      while (await improve(id));
    }
    if (line === before) break
  }
  // A value that was tried with another decision may explain no more than any other does.
  const isFree = (id: string) => id in ledger && !starts.some((start) => id in start)
  for (const id of Object.keys(line.values).filter(isFree)) {
    const { others = [], best = line } = tried.get(id) ?? {}
    if (others.some(({ sum }) => sum > best.sum + EPSILON)) continue
    const [plain] = await replays({ ...line.values, [id]: ledger[id]?.default }, [line], line.sum + EPSILON)
    if (!plain || plain.sum > line.sum + EPSILON) continue
    line = plain
    await improve(id)
  }
  const values = Object.entries(line.values).filter(([id, value]) => !same(value, ledger[id]?.default))
  const trials = [...tried].map(([id, { others, best }]) => {
    return [id, others.map((one) => trialOf(settingIn(one.values, id), one, best))] as const
  })
  return {
    values: Object.fromEntries(values),
    /** For each decision, the results of the values that were tried and not chosen. */
    tried: new Map(trials),
  }

  /** Tries the other values of a decision, takes the best, and returns whether it is another one. */
  async function improve(id: string): Promise<boolean> {
    const [start, reads] = [line, readsOf(line)]
    const attempts = [start]
    let best = start
    for (const value of reads.has(id) ? candidates(id, settingIn(start.values, id)) : []) {
      const values = { ...start.values, [id]: value }
      const [key, most] = [JSON.stringify([id, value]), best.sum + EPSILON]
      const found = await replays(values, [start, lastReplays.get(key) ?? []].flat(), most)
      for (const one of found) lastReplays.set(key, one)
      // Decisions that count only under this value may have the wrong values, so it is tried with their other values.
      const isNew = ({ replayed }: Played, at: number) => replayed !== start.played[at]?.replayed
      const ids = readsIn(found.flatMap((one) => one.played.filter(isNew)))
      for (const other of [...ids].filter((one) => !reads.has(one)))
        for (const setting of candidates(other, settingIn(values, other)))
          found.push(...(await replays({ ...values, [other]: setting }, [start, ...found], most)))
      const [nearest] = found.sort((a, b) => a.sum - b.sum)
      if (nearest) attempts.push(nearest)
      if (nearest && nearest.sum <= best.sum - EPSILON) best = nearest
    }
    tried.set(id, { others: attempts.filter((one) => one !== best), best })
    line = best
    return best !== start
  }

  /** One replay, which ends when the sum of the distances is certain to exceed `most`; none if the decisions contradict each other. */
  async function replays(values: Values, earlier: readonly Line[], most = Infinity): Promise<Line[]> {
    const simulator = await simulate(mirrors, values)
    if (!simulator) return []
    const sources = earlier.map((one) => ({ ...one, differs: differsIn(values, one.values) }))
    const [old] = sources
    const depends = ({ replayed }: Played) => old?.differs(replayed.reads)
    const played: Played[] = []
    const distances: number[] = []
    let sum = 0
    /** The sum of the old distances of later calls, and of those among them that do not depend on the tried decision. */
    let [rest, firm] = [old?.sum ?? 0, 0]
    for (const [at, one] of (old?.played ?? []).entries()) if (!depends(one)) firm += old?.distances[at] ?? 0
    for (const one of replayed(simulator, calls, sources)) {
      const at = played.length
      const [known, before = 0] = [old?.played[at], old?.distances[at]]
      const now = known?.replayed === one.replayed ? before : distanceTo(one.recorded)(one.replayed.seen)
      played.push(one)
      distances.push(now)
      sum += now
      rest -= before
      if (known && !depends(known)) firm -= before
      // Where the state is as before, the others can have no other answer.
      if (sum + (known?.after === one.after ? firm : 0) > most) break
    }
    return [{ values, played, distances, sum: sum + rest }]
  }

  function candidates(id: string, present: unknown): readonly unknown[] {
    const entry = ledger[id]
    const all = entry ? [entry.default, ...entry.alternatives, ...(more?.(id, present) ?? [])] : []
    return all.filter((value, at) => !same(value, present) && all.findIndex((one) => same(one, value)) === at)
  }

  function trialOf(value: unknown, other: Line, best: Line) {
    const gains = calls.flatMap((call, at) => {
      const [theirs, ours = 0] = [other.distances[at], best.distances[at]]
      return theirs === undefined ? [] : [{ call, gain: theirs - ours }]
    })
    const telling = gains.filter(({ gain }) => gain > EPSILON)
    return {
      value,
      /** How much greater the total distance is than under the value in force; never below 0. */
      worse: other.sum - best.sum,
      /** The calls that the value in force answers better, those with the greatest difference first. */
      calls: telling.sort((a, b) => b.gain - a.gain || a.call.n - b.call.n).map(({ call }) => call),
      /** The calls that this value answers clearly better. */
      against: gains.filter(({ gain }) => gain < -PLAIN).map(({ call }) => call),
    }
  }
}

/** The ids of the decisions that some answers depend on. */
const readsIn = (pairs: readonly Played[]) => {
  const reads = [...new Set(pairs.map(({ replayed }) => replayed.reads))].flatMap((one) => [...one])
  return new Set(reads.map((read) => read.split('.')[0] ?? read))
}
const readsOf = memoised(({ played }: Line) => readsIn(played))

const distanceTo = memoised((call: Recorded) => memoised((seen: Seen) => distance(call, seen)))
