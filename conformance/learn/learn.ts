/** From a live target to the decisions under which the emulator answers like it, with evidence. */

import { redactor } from '../client/redact.js'
import { safetyLevels } from '../contract/index.js'
import { distance } from './ask/compare.js'
import type { Mirror } from './ask/mirror.js'
import { type Found, probe } from './ask/probes.js'
import { type LiveOptions, runLive } from './ask/run.js'
import { scenarios } from './ask/scenarios/index.js'
import { ledger as probes } from './ask/scenarios/ledger.js'
import type { Transcript } from './ask/script.js'
import type { LedgerView, Simulate, Values } from './copy/copy.js'
import type { Rule } from './fit/conditions.js'
import { type Deviation, deviationsOf, numbersOf } from './fit/direct.js'
import { askFurther, RESERVE } from './fit/further.js'
import { pairsUnder } from './fit/literals.js'
import { type SettleOptions, settle } from './fit/settle.js'
import { deep } from './fit/template.js'
import { type Evidence, evidenceOf, idsSeen } from './report/evidence.js'

export type { Evidence } from './report/evidence.js'

export interface Learned {
  readonly schema: 'tracker-kit/decisions@1'
  readonly target: { readonly baseUrl: string; readonly ext: string }
  readonly learnedAt: string
  readonly requests: number
  readonly decisions: Values
  readonly evidence: Readonly<Record<string, Evidence>>
  /** What the target does that the document does not allow. */
  readonly deviations: readonly Deviation[]
  /** Scenarios that were not run, with the reason. */
  readonly skipped: Readonly<Record<string, string>>
  /** Why it is not all that there is to learn. */
  readonly incomplete?: string
  /** What the run made and could not remove. */
  readonly left?: readonly string[]
}

export interface LearnOptions extends Omit<LiveOptions, 'onProgress'> {
  readonly ledger: LedgerView
  readonly simulate: Simulate
  /** Learns also what the document does not allow. */
  readonly asIs: boolean
  /** `done` of `total` never goes back. */
  readonly onProgress?: (phase: string, done: number, total: number) => void
}

type Part = readonly [from: number, to: number]
type OnStep = (done: number, total: number) => void

/** Shares of the whole, about as long as each takes, so that the progress never goes back. */
const parts = { asking: [0, 0.5], firstFit: [0.5, 0.7], lastFit: [0.7, 1] } as const satisfies Record<
  string,
  Part
>

/** So many requests are needed for all scenarios that write in their order, and to ask for words beside the rest. */
const ALL = 500
const WORDS = 200

/** Taken from the answers themselves, not by trying: literal ones, and ids, of which any may happen to be alike. */
const direct = ['learned-answers', 'answer-shapes', 'accepted-values', 'create-id-assignment'] as const

export async function learn(options: LearnOptions): Promise<Learned> {
  const { ledger, simulate, onProgress } = options
  const tried = without(ledger, direct)
  const accepted: Found = {}
  let before: Values | undefined
  let reached = 0
  const part =
    (phase: string, [from, to]: Part): OnStep =>
    (done, total) => {
      // The two halves of the scenarios, and what is tried between them, are not counted together.
      reached = Math.max(reached, from + ((to - from) * done) / Math.max(1, total))
      onProgress?.(phase, reached, 1)
    }
  const settled = (transcript: Transcript, mirror: Mirror, more: Partial<SettleOptions>, of: Part) =>
    settle(transcript, mirror, accepted, {
      ...options,
      ledger: tried,
      ...more,
      onStep: part('fitting the decisions', of),
    })
  const live = await runLive(
    scenarios,
    { ...options, onProgress: (done, total, id) => part(id, parts.asking)(done, total) },
    {
      choosing: options.safety !== 'read' && options.budget < ALL,
      spare: probes,
      async first(sender, setting, record) {
        if (options.budget < WORDS) return
        part('values', parts.asking)(1, scenarios.length)
        const level = safetyLevels.indexOf(options.safety)
        await probe(sender, setting, (safety) => safetyLevels.indexOf(safety) <= level, record, accepted)
      },
      async last(asked) {
        if (asked.left <= RESERVE) return
        const soFar = await settled(asked.transcript, asked.mirror, { roughly: true }, parts.firstFit)
        before = soFar.values
        await askFurther(asked, { ledger: tried, simulate, ...soFar, more: numbersOf(asked.transcript) })
      },
    },
  )
  const { mirror, transcript } = live
  const { fitted, values } = await settled(transcript, mirror, before ? { before } : {}, parts.lastFit)
  const pairs = await pairsUnder(values, mirror, transcript, simulate)
  const unlike = new Set(
    pairs
      .filter(({ recorded, replayed }) => distance(recorded, replayed) > 5)
      .map(({ recorded }) => recorded),
  )
  const redact = redactor(options.profile)
  return {
    schema: 'tracker-kit/decisions@1',
    target: { baseUrl: options.profile.baseUrl, ext: options.profile.ext ?? 'Ext' },
    learnedAt: new Date().toISOString(),
    requests: live.requests,
    decisions: repeating(values, (answer) => withoutMadeUp(redact.literals(answer), live.setting.tag)),
    evidence: {
      ...evidenceOf(values, fitted, live, tried, options.profile, unlike),
      'create-id-assignment': idsSeen(values, transcript),
    },
    deviations: deviationsOf(transcript, options.profile),
    skipped: redact.literals(live.skipped),
    ...(live.incomplete === null ? {} : { incomplete: redact.text(live.incomplete) }),
    ...(live.left.length === 0 ? {} : { left: live.left.map(redact.text) }),
  }
}

/** Learnt answers repeat what the target says; all other values are words of the ledger. */
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

/** What the run made up is in no other answer; which word is there then, nobody knows. */
function withoutMadeUp(answer: unknown, tag: string): unknown {
  const word = new RegExp(`\\s*\\S*${tag}\\S*`, 'g')
  return deep(answer, (text) => text.replace(word, ''))
}

const without = (ledger: LedgerView, ids: readonly string[]): LedgerView =>
  Object.fromEntries(Object.entries(ledger).filter(([id]) => !ids.includes(id)))
