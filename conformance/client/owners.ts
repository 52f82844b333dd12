/** Whose things a request would change, apart from those of the run: the owner of a token of the profile, or an unknown user. */
import type { Call, Identity } from './call.js'
import { isDone, type Judge, stateAfter, type Touch, Withheld } from './judge.js'
import type { Entry, Intent } from './ledger.js'
import { userNamesIn } from './look.js'

/** Owners whose things can be read and restored. */
export type Owner = Exclude<Identity, 'disabled'>
const identities: readonly Owner[] = ['administrator', 'restricted', 'password']

export type Owners = ReturnType<typeof createOwners>

export function createOwners(judge: Judge) {
  const { profile, ledger, caller } = judge

  /** One entry for each thing, with its value before the first change. */
  async function changing(intent: Intent): Promise<Touch> {
    const { kind, name, as } = intent
    const owner = as ? await judge.nameOf(as) : null
    const open = ledger.find(kind, name, as)
    const entry = open ?? ledger.intend({ ...intent, owner })
    const words = (intent.words ?? []).filter((word) => !entry.words.includes(word))
    if (words.length > 0) ledger.set(entry, { words: [...entry.words, ...words] })
    return (answer) => {
      if (isDone(answer)) ledger.set(entry, { state: 'done' })
      else if (entry.state === 'gone') ledger.set(entry, { state: 'asked' })
      else if (open === undefined) ledger.set(entry, { state: stateAfter(answer) })
    }
  }

  /** The token of the profile that a request uses; `nobody` where the target accepts none. */
  async function account(call: Call): Promise<Owner | 'nobody' | Entry> {
    const from = await caller(call)
    if (typeof from === 'string' && judge.allows('destructive')) await assertOwnPages()
    if (from === 'disabled') throw new Withheld('not sent, since it would change a disabled account')
    if (from === 'other') throw new Withheld('not sent, since its credentials speak for somebody unknown')
    return from
  }

  let own: Promise<boolean> | null = null

  /** If two callers see the same page, the values of the second are unknown. */
  async function assertOwnPages(): Promise<void> {
    own ??= haveOwnPages()
    if (!(await own)) throw new Withheld('not sent, since the account pages of two tokens are the same')
  }

  async function haveOwnPages(): Promise<boolean> {
    const shown: string[] = []
    for (const as of identities) {
      // A page without names does not show its owner.
      if (profile.tokens[as] === undefined) continue
      const { status, json } = await judge.ask({ operation: 'getAccountPage', as })
      if (status === 200 && userNamesIn(json).length > 0) shown.push(JSON.stringify(json))
    }
    return new Set(shown).size === shown.length
  }

  /** A change without a caller may affect the administrator. */
  const ownerOf = (from: Owner | 'nobody'): Owner => (from === 'nobody' ? 'administrator' : from)
  /** It may also affect users whose things cannot be read. It is reported if it was answered 200. */
  const ofWhomever = async (from: Owner | 'nobody', intent: Intent): Promise<Touch[]> =>
    from === 'nobody' ? [await changing(intent)] : []

  return { account, assertOwnPages, changing, ofWhomever, ownerOf }
}
