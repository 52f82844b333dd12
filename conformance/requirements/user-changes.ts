/** Sections 2.1 and 4.1: changes to a user, and how they show. */

import { requirement } from '../suite/requirement.js'
import type { Check, OwnUser } from '../suite/types.js'
import { culpritOfRename, showsFlag, views } from '../suite/user-views.js'
import { flagIn, mentions } from '../target/look.js'

interface Change {
  readonly field: 'realname' | 'email'
  readonly old: string
  readonly value: string
}

/** Changes fields in one update, in this order; where an old value was visible, the new one must be. */
async function _changesTexts(
  t: Check,
  user: OwnUser,
  changes: readonly Change[],
  { before = {}, after = {} }: { readonly before?: object; readonly after?: object } = {},
): Promise<void> {
  const path = { user_id: user.username }
  const first = await views(t, user)
  const texts = Object.fromEntries(changes.map(({ field, value }) => [field, value]))
  const body = { ...before, ...texts, ...after }
  const answer = await t.send({ operation: 'updateUser', path, body })
  if (!t.expect(answer, 200, `updating ${Object.keys(body).join(', ')}`)) return
  const afterwards = await views(t, user)
  for (const { field, old, value } of changes) {
    // What one of the two shows was stored, so it is the other that does not tell.
    const stored = afterwards.some(({ json }) => mentions(json, value))
    for (const [index, shown] of afterwards.entries()) {
      const was = first[index]
      // An address that is the username too shows as that.
      const visible =
        was?.status === 200 && shown.status === 200 && mentions(was.json, old) && old !== user.username
      t.verify(
        !visible || mentions(shown.json, value),
        `${field} was updated with 200 and still shows its old value`,
        shown,
        stored ? shown.operation : 'updateUser',
      )
    }
  }
}

/** Whether this preference is kept at all is not shown: it is judged where an update or a creation keeps it. */
async function _changesPreference(t: Check, user: OwnUser): Promise<void> {
  const operation = 'updateUser'
  const path = { user_id: user.username }
  const shown = async (one: OwnUser) => flagIn((await views(t, one))[0].json, 'client_preferred')
  // What is so already may not be asked for.
  const first = (await shown(user)) !== true
  let kept = false
  for (const client_preferred of [first, !first]) {
    const answer = await t.send({ operation, path, body: { client_preferred } })
    if (!t.expect(answer, 200, 'updating client_preferred')) continue
    const now = await shown(user)
    kept ||= now === client_preferred
    if (!kept && now !== null)
      kept = (await shown(await t.run.own.user({ client_preferred }))) === client_preferred
    if (kept) await showsFlag(t, user, 'client_preferred', client_preferred)
  }
}

export const userChanges = [
  requirement({
    id: 'users.rename',
    level: 'must',
    section: '2.1',
    statement: 'A changed username addresses the user from then on, and the old one addresses nobody.',
    operations: ['updateUser', 'getUser'],
    safety: 'write',
    async check(t) {
      const user = await t.run.own.user()
      const before = { user_id: user.username }
      const username = t.run.own.username()
      const answer = await t.send({
        operation: 'updateUser',
        path: before,
        body: { username },
      })
      if (!t.expect(answer, 200, 'changing a username')) return
      t.run.own.renamed(user, username)
      const found = await t.send({ operation: 'getUser', path: { user_id: username } })
      const culprit = found.status === 200 ? 'updateUser' : await culpritOfRename(t, username)
      t.expect(found, 200, 'reading the user by the new username', culprit)
      const gone = await t.send({ operation: 'getUser', path: before })
      if (!t.expect(gone, 404, 'reading the user by the old username', 'updateUser')) return
      const nobody = { realname: `Nobody of ${t.run.tag}` }
      const missed = { operation: 'updateUser', path: before, body: nobody } as const
      t.expect(await t.send(missed), 404, 'an update by the old username')
      const made = await t.send({ operation: 'getUser', path: before })
      t.expect(made, 404, 'reading a user who was not there to be updated', 'updateUser')
    },
  }),

  requirement({
    id: 'users.update-same-name',
    level: 'should',
    section: '2.1',
    statement: 'An update that gives a user the username that it has already is a valid one.',
    operations: ['updateUser'],
    safety: 'write',
    async check(t, operation) {
      const { username, realname, email } = await t.run.own.user()
      const path = { user_id: username }
      const update = (word: string, more: object) => {
        const body = { ...more, realname: realname.replace('Kit', word) }
        return t.send({ operation, path, body })
      }
      // Where whatever is so already is refused, this is too.
      const alike = await update('One', { email })
      if (alike.status !== 200) t.skip(`an update with the present address is answered ${alike.status}`)
      t.expect(await update('Two', { username }), 200, 'an update with the present username')
    },
  }),
]
