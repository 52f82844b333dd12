/** Compares the answers of a trace with those of an emulator or of another trace, and reports the differences. */
import { parseJson } from '../../client/body.js'
import type { OfflineProfile } from '../../client/profile.js'
import { redactor } from '../../client/redact.js'
import { operation, pathOf } from '../../contract/index.js'
import { check } from '../../drive/run.js'
import type { Exchange } from '../../oracle/exchange.js'
import { groupBy, isObject } from '../../oracle/json.js'
import { further } from '../ask/plan.js'
import { type LiveOptions, runLive } from '../ask/run.js'
import { replayed, simulate, type Values } from '../copy/emulator.js'
import { type Agreement, agreement } from '../trace/compare.js'
import type { Recorded, Seen } from '../trace/recorded.js'
import { recordingOf, type Trace } from '../trace/trace.js'

export type DiffReport = ReturnType<typeof reportOf> & {
  /** The calls of one recording that have no counterpart in the other, out of all, and why. */
  readonly lacking?: { readonly count: number; readonly of: number; readonly words: string }
  readonly incomplete?: string
  readonly left?: readonly string[]
}

export const respects = ['status', 'code', 'errorBody', 'shape'] as const

export interface DiffOptions extends LiveOptions {
  /** Those of the emulator. */
  readonly decisions: Values
  readonly seed: number
  /** The number of generated requests that are sent in addition to the stories of `check`. */
  readonly runs: number
}

/** Compares answers to the probes, up to half of the budget, and to the requests of `check` with those of an emulator. */
export async function diff(options: DiffOptions): Promise<DiffReport> {
  const { seed, profile, signal, budget, onProgress } = options
  const numbers: number[] = []
  const onExchange = (exchange: Exchange) => numbers.push(options.onExchange?.(exchange) ?? exchange.n)
  const asked = await runLive(further, { ...options, safety: 'read', budget: Math.floor(budget / 2) })
  const driven = await check(
    { ...options, budget: Math.max(budget - asked.requests, 1), only: [], survey: true },
    { signal, onExchange, ...(onProgress && { onStory: onProgress }) },
  )
  const exchanges = driven.trace.map((one, index) => ({ ...one, n: numbers[index] ?? one.n }))
  const redact = redactor(profile)
  const report = await diffFrom([asked.trace, { exchanges }], profile, options.decisions)
  const left = [...new Set([...asked.left, ...driven.leftovers])].map(redact.text)
  return {
    ...report,
    seed,
    ...(driven.trouble === null ? {} : { incomplete: redact.text(driven.trouble) }),
    ...(left.length === 0 ? {} : { left }),
  }
}

/** Compares recorded answers with those of an emulator; it sends nothing. */
export async function diffFrom(traces: readonly Trace[], profile: OfflineProfile, decisions: Values) {
  const recording = recordingOf(traces, profile)
  const simulator = await simulate(recording.mirrors, decisions, { causes: true })
  if (!simulator) throw new RangeError('the decisions contradict each other')
  const pairs = [...replayed(simulator, recording.calls)]
  const answered = pairs.map(({ recorded, replayed: { seen, cause } }) => ({
    ...{ recorded, other: seen, outcome: cause?.outcome },
  }))
  return reportOf(answered, profile)
}

/** Compares two traces: it pairs calls that are the same request about the same thing, even where the trackers gave other ids. */
export function diffTraces(one: Trace, other: Trace, profile: OfflineProfile): DiffReport {
  const [left, right] = [recordingOf([one], profile).calls, recordingOf([other], profile).calls]
  const waiting = groupBy(keyed(right), ([key]) => key)
  const answered = keyed(left).flatMap(([key, recorded]) => {
    const [, theirs] = waiting.get(key)?.shift() ?? []
    return theirs ? [{ recorded, other: theirs.seen }] : []
  })
  const of = Math.max(left.length, right.length)
  const count = of - answered.length
  const why =
    'they differ in their callers (--profile tells whose token each is), paths, queries or bodies, or only one recording has them'
  const verdict = count * 2 > of ? '; more than half lack one, so the comparison fails' : ''
  const words = `${count} of ${of} calls have no counterpart, because ${why}${verdict}`
  return { ...reportOf(answered, profile), ...(count > 0 && { lacking: { count, of, words } }) }
}

/** A key for each call: what the client sent, with each id that the tracker gave replaced by the number of its creation. */
function keyed(calls: readonly Recorded[]): [string, Recorded][] {
  const made = new Map<string, string>()
  let count = 0
  return calls.map((recorded) => {
    const { operation, caller, authorization, address = '', query, text, makes } = recorded
    const kind = operation.includes('CustomField') ? 'customField' : 'user'
    const about = made.get(`${kind} ${address}`) ?? address
    if (makes && makes.id !== null) made.set(`${makes.kind} ${makes.id}`, `{{${makes.kind} ${count}}}`)
    if (makes) count += 1
    return [JSON.stringify([operation, caller, authorization, about, query, text]), recorded]
  })
}

/** A call with the other answer to it. */
type Answered = Readonly<{ recorded: Recorded; other: Seen; outcome?: string | undefined }>

function reportOf(answered: readonly Answered[], profile: OfflineProfile) {
  const compared = answered.map((one) => {
    const agreed = agreement(one.recorded.seen, one.other)
    return { ...one, agreed, respect: respects.find((respect) => agreed[respect] === false) }
  })
  const groups = groupBy(compared, ({ recorded, other, outcome, respect }) => {
    const about = [recorded.seen.status, other.status, message(recorded.seen), message(other)]
    return [recorded.operation, respect, ...about, outcome].join(' ')
  })
  const redact = redactor(profile)
  const differences = [...groups.values()].flatMap((group) => {
    const [one] = group
    if (one?.respect === undefined) return []
    const { respect } = one
    const { n, operation, address, query, text, caller, authorization, seen } = one.recorded
    const request = {
      /** Number of the exchange in its trace. */
      exchange: n,
      address: address === undefined ? null : redact.text(address),
      query: query === '' ? null : redact.text(query),
      line: redact.text(lineOf(one.recorded, profile.ext)),
      body: text ? (redact.json(parseJson(text)) ?? redact.text(text)) : null,
      as: authorization == null ? caller : redact.text(authorization),
    }
    const target = { status: seen.status, body: redact.json(seen.json) }
    const emulator = { status: one.other.status, body: redact.json(one.other.json) }
    return [{ operation, respect, count: group.length, request, target, emulator }]
  })
  differences.sort((a, b) => respects.indexOf(a.respect) - respects.indexOf(b.respect) || b.count - a.count)
  const byOperation = groupBy(compared, ({ recorded }) => recorded.operation)
  const operations = [...byOperation].sort(([a], [b]) => a.localeCompare(b))
  return {
    schema: 'tracker-kit/diff@1' as const,
    target: { baseUrl: profile.baseUrl, ext: profile.ext ?? 'Ext' },
    seed: 0,
    calls: answered.length,
    total: sharesOf(compared),
    operations: Object.fromEntries(operations.map(([operation, some]) => [operation, sharesOf(some)])),
    differences,
  }
}

/** The method, the path with the query, and the headers that make the call special. */
function lineOf({ operation: id, address = '', suffix = '', query, headers, text }: Recorded, ext = 'Ext') {
  const { method, parameters } = operation(id)
  const path = pathOf(id, ext, Object.fromEntries(parameters.map(({ name }) => [name, address])))
  const all = Object.entries({ ...(text === null ? {} : { 'content-type': '(none)' }), ...headers })
  const special = all
    .map(([name, value]) => `${name}: ${value}`)
    .filter((one) => one !== 'content-type: application/json')
  return [method, path + suffix + (query && `?${query}`), ...special].join(' ')
}

/** In each respect, how many calls can be compared and how many of them agree. */
export type Shares = Readonly<Record<keyof Agreement, { readonly equal: number; readonly of: number }>>

function sharesOf(compared: readonly { readonly agreed: Agreement }[]): Shares {
  const shares = respects.map((respect) => {
    const known = compared.flatMap(({ agreed }) => agreed[respect] ?? [])
    return [respect, { equal: known.filter(Boolean).length, of: known.length }]
  })
  return Object.fromEntries(shares)
}

const message = ({ json }: Seen) =>
  isObject(json) && typeof json.message === 'string' ? json.message.replace(/\S*\d\S*/g, '#') : ''
