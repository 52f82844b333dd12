/** Makes the report from the oracle's judgement of a trace. */
import { parseJson } from '../client/body.js'
import type { OfflineProfile } from '../client/profile.js'
import { type OperationId, operationIds, type Safety } from '../contract/index.js'
import { noSuch } from '../contract/nearest.js'
import { relianceOf } from '../contract/reliance.js'
import { UsageError } from '../contract/trouble.js'
import { version } from '../contract/version.js'
import { ONCE } from '../drive/confirmed.js'
import type { Exchange } from '../oracle/exchange.js'
import { groupBy } from '../oracle/json.js'
import { type Finding, type Judgement, rules, type Verdict } from '../oracle/judge.js'
import { digestOf, fingerprint } from './baseline.js'
import { curlLine } from './curl.js'
import type { Report, ReportFailure, ReportRequirement } from './report.js'
import { type Gate, judgedBy, requirementWith } from './verdict.js'
import { listed } from './words.js'

/** What recordings lack. */
const nothing = {
  ...{ runId: null, seed: 0, runs: 0, safety: 'read' as Safety, shard: null, trouble: null, rest: null },
  ...{ profile: [] as Report['profile'], leftovers: [] as string[], vanished: false, recording: null },
}

/** The facts of a run that a report shows beside the judgement; those of `nothing` may be absent. */
export interface About extends Partial<Pick<Report, keyof typeof nothing>> {
  readonly tracker: OfflineProfile
  readonly startedAt: Date
  /** Ids of requirements or operations; only these can fail. */
  readonly only: readonly string[]
  readonly seedGiven?: boolean
  /** The command line that judges one requirement again. */
  readonly replay: (requirement: string) => string
  /** Why a statement was never exercised at an operation. */
  readonly whyNever: (rule: string, operation: OperationId) => string
}

type Judged = Judgement & { readonly trace: readonly Exchange[] }

/** The most failures of one requirement and operation in a report, if they were seen in different ways. */
const MOST_FAILURES = 5
/** The most exchanges with the same result that a message names. */
const MOST_NAMED = 3

export function judgedReport(
  judged: Judged,
  { tracker, startedAt, only, seedGiven = false, replay, whyNever, ...about }: About,
  { baseline, ...gate }: Gate,
): Report {
  const { baseUrl, ext = 'Ext', notImplemented = [] } = tracker
  const isWanted = ({ rule, operation }: Place) =>
    !notImplemented.includes(operation) &&
    (only.length === 0 || only.includes(rule) || only.includes(operation))
  const causes = causesOf(judged.findings)
  const requirements = requirementsOf(judged.verdicts.filter(isWanted), causes, whyNever)
  const failures = failuresOf(judged, causes, isWanted, tracker).map((one) => ({
    ...{ ...one, replay: replay(one.requirement), known: false },
  }))
  const found = {
    ...{ version, target: { baseUrl, ext }, startedAt: startedAt.toISOString() },
    ...{ durationMs: Date.now() - startedAt.getTime(), ...nothing, ...about },
    settings: { ...gate, only: [...only], seedGiven, profile: profileDigest(tracker) },
    ...{ observations: [...judged.observations], requirements, failures, baseline: null },
  }
  return judgedBy(baseline, found, judged.trace.length)
}

/** Only the names inside these fields count, since a digest could reveal a value that can be guessed. */
const secret = ['tokens', 'passwordAccount', 'password', 'settings', 'userSetting'] as const

/** Tells profiles apart and contains no secret. It omits what the report shows: the target and the extension's name. */
export function profileDigest({ baseUrl: _, ext: _ext, ...profile }: OfflineProfile): string {
  const plain: Record<string, unknown> = { ...profile }
  for (const name of secret) if (profile[name] !== undefined) plain[name] = Object.keys(profile[name]).sort()
  return digestOf(JSON.stringify(Object.entries(plain).sort(([a], [b]) => (a < b ? -1 : 1))))
}

type Place = Pick<Finding, 'rule' | 'operation'>
/** In the form in which a finding says what it follows from. */
const keyOf = ({ rule, operation }: Place) => `${rule} ${operation}`
/** A key in words: `rule (operation)`. */
const named = (key: string) => key.replace(/^(\S+) (\S+)$/, '$1 ($2)')

/** One entry for each rule, with a check for each operation at which it can be judged. */
function requirementsOf(verdicts: readonly Verdict[], causes: Causes, whyNever: About['whyNever']) {
  return [...rules.values()].flatMap((rule) => {
    const own = verdicts.filter((verdict) => verdict.rule === rule.id)
    if (own.length === 0) return []
    const checks = own.map((verdict): ReportRequirement['checks'][number] => {
      const { operation } = verdict
      const reason = skippedFor(verdict, causes, whyNever)
      if (reason !== null) return { operation, outcome: 'skipped', reason }
      return { operation, outcome: verdict.outcome === 'failed' ? 'failed' : 'passed' }
    })
    const failed = own.filter((_, index) => checks[index]?.outcome === 'failed')
    // The document says less about some values than about others.
    const isShould = failed.length > 0 && failed.every(({ level }) => level === 'should')
    return requirementWith({ ...rule, level: isShould ? 'should' : rule.level }, checks)
  })
}

/** Why a statement was not judged at an operation; null if it was. */
function skippedFor(verdict: Verdict, causes: Causes, whyNever: About['whyNever']): string | null {
  const { rule, operation, outcome, why = '' } = verdict
  if (outcome === 'never exercised') return whyNever(rule, operation)
  if (outcome === 'failed') {
    const cause = causes.get(keyOf(verdict))
    return cause === undefined ? null : `it failed only because of ${named(cause)}`
  }
  if (outcome !== 'not judgeable') return null
  if (why.startsWith(ONCE)) return why
  return rule === 'success' && why !== ''
    ? `the tracker refused every request, and the document allows that: “${why.replace(/\.$/, '')}”`
    : 'the statement may not apply to any of the requests'
}

/** For the key of a finding that only follows from another finding: the key of that other finding. */
type Causes = ReadonlyMap<string, string>

function causesOf(findings: readonly Finding[]): Causes {
  const keys = new Set(findings.map(keyOf))
  const own = new Set(findings.filter(({ follows = '' }) => !keys.has(follows)).map(keyOf))
  const following = findings.filter((one) => !own.has(keyOf(one)))
  return new Map(following.map((one) => [keyOf(one), one.follows ?? '']))
}

type Failure = Omit<ReportFailure, 'known' | 'replay'>
type Exchanges = ReadonlyMap<number, Exchange>

/** The findings at a place that were seen in the same way are one failure, which names their exchanges. */
function failuresOf(
  { findings, trace }: Judged,
  causes: Causes,
  isWanted: (finding: Finding) => boolean,
  tracker: OfflineProfile,
): Failure[] {
  const exchanges = new Map(trace.map((exchange) => [exchange.n, exchange]))
  const wanted = findings.filter((one) => !causes.has(keyOf(one)) && isWanted(one))
  return [...groupBy(wanted, keyOf)].flatMap(([key, group]) => {
    const follows = [...causes].flatMap(([one, cause]) => (cause === key ? named(one) : []))
    const ways = [...groupBy(group, fingerprint).values()].slice(0, MOST_FAILURES)
    return ways.flatMap(([finding, ...others]) => {
      if (finding === undefined) return []
      const failure = failureOf(finding, exchanges, tracker)
      const numbers = others.map(({ n }) => `#${n}`)
      const also = numbers.length === 0 ? '' : `; the same at ${listed(numbers, MOST_NAMED)}`
      return { ...failure, message: failure.message + also, follows }
    })
  })
}

/** How many characters of a body a report shows; the beginning of a step shows what the step did. */
const MOST_SHOWN = 20_000
const MOST_OF_STEP = 1_000

function failureOf(finding: Finding, exchanges: Exchanges, tracker: OfflineProfile): Failure {
  const { rule, level, section, statement, operation, n, allowed, seen, place, witnesses } = finding
  const exchange = exchanges.get(n)
  const shown = exchange && sidesOf(exchange, tracker.baseUrl, MOST_SHOWN)
  const steps = witnesses
    .toSorted((one, other) => one.n - other.n)
    .flatMap((witness) => {
      const step = witness.n === n ? undefined : exchanges.get(witness.n)
      return step === undefined ? [] : [{ ...sidesOf(step, tracker.baseUrl, MOST_OF_STEP), ...witness }]
    })
  return {
    ...{ requirement: rule, level, section, statement, operation, request: shown?.request ?? null },
    message: explain(finding, exchanges) + relianceOf({ ...exchange, operation }, tracker),
    response: shown === undefined || shown.response.status === 0 ? null : shown.response,
    ...(place === undefined ? {} : { place }),
    ...(allowed.length === 0 ? {} : { expected: allowed.join(' or ') }),
    ...{ seen, steps, witnesses: [...new Set([...steps.map((step) => step.n), n])], follows: [] },
    // The reader may not have the credentials of other callers.
    curl: exchange && shown && isKnown(exchange.caller) ? curlLine(shown.request, exchange.body) : null,
  }
}

const lineOf = ({ method, path, query, caller }: Exchange): string =>
  `${method} ${path.replace(/^.*\/plugins\/[^/]+/, '').replace(/([^/]{60})[^/]{20,}/g, '$1…')}${query} as ${caller}`

/** One sentence: what each witness did, and what the last exchange shows. */
function explain(finding: Finding, trace: Exchanges): string {
  const { n, seen, place, allowed, witnesses } = finding
  const at = (number: number) => {
    const exchange = trace.get(number)
    return `#${number}${exchange ? ` (${lineOf(exchange)})` : ''}`
  }
  const earlier = witnesses
    .filter((one) => trace.has(one.n) && one.n !== n)
    .sort((a, b) => a.n - b.n)
    .map((one) => `${at(one.n)} ${one.did}`)
  const wanted = allowed.length > 0 ? `, and ${allowed.join(' or ')} is allowed` : ''
  const where = place === undefined ? '' : ` at ${place}`
  return [...earlier, `${at(n)}: ${seen}${where}${wanted}`].join('; ')
}

/** The shell variables that stand for the tokens of the roles. */
const variables: Readonly<Record<string, string>> = {
  administrator: '$TRACKER_TOKEN',
  restricted: '$TRACKER_RESTRICTED_TOKEN',
  password: '$TRACKER_PASSWORD_TOKEN',
  disabled: '$TRACKER_DISABLED_TOKEN',
}
const isKnown = (caller: string) => caller === 'none' || Object.hasOwn(variables, caller)

/** The request and response as a report shows them: a variable replaces the token of a role. */
function sidesOf({ method, path, query, ...exchange }: Exchange, baseUrl: string, most: number) {
  const token = isKnown(exchange.caller) && variables[exchange.caller]
  const type = exchange.body === null ? {} : { 'content-type': 'application/json' }
  const headers = { ...(token && { Authorization: `Bearer ${token}` }), ...type, ...exchange.headers }
  return {
    request: {
      ...{ method, url: `${new URL(baseUrl).origin}${path}${query}` },
      headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')),
      body: shownBody(exchange.body ?? '', most),
    },
    response: {
      ...{ status: exchange.status, headers: { ...exchange.responseHeaders } },
      body: shownBody(exchange.text, most),
    },
  }
}

function shownBody(text: string, most: number): unknown {
  if (text === '') return null
  if (text.length > most) return `${text.slice(0, most)}… (cut, ${text.length} characters in all)`
  return parseJson(text) ?? text
}

/** Throws a `UsageError`, which begins with `source`, on an id that names neither a requirement nor an operation. */
export function checkIds(ids: readonly string[], source: string): void {
  const known = [...rules.keys(), ...operationIds]
  const wrong = ids.find((id) => !known.includes(id))
  if (wrong === undefined) return
  const trouble = noSuch('requirement or operation', wrong, known)
  throw new UsageError(`${source}: ${trouble}; tracker-kit contract requirements lists them`)
}
