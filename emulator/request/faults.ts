/** Applies injected faults to a call. A fault may delay the answer, so with faults a call is asynchronous. */
import { milliseconds } from '../arrange/clock.js'
import { ConnectionDropped, type Fault, type FaultCall, faultText } from '../arrange/faults.js'
import { authenticate } from './auth.js'
import type { Call } from './call.js'
import { errorAnswer, Refused } from './errors.js'
import { DEFAULT_LANGUAGE } from './preferences.js'

/** Thrown if the client gets no answer; its `fetch` rejects. */
export class Lost {
  constructor(readonly reason: unknown) {}
}

/** Rejects with the error of `serve`, and with `Lost` if there is no answer. */
export async function answeredWithFaults(call: Call, serve: (call: Call) => void): Promise<void> {
  const { faults } = call.setup
  const seen = seenBy(call)
  try {
    const before = faults.take('before', seen)
    if (before) await strike(call, before)
    if (call.injected) return
    serve(call)
    const after = faults.take('after', seen)
    if (after) await strike(call, after)
  } catch (error) {
    throw error instanceof ConnectionDropped || call.signal?.aborted ? new Lost(error) : error
  }
}

async function strike(call: Call, fault: Fault): Promise<void> {
  const text = faultText(fault, call.operation ?? '')
  call.fault = call.fault === null ? text : `${call.fault}, ${text}`
  const { delay, status, body, headers, transport } = fault
  if (delay !== undefined) await call.setup.clock.wait(milliseconds(delay), call.signal ?? undefined)
  if (transport === 'drop') throw new ConnectionDropped()
  if (status !== undefined) {
    const injected = new Refused('injected', { with: [status] })
    call.injected = true
    call.status = status
    call.result = body === undefined ? errorAnswer(injected, call.decisions, DEFAULT_LANGUAGE) : body
    call.answerHeaders = [...new Headers(headers)]
    const type = new Headers(headers).get('content-type') ?? 'json'
    if (typeof body === 'string' && !type.includes('json')) call.raw = body
  }
  call.truncated = transport === 'truncate'
}

/** The argument of a matcher. It names the caller even if the fault answers before the tracker checks credentials. */
function seenBy(call: Call): FaultCall {
  try {
    const identified = call.with({})
    authenticate(identified)
    call.caller = identified.caller
  } catch (error) {
    if (!(error instanceof Refused)) throw error
  }
  return {
    operation: call.operation as FaultCall['operation'],
    path: call.path,
    body: call.json ?? null,
    caller: call.caller?.username ?? null,
  }
}
