/** Makes the report from the oracle's judgement of a trace. */
import { type OperationId, operationIds } from '../contract/index.js'
import { nearest } from '../contract/nearest.js'
import { UsageError } from '../contract/trouble.js'
import { version } from '../contract/version.js'
import { ONCE } from '../drive/check.js'
import type { Exchange } from '../oracle/exchange.js'
import { explain } from '../oracle/explain.js'
import { type Finding, type Judgement, rules, type Verdict } from '../oracle/judge.js'
import { acceptedFor, baselineDigest, entriesOf, fingerprint, staleOf } from './baseline.js'
import { curlLine } from './curl.js'
import { shortened } from './evidence.js'
import type { Report, ReportFailure, ReportRequirement } from './report.js'
import { type Gate, outcomeOf, reasonOf, sumsOf, verdictOf } from './verdict.js'

/** The facts of a run that a report shows beside the judgement. */
export interface About
  extends Omit<
    Report,
    'schema' | 'version' | 'settings' | 'summary' | 'baseline' | 'requirements' | 'failures'
  > {
  readonly settings: Omit<Report['settings'], 'failOn' | 'strict'>
  /** The command line that judges one requirement again. */
  readonly replay: (requirement: string) => string
  /** Operations that the tracker does not implement. */
  readonly notImplemented: readonly OperationId[]
  /** Why a statement was never exercised at an operation. */
  readonly whyNever: (rule: string, operation: OperationId) => string
}

export interface Judged extends Judgement {
  readonly trace: readonly Exchange[]
}

/** The most failures of one requirement and operation in a report, if they were seen in different ways. */
const MOST_FAILURES = 5
/** The most exchanges with the same result that a message names. */
const MOST_NAMED = 3

export function judgedReport(
  judged: Judged,
  { replay, whyNever, notImplemented, ...about }: About,
  gate: Gate,
): Report {
  const { only } = about.settings
  const isWanted = ({ rule, operation }: Pick<Finding, 'rule' | 'operation'>) =>
    !notImplemented.includes(operation) &&
    (only.length === 0 || only.includes(rule) || only.includes(operation))
  const requirements = requirementsOf(judged.verdicts.filter(isWanted), judged.findings, whyNever)
  const today = new Date().toISOString().slice(0, 10)
  const { baseline } = gate
  const failures = failuresOf(judged, isWanted, about.target.baseUrl).map((one) => {
    const failure = { ...one, replay: replay(one.requirement) }
    const reason = baseline && acceptedFor(baseline, failure, today)
    return { ...failure, known: reason !== null, ...(reason === null ? {} : { reason }) }
  })
  const { seed, runs, recording, shard, trouble, profile, observations } = about
  const found = { requirements, failures, seed, runs, recording }
  const entries = baseline ? entriesOf(baseline, found, today) : []
  const stale = staleOf(entries, shard !== null)
  return {
    schema: 'tracker-kit/report@1',
    version,
    ...about,
    settings: { failOn: gate.failOn, strict: gate.strict, ...about.settings },
    summary: {
      ...verdictOf({ requirements, failures, stale, trouble, profile, isShard: shard !== null }, gate),
      ...sumsOf(requirements, failures),
      ...{ observed: observations.length, requests: judged.trace.length },
    },
    baseline: baseline && { digest: baselineDigest(baseline), entries },
    requirements,
    failures,
  }
}

const keyOf = ({ rule, operation }: Pick<Finding, 'rule' | 'operation'>) => `${rule} ${operation}`

/** One entry for each rule, with a check for each operation at which it can be judged. */
function requirementsOf(
  verdicts: readonly Verdict[],
  findings: readonly Finding[],
  whyNever: About['whyNever'],
): ReportRequirement[] {
  const causes = causesOf(findings)
  return [...rules.values()].flatMap(({ id, level, section, statement }) => {
    const own = verdicts.filter(({ rule }) => rule === id)
    if (own.length === 0) return []
    const checks = own.map((verdict) => checkOf(verdict, causes.get(keyOf(verdict)), whyNever))
    const outcome = outcomeOf(checks)
    const failed = own.filter((_, index) => checks[index]?.outcome === 'failed')
    const reason = reasonOf(checks)
    return {
      ...{ id, section, statement, outcome, checks },
      // The document says less about some values than about others.
      level: failed.length > 0 && failed.every((one) => one.level === 'should') ? 'should' : level,
      operations: own.map(({ operation }) => operation),
      ...(reason === null ? {} : { reason }),
    }
  })
}

type Check = ReportRequirement['checks'][number]

function checkOf(
  { rule, operation, outcome, why = '' }: Verdict,
  cause: string | undefined,
  whyNever: About['whyNever'],
): Check {
  const skipped = (reason: string): Check => ({ operation, outcome: 'skipped', reason })
  if (outcome === 'never exercised') return skipped(whyNever(rule, operation))
  if (outcome === 'not judgeable' && !why.startsWith(ONCE))
    return skipped(
      rule === 'success' && why !== ''
        ? `the tracker refused it, which the document leaves open: “${why.replace(/\.$/, '')}”`
        : 'every request left open whether the statement applies',
    )
  if (outcome === 'not judgeable') return skipped(why)
  if (outcome === 'failed' && cause !== undefined) return skipped(`it failed only because of ${cause}`)
  return { operation, outcome }
}

/** For the rule and operation of a finding that only follows from another finding: that other finding in words. */
function causesOf(findings: readonly Finding[]): ReadonlyMap<string, string> {
  const present = new Map(findings.map((one) => [keyOf(one), `${one.rule} (${one.operation})`]))
  const own = new Set(findings.filter(({ follows }) => !present.has(follows ?? '')).map(keyOf))
  return new Map(
    findings.flatMap((one) => {
      const cause = present.get(one.follows ?? '')
      return cause === undefined || own.has(keyOf(one)) ? [] : [[keyOf(one), cause] as const]
    }),
  )
}

type Failure = Omit<ReportFailure, 'known' | 'replay'>

function failuresOf(
  { findings, trace }: Judged,
  isWanted: (finding: Finding) => boolean,
  baseUrl: string,
): Failure[] {
  const causes = causesOf(findings)
  const exchanges = new Map(trace.map((exchange) => [exchange.n, exchange]))
  const groups = new Map<string, Failure[]>()
  const others = new Map<Failure, number[]>()
  for (const finding of findings) {
    const key = keyOf(finding)
    if (causes.has(key) || !isWanted(finding)) continue
    const failure = failureOf(finding, exchanges, baseUrl)
    const group = groups.get(key) ?? []
    const same = group.find((one) => fingerprint(one) === fingerprint(failure))
    if (same) others.get(same)?.push(finding.n)
    else if (group.length < MOST_FAILURES) {
      groups.set(key, [...group, failure])
      others.set(failure, [])
    }
  }
  const following = (requirement: string, operation: OperationId) =>
    [...causes].flatMap(([key, cause]) => (cause === `${requirement} (${operation})` ? [named(key)] : []))
  return [...groups.values()].flat().map((failure) => ({
    ...failure,
    message: failure.message + alsoAt(others.get(failure) ?? []),
    follows: following(failure.requirement, failure.operation),
  }))
}

const named = (key: string) => key.replace(/^(\S+) (\S+)$/, '$1 ($2)')

function alsoAt(numbers: readonly number[]): string {
  if (numbers.length === 0) return ''
  const shown = numbers.slice(0, MOST_NAMED).map((n) => `#${n}`)
  const more = numbers.length - shown.length
  return `; the same at ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function failureOf(finding: Finding, exchanges: ReadonlyMap<number, Exchange>, baseUrl: string): Failure {
  const { rule, level, section, statement, operation, n, allowed, seen, place, witnesses } = finding
  const exchange = exchanges.get(n)
  const earlier = witnesses
    .filter((one) => one.n !== n && exchanges.has(one.n))
    .toSorted((one, other) => one.n - other.n)
  const { request, response } = exchange ? sidesOf(exchange, baseUrl) : { request: null, response: null }
  return {
    ...{ requirement: rule, level, section, statement, operation, request },
    message: explain(finding, exchanges),
    response: response?.status === 0 ? null : response,
    ...(place === undefined ? {} : { place }),
    ...(allowed.length === 0 ? {} : { expected: allowed.join(' or ') }),
    seen,
    steps: earlier.flatMap(({ n: number, did }) => {
      const step = exchanges.get(number)
      if (step === undefined) return []
      const sides = sidesOf(step, baseUrl)
      return [{ request: cut(sides.request), response: cut(sides.response), n: number, did }]
    }),
    witnesses: [...new Set([...earlier.map((one) => one.n), n])],
    follows: [],
    curl: exchange && request ? curlOf(exchange, request) : null,
  }
}

const cut = <T extends { readonly body?: unknown }>(side: T): T => ({ ...side, body: shortened(side.body) })

type Sides = Readonly<Record<'request', NonNullable<ReportFailure['request']>>> &
  Readonly<Record<'response', NonNullable<ReportFailure['response']>>>

/** The shell variable that stands for the token of a role. */
const variableOf = (role: string) =>
  role === 'administrator' ? '$TRACKER_TOKEN' : `$TRACKER_${role.toUpperCase()}_TOKEN`

/** The request and response as a report shows them: a variable replaces the token of a role. */
function sidesOf({ caller, method, path, query, ...exchange }: Exchange, baseUrl: string): Sides {
  const token = isRole(caller) ? { Authorization: `Bearer ${variableOf(caller)}` } : {}
  const type = exchange.body === null ? {} : { 'content-type': 'application/json' }
  const headers = { ...token, ...type, ...exchange.headers }
  const url = `${new URL(baseUrl).origin}${path}${query}`
  return {
    request: {
      ...{ method, url },
      headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')),
      body: exchange.body === null ? null : shownBody(exchange.body),
    },
    response: {
      ...{ status: exchange.status, headers: { ...exchange.responseHeaders } },
      body: exchange.text === '' ? null : shownBody(exchange.text),
    },
  }
}

const isRole = (caller: string) => ['administrator', 'restricted', 'password', 'disabled'].includes(caller)

/** How many characters of a body a report shows. */
const MOST_SHOWN = 20_000

function shownBody(text: string): unknown {
  if (text.length > MOST_SHOWN) return shortened(text, MOST_SHOWN)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Null if the reader may not have the credentials of the caller. */
function curlOf({ caller, body }: Exchange, { method, url, headers }: Sides['request']): string | null {
  return isRole(caller) || caller === 'none' ? curlLine({ method, url, headers, body }) : null
}

/** Throws a `UsageError`, which begins with `source`, on an id that names neither a requirement nor an operation. */
export function checkIds(ids: readonly string[], source: string): void {
  const known = [...rules.keys(), ...operationIds]
  for (const id of ids) {
    if (known.includes(id)) continue
    const near = nearest(id, known)
    const hint = near ? `did you mean ${near}?` : 'see tracker-kit contract requirements'
    throw new UsageError(`${source}: no requirement or operation is called "${id}"; ${hint}`)
  }
}
