/** Sections 2.1 and 4.1: changes to a user, and how they show. */

import type { Check } from '../suite/check.js'
import { mentions, pointersTo, recordsWith, valueAt, values } from '../suite/look.js'
import type { OwnUser } from '../suite/own.js'
import { requirement } from '../suite/requirement.js'
import { culpritOfRename, refusedForThePassword, showsFlag, views } from '../suite/user-views.js'

/** Changes one field; where the old value was visible, the new one must be. */
async function changesText(
  t: Check,
  user: OwnUser,
  field: string,
  old: string,
  value: string,
): Promise<void> {
  const path = { user_id: user.username }
  const before = await views(t, user)
  const answer = await t.send({ operation: 'updateUser', path, body: { [field]: value }, effect: 'write' })
  if (!t.expect(answer, 200, `updating ${field}`)) return
  const afterwards = await views(t, user)
  // What one of the two shows was stored, so it is the other that does not tell.
  const stored = afterwards.some(({ json }) => mentions(json, value))
  for (const [index, after] of afterwards.entries()) {
    const shown = before[index]
    const visible = shown?.status === 200 && after.status === 200 && mentions(shown.json, old)
    t.verify(
      !visible || mentions(after.json, value),
      `${field} was updated with 200 and still shows its old value`,
      after,
      stored ? after.operation : 'updateUser',
    )
  }
}

async function changesFlag(t: Check, user: OwnUser, field: string, value: boolean): Promise<void> {
  const path = { user_id: user.username }
  const answer = await t.send({ operation: 'updateUser', path, body: { [field]: value }, effect: 'write' })
  if (t.expect(answer, 200, `updating ${field}`)) await showsFlag(t, user, field, value)
}

/** Another level that the tracker offers, below the one that is known, so that nobody is given more rights. */
async function lowerLevel(t: Check, user: OwnUser, level: number): Promise<number | null> {
  for (const { json } of await views(t, user))
    for (const place of pointersTo(json, (value) => typeof value === 'number' && value < level)) {
      // In a list of choices, as a bare number or as the id of a record.
      if (/levels\/\d+(\/(id|value|level))?$/i.test(place)) return valueAt(json, place) as number
    }
  return null
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
        const value = typeof now === 'string' ? otherChoice(page, now) : null
        if (value === null) continue
        tried += 1
        const answer = await t.send({ operation, path, body: { [field]: value }, effect: 'write' })
        if (answer.status !== 200) continue
        const [after] = recordsWith(await shown(), user.username)
        t.verify(
          after?.[field] !== now,
          `${field} was updated with 200 and still shows its old value`,
          answer,
        )
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
      const bystander = await t.run.own.sharedUser()
      const user = await t.run.own.user()
      const later = `Other Person ${user.username.slice(-3)} of ${t.run.tag}`
      await changesText(t, user, 'realname', user.realname, later)
      for (const shown of await views(t, bystander))
        t.verify(
          !mentions(shown.json, later),
          'the update of one user changed another one',
          shown,
          'updateUser',
        )
      await changesText(t, user, 'email', user.email, `other.${user.email}`)
      for (const preferred of [true, false]) await changesFlag(t, user, 'client_preferred', preferred)
    },
  }),

  requirement({
    id: 'users.access-level',
    level: 'must',
    section: '2.1',
    statement:
      'An access level given to an update is the one that the user has afterwards, where answers show it as they do for a user created with it.',
    operations: ['updateUser', 'createUser'],
    safety: 'write',
    async check(t) {
      const level = t.need('accessLevel')
      const created = await t.run.own.user()
      const other = await lowerLevel(t, created, level)
      const user = await t.run.own.user({ access_level: other ?? undefined })
      const start = await views(t, user)
      const path = { user_id: user.username }
      const body = { access_level: level }
      const answer = await t.send({ operation: 'updateUser', path, body, effect: 'write' })
      if (!t.expect(answer, 200, 'updating access_level')) return
      // Both have the same level now, one from its creation, the other from the update.
      const [byCreation, byUpdate] = [await views(t, created), await views(t, user)]
      for (const [index, first] of byCreation.entries()) {
        const second = byUpdate[index]
        if (!second || first.status !== 200 || second.status !== 200) continue
        for (const [one, another, culprit] of [
          [first, second, 'updateUser'],
          [second, first, 'createUser'],
        ] as const) {
          const places = pointersTo(one.json, (value) => value === level).filter((at) => /level/i.test(at))
          const wrong = places.find((place) => {
            const shown = valueAt(another.json, place)
            return typeof shown === 'number' && shown !== level
          })
          t.verify(
            wrong === undefined,
            `access_level was given as ${level}, and ${wrong} shows ${valueAt(another.json, wrong ?? '')}`,
            another,
            culprit,
          )
        }
      }
      if (other === null) return
      const back = await t.send({
        operation: 'updateUser',
        path,
        body: { access_level: other },
        effect: 'write',
      })
      if (!t.expect(back, 200, 'giving a user its former access_level again')) return
      for (const [index, shown] of (await views(t, user)).entries()) {
        const earlier = start[index]
        if (earlier?.status !== 200 || shown.status !== 200) continue
        const places = pointersTo(earlier.json, (value) => value === other).filter((at) => /level/i.test(at))
        const wrong = places.find((place) => valueAt(shown.json, place) === level)
        t.verify(
          wrong === undefined,
          `access_level was set back to ${other}, and ${wrong} still shows ${level}`,
          shown,
          'updateUser',
        )
      }
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
      const username = t.run.own.name()
      const answer = await t.send({
        operation: 'updateUser',
        path: before,
        body: { username },
        effect: 'write',
      })
      if (!t.expect(answer, 200, 'changing a username')) return
      t.run.own.renamed(user, username)
      const found = await t.send({ operation: 'getUser', path: { user_id: username } })
      const culprit = found.status === 200 ? 'updateUser' : await culpritOfRename(t, username)
      t.expect(found, 200, 'reading the user by the new username', culprit)
      const gone = await t.send({ operation: 'getUser', path: before })
      t.expect(gone, 404, 'reading the user by the old username', 'updateUser')
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
        const answer = await t.send({ operation: 'updateUser', path, body: { enabled }, effect: 'write' })
        if (!t.expect(answer, 200, `setting enabled to ${enabled}`)) return
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
      const answer = await t.send({ operation, path, body, effect: 'write' })
      if (!t.expect(answer, 200, 'protecting and disabling an account')) return
      await showsFlag(t, user, 'protected', true)
      const lifted = await t.send({ operation, path, body: { protected: false }, effect: 'write' })
      t.observe('update-protected-target', operation, lifted.status)
      if (lifted.status === 200) await showsFlag(t, user, 'protected', false)
    },
  }),

  requirement({
    id: 'users.fields-accepted',
    level: 'must',
    section: '2.1',
    statement: 'Creation and update accept the same fields, and none of them is required by the other.',
    operations: ['createUser', 'updateUser'],
    safety: 'write',
    each: true,
    async check(t, operation) {
      // Language, time zone, avatar and password depend on what the instance offers or asks for.
      const plain: Record<string, unknown> = {
        realname: `Kit Person of ${t.run.tag}`,
        enabled: true,
        protected: false,
        client_preferred: true,
        ...(t.profile.accessLevel === undefined ? {} : { access_level: t.profile.accessLevel }),
      }
      if (operation === 'createUser') {
        const body = t.run.own.userBody({ ...plain, notify_user: false })
        const answer = await t.send({ operation, body, effect: 'write' })
        if (refusedForThePassword(t, answer.status)) t.skip('the profile has no password.valid')
        if (t.expect(answer, 200, 'creating a user with every plain field'))
          await t.run.own.adoptUser(body, answer)
        return
      }
      const user = await t.run.own.user()
      const path = { user_id: user.username }
      for (const [name, value] of Object.entries({ ...plain, email: `new.${user.email}` })) {
        const answer = await t.send({ operation, path, body: { [name]: value }, effect: 'write' })
        t.expect(answer, 200, `updating ${name} alone`)
      }
      // Alone it would ask for no change at all.
      const quiet = { realname: `Quiet Person of ${t.run.tag}`, notify_user: false }
      t.expect(
        await t.send({ operation, path, body: quiet, effect: 'write' }),
        200,
        'updating without notice',
      )
    },
  }),
]

/** Another value of the list of texts that holds this one; null where a page has no such list. */
function otherChoice(page: unknown, now: string): string | null {
  for (const list of values(page)) {
    if (!Array.isArray(list) || !list.includes(now)) continue
    // The first may stand for "whatever the browser says".
    const other = list.findLast((item) => typeof item === 'string' && item !== now)
    if (other !== undefined) return other
  }
  return null
}
