/**
 * Which helpdesk recipients a deletion may name. No read shows one, so the profile alone says which may go; what the run
 * has deleted itself is the one address at which nothing stands.
 */
import { isDone, type Judge, type Rule, stateAfter, type Touch, Withheld } from './judge.js'

export function deletionOfRecipients({ profile, ledger, proofs, need }: Judge): Rule {
  const given = profile.recipients?.map(String) ?? []
  const entryOf = (name: string) =>
    ledger.known.findLast((one) => one.kind === 'recipient' && one.name === name)
  /** The target has deleted something where there was nothing. */
  let isDoubtful = false

  const deletion = (name: string): Touch => {
    const entry = entryOf(name) ?? ledger.intend({ kind: 'recipient', name })
    return {
      settle(answer) {
        const wasThere = entry.state !== 'done' && entry.state !== 'gone'
        if (wasThere) ledger.set(entry, { state: stateAfter(answer) })
        else if (isDone(answer)) doubt(name)
        else if (stateAfter(answer) === 'refused') ledger.set(entry, { state: 'gone' })
      },
    }
  }

  /** Whatever it has deleted in its place, it may be one of these. */
  function doubt(name: string): void {
    isDoubtful = true
    const value = `may be gone, or another one: the deletion of ${name} was answered as done when it was gone already`
    for (const other of given) if (!entryOf(other)) ledger.intend({ kind: 'recipient', name: other, value })
  }

  /** Cast, or cut off where its digits end, it is one that was found to be gone; and letters are not zero here. */
  async function isNothing(name: string): Promise<boolean> {
    const [, digits = ''] = /^([1-9]\d*)(?:\.\d|[^\d.,;ex]\D*)$/i.exec(name) ?? []
    if (entryOf(digits)?.state !== 'gone') return false
    for (const one of [name, '0'])
      if (![400, 404].includes(await proofs.statusAt('customField', one))) return false
    return true
  }

  return async (call) => {
    const name = String(call.path?.recipient_id)
    need('destructive', `no read shows what the recipient ${name} is`)
    if (isDoubtful)
      throw new Withheld(
        'not sent, since the target has answered 200 to the deletion of a recipient that was gone',
      )
    if (given.includes(name)) return [deletion(name)]
    if (!(await isNothing(name)))
      throw new Withheld(`not sent, since the profile does not give away the recipient ${name}`)
    return [{ settle: (answer) => void (isDone(answer) && doubt(name)) }]
  }
}
