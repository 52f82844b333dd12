/** The emulator as a simulator of a tracker, for `learn` and `diff`, and the replay of recorded calls on it. */
import { isDeepStrictEqual } from 'node:util'
import { type Decision, resolveDecisions, valuesOf } from '../../../emulator/decisions/index.js'
import { type DecisionInput, ledger } from '../../../emulator/index.js'
import { Call } from '../../../emulator/request/call.js'
import { type Image, imageOf } from '../../../emulator/state/store.js'
import { createObserved } from '../../../emulator/tracker.js'
import type { Outcome } from '../../../emulator/twin/twin.js'
import { operation, pathOf } from '../../contract/index.js'
import { UsageError } from '../../contract/trouble.js'
import { memoised } from '../trace/compare.js'
import { type Recorded, type Seen, type Sent, secretOf, sessionIn } from '../trace/recorded.js'
import type { Mirror } from '../trace/trace.js'
import { stateOf } from './state.js'

export type Values = Readonly<Record<string, unknown>>

export type LedgerView = Readonly<Record<string, Pick<Decision, 'operations' | 'default' | 'alternatives'>>>

export const ledgerView: LedgerView = ledger

/** The cause of an answer of the emulator, in the terms of learnt rules. */
export type Cause = Omit<Outcome, 'operation'>

/** Credentials that the emulator has handed out, by the label of the session. */
export type Sessions = Readonly<Record<string, string>>

export interface Replayed {
  /** Equal answers are the same object. */
  readonly seen: Seen
  readonly cause: Cause | null
  /** Decisions that the answer depends on. */
  readonly reads: ReadonlySet<string>
}

export type Simulator = NonNullable<Awaited<ReturnType<typeof simulate>>>

/** The values in a file of decisions, plain or as `learn` writes it; an error begins with `source`. */
export function decisionsOf(file: Record<string, unknown>, source: string): Values {
  try {
    const values = valuesOf(file as DecisionInput)
    resolveDecisions(values)
    return values
  } catch (error) {
    throw new UsageError(`${source}: ${(error as Error).message}`)
  }
}

/** The lowest id for things whose id the target did not show: it is higher than the ids of any tracker. */
const UNTOLD = 1_700_000_000

/** Null where the decisions contradict each other. Causes take time, so callers must ask for them. */
export async function simulate(
  mirrors: readonly Mirror[],
  decisions: Values,
  { causes } = { causes: false },
) {
  const [first] = mirrors
  if (!first) throw new RangeError('there is no trace')
  const { ext = 'Ext' } = first.knowledge
  const begun = first.world.requests[0]?.exchange.startedAt
  let read = new Set<string>()
  let outcomes: Outcome[] = []
  const observed = await createObserved(
    {
      ...{ seed: seedOf(first), decisions: decisions as DecisionInput, ext },
      now: new Date(begun ?? Date.UTC(2026, 0, 1)).toISOString().replace(/\.\d+Z$/, 'Z'),
    },
    {
      decision: (id) => read.add(id),
      ...(causes ? { outcome: (outcome: Outcome) => void outcomes.push(outcome) } : {}),
    },
  ).catch((error: unknown) => {
    // The error shows the contradiction, because a check of the values beforehand would take as long as all else.
    if (error instanceof RangeError) return null
    throw error
  })
  if (!observed) return null
  const { tracker, answer, image, put } = observed
  const known = answersOf(first)
  const step = decisions['create-id-assignment'] === 'stepped' ? 7 : 1
  return {
    /** The emulator's state at the beginning of a part. */
    start: (part: number): Image => startOf(mirrors[part] ?? first),
    /** Decisions that the simulator depends on before any call. */
    reads: read as ReadonlySet<string>,
    /** Sends one call to the emulator in a given state, and returns the answer and the state after it. */
    send(call: Sent | Recorded, state: Image, sessions: Sessions): Replayed & { readonly after: Image } {
      put(withNextId(state, call, step))
      outcomes = []
      read = new Set()
      const { status, body, headers } = answer(requestOf(call, sessions, tracker.baseUrl, ext))
      const key = `${status} ${headers} ${body}`
      const seen: Seen = known.get(key) ?? {
        status,
        json: JSON.parse(body ?? 'null'),
        headers: Object.fromEntries(headers),
      }
      known.set(key, seen)
      const [first] = outcomes
      const { source } = outcomes.find((one) => one.source !== undefined) ?? {}
      return { seen, cause: first ? { ...first, source } : null, reads: read, after: image() }
    },
  }
}

/** Sets the state so that the emulator gives a new thing the id that the target gave. */
function withNextId(state: Image, call: Sent | Recorded, step: number): Image {
  if (!('makes' in call) || !call.makes) return state
  const { kind, id } = call.makes
  return { ...state, lastIds: { ...state.lastIds, [kind]: (id ?? UNTOLD + call.n * step) - step } }
}

/** All simulators of a mirror share one state, because its creation takes most of their start. */
const seedOf = memoised(stateOf)
const startOf = memoised((mirror: Mirror) => imageOf(seedOf(mirror)))

/** Most answers occur many times. They share one object, so that a comparison of objects shows that two are equal. */
const answersOf = memoised((_: Mirror) => new Map<string, Seen>())

/** The parts of a call that stay the same, because a learning sends each call a hundred times. */
const partsOf = memoised((call: Sent) => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(call.headers)) if (name !== 'cookie') headers.set(name, value)
  for (const [name, value] of Object.entries(credentialsOf(call, {}))) headers.set(name, value)
  const { method, parameters } = operation(call.operation)
  const path = Object.fromEntries(parameters.map(({ name }) => [name, call.address ?? '']))
  return { method, path, headers, bytes: call.text === null ? null : new TextEncoder().encode(call.text) }
})

/** It avoids the cost of a `Request`. */
function requestOf(call: Sent, sessions: Sessions, base: string, ext: string): Call {
  const { method, path, headers, bytes } = partsOf(call)
  const query = call.query === '' ? '' : `?${call.query}`
  const url = `${base}${pathOf(call.operation, ext, path)}${call.suffix ?? ''}${query}`
  if (!(call.caller in sessions)) return new Call(method, url, headers, bytes)
  const own = new Headers(headers)
  own.delete('authorization')
  for (const [name, value] of Object.entries(credentialsOf(call, sessions))) own.set(name, value)
  return new Call(method, url, own, bytes)
}

/** The headers for a call's credentials; for a session, the credentials that the emulator has handed out. */
function credentialsOf({ caller, authorization }: Sent, sessions: Sessions): Record<string, string> {
  if (authorization !== undefined) return authorization === null ? {} : { authorization }
  const session = sessions[caller]
  if (session !== undefined)
    return session.includes('=') ? { cookie: session } : { authorization: `Bearer ${session}` }
  return { authorization: `Bearer ${secretOf(caller)}` }
}

/** A recorded call, and the emulator's answer to it. */
export interface Pair {
  readonly recorded: Recorded
  readonly replayed: Replayed
}

/** The emulator's state and sessions before a call, and its state after it. */
export interface Replay {
  readonly before: Image
  readonly sessions: Sessions
  readonly after: Image
}

/**
 * Replays the calls one after the other. Without a change of the state or the sessions, only those calls are sent again
 * that depend on what has changed since `old`, an earlier replay of the same calls.
 */
export function* replayed(
  simulator: Simulator,
  calls: readonly Recorded[],
  old: readonly (Pair & Replay)[] = [],
  depends: (at: number) => boolean = () => true,
): Generator<Pair & Replay> {
  let previous: (Pair & Replay) | undefined
  for (const [at, recorded] of calls.entries()) {
    if (previous?.recorded.part !== recorded.part) previous = undefined
    const before = previous?.after ?? simulator.start(recorded.part)
    const sessions = previous
      ? sessionsAfter(previous.sessions, previous.recorded, previous.replayed.seen)
      : {}
    const { caller } = recorded
    const known = old[at]
    if (known?.before === before && known.sessions[caller] === sessions[caller] && !depends(at))
      previous = { ...known, sessions }
    else {
      const { after, ...replayed } = simulator.send(recorded, before, sessions)
      const isIdle = isTakenBack(recorded, replayed.seen) || hasSameRecords(before, after)
      const next = isIdle ? before : after
      // Equal states stay one object, which shows that later answers are the same.
      const isApart = !known || (known.before !== before && isIdle && known.after === known.before)
      const isSame = !isApart && isAlike(known.after, next)
      previous = { recorded, replayed, before, sessions, after: isSame ? known.after : next }
    }
    yield previous
  }
}

/** Tables that each sign-in or mail changes, and that no compared answer shows. */
const unseen = ['notifications']

type Same = (a: readonly object[], b: readonly object[]) => boolean

/** Whether the records of all tables that answers show are the same. */
const compared =
  (same: Same) =>
  ({ tables: a }: Image, { tables: b }: Image): boolean =>
    Object.entries(a).every(
      ([name, rows]) =>
        rows === b[name as keyof typeof b] || unseen.includes(name) || same(rows, b[name as keyof typeof b]),
    )

const hasSameRecords = compared(() => false)
const isAlike = compared(
  (a, b) => a.length === b.length && a.every((row, at) => row === b[at] || isDeepStrictEqual(row, b[at])),
)

/** Whether the emulator accepted a call that the target refused; the replay then drops its effects. */
const isTakenBack = ({ seen }: Recorded, own: Seen): boolean => seen.status >= 400 && own.status < 400

/** The sessions after a call: those before it, and the one that it has started. */
function sessionsAfter(sessions: Sessions, { starts }: Recorded, seen: Seen): Sessions {
  if (starts === undefined) return sessions
  const { cookie, token: credentials = cookie } = sessionIn(seen)
  return credentials === undefined ? sessions : { ...sessions, [starts]: credentials }
}
