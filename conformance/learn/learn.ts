/** From a live target to the decisions under which the emulator answers like it, with evidence. */
import { documentedStatuses, errorBody, type Profile, safetyLevels } from '../contract/index.js'
import { redactor } from '../target/redact.js'
import { distance } from './compare.js'
import { type Fitted, fitDecisions } from './fit.js'
import { inducedForms } from './forms.js'
import type { Mirror } from './mirror.js'
import { type Accepted, type Found, probe, probeOf } from './probes.js'
import { inducedRules, type Pair } from './rules.js'
import { type Live, type LiveOptions, runLive } from './run.js'
import { scenarios } from './scenarios/index.js'
import { type Recorded, sessionIn, type Transcript } from './script.js'
import { byScenario, type LedgerView, replay, type Simulate, type Values } from './simulate.js'

export interface Evidence {
  readonly value: unknown
  readonly sure: 'seen' | 'contradicted' | 'not-probed'
  readonly reason?: string
  readonly calls?: readonly {
    readonly not: unknown
    readonly request: string
    readonly body: unknown
    readonly status: number
    readonly answer: unknown
  }[]
}

export interface Learned {
  readonly schema: 'tracker-kit/decisions@1'
  readonly target: { readonly baseUrl: string; readonly ext: string }
  readonly learnedAt: string
  readonly requests: number
  readonly decisions: Values
  readonly evidence: Readonly<Record<string, Evidence>>
  /** What the target does that the document does not allow. */
  readonly deviations: readonly string[]
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
  readonly onProgress?: (phase: string, done: number, total: number) => void
}

/** Taken from the answers themselves, not by trying: literal ones, and ids, of which any may happen to be alike. */
const direct = ['learned-answers', 'answer-shapes', 'accepted-values', 'create-id-assignment'] as const

export async function learn(options: LearnOptions): Promise<Learned> {
  const { ledger, simulate, asIs, onProgress } = options
  const accepted: Found = {}
  const live = await runLive(
    scenarios,
    { ...options, onProgress: (done, total, id) => onProgress?.(id, done, total) },
    async (sender, setting, record) => {
      onProgress?.('values', 1, scenarios.length)
      const level = safetyLevels.indexOf(options.safety)
      await probe(sender, setting, (safety) => safetyLevels.indexOf(safety) <= level, record, accepted)
    },
  )
  const { mirror, transcript } = live
  const numbers = numbersOf(transcript)
  const fitOptions = { mirror, transcript, ledger: without(ledger, direct), simulate, more: numbers }
  const onStep = (done: number, total: number) => onProgress?.('fitting', done, total)
  // Whatever form it is handed out in: what follows a session depends on there being one.
  const given = {
    ...(handsOutTokens(transcript) ? { 'impersonate-effect': 'token' } : {}),
    ...(idsAreStepped(transcript) ? { 'create-id-assignment': 'stepped' } : {}),
  }
  let fitted = await fitDecisions({ ...fitOptions, start: given, onStep })
  // Under the decisions that were fitted without them, and under none: either may hide what they would mend.
  const needed = (await answersAll(fitted.values))
    ? {}
    : { ...(await neededWords(accepted, given)), ...(await neededWords(accepted, fitted.values)) }
  if (Object.keys(needed).length > 0) {
    // From the start again: what was fitted to the wrong words need not hold.
    const start = { ...given, 'accepted-values': needed }
    const again = await fitDecisions({ ...fitOptions, start, onStep })
    const { 'accepted-values': _, ...others } = again.values
    const kept = await neededWords(needed, others)
    if (again.cost < fitted.cost && Object.keys(kept).length > 0)
      fitted = { ...again, values: { ...others, 'accepted-values': kept } }
  }
  let values = await withLiterals(fitted.values, mirror, transcript, simulate, asIs)
  if ('learned-answers' in values || 'answer-shapes' in values) {
    // In the target's own forms, answers show more of the decisions behind them.
    const before = costOf(await pairsUnder(values, mirror, transcript, simulate))
    const finer = await fitDecisions({ ...fitOptions, start: values, onStep })
    if (finer.cost < before - 1) {
      fitted = finer
      values = await withLiterals(finer.values, mirror, transcript, simulate, asIs)
    }
  }
  const deviations = deviationsOf(transcript, options.profile)

  /** Whether statuses come out alike but for one call in a hundred. */
  async function answersAll(under: Values): Promise<boolean> {
    const pairs = await pairsUnder(under, mirror, transcript, simulate, false)
    const odd = pairs.filter(({ recorded, replayed }) => recorded.seen.status !== replayed.seen.status)
    return odd.length <= 0.01 * pairs.length
  }

  /** The vocabularies without which the calls that asked for them come out otherwise. */
  async function neededWords(found: Accepted, under: Values): Promise<Accepted> {
    const entries = Object.entries(found)
    const odd = async (key: string, words: object) => {
      const calls = transcript.filter(({ scenario }) => scenario === probeOf(key))
      const pairs = await pairsUnder({ ...under, 'accepted-values': words }, mirror, calls, simulate, false)
      return pairs.filter(({ recorded, replayed }) => recorded.seen.status !== replayed.seen.status).length
    }
    const kept: [string, unknown][] = []
    for (const [key, words] of entries) {
      const rest = Object.fromEntries(entries.filter(([other]) => other !== key))
      if (key === 'project' || (await odd(key, rest)) > (await odd(key, { ...rest, [key]: words })))
        kept.push([key, words])
    }
    return Object.fromEntries(kept)
  }

  return {
    schema: 'tracker-kit/decisions@1',
    target: { baseUrl: options.profile.baseUrl, ext: options.profile.ext ?? 'Ext' },
    learnedAt: new Date().toISOString(),
    requests: live.requests,
    decisions: values,
    evidence: {
      ...evidenceOf(values, fitted, live, without(ledger, direct), options.profile),
      'create-id-assignment': idsSeen(values, transcript),
    },
    deviations,
    skipped: live.skipped,
    ...(live.incomplete === null ? {} : { incomplete: live.incomplete }),
    ...(live.left.length === 0 ? {} : { left: live.left }),
  }
}

const without = (ledger: LedgerView, ids: readonly string[]): LedgerView =>
  Object.fromEntries(Object.entries(ledger).filter(([id]) => !ids.includes(id)))

async function pairsUnder(
  values: Values,
  mirror: Mirror,
  transcript: Transcript,
  simulate: Simulate,
  causes = true,
): Promise<Pair[]> {
  const simulator = await simulate(mirror, values, { causes })
  if (!simulator) return []
  const pairs: Pair[] = []
  for (const calls of byScenario(transcript).values()) {
    const answers = await replay(simulator, calls, mirror)
    for (const [index, recorded] of calls.entries()) {
      const replayed = answers[index]
      if (replayed) pairs.push({ recorded, replayed })
    }
  }
  return pairs
}

const costOf = (pairs: readonly Pair[]) =>
  pairs.reduce((sum, { recorded, replayed }) => sum + distance(recorded, replayed), 0)

const handsOutTokens = (transcript: Transcript) =>
  transcript.some(
    ({ step, seen }) =>
      step.operation === 'impersonateUser' &&
      seen.status === 200 &&
      sessionIn(seen).token !== undefined &&
      sessionIn(seen).cookie === undefined,
  )

/** How far apart the ids of one kind are that the target gave out. */
function gapsOfIds(transcript: Transcript): number[] {
  const ids = { user: new Set<number>(), field: new Set<number>() }
  for (const { step, bound } of transcript) {
    const { kind = 'session', name = '' } = step.bind ?? {}
    if (kind !== 'session' && bound[name] !== undefined) ids[kind].add(Number(bound[name]))
  }
  return Object.values(ids).flatMap((kind) => {
    const sorted = [...kind].sort((a, b) => a - b)
    return sorted.slice(1).map((id, index) => id - (sorted[index] ?? id))
  })
}

const idsAreStepped = (transcript: Transcript) => {
  const gaps = gapsOfIds(transcript)
  return gaps.length > 0 && gaps.reduce(divisor) > 1
}

function idsSeen(values: Values, transcript: Transcript): Evidence {
  const value = values['create-id-assignment'] ?? 'increasing'
  const gaps = gapsOfIds(transcript)
  return gaps.length > 0
    ? { value, sure: 'seen', reason: `ids are ${[...new Set(gaps)].slice(0, 5).join(', ')} apart` }
    : { value, sure: 'not-probed', reason: 'no answer tells the ids of what was made' }
}

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))

/** Rules and forms for what is left, kept only as far as they bring the simulator nearer. */
async function withLiterals(
  fitted: Values,
  mirror: Mirror,
  transcript: Transcript,
  simulate: Simulate,
  asIs: boolean,
): Promise<Values> {
  let values = fitted
  let pairs = await pairsUnder(values, mirror, transcript, simulate)
  let cost = costOf(pairs)
  for (let round = 0; round < 4; round++) {
    const rules = inducedRules(pairs, asIs)
    const tried = rules.length === 0 ? values : { ...values, 'learned-answers': rules }
    const after = await pairsUnder(tried, mirror, transcript, simulate)
    const forms = inducedForms(after)
    const formed =
      Object.keys(forms).length === 0
        ? tried
        : { ...tried, 'answer-shapes': { ...(values['answer-shapes'] as object | undefined), ...forms } }
    const last = await pairsUnder(formed, mirror, transcript, simulate)
    const worse = Object.keys(forms).filter(
      (operation) => costFor(last, operation) >= costFor(after, operation),
    )
    const kept = Object.fromEntries(
      Object.entries((formed as Values)['answer-shapes'] ?? {}).filter(
        ([operation]) => !worse.includes(operation),
      ),
    )
    const next: Values = { ...tried, ...(Object.keys(kept).length > 0 ? { 'answer-shapes': kept } : {}) }
    const nextPairs = await pairsUnder(next, mirror, transcript, simulate)
    const nextCost = costOf(nextPairs)
    if (nextCost >= cost - 0.01) break
    values = next
    pairs = nextPairs
    cost = nextCost
  }
  return values
}

const costFor = (pairs: readonly Pair[], operation: string) =>
  costOf(pairs.filter(({ recorded }) => recorded.step.operation === operation))

/** Limits that the target's answers show, as values of the decisions that take any number. */
function numbersOf(transcript: Transcript): Record<string, readonly unknown[]> {
  const more: Record<string, readonly unknown[]> = {}
  const lengths = transcript
    .filter(({ scenario }) => scenario === 'lengths')
    .map(({ step, seen }) => ({ length: nameOf(step.body).length, fine: seen.status === 200 }))
  const fine = lengths.filter((one) => one.fine).map(({ length }) => length)
  if (fine.length > 0 && lengths.some((one) => !one.fine)) more['cf-name-length'] = [Math.max(...fine)]
  const priorities = transcript
    .filter(({ step, seen }) => step.operation === 'updatePlugin' && seen.status === 200)
    .flatMap(({ step }) => {
      const { priority } = (step.body ?? {}) as { priority?: unknown }
      return typeof priority === 'number' ? [priority] : []
    })
  if (new Set(priorities).size > 1)
    more['plugin-priority-range'] = [{ min: Math.min(...priorities), max: Math.max(...priorities) }]
  for (const gate of [
    'create-permission',
    'impersonate-permission',
    'ext-settings-permission',
    'plugin-permission',
    'recipient-permission',
  ])
    more[gate] = [55, 40, 25, 10]
  return more
}

const nameOf = (body: unknown) =>
  String((body as { custom_field?: { name?: unknown } } | undefined)?.custom_field?.name ?? '')

/** Where the target leaves the document, each once. */
function deviationsOf(transcript: Transcript, profile: Profile): string[] {
  const redact = redactor(profile)
  const found = new Set<string>()
  for (const { step, seen } of transcript) {
    if (step.suffix !== undefined) continue
    if (!documentedStatuses.includes(seen.status)) found.add(`${step.operation} answers ${seen.status}`)
    else if (seen.status >= 400 && !errorBody.safeParse(seen.json).success)
      found.add(`${step.operation} answers ${seen.status} with a body that section 7 does not have`)
    else if (seen.json === undefined) found.add(`${step.operation} answers ${seen.status} without JSON`)
  }
  return [...found].map(redact.text)
}

function evidenceOf(
  values: Values,
  fitted: Fitted,
  live: Live,
  ledger: LedgerView,
  profile: Profile,
): Record<string, Evidence> {
  const redact = redactor(profile)
  const shown = ({ step, seen }: Recorded, not: unknown) => ({
    not,
    request: redact.text(
      `${step.operation} ${JSON.stringify({ ...step.path, ...(step.query ? { query: step.query } : {}), ...(step.as ? { as: step.as } : {}) })}`,
    ),
    body: redact.json(step.body ?? step.rawBody ?? null),
    status: seen.status,
    answer: short(redact.json(seen.json)),
  })
  const reasons = [...new Set(Object.values(live.skipped))].slice(0, 3).join('; ')
  return Object.fromEntries(
    Object.entries(ledger).map(([id, { default: fallback }]): [string, Evidence] => {
      const value = id in values ? values[id] : fallback
      const trials = fitted.tried.get(id) ?? []
      const telling = trials.filter(({ worse, calls }) => worse > 0 && calls.length > 0)
      if (telling.length === 0) {
        const reason =
          trials.length === 0
            ? `no call that was allowed depends on it${reasons ? ` (not run: ${reasons})` : ''}`
            : 'no call told its values apart'
        return [id, { value, sure: 'not-probed', reason }]
      }
      const calls = telling.flatMap(({ value: not, calls }) =>
        calls.slice(0, 1).map((call) => shown(call, not)),
      )
      const against = telling.some((trial) => trial.against)
      return [
        id,
        {
          value,
          sure: against ? 'contradicted' : 'seen',
          ...(against ? { reason: 'other calls speak for another value' } : {}),
          calls,
        },
      ]
    }),
  )
}

function short(value: unknown): unknown {
  const text = JSON.stringify(value) ?? ''
  return text.length > 400 ? `${text.slice(0, 400)}…` : value
}
