/** Learns decisions from a trace or a live tracker, so that the emulator answers like that tracker. */

import { knowledgeOf } from '../client/knowledge.js'
import type { OfflineProfile } from '../client/profile.js'
import { redactor } from '../client/redact.js'
import type { OperationId } from '../contract/index.js'
import { plan, planFor } from './ask/plan.js'
import { type LiveOptions, runLive } from './ask/run.js'
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

export interface LearnOptions extends Omit<LiveOptions, 'onProgress'>, FitSettings {
  /** Traces that are known before the run sends a request. */
  readonly traces?: readonly Trace[]
}

/** Asks a live tracker about everything that the traces do not show, and learns from its answers. */
export async function learn(options: LearnOptions): Promise<Learned> {
  const { profile, traces = [], onProgress } = options
  const asking = (done: number, total: number, id: string) => onProgress?.(id, (0.5 * done) / total, 1)
  const live = await runLive(traces.length > 0 ? planFor(await openIn(options, traces)) : plan, {
    ...options,
    onProgress: asking,
  })
  const redact = redactor(profile)
  const learned = await learnFrom({
    ...options,
    traces: [live.trace, ...traces],
    tag: live.tag,
    onProgress: (phase, done, total) => onProgress?.(phase, 0.5 + (0.5 * done) / Math.max(1, total), 1),
  })
  return {
    ...learned,
    requests: live.requests,
    skipped: redact.literals(live.skipped),
    ...(live.incomplete === null ? {} : { incomplete: redact.text(live.incomplete) }),
    ...(live.left.length === 0 ? {} : { left: live.left.map(redact.text) }),
  }
}

/** The decisions of which the traces do not tell the values apart. */
async function openIn(options: LearnOptions, traces: readonly Trace[]): Promise<readonly string[]> {
  const { evidence } = await learnFrom({ ...options, traces, onProgress: () => undefined })
  return Object.entries(evidence).flatMap(([id, { sure }]) => (sure === 'never-shown' ? [id] : []))
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
