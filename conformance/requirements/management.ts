/** Sections 2.7, 2.8 and 4.2: pages, issue-list columns, helpdesk recipients and extension settings. */
import { columnLists, hasList } from '../suite/look.js'
import { requirement } from '../suite/requirement.js'

export const management = [
  requirement({
    id: 'pages.user-create',
    level: 'must',
    section: '4.1',
    statement: 'An administrator reads the user create page.',
    operations: ['getUserCreatePage'],
    safety: 'read',
    async check(t, operation) {
      t.expect(await t.send({ operation }), 200, 'reading as administrator')
    },
  }),

  requirement({
    id: 'columns.save-and-read',
    level: 'must',
    section: '2.7',
    statement:
      'Columns are saved with 200, in their order, and where a later read shows columns it shows these.',
    operations: ['manageColumns'],
    safety: 'destructive',
    async check(t, operation) {
      const { columns, ...reference } = t.need('columns')
      const read = () => t.send({ operation, body: reference, effect: 'destructive' })
      const save = (list: readonly string[]) =>
        t.send({ operation, body: { ...reference, columns: list }, effect: 'destructive' })
      const before = await read()
      t.observe('columns-read-write', operation, before.status)
      const orders = columns.length > 1 ? [[...columns].reverse(), columns] : [columns]
      for (const order of orders) {
        if (!t.expect(await save(order), 200, 'saving columns')) return
        const shown = await read()
        const lists = shown.status === 200 ? columnLists(shown.json) : []
        const saved = hasList(shown.json, order)
        t.verify(
          lists.length === 0 || saved,
          `saved ${JSON.stringify(order)}, and a read shows ${JSON.stringify(lists[0])}`,
          shown,
        )
      }
      const [previous] = before.status === 200 ? columnLists(before.json) : []
      if (previous) await save(previous)
    },
  }),

  requirement({
    id: 'columns.default-type',
    level: 'must',
    section: '2.7',
    statement: 'The type of a column configuration is `view` when it is not given.',
    operations: ['manageColumns'],
    safety: 'destructive',
    async check(t, operation) {
      const { columns, type = 'view', ...reference } = t.need('columns')
      if (type !== 'view') t.skip('the profile has no columns of the type view')
      const before = await t.send({ operation, body: { ...reference, type }, effect: 'destructive' })
      const body = { ...reference, columns }
      if (
        !t.expect(
          await t.send({ operation, body, effect: 'destructive' }),
          200,
          'saving columns without a type',
        )
      )
        return
      const shown = await t.send({ operation, body: { ...reference, type }, effect: 'destructive' })
      const lists = shown.status === 200 ? columnLists(shown.json) : []
      const saved = hasList(shown.json, columns)
      t.verify(
        lists.length === 0 || saved,
        'columns saved without a type are not those of the type view',
        shown,
      )
      const [previous] = before.status === 200 ? columnLists(before.json) : []
      if (previous)
        await t.send({ operation, body: { ...reference, type, columns: previous }, effect: 'destructive' })
    },
  }),

  requirement({
    id: 'columns.per-user',
    level: 'must',
    section: '4.2',
    statement: "The columns are the caller's: saving them leaves another user's as they were.",
    operations: ['manageColumns'],
    safety: 'destructive',
    async check(t, operation) {
      t.need('tokens.restricted')
      const { columns, ...reference } = t.need('columns')
      const readOther = () => t.send({ operation, body: reference, as: 'restricted', effect: 'destructive' })
      const before = columnLists((await t.send({ operation, body: reference, effect: 'destructive' })).json)
      const othersBefore = columnLists((await readOther()).json)
      const saved = await t.send({
        operation,
        body: { ...reference, columns: [...columns].reverse() },
        effect: 'destructive',
      })
      t.expect(saved, 200, 'saving columns')
      const other = await readOther()
      t.verify(
        othersBefore.length === 0 || isEqual(columnLists(other.json), othersBefore),
        'saving columns changed those of another user',
        other,
      )
      const [previous] = before
      if (previous)
        await t.send({ operation, body: { ...reference, columns: previous }, effect: 'destructive' })
    },
  }),

  requirement({
    id: 'recipients.delete',
    level: 'must',
    section: '4.2',
    statement: 'A helpdesk recipient is deleted with 200, and a second deletion is answered 404.',
    operations: ['deleteHelpdeskRecipient'],
    safety: 'destructive',
    async check(t, operation) {
      t.need('recipients')
      const path = { recipient_id: t.run.own.recipient() }
      if (!t.expect(await t.send({ operation, path, effect: 'destructive' }), 200, 'deleting a recipient'))
        return
      t.expect(
        await t.send({ operation, path, refused: 'resource' }),
        404,
        'deleting a recipient a second time',
      )
      const other = t.run.own.presentRecipient()
      if (other === null) return
      t.run.own.recipient()
      const second = await t.send({ operation, path: { recipient_id: other }, effect: 'destructive' })
      t.expect(second, 200, 'deleting another recipient after the first')
    },
  }),

  requirement({
    id: 'settings.update',
    level: 'must',
    section: '4.2',
    statement: 'A valid list of extension settings is answered 200.',
    operations: ['updateSettings'],
    safety: 'destructive',
    async check(t, operation) {
      t.expect(
        await t.send({ operation, body: t.need('settings'), effect: 'destructive' }),
        200,
        'valid settings',
      )
    },
  }),

  requirement({
    id: 'settings.names-validated',
    level: 'must',
    section: '4.2',
    statement:
      'The names of extension settings are validated: one that the tracker does not know is answered 400.',
    operations: ['updateSettings'],
    safety: 'read',
    async check(t, operation) {
      const renamed = withName(t.need('settings')[0], `${t.run.tag}_no_such_setting`)
      if (renamed === null) return t.skip("the profile's settings do not show where an element has its name")
      t.expect(await t.send({ operation, body: [renamed], refused: 'body' }), 400, 'an unknown setting')
    },
  }),
]

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The element under another name, in any of the usual forms; null when the form is not one of them. */
function withName(element: unknown, name: string): object | null {
  if (typeof element !== 'object' || element === null || Array.isArray(element)) return null
  const entries = Object.entries(element)
  const key = ['option', 'name', 'key', 'setting', 'id'].find(
    (candidate) => typeof Object.getOwnPropertyDescriptor(element, candidate)?.value === 'string',
  )
  if (key !== undefined && entries.length > 1) return { ...element, [key]: name }
  return entries.length === 1 ? { [name]: entries[0]?.[1] } : null
}
