/** Sections 4.1 and 4.2: a creation that is answered 200 has made something, whatever members it gave. */
import { errorBodyFault } from '../suite/error-body.js'
import { createField, deleteField, lasting, listFields } from '../suite/fields.js'
import { requirement } from '../suite/requirement.js'
import { isPaged, mentions } from '../target/look.js'

export const madeAsAnswered = [
  requirement({
    id: 'users.made-as-answered',
    level: 'must',
    section: '4.1',
    statement:
      'Whatever members a creation gives, one that is answered 200 has made a user: it is not the body of an error that is answered so, with nobody made.',
    operations: ['createUser'],
    safety: 'write',
    async check(t, operation) {
      const plain = t.run.own.userBody()
      const first = await t.send({ operation, body: plain })
      if (first.status !== 200) t.inconclusive(`a plain creation is answered ${first.status}`)
      await t.run.own.adoptUser(plain, first)
      if ((await t.send({ operation: 'getUser', path: { user_id: plain.username } })).status !== 200)
        t.inconclusive('a user that was created plainly cannot be read by its username')
      for (const members of [
        { enabled: false },
        { enabled: false, protected: true },
        { client_preferred: true },
        { notify_user: false },
        { realname: undefined },
        { access_level: undefined },
      ]) {
        const body = t.run.own.userBody(members)
        const answer = await t.send({ operation, body })
        if (answer.status !== 200) continue
        const { username } = await t.run.own.adoptUser(body, answer)
        const path = { user_id: username }
        const found = await t.send({ operation: 'getUser', path })
        const [name = ''] = Object.keys(members).toReversed()
        // Somebody who is disabled may not be there to be read; a success may be told in the form of an error.
        const isError = errorBodyFault(answer) === null && errorBodyFault(first) !== null
        const isHidden = 'enabled' in members && !isError
        const made = found.status !== 404 || isHidden
        t.verify(made, `a creation with ${name} is answered 200, and no user was made`, answer)
        if (made && 'protected' in members)
          await t.send({ operation: 'updateUser', path, body: { protected: false } })
      }
      t.pass()
    },
  }),

  requirement({
    id: 'custom-fields.made-as-answered',
    level: 'must',
    section: '4.2',
    statement:
      'Whatever members a creation gives, one that is answered 200 has made a field, where the list shows one that was made plainly.',
    operations: ['createCustomField'],
    safety: 'write',
    async check(t) {
      t.need('customField.type')
      const { projects } = t.profile
      // Linked to a project, since the list holds what is visible to the caller.
      const bodyOf = (members: object) => ({
        ...t.run.own.fieldBody(members),
        ...(projects?.length ? { projects: projects.slice(0, 1) } : {}),
      })
      for (const members of [
        {},
        { display_report: true },
        { display_update: false },
        { default_value: 'kit' },
        { possible_values: 'Kit one|Kit two' },
      ]) {
        const body = bodyOf(members)
        const { answer, field } = await createField(t, body)
        if (answer.status !== 200) continue
        const { name } = body.custom_field
        const missed = await lasting(t, async () => {
          const listed = await listFields(t)
          return mentions(listed.json, name) && !isPaged(listed.json) ? null : listed
        })
        const [member] = Object.keys(members)
        if (member !== undefined)
          t.verify(
            missed === null || field !== null,
            `a creation with ${member} is answered 200, and no field was made`,
            answer,
          )
        else if (missed !== null)
          return t.skip('the list does not show a field that was made, or one page of several')
        await deleteField(t, field)
      }
      t.pass()
    },
  }),
]
