/**
 * Which helpdesk recipients a deletion may name. No read shows one, so the profile alone says which may go. For one that
 * there is not a tracker may take another: it is asked for at `destructive` alone, and never again once that was answered as
 * done.
 */
import { NoAnswer } from './call.js'
import { isDone, notSent, type Permit, type Rule, stateAfter } from './permit.js'
import { isLarge, leadingNumber } from './proofs.js'

export function deletionOfRecipients({ profile, ledger, need }: Permit): Rule {
  const given = profile.recipients?.map(String) ?? []
  const entryOf = (name: string) =>
    ledger.known.findLast((one) => one.kind === 'recipient' && one.name === name)
  /** A tracker that casts reads letters as 0, and digits before other signs as a number. */
  function isNobody(name: string): boolean {
    const number = leadingNumber(name)
    return number === undefined || given.includes(number) || isLarge(name)
  }

  /** An absent id for which the target answered that it deleted something. */
  let strange: string | null = null

  function tellAll(name: string): void {
    strange = name
    const value = `may be gone: the deletion of ${name}, which there was not, was answered as done`
    for (const other of ['whichever', ...given])
      if (!entryOf(other)) ledger.intend({ kind: 'recipient', name: other, value })
  }

  return async ({ operation, path }, again) => {
    const name = String(path?.recipient_id)
    need('destructive', `no read shows what the recipient ${name} is`)
    if (strange !== null)
      throw notSent(`the target has deleted something for the recipient ${strange}, which there was not`)
    const known = entryOf(name)
    const isThere = given.includes(name) && known?.state !== 'done'
    if (!isThere && !isNobody(name)) throw notSent(`the profile does not give the recipient ${name} away`)
    const unclear = 'the target throttles, and nothing shows whether it was done'
    if (again) throw new NoAnswer(unclear, 'throttled', operation)
    const entry = known ?? ledger.intend({ kind: 'recipient', name })
    return [
      (answer) => {
        if (isThere || isDone(answer)) ledger.set(entry, { state: stateAfter(answer) })
        else if (known === undefined && stateAfter(answer) === 'refused') ledger.close(entry)
        if (!isThere && isDone(answer)) tellAll(name)
      },
    ]
  }
}
