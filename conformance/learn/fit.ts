/** The decisions under which the simulator answers most like the target: each in its turn, until none gets better. */
import { distance } from './compare.js'
import type { Mirror } from './mirror.js'
import type { Recorded, Transcript } from './script.js'
import { byScenario, type LedgerView, type Replayed, replay, type Simulate, type Values } from './simulate.js'

export interface Fitted {
  readonly values: Values
  /** Of the last state: by scenario, what the simulator answered. */
  readonly answers: ReadonlyMap<string, readonly Replayed[]>
  /** Per decision, what the values cost that were tried beside the one that is in force. */
  readonly tried: ReadonlyMap<string, readonly Trial[]>
  readonly cost: number
}

export interface Trial {
  readonly value: unknown
  /** How much worse than the value in force; below 0 never. */
  readonly worse: number
  /** The calls that told the two apart, the most telling first. */
  readonly calls: readonly Recorded[]
  /** Whether other calls speak for this value. */
  readonly against: boolean
}

interface Run {
  readonly answers: readonly Replayed[]
  readonly distances: readonly number[]
  readonly read: ReadonlySet<string>
}

const PASSES = 4
/** Below that, two sums of shares are the same. */
const EPSILON = 1e-6

export interface FitOptions {
  readonly mirror: Mirror
  readonly transcript: Transcript
  readonly ledger: LedgerView
  readonly simulate: Simulate
  /** Further values to try of open decisions, found by asking the target. */
  readonly more: Readonly<Record<string, readonly unknown[]>>
  readonly start?: Values
  readonly onStep?: (done: number, total: number) => void
}

export async function fit({ mirror, transcript, ledger, simulate, more, start = {}, onStep }: FitOptions): Promise<Fitted> {
  const scenarios = byScenario(transcript)
  let values: Values = start
  const defaultOf = (id: string) => ledger[id]?.default
  const valueOf = (from: Values, id: string) => (id in from ? from[id] : defaultOf(id))

  async function runAll(under: Values, only: Iterable<string>): Promise<Map<string, Run> | null> {
    const simulator = await simulate(mirror, under)
    if (!simulator) return null
    const always = simulator.takeRead()
    const runs = new Map<string, Run>()
    for (const name of only) {
      const calls = scenarios.get(name) ?? []
      const answers = await replay(simulator, calls, mirror)
      const read = new Set([...always, ...simulator.takeRead()])
      const distances = calls.map((recorded, index) => distance(recorded, answers[index] as Replayed))
      runs.set(name, { answers, distances, read })
    }
    return runs
  }

  let current = (await runAll(values, scenarios.keys())) ?? new Map<string, Run>()
  const tried = new Map<string, Trial[]>()
  const ids = Object.keys(ledger)
  for (let pass = 0; pass < PASSES; pass++) {
    let changed = false
    for (const [index, id] of ids.entries()) {
      onStep?.(pass * ids.length + index, PASSES * ids.length)
      const affected = [...current].filter(([, { read }]) => read.has(id)).map(([name]) => name)
      const present = valueOf(values, id)
      const options = candidates(id).filter((value) => !same(value, present))
      if (affected.length === 0) {
        tried.set(id, [])
        continue
      }
      const trials: { value: unknown; sum: number; runs: Map<string, Run> }[] = []
      const sumOf = (runs: ReadonlyMap<string, Run>) => affected.reduce((sum, name) => sum + total(runs.get(name)), 0)
      const before = sumOf(current)
      for (const value of options) {
        const runs = await runAll({ ...values, [id]: value }, affected)
        if (runs) trials.push({ value, sum: sumOf(runs), runs })
      }
      const best = trials.reduce<(typeof trials)[number] | null>((least, one) => (one.sum < (least?.sum ?? before) - EPSILON ? one : least), null)
      if (best) {
        const old = current
        values = { ...values, [id]: best.value }
        if (same(best.value, defaultOf(id))) values = Object.fromEntries(Object.entries(values).filter(([key]) => key !== id))
        current = new Map([...current, ...best.runs])
        changed = true
        const others = [{ value: present, sum: before, runs: old }, ...trials.filter((one) => one !== best)]
        tried.set(id, others.map((one) => trial(one, best.sum, affected)))
      } else {
        tried.set(id, trials.map((one) => trial(one, before, affected)))
      }
    }
    if (!changed) break
  }
  const cost = [...current.values()].reduce((sum, run) => sum + total(run), 0)
  return { values, answers: new Map([...current].map(([name, { answers }]) => [name, answers])), tried, cost }

  function candidates(id: string): readonly unknown[] {
    const entry = ledger[id]
    return entry ? [entry.default, ...entry.alternatives, ...(more[id] ?? [])] : []
  }

  /** Which calls the value in force answers better than the other one. */
  function trial(other: { value: unknown; sum: number; runs: ReadonlyMap<string, Run> }, best: number, affected: readonly string[]): Trial {
    const telling: [number, Recorded][] = []
    let against = false
    for (const name of affected)
      for (const [index, recorded] of (scenarios.get(name) ?? []).entries()) {
        const gain = (other.runs.get(name)?.distances[index] ?? 0) - (current.get(name)?.distances[index] ?? 0)
        if (gain > EPSILON) telling.push([gain, recorded])
        if (gain < -5) against = true
      }
    telling.sort(([a], [b]) => b - a)
    return { value: other.value, worse: other.sum - best, calls: telling.map(([, recorded]) => recorded).slice(0, 3), against }
  }
}

const total = (run: Run | undefined) => run?.distances.reduce((sum, one) => sum + one, 0) ?? 0
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
