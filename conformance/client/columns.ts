/** What requests would touch of the columns of an account. A request without columns reads them. */
import { same } from '../oracle/json.js'
import type { Owner } from './call.js'
import { columnLists, membersOf, memberThatBecame } from './look.js'
import { type Permit, type Rule, type Touch, Withheld } from './permit.js'

export function changesOfColumns(permit: Permit): Rule {
  const { profile, ledger, ask, need, account, changing, ofWhomever, ownerOf, members } = permit

  const { columns: given = [], ...ownReference } = profile.columns ?? {}
  const isOwnReference = (as: Owner, reference: object) =>
    as === 'administrator' && profile.columns !== undefined && same(reference, ownReference)

  async function shownOf(reference: object, as: Owner = 'administrator') {
    const { status, json } = await ask({ operation: 'manageColumns', as, body: reference })
    return { status, json, list: columnLists(json, members.columns)[0] }
  }

  let readsColumns: Promise<boolean> | null = null

  /**
   * Whether a request without columns is a read, as it shows with those that the profile gives away: to some trackers it is
   * one that saves none.
   */
  async function tryColumns(): Promise<boolean> {
    const shown = async () => (await shownOf(ownReference)).list
    const save = (columns: readonly string[]) =>
      ask({ operation: 'manageColumns', body: { ...ownReference, columns } })
    if (!profile.columns) return false
    const before = (await shown()) ?? (await formerAsSaved())
    if (before === undefined) return false
    const known = entryOfOwn()
    const touch = await columns('administrator', ownReference, before)
    touch(await save(same(before, given) ? given.toReversed() : given))
    const [first, second] = [await shown(), await shown()]
    const isRead = same(first, second) && !same(first, before)
    if (isRead) await noteSavedToo(first)
    await save(before)
    const entry = entryOfOwn()
    // Entries of earlier runs are restored by the sweep.
    if (isRead && entry && !known && same(await shown(), entry.value)) ledger.close(entry)
    return isRead
  }

  /** Saves the columns that the profile gives away to see which member shows them. Returns those that it showed before. */
  async function formerAsSaved(): Promise<readonly string[] | undefined> {
    const before = await shownOf(ownReference)
    const touch = await changing({ kind: 'columns', name: JSON.stringify(ownReference), as: 'administrator' })
    touch(await ask({ operation: 'manageColumns', body: { ...ownReference, columns: given } }))
    const at = memberThatBecame(before.json, (await shownOf(ownReference)).json, given)
    const [value] = at === undefined ? [] : columnLists(before.json, at)
    const entry = entryOfOwn()
    if (at === undefined || value === undefined || !entry) return undefined
    members.columns = at
    ledger.set(entry, { value, at })
    return value
  }

  const entryOfOwn = () => ledger.find('columns', JSON.stringify(ownReference), 'administrator')

  /** A save before the first read may have changed the columns of other types as well. */
  async function noteSavedToo(saved: readonly string[] | undefined): Promise<void> {
    const { type: own = 'view' } = ownReference as { type?: unknown }
    for (const type of ['view', 'print', 'csv']) {
      const reference = { ...ownReference, type }
      const name = JSON.stringify(reference)
      const isKnown = ledger.known.some((one) => one.kind === 'columns' && one.name === name)
      if (!isKnown && type !== own && same((await shownOf(reference)).list, saved))
        ledger.intend({ kind: 'columns', name, as: 'administrator', state: 'done' })
    }
  }

  async function assertRead(as: Owner, reference: object): Promise<void> {
    // Recorded before the first read of the profile's columns, so that their former value is known.
    readsColumns ??= tryColumns()
    if (!(await readsColumns) && !isOwnReference(as, reference))
      throw new Withheld('not sent, since no read shows that a request without columns saves none')
  }

  /** The run restores the columns that a later read shows. */
  async function columns(as: Owner, reference: object, known?: readonly string[]): Promise<Touch> {
    const name = JSON.stringify(reference)
    if (!known) await assertRead(as, reference)
    const open = ledger.find('columns', name, as)
    if (open) return changing(open)
    const { status, list } = known ? { status: 200, list: known } : await shownOf(reference, as)
    const value = status === 200 ? list : undefined
    if (value === undefined && status === 200 && !isOwnReference(as, reference))
      throw new Withheld(`not sent, since no answer shows what the columns of ${name} are now`)
    return changing({ kind: 'columns', name, as, ...(value ? { value, at: members.columns } : {}) })
  }

  return async (call) => {
    need('destructive', 'it may save the columns of its caller')
    const from = await account(call)
    if (typeof from === 'object') return []
    const { columns: saved, ...reference } = membersOf(call.body)
    const as = ownerOf(from)
    if (saved === undefined) {
      await assertRead(as, reference)
      return []
    }
    const name = JSON.stringify(reference)
    return [await columns(as, reference), ...(await ofWhomever(from, { kind: 'columns', name }))]
  }
}
