/** Takes a call from the transport to its answer. A step that refuses or fails throws, and then nothing has changed. */
import { operation as contractOf } from '../../conformance/contract/operations.js'
import { milliseconds } from '../arrange/clock.js'
import { ConnectionDropped, type Fault, type FaultCall, faultText } from '../arrange/faults.js'
import { operations } from '../operations/index.js'
import { authenticate } from './auth.js'
import { bodyOf, readContent } from './body.js'
import { type AdmittedCall, type Call, isAdmitted, type Setup } from './call.js'
import { errorAnswer, Refused, refuse, refuseBy } from './errors.js'
import { BODY_LIMIT, type Outgoing } from './message.js'
import { answerBody } from './operation.js'
import { callersLanguage, DEFAULT_LANGUAGE } from './preferences.js'
import { mailsOf } from './reports.js'
import { respond } from './respond.js'
import { translated } from './translate.js'

/** Throws, or rejects, if the client gets no answer. Only a fault may make it asynchronous. */
export function handle(setup: Setup, call: Call): Outgoing | Promise<Outgoing> {
  call.begin(setup)
  if (call.operation !== null) {
    readContent(call, call.operation)
    if (setup.faults.active.length > 0)
      return serveWithFaults(call).then(
        () => finished(call),
        (error) =>
          error instanceof ConnectionDropped || call.signal?.aborted
            ? lost(call, error)
            : failed(call, error),
      )
  }
  try {
    serve(call)
  } catch (error) {
    return failed(call, error)
  }
  return finished(call)
}

async function serveWithFaults(call: Call): Promise<void> {
  const given = faultCallOf(call)
  const before = call.setup.faults.take('before', given)
  if (before) await strike(call, before)
  if (call.status > 0) return
  serve(call)
  const after = call.setup.faults.take('after', given)
  if (after) await strike(call, after)
}

/** The argument of a matcher. It names the caller even if the fault answers before the tracker checks credentials. */
function faultCallOf(call: Call): FaultCall {
  try {
    const identified = call.with({})
    authenticate(identified)
    call.caller = identified.caller
  } catch (error) {
    if (!(error instanceof Refused)) throw error
  }
  const { operation: id, path, json: body = null, caller } = call
  return { operation: id as FaultCall['operation'], path, body, caller: caller?.username ?? null }
}

async function strike(call: Call, fault: Fault): Promise<void> {
  const text = faultText(fault, call.operation ?? '')
  call.fault = call.fault === null ? text : `${call.fault}, ${text}`
  const { delay, status, body, headers, transport } = fault
  if (delay !== undefined) await call.setup.clock.wait(milliseconds(delay), call.signal ?? undefined)
  if (transport === 'drop') throw new ConnectionDropped()
  if (status !== undefined) {
    const injected = new Refused('injected', { with: [status] })
    call.status = status
    call.result = body === undefined ? errorAnswer(injected, call.decisions, DEFAULT_LANGUAGE) : body
    call.answerHeaders = [...new Headers(headers)]
    const type = new Headers(headers).get('content-type') ?? 'json'
    if (typeof body === 'string' && !type.includes('json')) call.raw = body
  }
  call.truncated = transport === 'truncate'
}

function serve(call: Call): void {
  if (call.setup.twin) return void call.setup.twin(call)
  const admitted = admit(call)
  carryOut(admitted, () => answerBody(operations[admitted.operation](admitted), admitted.decisions))
}

function refusePath(call: Call): never {
  const { decisions, match, below } = call
  if (below !== '' && decisions['unknown-path-order'] === 'credentials-first') {
    call.step = 'credentials'
    authenticate(call)
    call.step = 'path'
  }
  if (match.kind === 'wrong-method') {
    const allow = match.allowed.join(', ')
    refuseBy(call, 'wrong-method', {
      'not-found': ['unknown-path', allow],
      invalid: { condition: 'wrong-method', with: [allow], status: 400 },
      'method-not-allowed': { condition: 'wrong-method', with: [allow], headers: { allow } },
    })
  }
  refuse(match.kind === 'malformed' ? 'malformed-path' : 'unknown-path')
}

/** Identifies the caller and reads the body; refuses the call if either fails, or if its path leads to no operation. */
export function admit(call: Call): AdmittedCall {
  if (call.match.kind !== 'operation') refusePath(call)
  call.step = 'credentials'
  authenticate(call)
  if (!isAdmitted(call)) throw new Error('A call without an operation was admitted')
  touch(call)
  call.step = 'body'
  if (call.tooLarge) refuse('body-too-large', { with: [BODY_LIMIT] })
  call.body = understood(call)
  return call
}

/** Stores the second of the token's last use. impersonateUser ends an earlier impersonation, even if it is refused. */
function touch(call: AdmittedCall): void {
  const { session, operation, store } = call
  const used_at = toTheSecond(call.now())
  const ends = operation === 'impersonateUser' && session.acting_as != null
  if (ends) call.session = store.db.tokens.change(session, { used_at, acting_as: null })
  else if (session.used_at !== used_at) call.session = store.db.tokens.change(session, { used_at })
}

// Most requests arrive in the same second as the one before, and comparing is faster than formatting a date.
let second = Number.NaN
let secondText = ''

function toTheSecond(now: Date): string {
  const begun = Math.floor(now.getTime() / 1000)
  if (begun !== second) {
    second = begun
    secondText = `${now.toISOString().slice(0, 19)}Z`
  }
  return secondText
}

/** The body as the operation sees it. */
export const understood = (call: AdmittedCall): unknown =>
  translated(bodyOf(call, call.operation), call.operation, call.decisions)

/** Carries out an operation completely or not at all; `work` returns the body of the answer. */
export function carryOut(call: AdmittedCall, work: () => unknown): void {
  const { store, operation } = call
  if (contractOf(operation).method === 'GET') {
    call.result = work()
  } else {
    const { rows } = store.db.notifications
    const last = rows.at(-1)
    call.result = store.whole(work)
    if (rows.at(-1) !== last)
      call.mails = mailsOf(store.db, last ? rows.slice(rows.lastIndexOf(last) + 1) : rows)
  }
  call.status = 200
}

/** Ends a call whose client gets no answer. */
function lost(call: Call, reason: unknown): never {
  call.answerHeaders = []
  call.end(0, '')
  call.setup.record?.(call)
  throw reason
}

function failed(call: Call, error: unknown): Outgoing {
  const refused = error instanceof Refused ? error : internal(error)
  refused.step ??= call.step
  if (call.setup.record) call.refused = refused
  call.status = refused.status
  call.result = errorAnswer(refused, call.decisions, callersLanguage(call))
  call.answerHeaders = Object.entries(refused.options.headers ?? {})
  return finished(call)
}

const internal = (error: unknown) =>
  new Refused('internal', { with: [error instanceof Error ? error.message : String(error)] })

function finished(call: Call): Outgoing {
  const text = JSON.stringify(call.result ?? null)
  const outgoing = respond(call, call.raw ?? text)
  call.end(outgoing.status, call.result === undefined ? '' : text)
  call.setup.record?.(call)
  return outgoing
}
