/** Sections 2.8 and 4.2: helpdesk recipients and extension settings. */

import type { Answer } from '../client/call.js'
import { idOf, isPaged } from '../client/look.js'
import { listedIn, listFields } from '../suite/fields.js'
import { group } from '../suite/requirement.js'
import type { Check } from '../suite/types.js'

export const management = group({ rank: 50, level: 'must', safety: 'destructive' }, [
  {
    id: 'recipients.delete',
    // While the disposable things of the profile were still there they were refused on.
    rank: 90,
    section: '4.2',
    statement: 'A helpdesk recipient is deleted with 200, and a second deletion is answered 404.',
    operations: ['deleteHelpdeskRecipient'],
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
    id: 'recipients.refused-deletion',
    rank: 91,
    section: '5',
    statement: 'A recipient whose deletion was refused is still there: whoever may delete it then does so.',
    operations: ['deleteHelpdeskRecipient'],
    async check(t, operation) {
      t.need('recipients')
      const remove = (recipient_id: number) => t.send({ operation, path: { recipient_id } })
      // Those that are listed behind one that is deleted are there.
      if (!t.run.succeeded(operation) && (await remove(t.run.own.recipient())).status !== 200)
        t.skip('no deletion of a recipient was answered 200')
      const recipient_id = t.run.own.recipient()
      const path = { recipient_id }
      const refused = [
        await t.send({ operation, path, authorization: null }),
        ...(t.profile.tokens.restricted ? [await t.send({ operation, path, as: 'restricted' })] : []),
      ]
      if (refused.some(({ status }) => status < 400)) t.skip('a deletion that should be refused was answered')
      const statuses = refused.map(({ status }) => status).join(' and ')
      t.expect(await remove(recipient_id), 200, `a deletion after others were answered ${statuses}`)
    },
  },

  {
    id: 'settings.update',
    section: '4.2',
    statement: 'A valid list of extension settings is answered 200.',
    operations: ['updateSettings'],
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
