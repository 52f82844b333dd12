/** Carries out a call. If a step refuses or fails, it throws, and nothing has changed. */
import { operation as contractOf } from '../../conformance/contract/operations.js'
import { operations } from '../operations/index.js'
import { answerBody } from './answers.js'
import { authenticate } from './auth.js'
import { bodyOf } from './body.js'
import { type AdmittedCall, type Call, isAdmitted } from './call.js'
import { refuse, refuseBy } from './errors.js'
import { BODY_LIMIT } from './message.js'
import { mailsOf } from './reports.js'
import { translated } from './translate.js'

export function serve(call: Call): void {
  const { twin } = call.setup
  if (call.match.kind !== 'operation') refusePath(call)
  if (twin) {
    twin.serve(call)
    return
  }
  const admitted = admit(call)
  carryOut(admitted, () => answerBody(operations[admitted.operation](admitted), admitted.decisions))
}

/** Identifies the caller and reads the body; refuses the call if either fails. */
export function admit(call: Call): AdmittedCall {
  call.step = 'credentials'
  authenticate(call)
  if (!isAdmitted(call)) throw new Error('A call without an operation was admitted')
  touch(call)
  call.step = 'body'
  if (call.tooLarge) refuse('body-too-large', { with: [BODY_LIMIT] })
  call.body = understood(call)
  return call
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

function refusePath(call: Call): never {
  const { decisions, match, below } = call
  if (below !== '' && decisions['unknown-path-order'] === 'credentials-first') {
    call.step = 'credentials'
    authenticate(call)
    call.step = 'path'
  }
  if (match.kind === 'wrong-method') refuseMethod(call, match.allowed)
  refuse(match.kind === 'malformed' ? 'malformed-path' : 'unknown-path')
}

function refuseMethod(call: Call, methods: readonly string[]): never {
  const allow = methods.join(', ')
  refuseBy(call, 'wrong-method', {
    'not-found': ['unknown-path', allow],
    invalid: { condition: 'wrong-method', with: [allow], status: 400 },
    'method-not-allowed': { condition: 'wrong-method', with: [allow], headers: { allow } },
  })
}
