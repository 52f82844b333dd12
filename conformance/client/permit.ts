/** What the rules on requests share: whose things a request would change, at which level, and how the ledger notes it. */
import { isCarriedOut, type Profile, type Safety, safetyLevels } from '../contract/index.js'
import { type Answer, type Ask, type Call, type Owner, owners } from './call.js'
import { createCallers } from './callers.js'
import type { Entry, Intent, Ledger } from './ledger.js'
import { below, documented, memberThatBecame } from './look.js'
import { type PartName, partOf } from './parts.js'
import { createProofs } from './proofs.js'

/** The request was not sent; the message tells why. */
export class Withheld extends Error {}
export const notSent = (why: string) => new Withheld(`not sent, since ${why}`)

/** The tracker does not have the operation, so it will not be sent later either. */
export class Lacking extends Withheld {}

/** Records the effect of a request in the ledger, after its answer; null where no answer came. */
export type Touch = (answer: Answer | null) => void

/** What a request touches; throws `Withheld` where it must not leave. `again`: after the target has asked to come back later. */
export type Rule = (call: Call, again: boolean) => Promise<readonly Touch[]>

export const isDone = (answer: Pick<Answer, 'status'> | null) =>
  answer !== null && isCarriedOut(answer.status)
export const stateAfter = (answer: Answer | null) =>
  isDone(answer) ? 'done' : answer && answer.status >= 400 && answer.status < 500 ? 'refused' : 'asked'

export const isWithin = (level: Safety, most: Safety): boolean =>
  safetyLevels.indexOf(level) <= safetyLevels.indexOf(most)

export interface PermitOptions {
  readonly profile: Profile
  readonly safety: Safety
  readonly ledger: Ledger
  /** Sends reads alone. */
  readonly ask: Ask
}

export type Permit = ReturnType<typeof createPermit>
type PagePart = PartName & { readonly kind: keyof typeof documented }

export function createPermit({ profile, safety, ledger, ask }: PermitOptions) {
  const callers = createCallers(ask, ledger, profile)
  const proofs = createProofs(ask, ledger, profile, callers)
  const allows = (level: Safety) => isWithin(level, safety)
  // Short names keep the end of the tag and the counter.
  const short = new RegExp(`${ledger.tag.slice(-3)}x[a-z]{3}`, 'i')

  /** Throws `Withheld` below this level. */
  function need(level: Safety, what: string): void {
    if (!allows(level)) throw new Withheld(`needs --safety ${level}: ${what}`)
  }

  /** Whether a text contains a made-up word of this run. */
  const isMadeUp = (text: unknown): text is string =>
    typeof text === 'string' && (text.toLowerCase().includes(ledger.tag) || short.test(text))

  function addWords(entry: Entry, words: readonly string[] = []): void {
    const all = [...new Set([...entry.words, ...words])]
    if (all.length > entry.words.length) ledger.set(entry, { words: all })
  }

  /** One entry for each thing, with its value before the first change. `done`: its state after a change that was done. */
  async function changing(intent: Intent, done: Entry['state'] = 'done'): Promise<Touch> {
    const owner = intent.as ? await callers.nameOf(intent.as) : null
    const open = ledger.find(intent)
    const entry = open ?? ledger.intend({ ...intent, owner })
    addWords(entry, intent.words)
    return (answer) => {
      if (isDone(answer)) ledger.set(entry, { state: done })
      else if (entry.state === 'gone' && intent.kind !== 'plugin') ledger.set(entry, { state: 'asked' })
      else if (open === undefined) ledger.set(entry, { state: stateAfter(answer) })
    }
  }

  /** The members that show the columns and the value of a setting. */
  const members = { ...documented }

  /**
   * Saves a value that the profile gives away, to see which member of the page comes to show it. Returns what that member showed
   * before.
   */
  async function formerAsSaved(part: PagePart, given: unknown, before: unknown): Promise<unknown> {
    if (given === undefined) return undefined
    const { page, change, valueIn } = partOf(part)
    const touch = await changing(part)
    touch(await ask(change(given)))
    const at = memberThatBecame(before, (await ask(page)).json, given)
    const value = at === undefined ? undefined : valueIn(before, at)
    const entry = ledger.find(part)
    if (at === undefined || value === undefined || !entry) return undefined
    members[part.kind] = at
    ledger.set(entry, { value, at })
    return value
  }

  /** The token of the profile that a request uses; `nobody` where the target accepts none. */
  async function account(call: Call): Promise<Owner | 'nobody' | Entry> {
    const from = await callers.of(call)
    if (typeof from === 'string' && allows('destructive')) await assertOwnPages()
    if (from === 'disabled') throw notSent('it would change a disabled account')
    if (from === 'other') throw notSent('its credentials speak for somebody unknown')
    return from
  }

  let own: Promise<boolean> | null = null

  /** If two callers see the same page, the values of the second are unknown. */
  async function assertOwnPages(): Promise<void> {
    own ??= haveOwnPages()
    if (!(await own)) throw notSent('the account pages of two tokens are the same')
  }

  async function haveOwnPages(): Promise<boolean> {
    const shown: string[] = []
    for (const as of owners) {
      if (profile.tokens[as] === undefined) continue
      const { status, json } = await ask({ operation: 'getAccountPage', as })
      // A page without names does not show its owner.
      const isNamed = below(json, /^(user_?name|login|real_?name)$/i).length > 0
      if (status === 200 && isNamed) shown.push(JSON.stringify(json))
    }
    return new Set(shown).size === shown.length
  }

  /** A change without a caller may affect the administrator. */
  const ownerOf = (from: Owner | 'nobody'): Owner => (from === 'nobody' ? 'administrator' : from)
  /** It may also affect users whose things cannot be read. It is reported if it was answered 200. */
  const ofWhomever = async (from: Owner | 'nobody', intent: Intent): Promise<Touch[]> =>
    from === 'nobody' ? [await changing(intent)] : []

  return {
    ...{ profile, ledger, ask, proofs, allows, need, isMadeUp },
    ...{ members, formerAsSaved, addWords, changing, account, assertOwnPages, ownerOf, ofWhomever },
    caller: callers.of,
    /** The username behind a token of the profile; null where no page shows it. */
    nameOf: callers.nameOf,
  }
}
