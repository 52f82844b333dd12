/** What requests would touch of the columns of an account. A request without columns reads them. */
import type { Owner } from './call.js'
import { columnLists, membersOf } from './look.js'
import { type Permit, type Rule, type Touch, Withheld } from './permit.js'

export function changesOfColumns(permit: Permit): Rule {
  const { profile, ledger, ask, need, account, changing, ofWhomever, ownerOf } = permit

  const { columns: ownColumns = [], ...ownReference } = profile.columns ?? {}
  const isOwnReference = (as: Owner, reference: object) =>
    as === 'administrator' &&
    profile.columns !== undefined &&
    JSON.stringify(reference) === JSON.stringify(ownReference)

  let readsColumns: Promise<boolean> | null = null

  /**
   * Whether a request without columns is a read, as it shows with those that the profile gives away: to some trackers it is
   * one that saves none.
   */
  async function tryColumns(): Promise<boolean> {
    const call = { operation: 'manageColumns', body: ownReference } as const
    const shown = async () => columnLists((await ask(call)).json)[0]
    const before = profile.columns && (await shown())
    if (before === undefined) return false
    const isSo = JSON.stringify(before) === JSON.stringify(ownColumns)
    const other = isSo ? ownColumns.toReversed() : ownColumns
    const known = entryOfOwn()
    const touch = await columns('administrator', ownReference, before)
    const save = (list: readonly string[]) => ask({ ...call, body: { ...ownReference, columns: list } })
    touch(await save(other))
    const [first, second] = [JSON.stringify(await shown()), JSON.stringify(await shown())]
    const isRead = first === second && first !== JSON.stringify(before)
    if (isRead) await noteSavedToo(first)
    await save(before)
    const entry = entryOfOwn()
    // Entries of earlier runs are restored by the sweep.
    if (isRead && entry && !known && JSON.stringify(await shown()) === JSON.stringify(entry.value))
      ledger.close(entry)
    return isRead
  }

  const entryOfOwn = () => ledger.find('columns', JSON.stringify(ownReference), 'administrator')

  /** A save before the first read may have changed the columns of other types as well. */
  async function noteSavedToo(saved: string): Promise<void> {
    for (const type of ['view', 'print', 'csv']) {
      const reference = { ...ownReference, type }
      const name = JSON.stringify(reference)
      const isKnown = ledger.known.some((one) => one.kind === 'columns' && one.name === name)
      const { type: own = 'view' } = ownReference as { type?: unknown }
      if (isKnown || type === own) continue
      const { json } = await ask({ operation: 'manageColumns', body: reference })
      if (JSON.stringify(columnLists(json)[0]) === saved)
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
    const before = known ? null : await ask({ operation: 'manageColumns', as, body: reference })
    const value = known ?? (before?.status === 200 ? columnLists(before.json)[0] : undefined)
    if (value === undefined && before?.status === 200 && !isOwnReference(as, reference))
      throw new Withheld(`not sent, since no answer shows what the columns of ${name} are now`)
    return changing({ kind: 'columns', name, as, ...(value ? { value } : {}) })
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
