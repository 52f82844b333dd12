/** Learns decisions from a trace or a live tracker, so that the emulator answers like that tracker. */
import type { OfflineProfile } from '../client/profile.js'
import { redactor } from '../client/redact.js'
import { rewritten } from '../contract/templates.js'
import { plan, planFor } from './ask/plan.js'
import { type LiveOptions, runLive } from './ask/run.js'
import { type FitSettings, literal, settle } from './fit/settle.js'
import { evidenceOf } from './report/evidence.js'
import { type Recording, recordingOf, type Trace } from './trace/trace.js'

export type Learned = Awaited<ReturnType<typeof learnFrom>> & {
  /** Scenarios that were not run, with the reason. */
  readonly skipped?: Readonly<Record<string, string>>
  /** Why the run has not learnt everything. */
  readonly incomplete?: string
  /** Things that the run created and could not remove. */
  readonly left?: readonly string[]
}

export interface RecordedOptions extends FitSettings {
  readonly traces: readonly Trace[]
  /** The profile of the recorded tracker, as far as it is known. */
  readonly profile: OfflineProfile
  /** The text in all names that the last run made up; learnt answers must not contain them. */
  readonly tag?: string
}

/** Learns from traces alone: the same traces give the same decisions. */
export async function learnFrom(options: RecordedOptions) {
  const { traces, profile, ledger, tag } = options
  const recording = recordingOf(traces, profile)
  const { values, fitted, pairs } = await settle(recording, options)
  const redact = redactor(profile)
  const cleaned = (id: string, value: unknown) =>
    literal.includes(id) ? withoutMadeUp(withoutSecrets(value, redact), tag) : value
  const tried = Object.entries(ledger).filter(([id]) => !literal.includes(id))
  return {
    schema: 'tracker-kit/decisions@1' as const,
    target: { baseUrl: profile.baseUrl, ext: profile.ext ?? 'Ext' },
    learnedAt: new Date().toISOString(),
    /** Number of the recorded exchanges that were used, with those of this run. */
    exchanges: traces.reduce((sum, { exchanges }) => sum + exchanges.length, 0),
    /** Number of the requests that this run has sent. */
    requests: 0,
    decisions: Object.fromEntries(Object.entries(values).map(([id, value]) => [id, cleaned(id, value)])),
    evidence: evidenceOf(values, fitted, pairs, Object.fromEntries(tried), redact),
    deviations: deviationsIn(recording, redact.text),
  }
}

/** What the document does not allow, with the requirement under which `check` reports it, once at an operation. */
function deviationsIn({ findings }: Recording, masked: (text: string) => string) {
  const firsts = new Map(findings.toReversed().map((one) => [`${one.rule} ${one.operation}`, one])).values()
  return [...firsts].reverse().map(({ rule: requirement, operation, statement, seen }) => {
    return { requirement, operation, message: masked(`${operation} ${seen}: ${statement}`) }
  })
}

export interface LearnOptions extends LiveOptions, FitSettings {
  /** Traces that are known before the run sends a request. */
  readonly traces?: readonly Trace[]
}

/** Asks a live tracker about everything that the traces do not show, and learns from its answers. */
export async function learn(options: LearnOptions): Promise<Learned> {
  const { profile, traces = [], onProgress } = options
  const asking = (id: string, done: number, total: number) => onProgress?.(id, (0.5 * done) / total, 1)
  const chapters = traces.length > 0 ? planFor(await openIn(options, traces)) : plan
  const live = await runLive(chapters, { ...options, onProgress: asking })
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
  return Object.keys(evidence).filter((id) => /^(never-shown|narrowed)$/.test(evidence[id]?.sure ?? ''))
}

/** The conditions of rules are words of the emulator, which may contain parts of secrets as `invalid-value` contains `valid-`. */
const withoutSecrets = (value: unknown, { literals }: ReturnType<typeof redactor>): unknown =>
  Array.isArray(value) ? value.map((rule) => ({ ...rule, answer: literals(rule.answer) })) : literals(value)

/** Removes the names that the run made up, because no other answer has them and the real words are unknown. */
function withoutMadeUp(answer: unknown, tag: string | undefined): unknown {
  if (tag === undefined) return answer
  const word = new RegExp(`\\s*\\S*${tag}\\S*`, 'g')
  return rewritten(answer, (text) => text.replace(word, ''))
}
