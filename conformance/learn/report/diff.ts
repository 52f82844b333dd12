/** The same calls on a live target and on an emulator, aligned, and where they differ. */

import type { Call } from '../../client/call.js'
import { isObject } from '../../client/look.js'
import { redactor } from '../../client/redact.js'
import type { OperationId } from '../../contract/index.js'
import { agreement } from '../ask/compare.js'
import { type LiveOptions, runLive } from '../ask/run.js'
import { scenarios } from '../ask/scenarios/index.js'
import { randomScenarios } from '../ask/scenarios/random.js'
import { type Recorded, resolved } from '../ask/script.js'
import {
  byScenario,
  type LedgerView,
  type Replayed,
  replay,
  type Simulate,
  type Values,
} from '../copy/copy.js'

/** Of the calls that can be compared in a respect, how many agree. */
export interface Share {
  readonly equal: number
  readonly of: number
}

export interface Shares {
  readonly status: Share
  readonly code: Share
  readonly errorBody: Share
  readonly shape: Share
}

export interface Difference {
  readonly operation: OperationId
  readonly respect: keyof Shares
  readonly count: number
  readonly request: {
    readonly scenario: string
    readonly path: unknown
    readonly query: string | null
    readonly body: unknown
    readonly as: string
  }
  readonly target: { readonly status: number; readonly body: unknown }
  readonly emulator: { readonly status: number; readonly body: unknown }
  /** Decisions of which another value answers as the target does. */
  readonly explainedBy: readonly { readonly decision: string; readonly value: unknown }[]
}

export interface DiffReport {
  readonly schema: 'tracker-kit/diff@1'
  readonly target: { readonly baseUrl: string; readonly ext: string }
  readonly seed: number
  readonly calls: number
  readonly total: Shares
  readonly operations: Readonly<Record<string, Shares>>
  readonly differences: readonly Difference[]
  readonly skipped: Readonly<Record<string, string>>
  readonly incomplete?: string
  readonly left?: readonly string[]
}

export interface DiffOptions extends Omit<LiveOptions, 'onProgress'> {
  readonly decisions: Values
  readonly ledger: LedgerView
  readonly simulate: Simulate
  readonly seed: number
  /** Random sequences beside the scenarios. */
  readonly sequences: number
  readonly onProgress?: (phase: string, done: number, total: number) => void
}

const respects = ['status', 'code', 'errorBody', 'shape'] as const

export async function diff(options: DiffOptions): Promise<DiffReport> {
  const { simulate, decisions, safety, seed, sequences, onProgress } = options
  const live = await runLive([...scenarios, ...randomScenarios(sequences, safety)], {
    ...options,
    onProgress: (done, total, id) => onProgress?.(id, done, total),
  })
  const simulator = await simulate(live.mirror, decisions, { causes: true })
  if (!simulator) throw new RangeError('the decisions contradict each other')
  const operations = new Map<string, Counted>()
  const total = counted()
  const found = new Map<
    string,
    { recorded: Recorded; replayed: Replayed; respect: keyof Shares; count: number }
  >()
  for (const calls of byScenario(live.transcript).values()) {
    const answers = await replay(simulator, calls, live.mirror)
    for (const [index, recorded] of calls.entries()) {
      const replayed = answers[index] as Replayed
      const agreed = agreement(recorded, replayed)
      const { operation } = recorded.step
      const own = operations.get(operation) ?? counted()
      operations.set(operation, own)
      for (const respect of respects) {
        const equal = agreed[respect]
        if (equal === undefined) continue
        for (const counts of [total, own]) {
          counts[respect].of += 1
          if (equal) counts[respect].equal += 1
        }
      }
      const respect = respects.find((one) => agreed[one] === false)
      if (respect === undefined) continue
      const key = [
        operation,
        respect,
        recorded.seen.status,
        replayed.seen.status,
        message(recorded),
        message(replayed),
        replayed.cause?.outcome,
      ].join(' ')
      const before = found.get(key)
      if (before) before.count += 1
      else found.set(key, { recorded, replayed, respect, count: 1 })
    }
  }
  const differences: Difference[] = []
  const redact = redactor(options.profile)
  for (const { recorded, replayed, respect, count } of found.values()) {
    const { step, seen, scenario } = recorded
    differences.push({
      operation: step.operation,
      respect,
      count,
      request: {
        scenario,
        path: redact.json(step.path ?? null),
        query: step.query === undefined ? null : redact.text(step.query),
        body: step.body === undefined ? redact.body(step.rawBody ?? '') : redact.json(step.body),
        as:
          step.authorization === undefined
            ? (step.as ?? 'administrator')
            : String(redact.headers({ authorization: String(step.authorization) }).authorization),
      },
      target: { status: seen.status, body: redact.json(seen.json) },
      emulator: { status: replayed.seen.status, body: redact.json(replayed.seen.json) },
      explainedBy:
        differences.length < 20
          ? await explained(recorded, respect, live.transcript, options, live.mirror)
          : [],
    })
  }
  differences.sort((a, b) => respects.indexOf(a.respect) - respects.indexOf(b.respect) || b.count - a.count)
  return {
    schema: 'tracker-kit/diff@1',
    target: { baseUrl: options.profile.baseUrl, ext: options.profile.ext ?? 'Ext' },
    seed,
    calls: live.transcript.length,
    total,
    operations: Object.fromEntries([...operations].sort(([a], [b]) => a.localeCompare(b))),
    differences,
    skipped: redact.literals(live.skipped),
    ...(live.incomplete === null ? {} : { incomplete: redact.text(live.incomplete) }),
    ...(live.left.length === 0 ? {} : { left: live.left.map(redact.text) }),
  }
}

type Counted = Record<keyof Shares, { equal: number; of: number }>

const counted = (): Counted => ({
  status: { equal: 0, of: 0 },
  code: { equal: 0, of: 0 },
  errorBody: { equal: 0, of: 0 },
  shape: { equal: 0, of: 0 },
})

const message = ({ seen }: Pick<Recorded, 'seen'>) =>
  isObject(seen.json) && typeof seen.json.message === 'string'
    ? seen.json.message.replace(/\S*\d\S*/g, '#')
    : ''

/** Values of decisions under which the emulator would have agreed, looked for among those that the call depends on. */
async function explained(
  recorded: Recorded,
  respect: keyof Shares,
  transcript: readonly Recorded[],
  { simulate, decisions, ledger }: DiffOptions,
  mirror: Parameters<Simulate>[0],
): Promise<{ decision: string; value: unknown }[]> {
  const calls = byScenario(transcript).get(recorded.scenario)?.slice(0, recorded.index) ?? []
  const last = calls.at(-1)
  const simulator = await simulate(mirror, decisions)
  if (!simulator || !last) return []
  // Those alone that the last call depends on; what earlier ones did to the state is another matter.
  await replay(simulator, calls.slice(0, -1), mirror)
  simulator.takeRead()
  await simulator.send(resolved(last.step, { ...last.bound }) as Call)
  const read = simulator.takeRead()
  const found: { decision: string; value: unknown }[] = []
  for (const [decision, { default: fallback, alternatives }] of Object.entries(ledger)) {
    if (!read.has(decision) || alternatives.length === 0) continue
    const present = JSON.stringify(decision in decisions ? decisions[decision] : fallback)
    for (const value of [fallback, ...alternatives]) {
      if (JSON.stringify(value) === present || found.length >= 3) continue
      const other = await simulate(mirror, { ...decisions, [decision]: value })
      const replayed = other && (await replay(other, calls, mirror)).at(-1)
      if (replayed && agreement(last, replayed)[respect] === true && agreement(last, replayed).status)
        found.push({ decision, value })
    }
  }
  return found
}

export const percent = ({ equal, of }: Share) => (of === 0 ? '–' : `${((100 * equal) / of).toFixed(1)} %`)

/** The share of all comparisons, in all respects together. */
export const overall = ({ status, code, errorBody, shape }: Shares): number => {
  const all = [status, code, errorBody, shape]
  const of = all.reduce((sum, share) => sum + share.of, 0)
  return of === 0 ? 0 : all.reduce((sum, share) => sum + share.equal, 0) / of
}
