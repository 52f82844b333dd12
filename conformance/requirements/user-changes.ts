/** Sections 2.1 and 4.1: changes to a user, and how they show. */

import { usernameOf } from '../suite/identity.js'
import { requirement } from '../suite/requirement.js'
import type { Check, OwnUser } from '../suite/types.js'
import { culpritOfRename, showsFlag, views } from '../suite/user-views.js'
import type { Answer } from '../target/call.js'
import { flagIn, mentions, recordsWith, values } from '../target/look.js'

interface Change {
  readonly field: 'realname' | 'email'
  readonly old: string
  readonly value: string
}

/** Changes fields in one update, in this order; where an old value was visible, the new one must be. */
async function changesTexts(
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
async function changesPreference(t: Check, user: OwnUser): Promise<void> {
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
    id: 'users.preferences',
    level: 'must',
    section: '2.1',
    statement:
      'Language and timezone of a user are those that were given last, where answers show them and the edit page offers others.',
    operations: ['updateUser'],
    safety: 'write',
    async check(t, operation) {
      const user = await t.run.own.user()
      const path = { user_id: user.username }
      const shown = async () => (await t.send({ operation: 'getUser', path })).json
      const page = (await t.send({ operation: 'getUserEditPage', path })).json
      let tried = 0
      for (const field of ['language', 'timezone'] as const) {
        const [record] = recordsWith(await shown(), user.username)
        const now = record?.[field]
        const choices = typeof now === 'string' ? otherChoices(page, now) : []
        if (choices.length > 0) tried += 1
        let ignored: Answer | null = null
        // What a page lists need not all be there to be chosen, so one that is stored is enough.
        for (const value of choices) {
          const answer = await t.send({ operation, path, body: { [field]: value } })
          if (answer.status !== 200) continue
          const [after] = recordsWith(await shown(), user.username)
          ignored = after?.[field] === now ? answer : null
          if (ignored === null) break
        }
        if (ignored) t.verify(false, `${field} was updated with 200 and still shows its old value`, ignored)
        else t.pass()
      }
      if (tried === 0) t.skip('answers show neither language nor timezone with its choices')
    },
  }),

  requirement({
    id: 'users.update',
    level: 'must',
    section: '4.1',
    statement:
      'A valid update is answered 200, and where answers show what was changed they show the new value.',
    operations: ['updateUser'],
    safety: 'write',
    async check(t) {
      const { username: neighbour } = await t.run.own.sharedUser()
      const user = await t.run.own.user()
      const later = `Other Person ${user.username.slice(-3)} of ${t.run.tag}`
      await changesTexts(t, user, [{ field: 'realname', old: user.realname, value: later }])
      for (const bystander of [neighbour, t.profile.user?.username, await usernameOf(t, 'administrator')]) {
        if (!bystander) continue
        const shown = await t.send({ operation: 'getUser', path: { user_id: bystander } })
        // Beside their own record there may be a list of others.
        const own = recordsWith(shown.json, bystander)
        t.verify(
          !own.some((record) =>
            Object.entries(record).some(([name, value]) => /name/i.test(name) && value === later),
          ),
          'the update of one user changed another one',
          shown,
          'updateUser',
        )
      }
      const noticed = `Noticed Person ${user.username.slice(-3)} of ${t.run.tag}`
      const notice = { after: { notify_user: true } }
      await changesTexts(t, user, [{ field: 'realname', old: later, value: noticed }], notice)
      const other = `other.${user.email}`
      const before = await views(t, user)
      await changesTexts(t, user, [{ field: 'email', old: user.email, value: other }])
      for (const [index, shown] of (await views(t, user)).entries()) {
        const lost = mentions(before[index]?.json, noticed) && !mentions(shown.json, noticed)
        const isBack = lost && [user.realname, later].some((name) => mentions(shown.json, name))
        t.verify(
          !isBack,
          'an update of the e-mail address brought back a former real name',
          shown,
          'updateUser',
        )
      }
      // Each of several fields counts, at whatever place it stands.
      const third = { field: 'email', old: other, value: `third.${user.email}` } as const
      const both = `Both Person ${user.username.slice(-3)} of ${t.run.tag}`
      const named = { field: 'realname', old: noticed, value: both } as const
      await changesTexts(t, user, [third, named])
      const fourth = { field: 'email', old: third.value, value: `fourth.${user.email}` } as const
      const last = { ...named, old: both, value: both.replace('Both', 'Last') }
      await changesTexts(t, user, [last, fourth], { before: { notify_user: false } })
      await changesPreference(t, user)
    },
  }),

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

  requirement({
    id: 'users.enabled',
    level: 'must',
    section: '2.1',
    statement: 'An account is disabled and enabled again by its `enabled` flag.',
    operations: ['updateUser'],
    safety: 'write',
    async check(t) {
      const user = await t.run.own.user()
      const path = { user_id: user.username }
      for (const enabled of [false, true]) {
        const answer = await t.send({ operation: 'updateUser', path, body: { enabled } })
        if (!t.expect(answer, 200, `setting enabled to ${enabled}`)) return
        await showsFlag(t, user, 'enabled', enabled)
        // What is so already may be refused, and stays so.
        await t.send({ operation: 'updateUser', path, body: { enabled } })
        await showsFlag(t, user, 'enabled', enabled)
      }
    },
  }),

  requirement({
    id: 'users.protected',
    level: 'must',
    section: '2.1',
    statement: 'An account is protected by its `protected` flag.',
    operations: ['updateUser'],
    safety: 'write',
    async check(t, operation) {
      const user = await t.run.own.user()
      const path = { user_id: user.username }
      // Disabled at once: a tracker may refuse every later change of a protected account.
      const body = { enabled: false, protected: true }
      const answer = await t.send({ operation, path, body })
      if (!t.expect(answer, 200, 'protecting and disabling an account')) return
      await showsFlag(t, user, 'protected', true)
      // What is so already may be refused, and stays so.
      await t.send({ operation, path, body })
      await showsFlag(t, user, 'protected', true)
      const lifted = await t.send({ operation, path, body: { protected: false } })
      t.observe('update-protected-target', operation, lifted.status)
      if (lifted.status === 200) await showsFlag(t, user, 'protected', false)
    },
  }),
]

/** Some other values of the list of texts that holds this one; none where a page has no such list. */
function otherChoices(page: unknown, now: string): string[] {
  for (const list of values(page)) {
    if (!Array.isArray(list) || !list.includes(now)) continue
    // The first may stand for "whatever the browser says".
    const others = list.filter((item) => typeof item === 'string' && item !== now).toReversed()
    const step = Math.ceil(others.length / MOST_CHOICES)
    if (others.length > 0) return others.filter((_, index) => index % step === 0)
  }
  return []
}

const MOST_CHOICES = 12
