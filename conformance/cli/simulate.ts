/** The emulator as a simulator of a live tracker, for `learn` and `diff`. */
import { resolveDecisions } from '../../emulator/decisions/index.js'
import { type DecisionInput, ledger, type State } from '../../emulator/index.js'
import { createObserved } from '../../emulator/tracker.js'
import type { Outcome } from '../../emulator/request/pipeline.js'
import { operation, pathOf } from '../contract/index.js'
import type { Cause, LedgerView, Simulate } from '../learn/simulate.js'
import { stateOf } from './mirrored-state.js'

export const ledgerView: LedgerView = ledger

export const simulate: Simulate = async (mirror, decisions) => {
  try {
    resolveDecisions(decisions as DecisionInput)
  } catch {
    return null
  }
  let read = new Set<string>()
  let outcomes: Outcome[] = []
  const seed: State = stateOf(mirror)
  const ext = mirror.profile.ext ?? 'Ext'
  const tracker = await createObserved(
    { seed, decisions: decisions as DecisionInput, ext, now: new Date().toISOString() },
    { decision: (id) => read.add(id), outcome: (outcome) => outcomes.push(outcome) },
  )
  return {
    async send(call) {
      outcomes = []
      const token = mirror.profile.tokens[call.as ?? 'administrator'] ?? ''
      const authorization = call.authorization === undefined ? `Bearer ${token}` : call.authorization
      const content = call.rawBody ?? (call.body === undefined ? undefined : JSON.stringify(call.body))
      const headers = new Headers(authorization === null ? {} : { authorization })
      if (content !== undefined) headers.set('content-type', 'application/json')
      for (const [name, value] of Object.entries(call.headers ?? {})) {
        if (value === null) headers.delete(name)
        else headers.set(name, value)
      }
      const url = `${tracker.baseUrl}${pathOf(call.operation, ext, call.path)}${call.suffix ?? ''}${call.query ? `?${call.query}` : ''}`
      const { method } = operation(call.operation)
      const body = content === undefined ? null : new TextEncoder().encode(content)
      const response = await tracker.fetch(new Request(url, { method, headers, body }))
      const text = await response.text()
      return {
        seen: { status: response.status, json: parsed(text), headers: Object.fromEntries(response.headers) },
        cause: causeOf(outcomes),
      }
    },
    idOf(kind, name) {
      const { users, customFields } = tracker.db
      const found =
        kind === 'user'
          ? users.rows.find(({ username }) => username === name)
          : customFields.rows.find((field) => field.name === name)
      return found?.id ?? null
    },
    reset: () => tracker.reset(),
    takeRead() {
      const taken = read
      read = new Set()
      return taken
    },
  }
}

function causeOf(outcomes: readonly Outcome[]): Cause | null {
  const [first] = outcomes
  return first ? { ...first, source: outcomes.find(({ source }) => source !== undefined)?.source } : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
