/** Whose things a request would change, beyond those of the run: one of the profile's tokens, or whomever. */
import type { Call, Identity } from './call.js'
import { isDone, type Judge, stateAfter, type Touch, Withheld } from './judge.js'
import type { Entry, Intent } from './ledger.js'
import { userNamesIn } from './look.js'

/** Whose things can be read, and so put back. */
export type Owner = Exclude<Identity, 'disabled'>
const identities: readonly Owner[] = ['administrator', 'restricted', 'password']

export type Owners = ReturnType<typeof createOwners>

export function createOwners(judge: Judge) {
  const { profile, ledger, caller } = judge

  /** One entry for each thing: what it was before the first change is what counts. */
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

  /** The token of the profile that is behind a request; nobody's where the target takes its credentials for none. */
  async function account(call: Call): Promise<Owner | 'nobody' | Entry> {
    const from = await caller(call)
    if (typeof from === 'string' && judge.allows('destructive')) await assertOwnPages()
    if (from === 'disabled') throw new Withheld('not sent, since it would change a disabled account')
    if (from === 'other') throw new Withheld('not sent, since its credentials speak for somebody unknown')
    return from
  }

  let own: Promise<boolean> | null = null

  /** Where a page is that of whoever saw it first, nobody knows what the others have. */
  async function assertOwnPages(): Promise<void> {
    own ??= haveOwnPages()
    if (!(await own)) throw new Withheld('not sent, since the account pages of two tokens are the same')
  }

  async function haveOwnPages(): Promise<boolean> {
    const shown: string[] = []
    for (const as of identities) {
      // What names nobody says of nobody whose it is.
      if (profile.tokens[as] === undefined) continue
      const { status, json } = await judge.ask({ operation: 'getAccountPage', as })
      if (status === 200 && userNamesIn(json).length > 0) shown.push(JSON.stringify(json))
    }
    return new Set(shown).size === shown.length
  }

  /** What is changed in the name of nobody may be changed for the administrator. */
  const ownerOf = (from: Owner | 'nobody'): Owner => (from === 'nobody' ? 'administrator' : from)
  /** Or for anybody, of whom nothing can be read: it is told where it was answered as done. */
  const ofWhomever = async (from: Owner | 'nobody', intent: Intent): Promise<Touch[]> =>
    from === 'nobody' ? [await changing(intent)] : []

  return { account, assertOwnPages, changing, ofWhomever, ownerOf }
}
