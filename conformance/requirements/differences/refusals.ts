/** Sections 5 and 7: what was refused has not been done. */

import type { OperationId } from '../../contract/index.js'
import { needName } from '../../suite/identity.js'
import { type RefusedRow, refusedRequirements } from '../../suite/refused.js'
import { group } from '../../suite/requirement.js'
import { keepingColumns, needDestructive } from '../../suite/shared.js'
import type { Check } from '../../suite/types.js'
import { refusedDoNothing, watch } from '../../suite/unchanged.js'
import { views } from '../../suite/users.js'
import { changePassword, stillCurrent } from '../password.js'
import { UNKNOWN_TOKEN } from './credentials.js'

/** Those whose effect shows. */
const operations: readonly OperationId[] = [
  'createUser',
  'updateUser',
  'createCustomField',
  'updateCustomField',
  'deleteCustomField',
  'deleteHelpdeskRecipient',
  'updatePlugin',
  'addUserToProjects',
  'installPlugin',
  'uninstallPlugin',
]

const common = { level: 'must', section: '5', safety: 'write' } as const

const rows: readonly RefusedRow[] = [
  {
    ...common,
    id: 'refusal.unauthenticated-changes-nothing',
    statement: 'What was refused for want of authentication has not been done.',
    operations: [...operations, 'manageColumns', 'updateUserSettings'],
    change: () =>
      [null, `Bearer ${UNKNOWN_TOKEN}`].map((authorization) => ({
        what: 'without valid credentials',
        call: { authorization },
      })),
  },
  {
    ...common,
    id: 'refusal.forbidden-changes-nothing',
    statement: 'What a user without permission was refused has not been done.',
    // Columns and settings of its own are open to every user.
    operations: [...operations, 'resetUser'],
    change(_, t) {
      t.need('tokens.restricted')
      return [{ what: 'without permission', call: { as: 'restricted' } }]
    },
    instead: { resetUser: resetIsNotDone },
  },
  {
    ...common,
    id: 'refusal.invalid-changes-nothing',
    section: '7',
    statement: 'What was refused for its body has not been done.',
    operations: [
      'updateUser',
      'updateCustomField',
      'addUserToProjects',
      'updatePlugin',
      'updateUserSettings',
      'manageColumns',
    ],
    instead: { manageColumns: columnsAreNotSaved },
    change({ operation, call: { body } }, t) {
      if (operation === 'updateUserSettings') {
        const { option } = t.need('userSetting')
        return [{ what: 'without a value', call: { body: { configs: [{ option, value: null }] } } }]
      }
      const text = JSON.stringify(body)
      const malformed = [text.slice(0, -1), text.replace(/}$/, ',}')].map((rawBody) => ({
        what: 'no JSON',
        call: { rawBody },
      }))
      const { access_level: _, ...rest } = body as Record<string, unknown>
      return operation === 'addUserToProjects'
        ? [...malformed, { what: 'without a level', call: { body: rest } }]
        : malformed
    },
  },
]

/** Where a list is refused for one column, none of it is saved. */
async function columnsAreNotSaved(t: Check, operation: OperationId): Promise<void> {
  needDestructive(t)
  await keepingColumns(t, ({ columns, turned, reference, save }) =>
    refusedDoNothing(t, async () => {
      await save(columns)
      const requests = [`${t.run.tag}_column`, 7].map((column) => ({
        what: `a list with the column ${column}`,
        call: { operation, body: { ...reference, columns: [...turned, column] } },
      }))
      return { look: async (ask) => [await ask({ operation, body: reference })], requests }
    }),
  )
}

/** A reset shows on the page of the user, or in the password alone, of which there is one that may be changed. */
async function resetIsNotDone(t: Check, operation: OperationId): Promise<void> {
  t.need('tokens.restricted')
  const askFor = async () => {
    const user = await t.run.own.user()
    const changed = await watch(t, (send) => views({ send }, user))
    const refused = await t.send({ operation, path: { user_id: user.username }, as: 'restricted' })
    return { refused, shown: refused.status < 400 ? null : await changed() }
  }
  const first = await askFor()
  // It may change by itself, though hardly twice.
  const { refused, shown } = first.shown === null ? first : await askFor()
  const message = `a reset that was refused has changed the user: ${shown?.place}`
  t.verify(shown === null, message, refused, operation, shown ?? {})
  needDestructive(t)
  t.need('passwordAccount')
  t.need('tokens.password')
  const username = await needName(t, 'password')
  // Only where it can be changed before does it say something that it cannot be changed afterwards.
  await stillCurrent(t, operation)
  const before = t.run.passwordAccount
  if (before === null) return t.inconclusive("the password account's token or password was lost on the way")
  const { status } = await t.send({ operation, path: { user_id: username }, as: 'restricted' })
  if (status < 400) t.inconclusive(`the request was not refused but answered ${status}`)
  const there = await changePassword(t, before.current, before.next)
  if (there.status !== 200) t.run.passwordAccount = null
  else await changePassword(t, before.next, before.current)
  // A limit on changes is a 400.
  t.verify(there.status !== 403, 'the password is gone after a reset that was refused', there, operation)
}

export const refusals = group({ rank: 260 }, [
  ...refusedRequirements(rows),
  {
    ...common,
    id: 'users.refused-creations',
    section: '7',
    // A field may be kept whose projects were refused.
    statement:
      'A creation of a user that was answered with an error has made nobody, whatever it was refused for.',
    operations: ['createUser'],
    // Everybody for whom the run has asked is looked for when it is cleaned up.
    phase: 'end',
    check(t, operation) {
      const statuses = [...t.run.statuses(operation).keys()]
      if (!statuses.some((status) => status >= 400 && status < 500)) t.skip('no creation was refused')
      const message = 'somebody is there whose creation was refused'
      for (const { refused } of t.run.swept)
        for (const page of refused) t.verify(false, message, page, operation)
      t.pass()
    },
  },
])
