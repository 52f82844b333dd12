/** The emulator as a simulator of a live tracker, for `learn` and `diff`. */
import { resolveDecisions, valuesOf } from '../../../emulator/decisions/index.js'
import { type DecisionInput, ledger } from '../../../emulator/index.js'
import { createObserved } from '../../../emulator/observed.js'
import { Call } from '../../../emulator/request/call.js'
import { imageOf } from '../../../emulator/state/store.js'
import type { Outcome } from '../../../emulator/twin/twin.js'
import { operation, pathOf } from '../../contract/index.js'
import { UsageError } from '../../contract/trouble.js'
import type { Mirror } from '../trace/mirror.js'
import { type Recorded, type Seen, type Sent, secretOf } from '../trace/recorded.js'
import { memoised } from '../trace/shape.js'
import type { Cause, LedgerView, Sessions, Simulate, State, Values } from './copy.js'
import { idsOf, stateOf } from './state.js'

export const ledgerView: LedgerView = ledger

/** The values in a file of decisions, plain or as `learn` writes it; `source` begins the error. */
export function decisionsOf(file: Record<string, unknown>, source: string): Values {
  try {
    const values = valuesOf(file as DecisionInput)
    resolveDecisions(values)
    return values
  } catch (error) {
    throw new UsageError(`${source}: ${(error as Error).message}`)
  }
}

/** Ids of what a target made without telling them: higher than those of any tracker. */
const UNTOLD = 1_700_000_000

export const simulate: Simulate = async (mirrors, decisions, { causes } = { causes: false }) => {
  const [first] = mirrors
  if (!first) throw new RangeError('there is no trace')
  let read = new Set<string>()
  let outcomes: Outcome[] = []
  const observed = await createObserved(
    { seed: seedOf(first), decisions: decisions as DecisionInput, ext: first.ext, now: first.now },
    {
      decision: (id) => read.add(id),
      ...(causes ? { outcome: (outcome: Outcome) => void outcomes.push(outcome) } : {}),
    },
  ).catch(unlessContradicted)
  if (!observed) return null
  const { tracker, answer, image, put } = observed
  const known = answersOf(first)
  const ids = mirrors.map(peopleOf)
  const step = decisions['create-id-assignment'] === 'stepped' ? 7 : 1
  const reads = read
  return {
    start: (part) => startOf(mirrors[part] ?? first),
    reads,
    send(call, state, sessions) {
      put(withNextId(state, call, step))
      outcomes = []
      read = new Set()
      const { status, body, headers } = answer(requestOf(call, sessions, tracker.baseUrl, first.ext))
      const key = JSON.stringify([status, headers, body])
      const seen: Seen = known.get(key) ?? {
        status,
        json: JSON.parse(body ?? 'null'),
        headers: Object.fromEntries(headers),
      }
      known.set(key, seen)
      return { seen, cause: causeOf(outcomes), reads: read, after: image() }
    },
    userOf: ({ part, caller }) => ids[part]?.get(caller) ?? null,
  }
}

/** The emulator gives to what it makes the id that the target gave. */
function withNextId(state: State, call: Sent | Recorded, step: number): State {
  if (!('makes' in call) || !call.makes) return state
  const { kind, id } = call.makes
  return { ...state, lastIds: { ...state.lastIds, [kind]: (id ?? UNTOLD + call.n * step) - step } }
}

/** Checking them before would take as long as all else. */
function unlessContradicted(error: unknown): null {
  if (error instanceof RangeError) return null
  throw error
}

function causeOf(outcomes: readonly Outcome[]): Cause | null {
  const [first] = outcomes
  return first ? { ...first, source: outcomes.find(({ source }) => source !== undefined)?.source } : null
}

/** One state for all simulators of a mirror: making it is the dearest part of making one. */
const seedOf = memoised(stateOf)
const startOf = memoised((mirror: Mirror) => imageOf(seedOf(mirror)))
const peopleOf = memoised(idsOf)

/** Most answers are given again and again: one object for each tells at once that two are the same. */
const answersOf = memoised((_: Mirror) => new Map<string, Seen>())

/** Without the cost of a `Request`: a learning makes a hundred thousand of them. */
function requestOf(call: Sent, sessions: Sessions, base: string, ext: string): Call {
  const { method, parameters } = operation(call.operation)
  const headers = new Headers()
  for (const [name, value] of Object.entries(call.headers)) if (name !== 'cookie') headers.set(name, value)
  for (const [name, value] of Object.entries(credentialsOf(call, sessions))) headers.set(name, value)
  const bytes = call.text === null ? null : new TextEncoder().encode(call.text)
  const path = Object.fromEntries(parameters.map(({ name }) => [name, call.address ?? '']))
  const query = call.query === '' ? '' : `?${call.query}`
  const url = `${base}${pathOf(call.operation, ext, path)}${call.suffix ?? ''}${query}`
  return new Call(method, url, headers, bytes)
}

/** A session is presented as the emulator has handed it out. */
function credentialsOf({ caller, authorization }: Sent, sessions: Sessions): Record<string, string> {
  if (authorization !== undefined) return authorization === null ? {} : { authorization }
  const session = sessions[caller]
  if (session !== undefined)
    return session.includes('=') ? { cookie: session } : { authorization: `Bearer ${session}` }
  return { authorization: `Bearer ${secretOf(caller)}` }
}
