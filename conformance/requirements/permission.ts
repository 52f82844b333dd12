import type { Answer } from '../client/call.js'
import { isObject, mentions, recordsWith, values } from '../client/look.js'
import { ownUser } from '../suite/existing.js'
import { usernameOf } from '../suite/identity.js'
import { group } from '../suite/requirement.js'
import type { Check } from '../suite/types.js'
import { readUser, updateUser } from '../suite/users.js'

export const permission = group({ rank: 230, level: 'must', section: '5' }, [
  {
    id: 'permission.own-level',
    statement: 'A user without administrative permission does not raise its own access level.',
    operations: ['updateUser'],
    safety: 'write',
    async check(t, operation) {
      t.need('tokens.restricted')
      const names = [await usernameOf(t, 'restricted'), await usernameOf(t, 'administrator')]
      const [username] = names
      if (typeof username !== 'string') return t.skip('the account page does not show the restricted user')
      const levelOf = async (name: string | null | undefined) => {
        if (!name) return undefined
        const { json } = await readUser(t, name)
        const [level] = recordsWith(json, name).map((record) => record.access_level)
        const number = isObject(level) ? level.id : level
        return typeof number === 'number' ? number : undefined
      }
      const before = await levelOf(username)
      const highest = await levelOf(names[1])
      // The least that is more, since with an administrator's level a tracker may take away what others have.
      const page = await t.send({ operation: 'getUserCreatePage' })
      const more = [...values(page.json)].filter(
        (one): one is number =>
          typeof one === 'number' &&
          before !== undefined &&
          highest !== undefined &&
          one > before &&
          one <= highest,
      )
      const access_level = more.length > 0 ? Math.min(...more) : highest
      if (before === undefined || access_level === undefined || before >= access_level)
        return t.skip('answers do not show that the administrator has a higher access level')
      const path = { user_id: username }
      const answer = await t.send({ operation, path, body: { access_level }, as: 'restricted' })
      const after = await levelOf(username)
      // It may be passed over.
      t.verify(
        after === before || after === undefined,
        `a user without administrative permission has raised its own access_level from ${before} to ${after}`,
        answer,
      )
      if (after === before || after === undefined) return
      await updateUser(t, username, { access_level: before })
    },
  },

  {
    id: 'permission.other-ways',
    statement:
      'Whom a user may not read it may not read by the other form of address either, and not the e-mail address by `select`.',
    operations: ['getUser', 'getUserEditPage'],
    safety: 'read',
    each: true,
    async check(t, operation) {
      t.need('tokens.restricted')
      const user = (await ownUser(t)) ?? t.need('user')
      const ask = (user_id: string | number, query?: string) =>
        t.send({ operation, path: { user_id }, as: 'restricted', ...(query && { query }) })
      // Asked again, since some forget the question once it was answered.
      const forms = user.id === null ? [user.username] : [user.username, user.id]
      const asked = []
      for (const form of [...forms, ...forms])
        asked.push({ by: form === user.id ? 'id' : 'username', answer: await ask(form) })
      if (!asked.some(({ answer }) => answer.status === 403)) {
        const read = asked.map(({ answer }) => answer).filter(({ status }) => status === 200)
        if (read.length < asked.length || operation === 'getUserEditPage')
          return t.skip('the restricted user may read others')
        return emailIsHiddenAlike(t, user.username, read, (form) => ask(form, 'select=email'))
      }
      for (const { by, answer } of asked)
        t.verify(
          answer.status !== 200,
          `a user whom the caller may not read is read by ${by} all the same: expected 403, saw 200`,
          answer,
        )
      if (operation === 'getUserEditPage') return
      await isDisabledHidden(t)
      const shown = await t.send({ operation, path: { user_id: user.username } })
      const email = recordsWith(shown.json, user.username)
        .map((record) => record.email)
        .find((one) => typeof one === 'string' && one !== '')
      if (typeof email !== 'string') return
      for (const form of forms) {
        const answer = await ask(form, 'select=email')
        const told = answer.status === 200 && mentions(answer.json, email)
        t.verify(
          !told,
          'select=email shows the e-mail address of a user whom the caller may not read: expected 403, saw 200',
          answer,
        )
      }
    },
  },
])

/** Who is shown no e-mail address is shown none in another form or by a selection. */
async function emailIsHiddenAlike(
  t: Check,
  username: string,
  read: readonly Answer[],
  select: (form: string) => Promise<Answer>,
): Promise<void> {
  const shown = await readUser(t, username)
  const [record] = recordsWith(shown.json, username)
  const email = record?.email
  if (typeof email !== 'string' || email === '' || email === username)
    t.skip('the restricted user may read others')
  const tells = (answer: Answer) => answer.status === 200 && mentions(answer.json, email)
  const told = read.find(tells)
  t.verify(
    told === undefined || read.every(tells),
    'the e-mail address is shown to a user by one form of address, and not by the other',
    told ?? shown,
  )
  if (told !== undefined) return
  const selected = await select(username)
  t.verify(
    !tells(selected),
    'select=email shows an e-mail address that the caller is not shown otherwise',
    selected,
  )
}

/** A disabled user who may not be read may not be read in parts either. */
async function isDisabledHidden(t: Check): Promise<void> {
  if (!t.allows('write')) return
  const { username } = await t.run.own.user()
  const path = { user_id: username }
  if ((await updateUser(t, username, { enabled: false })).status !== 200) return
  const ask = (query?: string) =>
    t.send({ operation: 'getUser', path, as: 'restricted', ...(query && { query }) })
  const { status } = await ask()
  if (status !== 403 && status !== 404) return
  for (const query of ['select=username', 'select=id']) {
    const answer = await ask(query)
    t.verify(
      answer.status !== 200,
      `${query} shows a disabled user whom the caller may not read: expected ${status}, saw 200`,
      answer,
    )
  }
}
