/** Learns decisions from a trace or a live tracker, so that the emulator answers like that tracker. */

import { knowledgeOf } from '../client/knowledge.js'
import type { OfflineProfile } from '../client/profile.js'
import { redactor } from '../client/redact.js'
import type { OperationId } from '../contract/index.js'
import { askFurther, RESERVE } from './ask/further.js'
import { type LiveOptions, runLive, unlessSpent } from './ask/run.js'
import { scenarios } from './ask/scenarios/index.js'
import { words } from './ask/scenarios/words.js'
import type { Emulation, Values } from './copy/copy.js'
import type { Rule } from './fit/conditions.js'
import { settle } from './fit/settle.js'
import { deep } from './fit/template.js'
import { type Evidence, evidenceOf } from './report/evidence.js'
import { knownIn, type Recording, recordingOf, type Trace } from './trace/trace.js'

export type { Evidence } from './report/evidence.js'

/** What a target does against the document, with the requirement under which `check` reports it. */
export interface Deviation {
  readonly requirement: string
  readonly operation: OperationId
  readonly message: string
}

export interface Learned {
  readonly schema: 'tracker-kit/decisions@1'
  readonly target: { readonly baseUrl: string; readonly ext: string }
  readonly learnedAt: string
  /** Number of the recorded exchanges that were used, with those of this run. */
  readonly exchanges: number
  /** Number of the requests that this run has sent. */
  readonly requests: number
  readonly decisions: Values
  readonly evidence: Readonly<Record<string, Evidence>>
  /** What the target does that the document does not allow. */
  readonly deviations: readonly Deviation[]
  /** Scenarios that were not run, with the reason. */
  readonly skipped?: Readonly<Record<string, string>>
  /** Why the run has not learnt everything. */
  readonly incomplete?: string
  /** Things that the run created and could not remove. */
  readonly left?: readonly string[]
}

export interface FitSettings extends Emulation {
  /** Whether it also learns behaviour that the document does not allow. */
  readonly asIs: boolean
  readonly onProgress?: (phase: string, done: number, total: number) => void
}

export interface RecordedOptions extends FitSettings {
  readonly traces: readonly Trace[]
  /** The profile of the recorded tracker, as far as it is known. */
  readonly profile: OfflineProfile
  /** The text in all names that the last run made up; learnt answers must not contain them. */
  readonly tag?: string
  readonly before?: Values
}

/** Learns from traces alone: the same traces give the same decisions. */
export async function learnFrom(options: RecordedOptions): Promise<Learned> {
  const { traces, profile, ledger, tag, onProgress } = options
  const recording = recordingOf(traces, knowledgeOf(profile), knownIn(profile))
  const onStep = (done: number, total: number) => onProgress?.('fitting the decisions', done, total)
  const { values, fitted, pairs } = await settle(recording, { ...options, onStep })
  const redact = redactor(profile)
  const { 'learned-answers': _, 'answer-shapes': __, ...tried } = ledger
  return {
    schema: 'tracker-kit/decisions@1',
    target: { baseUrl: profile.baseUrl, ext: profile.ext ?? 'Ext' },
    learnedAt: new Date().toISOString(),
    exchanges: traces.reduce((sum, { exchanges }) => sum + exchanges.length, 0),
    requests: 0,
    decisions: repeating(values, (answer) => withoutMadeUp(redact.literals(answer), tag)),
    evidence: evidenceOf(values, fitted, pairs, tried, redact),
    deviations: deviationsIn(recording, redact.text),
  }
}

/** The deviations among the findings; each requirement of an operation is listed once. */
function deviationsIn({ findings }: Recording, masked: (text: string) => string): Deviation[] {
  const found = new Map<string, Deviation>()
  for (const { rule, operation, statement, seen } of findings) {
    const message = masked(`${operation} ${seen}: ${statement}`)
    const key = `${rule} ${operation}`
    if (!found.has(key)) found.set(key, { requirement: rule, operation, message })
  }
  return [...found.values()]
}

/** The number of requests that all writing scenarios need, and the number from which the scenarios for words run as well. */
const ALL = 500
const WORDS = 200

export interface LearnOptions extends Omit<LiveOptions, 'onProgress'>, FitSettings {
  /** Traces that are known before the run sends a request. */
  readonly traces?: readonly Trace[]
}

/** Asks a live tracker about everything that the traces do not show, and learns from its answers. */
export async function learn(options: LearnOptions): Promise<Learned> {
  const { simulate, profile, safety, budget, traces = [], onProgress } = options
  /** The reported progress never decreases. */
  let reached = 0
  const part = (from: number, to: number) => (phase: string, done: number, total: number) => {
    reached = Math.max(reached, from + ((to - from) * done) / Math.max(1, total))
    onProgress?.(phase, reached, 1)
  }
  const asking = part(0, 0.5)
  const firstFit = part(0.5, 0.7)
  const isKnown = traces.length > 0
  let before: Values | undefined
  const live = await runLive(
    isKnown ? [] : scenarios,
    { ...options, onProgress: (done, total, id) => asking(id, done, total) },
    async (run) => {
      // With a small budget, or with known traces, the run sends selected calls of all scenarios instead.
      const isChosen = isKnown || (safety !== 'read' && budget < ALL)
      const reads = scenarios.filter((one) => one.safety === 'read')
      const others = scenarios.filter((one) => one.safety !== 'read')
      if (!isChosen) await run.all(reads)
      if (!isKnown && budget >= WORDS) await run.all(words)
      if (!isChosen) await run.all(others)
      if (run.left <= RESERVE) return
      const recording = recordingOf([run.trace(), ...traces], knowledgeOf(profile), knownIn(profile))
      const onStep = (done: number, total: number) => firstFit('fitting the decisions', done, total)
      const soFar = await settle(recording, { ...options, isRough: true, onStep })
      before = soFar.values
      const further = [...scenarios, ...(isKnown ? words : [])]
      const known = { simulate, recording, values: soFar.values, decided: soFar.fitted.values }
      await askFurther(run, further, known).catch(unlessSpent)
    },
  )
  const redact = redactor(profile)
  const learned = await learnFrom({
    ...options,
    ...(before && { before }),
    traces: [live.trace, ...traces],
    tag: live.tag,
    onProgress: part(0.7, 1),
  })
  return {
    ...learned,
    requests: live.requests,
    skipped: redact.literals(live.skipped),
    ...(live.incomplete === null ? {} : { incomplete: redact.text(live.incomplete) }),
    ...(live.left.length === 0 ? {} : { left: live.left.map(redact.text) }),
  }
}

/** Applies `change` to the learnt answers and shapes, which repeat texts of the target; other values are from the ledger. */
function repeating(values: Values, change: (answer: unknown) => unknown): Values {
  const { 'learned-answers': rules, 'answer-shapes': shapes } = values
  return {
    ...values,
    ...(Array.isArray(rules) && {
      'learned-answers': rules.map((rule: Rule) => ({ ...rule, answer: change(rule.answer) })),
    }),
    ...(shapes !== undefined && { 'answer-shapes': change(shapes) }),
  }
}

/** Removes the names that the run made up, because no other answer has them and the real words are unknown. */
function withoutMadeUp(answer: unknown, tag: string | undefined): unknown {
  if (tag === undefined) return answer
  const word = new RegExp(`\\s*\\S*${tag}\\S*`, 'g')
  return deep(answer, (text) => text.replace(word, ''))
}
