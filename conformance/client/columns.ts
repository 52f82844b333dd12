/** What requests would touch of the columns of an account. A request without columns reads them. */
import { same } from '../oracle/json.js'
import type { Owner } from './call.js'
import { membersOf } from './look.js'
import { partOf } from './parts.js'
import { notSent, type Permit, type Rule } from './permit.js'

export function changesOfColumns(permit: Permit): Rule {
  const { profile, ledger, ask, need, account, changing, ofWhomever, ownerOf, members } = permit
  const { columns: given = [], ...ownReference } = profile.columns ?? {}
  const nameOf = (reference: object, as: Owner = 'administrator') =>
    ({ kind: 'columns', name: JSON.stringify(reference), as }) as const
  const own = nameOf(ownReference)
  const isOwn = ({ name, as }: typeof own) =>
    profile.columns !== undefined && as === own.as && name === own.name

  async function shownOf(part: typeof own) {
    const { page, valueIn } = partOf(part)
    const { status, json } = await ask(page)
    return { status, json, value: valueIn(json, members.columns) }
  }

  let readsColumns: Promise<boolean> | null = null

  /**
   * Whether a request without columns is a read, as it shows with those that the profile gives away: to some trackers it is
   * one that saves none.
   */
  async function tryColumns(): Promise<boolean> {
    if (!profile.columns) return false
    const shown = async () => (await shownOf(own)).value
    const save = (columns: unknown) => ask(partOf(own).change(columns))
    const before = (await shown()) ?? (await permit.formerAsSaved(own, given, (await shownOf(own)).json))
    if (before === undefined) return false
    const known = ledger.find(own)
    const touch = await changing({ ...own, value: before, at: members.columns })
    touch(await save(same(before, given) ? given.toReversed() : given))
    const [now, again] = [await shown(), await shown()]
    const isRead = same(now, again) && !same(now, before)
    if (isRead) await noteSavedToo(now)
    await save(before)
    const entry = ledger.find(own)
    // Entries of earlier runs are restored by the sweep.
    if (isRead && entry && !known && same(await shown(), entry.value)) ledger.close(entry)
    return isRead
  }

  /** A save before the first read may have changed the columns of other types as well. */
  async function noteSavedToo(saved: unknown): Promise<void> {
    const { type: own = 'view' } = ownReference as { type?: unknown }
    for (const type of ['view', 'print', 'csv']) {
      const part = nameOf({ ...ownReference, type })
      const isKnown = ledger.known.some((one) => one.kind === 'columns' && one.name === part.name)
      if (!isKnown && type !== own && same((await shownOf(part)).value, saved))
        ledger.intend({ ...part, state: 'done' })
    }
  }

  return async (call) => {
    need('destructive', 'it may save the columns of its caller')
    const from = await account(call)
    if (typeof from === 'object') return []
    const { columns: saved, ...reference } = membersOf(call.body)
    const part = nameOf(reference, ownerOf(from))
    // Recorded before the first read of the profile's columns, so that their former value is known.
    readsColumns ??= tryColumns()
    if (!(await readsColumns) && !isOwn(part))
      throw notSent('no read shows that a request without columns saves none')
    if (saved === undefined) return []
    // The run restores the columns that a later read shows.
    const { status, value } = ledger.find(part) ? { status: 0, value: undefined } : await shownOf(part)
    if (status === 200 && value === undefined && !isOwn(part))
      throw notSent(`no answer shows what the columns of ${part.name} are now`)
    const shown = status === 200 ? { value, at: members.columns } : {}
    const touch = await changing({ ...part, ...shown })
    return [touch, ...(await ofWhomever(from, { kind: 'columns', name: part.name }))]
  }
}
