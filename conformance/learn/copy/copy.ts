/** Replays recorded calls on the emulator as a simulator of their tracker. */
import { isDeepStrictEqual } from 'node:util'
import type { Image } from '../../../emulator/state/store.js'
import { type Recorded, type Seen, sessionOf } from '../trace/recorded.js'
import type { Replayed, Sessions, Simulator } from './emulator.js'

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

/** Replays all calls in order. */
export const replay = (simulator: Simulator, calls: readonly Recorded[]) => [...replayed(simulator, calls)]

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
  const credentials = sessionOf(seen)
  return credentials === null ? sessions : { ...sessions, [starts]: credentials }
}
