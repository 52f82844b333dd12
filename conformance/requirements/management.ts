/** Sections 2.7, 2.8 and 4.2: issue-list columns, helpdesk recipients and extension settings. */

import { listedIn, listFields } from '../suite/fields.js'
import { group } from '../suite/requirement.js'
import { keepingColumns } from '../suite/shared.js'
import type { Check } from '../suite/types.js'
import type { Answer } from '../target/call.js'
import { columnLists, hasList, idOf, isPaged, knownColumnLists } from '../target/look.js'

export const management = group({ rank: 50 }, [
  {
    id: 'columns.save-and-read',
    level: 'must',
    section: '2.7',
    statement:
      'Columns are saved with 200, in their order, and where a later read shows columns it shows these.',
    operations: ['manageColumns'],
    safety: 'destructive',
    async check(t, operation) {
      await keepingColumns(t, async (columns, reference) => {
        const orders = columns.length > 1 ? [[...columns].reverse(), columns] : [columns]
        for (const order of orders) {
          const saved = await t.send({ operation, body: { ...reference, columns: order } })
          if (!t.expect(saved, 200, 'saving columns')) return
          const shown = await t.send({ operation, body: reference })
          if (shown.status === 200)
            t.observe('columns-answer', operation, Array.isArray(shown.json) ? 'list-only' : 'full')
          const lists = shown.status === 200 ? knownColumnLists(shown.json, columns) : []
          t.verify(
            lists.length === 0 || hasList(shown.json, order),
            `saved ${JSON.stringify(order)}, and a read shows ${JSON.stringify(lists[0])}`,
            shown,
          )
        }
      })
    },
  },

  {
    id: 'columns.default-type',
    level: 'must',
    section: '2.7',
    statement: 'The type of a column configuration is `view` when it is not given.',
    operations: ['manageColumns'],
    safety: 'destructive',
    async check(t, operation) {
      if ((t.need('columns').type ?? 'view') !== 'view') t.skip('the profile has no columns of the type view')
      await keepingColumns(t, async (columns, { type: _, ...reference }) => {
        const saved = await t.send({ operation, body: { ...reference, columns } })
        if (!t.expect(saved, 200, 'saving columns without a type')) return
        const shown = await t.send({ operation, body: { ...reference, type: 'view' } })
        const lists = shown.status === 200 ? knownColumnLists(shown.json, columns) : []
        t.verify(
          lists.length === 0 || hasList(shown.json, columns),
          'columns saved without a type are not those of the type view',
          shown,
        )
      })
    },
  },

  {
    id: 'columns.per-user',
    level: 'must',
    section: '4.2',
    statement: "The columns are the caller's: saving them leaves another user's as they were.",
    operations: ['manageColumns'],
    safety: 'destructive',
    async check(t, operation) {
      t.need('tokens.restricted')
      await keepingColumns(t, async (columns, reference) => {
        const others = () => t.send({ operation, body: reference, as: 'restricted' })
        // Twice: an answer may have those that were shown the time before as well.
        await others()
        const before = columnLists((await others()).json)
        const body = { ...reference, columns: [...columns].reverse() }
        t.expect(await t.send({ operation, body }), 200, 'saving columns')
        const after = await others()
        t.verify(
          before.length === 0 || isEqual(columnLists(after.json), before),
          'saving columns changed those of another user',
          after,
        )
        // Where they stand by labels they cannot be put back.
        const [theirs] = before.filter((list) => list.some((column) => columns.includes(column)))
        if (theirs === undefined) return
        // The other way round, and back at once.
        const mine = () => t.send({ operation, body: reference })
        await mine()
        const kept = columnLists((await mine()).json)
        const save = (list: readonly string[]) =>
          t.send({ operation, body: { ...reference, columns: list }, as: 'restricted' })
        if ((await save(columns)).status !== 200) return
        const shown = await mine()
        await save(theirs)
        t.verify(
          isEqual(columnLists(shown.json), kept),
          "another user's saving of columns changed the administrator's",
          shown,
        )
      })
    },
  },

  {
    id: 'recipients.delete',
    // While the disposable things of the profile were still there they were refused on.
    rank: 90,
    level: 'must',
    section: '4.2',
    statement: 'A helpdesk recipient is deleted with 200, and a second deletion is answered 404.',
    operations: ['deleteHelpdeskRecipient'],
    safety: 'destructive',
    async check(t, operation) {
      t.need('recipients')
      const path = { recipient_id: t.run.own.recipient() }
      const before = await listFields(t)
      if (!t.expect(await t.send({ operation, path }), 200, 'deleting a recipient')) return
      const after = await listFields(t)
      const lost = lostOf(t, before, after)
      t.verify(lost === undefined, `with a recipient the custom field ${lost} was deleted`, after, operation)
      const other = t.run.own.presentRecipient()
      if (other !== null) {
        t.run.own.recipient()
        const second = await t.send({ operation, path: { recipient_id: other } })
        t.expect(second, 200, 'deleting another recipient after the first')
      }
      // Each of them, for what comes after the first may be answered and not done.
      for (const recipient_id of [path.recipient_id, ...(other === null ? [] : [other])])
        t.expect(
          await t.send({ operation, path: { recipient_id } }),
          404,
          'deleting a recipient a second time',
        )
    },
  },

  {
    id: 'settings.update',
    level: 'must',
    section: '4.2',
    statement: 'A valid list of extension settings is answered 200.',
    operations: ['updateSettings'],
    safety: 'destructive',
    async check(t, operation) {
      t.expect(await t.send({ operation, body: t.need('settings') }), 200, 'valid settings')
    },
  },
])

/** A field that is listed before and not after; not one of the run's own, which may be listed a while after their end. */
function lostOf(t: Check, before: Answer, after: Answer): number | null | undefined {
  if (after.status !== 200 || isPaged(before.json)) return undefined
  const left = listedIn(after.json).map((record) => idOf(record, 'field'))
  return listedIn(before.json)
    .filter((record) => !JSON.stringify(record).includes(t.run.tag))
    .map((record) => idOf(record, 'field'))
    .find((id) => !left.includes(id))
}

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
