/** The emulator as a simulator of a tracker, for `learn` and `diff`, and the replay of recorded calls on it. */
import { type Decision, resolveDecisions, valuesOf } from '../../../emulator/decisions/index.js'
import { type DecisionInput, ledger } from '../../../emulator/index.js'
import { Call } from '../../../emulator/request/call.js'
import { alike, differences, unified, withEffect } from '../../../emulator/state/images.js'
import { type Image, imageOf, type Look } from '../../../emulator/state/store.js'
import { createObserved } from '../../../emulator/tracker.js'
import type { Outcome } from '../../../emulator/twin/twin.js'
import { operation, pathOf } from '../../contract/index.js'
import { getOrInsert, memoised } from '../../contract/memoised.js'
import { UsageError } from '../../contract/trouble.js'
import { answerIn, isObject, same } from '../../oracle/json.js'
import { type Recorded, type Seen, type Sent, secretOf, sessionIn } from '../trace/recorded.js'
import type { Mirror } from '../trace/trace.js'
import { stateOf } from './state.js'

export type Values = Readonly<Record<string, unknown>>

export type LedgerView = Readonly<Record<string, Pick<Decision, 'operations' | 'default' | 'alternatives'>>>

export const ledgerView: LedgerView = ledger

/** Credentials that the emulator has handed out, by the label of the session. */
type Sessions = Readonly<Record<string, string>>

export interface Replayed {
  /** Equal answers are the same object. */
  readonly seen: Seen
  /** The cause of the answer, in the terms of learnt rules. */
  readonly cause: Omit<Outcome, 'operation'> | null
  /** Decisions that the answer depends on; of a decision with members, `id.member`, and `id.*` for all. */
  readonly reads: ReadonlySet<string>
  /** Looks at the records that the answer depends on. */
  readonly looks: readonly Parameters<Look>[]
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
export async function simulate(mirrors: readonly Mirror[], decisions: Values, { causes = false } = {}) {
  const [first] = mirrors
  if (!first) throw new RangeError('there is no trace')
  const { ext = 'Ext' } = first.knowledge
  const begun = first.world.requests[0]?.exchange.startedAt
  let read = new Set<string>()
  let looks = new Map<string, Parameters<Look>>()
  let outcomes: Outcome[] = []
  const observed = await createObserved(
    {
      ...{ seed: seedOf(first), decisions: decisions as DecisionInput, ext },
      now: new Date(begun ?? Date.UTC(2026, 0, 1)).toISOString().replace(/\.\d+Z$/, 'Z'),
    },
    {
      decision: (id, member) => read.add(member === undefined ? id : `${id}.${member}`),
      look: (...look) => looks.set(look.join(' '), look),
      ...(causes ? { outcome: (outcome: Outcome) => void outcomes.push(outcome) } : {}),
    },
  ).catch((error: unknown) => {
    // The error shows the contradiction, because a check of the values beforehand would take as long as all else.
    if (error instanceof RangeError) return null
    throw error
  })
  if (!observed) return null
  const { tracker, tables, answer, image, put } = observed
  /** Decisions that the simulator depends on before any call. */
  const always = read
  const shared = sharedOf(first)
  const step = decisions['create-id-assignment'] === 'stepped' ? 7 : 1
  return {
    /** The emulator's state at the beginning of a part. */
    start: (part: number): Image => startOf(mirrors[part] ?? first),
    /** Whether the records that only one of two states has change what some looks find. */
    affects: memoised((others: ReturnType<ReturnType<typeof differences>>) =>
      memoised((looks: Replayed['looks']) =>
        looks.some(([name, ...look]) =>
          others.get(name)?.some((one) => tables[name].affects(one as Values, ...look)),
        ),
      ),
    ),
    /** Sends one call to the emulator in a given state, and returns the answer and the state after it. */
    send(call: Sent | Recorded, state: Image, sessions: Sessions): Replayed & { readonly after: Image } {
      put(withNextId(state, call, step))
      outcomes = []
      read = new Set(always)
      looks = new Map()
      const { status, body, headers } = answer(requestOf(call, sessions, tracker.baseUrl, ext))
      const seen = getOrInsert(shared.answers, `${status} ${headers} ${body}`, (): Seen => {
        return { status, json: answerIn(body ?? 'null'), headers: Object.fromEntries(headers) }
      })
      const [first] = outcomes
      const { source } = outcomes.find((one) => one.source !== undefined) ?? {}
      return {
        seen,
        cause: first ? { ...first, source } : null,
        reads: getOrInsert(shared.reads, [...read].join(), () => read),
        looks: getOrInsert(shared.looks, [...looks.keys()].join('\n'), () => [...looks.values()]),
        after: unified(image(), state, shared.records),
      }
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

/** What occurs many times is one object, so that a comparison of objects shows that two are equal. */
const sharedOf = memoised((_: Mirror) => ({
  answers: new Map<string, Seen>(),
  reads: new Map<string, ReadonlySet<string>>(),
  looks: new Map<string, readonly Parameters<Look>[]>(),
  records: new Map<string, object>(),
}))

/** The parts of a call that stay the same, because a learning sends each call a hundred times. */
const partsOf = memoised((call: Sent) => {
  const { cookie: _, ...given } = call.headers
  const headers = new Headers({ ...given, ...credentialsOf(call, {}) })
  const { method, parameters } = operation(call.operation)
  const path = Object.fromEntries(parameters.map(({ name }) => [name, call.address ?? '']))
  const bytes = call.text === null ? null : new TextEncoder().encode(call.text)
  return { method, path, given, headers, bytes }
})

/** It avoids the cost of a `Request`. */
function requestOf(call: Sent, sessions: Sessions, base: string, ext: string): Call {
  const { method, path, given, headers, bytes } = partsOf(call)
  const query = call.query === '' ? '' : `?${call.query}`
  const url = `${base}${pathOf(call.operation, ext, path)}${call.suffix ?? ''}${query}`
  const isOfSession = sessionOf(call) in sessions
  const own = isOfSession ? new Headers({ ...given, ...credentialsOf(call, sessions) }) : headers
  return new Call(method, url, own, bytes)
}

/** The label of a session without that of the caller whose token goes along with its cookie. */
const sessionOf = ({ caller }: Pick<Sent, 'caller'>): string => caller.replace(/\+.*/, '')

/** The headers for a call's credentials; for a session, the credentials that the emulator has handed out. */
function credentialsOf(call: Sent, sessions: Sessions): Record<string, string> {
  const { caller, authorization } = call
  if (authorization !== undefined) return authorization === null ? {} : { authorization }
  const [, owner] = caller.split('+')
  const session = sessions[sessionOf(call)]
  if (session === undefined || !session.includes('='))
    return { authorization: `Bearer ${session ?? secretOf(owner ?? caller)}` }
  return { cookie: session, ...(owner === undefined ? {} : { authorization: `Bearer ${secretOf(owner)}` }) }
}

/** A recorded call, and the emulator's answer to it. */
export type Pair = Readonly<{ recorded: Recorded; replayed: Replayed }>

/** The same with the emulator's state and sessions before the call, and its state after it. */
export type Played = Pair & Readonly<{ before: Image; sessions: Sessions; after: Image }>

/** An earlier replay of the same calls, or its beginning. */
export interface Earlier {
  readonly played: readonly Played[]
  /** Whether some of the decisions or members that an answer depends on had other values. */
  readonly differs: (read: ReadonlySet<string>) => boolean
}

/** Whether two lists of values differ in one of these decisions or members. A value that is absent is the default. */
export function differsIn(a: Values, b: Values): (read: ReadonlySet<string>) => boolean {
  const changed = changedIn(a, b).flatMap((id) => {
    const [left, right] = [a[id] ?? {}, b[id] ?? {}]
    if (!isObject(left) || !isObject(right)) return [id]
    return [id, `${id}.*`, ...changedIn(left, right).map((member) => `${id}.${member}`)]
  })
  return memoised((read) => changed.some((one) => read.has(one)))
}

const changedIn = (a: Values, b: Values) =>
  Object.keys({ ...a, ...b }).filter((name) => !same(a[name], b[name]))

/** Replays the calls in order; sends one again only if what its answer depends on is as it was in no earlier replay. */
export function* replayed(
  simulator: Simulator,
  calls: readonly Recorded[],
  earlier: readonly Earlier[] = [],
): Generator<Played> {
  let previous: Played | undefined
  for (const [at, recorded] of calls.entries()) {
    if (previous?.recorded.part !== recorded.part) previous = undefined
    const before = previous?.after ?? simulator.start(recorded.part)
    const sessions = previous
      ? sessionsAfter(previous.sessions, previous.recorded, previous.replayed.seen)
      : none
    let known: Played | undefined
    for (const one of earlier) known ??= again(simulator, one, at, before, sessions)
    if (known) previous = known
    else {
      const { after, ...replayed } = simulator.send(recorded, before, sessions)
      const next = isTakenBack(recorded, replayed.seen) ? before : alike(before, after)
      previous = { recorded, replayed, before, sessions, after: alike(earlier[0]?.played[at]?.after, next) }
    }
    yield previous
  }
}

/** A call as in an earlier replay; undefined if its answer or its effect may be another one now. */
function again({ affects }: Simulator, earlier: Earlier, at: number, before: Image, sessions: Sessions) {
  const one = earlier.played[at]
  if (!one || earlier.differs(one.replayed.reads)) return
  const { recorded, replayed } = one
  if (one.sessions[sessionOf(recorded)] !== sessions[sessionOf(recorded)]) return
  if (one.before === before && one.sessions === sessions) return one
  const others = differences(one.before)(before)
  if (affects(others)(replayed.looks)) return
  const effect = () => (others.size === 0 ? one.after : withEffect(before, one.before, one.after))
  return { recorded, replayed, before, sessions, after: one.after === one.before ? before : effect() }
}

/** Whether the emulator accepted a call that the target refused; the replay then drops its effects. */
const isTakenBack = ({ seen }: Recorded, own: Seen): boolean => seen.status >= 400 && own.status < 400

const none: Sessions = {}

/** The sessions after a call: those before it, and the one that it has started. Equal sessions are the same object. */
const sessionsAfter = (sessions: Sessions, call: Recorded, seen: Seen): Sessions =>
  call.starts === undefined ? sessions : started(sessions)(call)(seen)

const started = memoised((sessions: Sessions) =>
  memoised(({ starts = '' }: Recorded) =>
    memoised((seen: Seen): Sessions => {
      const { cookie, token: credentials = cookie } = sessionIn(seen)
      return credentials === undefined ? sessions : { ...sessions, [starts]: credentials }
    }),
  ),
)
