/**
 * The one door through which requests leave that could change something. Each is treated as if the target carried it
 * out, whoever sends it and whatever it is expected to answer: a read must have shown that what it addresses is the
 * run's own or nothing at all, or the profile must give it away. What is changed beyond that is read before, and goes
 * into the ledger so that it is put back or told.
 */
import { z } from 'zod'
import { operation, type Profile } from '../contract/index.js'
import { bracketsOf, looselyParsed, parseJson } from './body.js'
import type { Call, Identity } from './call.js'
import { speaksForOwner } from './callers.js'
import { isObject, values } from './look.js'
import { createPermit, Lacking, notSent, type PermitOptions, type Touch } from './permit.js'
import { createTouches } from './touches.js'

export function createGuard(options: PermitOptions) {
  const { profile, ledger, ask } = options
  const permit = createPermit(options)
  const { proofs, nameOf, members, allows } = permit
  const touches = createTouches(permit)

  /** Tokens that a page has shown to act as their owner since the last impersonation. */
  const owners = new Set<Identity>()

  /** On some trackers an impersonation changes the token's user, so that a later change would act as that user. */
  async function assertOwner({ operation: id, authorization, as = 'administrator' }: Call): Promise<void> {
    if (id === 'impersonateUser') return owners.clear()
    for (const session of ledger.open.filter(({ kind }) => kind === 'session')) {
      const { as: its = 'administrator' } = session
      const isIts =
        authorization === undefined ? as === its : authorization?.includes(profile.tokens[its] ?? '')
      if (!isIts || owners.has(its)) continue
      if (!(await speaksForOwner(ask, session)))
        throw notSent(`tokens.${its} speaks for another user since an impersonation`)
      owners.add(its)
    }
  }

  return {
    ...{ ledger, proofs, nameOf, members, allows },
    /** Throws `Withheld` where the request must not leave. */
    async admit(call: Call, again: boolean): Promise<readonly Touch[]> {
      const { method, parameters } = operation(call.operation)
      if (profile.notImplemented?.includes(call.operation))
        throw new Lacking(`not sent, since the profile says that the tracker has no ${call.operation}`)
      if (method === 'GET') return []
      await assertOwner(call)
      const rule = touches[call.operation]
      if (rule === undefined) throw notSent(`no rule says what ${call.operation} changes`)
      if (call.rawBody === undefined) return rule(call, again)
      if (parameters.length === 0 && saysNothing(call, profile)) return []
      return rule({ ...call, body: looselyParsed(call.rawBody) }, again)
    },
  }
}

/**
 * A body that ends before its brackets do, and names nothing that the operation takes: no parser makes anything of it, or
 * nothing more than no body at all, which must not be a right one either.
 */
function saysNothing({ operation: id, rawBody = '' }: Call, { settings }: Profile): boolean {
  if (parseJson(rawBody) !== undefined || bracketsOf(rawBody).missing === '') return false
  const { body } = operation(id)
  if (body?.safeParse({}).success) return false
  const words = () => values(settings).flatMap((one) => (isObject(one) ? Object.keys(one) : String(one)))
  const names = body instanceof z.ZodObject ? Object.keys(body.shape) : words()
  return !names.some((name) => rawBody.includes(name))
}
