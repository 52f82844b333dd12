/** Section 2.1: the fields of a user that creation and update share. */

import { requirement } from '../suite/requirement.js'
import type { Check, OwnUser } from '../suite/types.js'
import { refusedForThePassword, showsFlag, views } from '../suite/user-views.js'
import type { Answer } from '../target/call.js'
import { pointersTo, valueAt } from '../target/look.js'

/** Another level that the tracker offers, below the one that is known, so that nobody is given more rights. */
export async function lowerLevel(t: Check, user: OwnUser, level: number): Promise<number | null> {
  for (const { json } of await views(t, user))
    for (const place of pointersTo(json, (value) => typeof value === 'number' && value < level)) {
      // In a list of choices, as a bare number or as the id of a record.
      if (/levels\/\d+(\/(id|value|level))?$/i.test(place)) return valueAt(json, place) as number
    }
  return null
}

export const userFields = [
  requirement({
    id: 'users.access-level',
    level: 'must',
    section: '2.1',
    statement:
      'A user is created with an access level or without; one given to an update is the one that the user has afterwards, where answers show it as they do for a user created with it.',
    operations: ['updateUser', 'createUser'],
    safety: 'write',
    async check(t) {
      const level = t.need('accessLevel')
      const created = await t.run.own.user()
      const bare = t.run.own.userBody({ access_level: undefined })
      const plain = await t.send({ operation: 'createUser', body: bare })
      if (t.expect(plain, 200, 'a creation without access_level')) await t.run.own.adoptUser(bare, plain)
      const other = await lowerLevel(t, created, level)
      const user = await t.run.own.user({ access_level: other ?? undefined })
      const start = await views(t, user)
      const path = { user_id: user.username }
      const body = { access_level: level }
      const answer = await t.send({ operation: 'updateUser', path, body })
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
      })
      if (!t.expect(back, 200, 'giving a user its former access_level again')) return
      // What it shows now is what it had to show when it was created with that level.
      for (const [index, shown] of (await views(t, user)).entries()) {
        const earlier = start[index]
        if (earlier?.status !== 200 || shown.status !== 200) continue
        const placesIn = ({ json }: Answer) =>
          pointersTo(json, (value) => value === other).filter((at) => /level/i.test(at))
        const stale = placesIn(earlier).find((place) => valueAt(shown.json, place) === level)
        t.verify(
          stale === undefined,
          `access_level was set back to ${other}, and ${stale} still shows ${level}`,
          shown,
          'updateUser',
        )
        const lost = placesIn(shown).find((place) => {
          const first = valueAt(earlier.json, place)
          return typeof first === 'number' && first !== other
        })
        t.verify(
          lost === undefined,
          `access_level was given as ${other} at creation, and ${lost} shows another`,
          earlier,
          'createUser',
        )
      }
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
      const level = t.profile.accessLevel
      const realname = `Other Person of ${t.run.own.name()}`
      if (operation === 'createUser') {
        const flags = { enabled: true, protected: false, client_preferred: true, notify_user: false }
        const body = t.run.own.userBody({ realname, ...flags })
        const answer = await t.send({ operation, body })
        if (refusedForThePassword(t, answer.status)) t.skip('the profile has no password.valid')
        if (t.expect(answer, 200, 'creating a user with every plain field'))
          await showsFlag(t, await t.run.own.adoptUser(body, answer), 'enabled', true, operation)
        return
      }
      const lower = level === undefined ? null : await lowerLevel(t, await t.run.own.sharedUser(), level)
      const begin = { client_preferred: false, ...(lower === null ? {} : { access_level: lower }) }
      const user = await t.run.own.user(begin)
      const path = { user_id: user.username }
      // Other values than those that it has, since an update that changes nothing may be refused.
      const changes = {
        realname,
        client_preferred: true,
        ...(lower === null ? {} : { access_level: level }),
        email: `new.${user.email}`,
        enabled: false,
        // Last: an account that stays protected cannot be used.
        protected: true,
      }
      for (const [name, value] of Object.entries(changes)) {
        const answer = await t.send({ operation, path, body: { [name]: value } })
        t.expect(answer, 200, `updating ${name} alone`)
        // What may be changed of a disabled account is not shown.
        if (name === 'enabled') await t.send({ operation, path, body: { enabled: true } })
      }
      await t.send({ operation, path, body: { protected: false } })
      const other = { user_id: (await t.run.own.user()).username }
      // Alone it would ask for no change at all.
      const quiet = { realname: `Quiet Person of ${other.user_id}`, notify_user: false }
      const answer = await t.send({ operation, path: other, body: quiet })
      t.expect(answer, 200, 'updating without notice')
    },
  }),
]
