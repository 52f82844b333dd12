/** The emulator as a simulator of a live tracker, for `learn` and `diff`. */
import { resolveDecisions, valuesOf } from '../../../emulator/decisions/index.js'
import { type DecisionInput, ledger } from '../../../emulator/index.js'
import { createObserved } from '../../../emulator/observed.js'
import { Call as Sent } from '../../../emulator/request/call.js'
import type { Image } from '../../../emulator/state/store.js'
import type { Outcome } from '../../../emulator/twin/twin.js'
import type { Call } from '../../client/call.js'
import { operation, pathOf } from '../../contract/index.js'
import { UsageError } from '../../contract/trouble.js'
import type { Mirror } from '../ask/mirror.js'
import type { Seen } from '../ask/script.js'
import type { Cause, LedgerView, Simulate, Values } from './copy.js'
import { stateOf } from './state.js'

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

export const simulate: Simulate = async (mirror, decisions, { causes } = { causes: false }) => {
  let read = new Set<string>()
  let outcomes: Outcome[] = []
  const ext = mirror.profile.ext ?? 'Ext'
  const observed = await createObserved(
    { seed: seedOf(mirror), decisions: decisions as DecisionInput, ext, now: '2026-01-01T00:00:00Z' },
    {
      decision: (id) => read.add(id),
      ...(causes ? { outcome: (outcome: Outcome) => void outcomes.push(outcome) } : {}),
    },
  ).catch(unlessContradicted)
  if (!observed) return null
  const { tracker, answer, start, image, put } = observed
  const seen = answersOf(mirror)
  return {
    async send(call) {
      outcomes = []
      const { status, body, headers } = answer(
        requestOf(call, mirror, `${tracker.baseUrl}${pathOf(call.operation, ext, call.path)}`),
      )
      const key = JSON.stringify([status, headers, body])
      const known = seen.get(key) ?? {
        status,
        json: JSON.parse(body ?? 'null'),
        headers: Object.fromEntries(headers),
      }
      seen.set(key, known)
      return { seen: known, cause: causeOf(outcomes) }
    },
    idOf(kind, name) {
      const { users, customFields } = tracker.db
      const found =
        kind === 'user'
          ? users.rows.find(({ username }) => username === name)
          : customFields.rows.find((field) => field.name === name)
      return found?.id ?? null
    },
    start,
    state: image,
    restore: (state) => put(state as Image),
    takeRead() {
      const taken = read
      read = new Set()
      return taken
    },
  }
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

/** Most answers are given again and again: one object for each tells at once that two are the same. */
const answersOf = memoised((_: Mirror) => new Map<string, Seen>())

function memoised<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, V>()
  return (key) => {
    const value = made.get(key) ?? make(key)
    made.set(key, value)
    return value
  }
}

/** Without the cost of a `Request`: a learning makes a hundred thousand of them. */
function requestOf(call: Call, mirror: Mirror, base: string): Sent {
  const token = mirror.profile.tokens[call.as ?? 'administrator'] ?? ''
  const authorization = call.authorization === undefined ? `Bearer ${token}` : call.authorization
  const content = call.rawBody ?? (call.body === undefined ? undefined : JSON.stringify(call.body))
  const headers = new Headers(authorization === null ? {} : { authorization })
  if (content !== undefined) headers.set('content-type', 'application/json')
  for (const [name, value] of Object.entries(call.headers ?? {})) {
    if (value === null) headers.delete(name)
    else headers.set(name, value)
  }
  const bytes = content === undefined ? null : new TextEncoder().encode(content)
  const url = `${base}${call.suffix ?? ''}${call.query ? `?${call.query}` : ''}`
  return new Sent(operation(call.operation).method, url, headers, bytes)
}
