/** Sections 2.1 and 2.5: each flag and preference in both directions, at creation and by an update. */
import { judgeBothWays, type Subject } from '../suite/both-ways.js'
import type { Check } from '../suite/check.js'
import { choicesOf } from '../suite/choices.js'
import { createField, listFields } from '../suite/fields.js'
import type { OwnField, OwnUser } from '../suite/own.js'
import { type Requirement, requirement } from '../suite/requirement.js'
import { views } from '../suite/user-views.js'
import { recordsWith } from '../target/look.js'

/** The member of a user, beside what else is given at its creation. */
function userWith(t: Check, member: string, beside: object = {}): Subject<OwnUser> {
  return {
    creates: 'createUser',
    updates: 'updateUser',
    async create(value) {
      const body = t.run.own.userBody({ ...beside, ...(value === undefined ? {} : { [member]: value }) })
      const answer = await t.send({ operation: 'createUser', body })
      return answer.status === 200 ? { thing: await t.run.own.adoptUser(body, answer), answer } : null
    },
    update: ({ username }, value) =>
      t.send({ operation: 'updateUser', path: { user_id: username }, body: { [member]: value } }),
    async look(user) {
      const [read, page] = await views(t, user)
      return { getUser: read.json, getUserEditPage: page.json }
    },
  }
}

function fieldWith(t: Check, member: string): Subject<{ field: OwnField; name: string }> {
  return {
    creates: 'createCustomField',
    updates: 'updateCustomField',
    async create(value) {
      const body = t.run.own.fieldBody(value === undefined ? {} : { [member]: value })
      const { answer, field } = await createField(t, body)
      return field && { thing: { field, name: body.custom_field.name }, answer }
    },
    async update(thing, value) {
      // Under another name each time, since an update that changes nothing may be refused.
      const body = t.run.own.fieldBody({ [member]: value })
      const answer = await t.send({
        operation: 'updateCustomField',
        path: { field_id: thing.field.id },
        body,
      })
      if (answer.status === 200) {
        thing.name = body.custom_field.name
        thing.field = t.run.own.fieldRenamed(thing.field, thing.name)
      }
      return answer
    },
    async look({ field, name }) {
      const page = await t.send({ operation: 'getCustomFieldUpdatePage', path: { field_id: field.id } })
      return { page: page.json, listed: recordsWith((await listFields(t)).json, name) }
    },
  }
}

const statementOf = (member: string) =>
  `\`${member}\` is the one that was given last, in both directions, at creation as by an update, where answers show it.`

const ofUser = (member: string, check: Requirement['check']) =>
  requirement({
    id: `users.${member.replace('_', '-')}-both-ways`,
    level: 'must',
    section: '2.1',
    statement: statementOf(member),
    operations: ['createUser', 'updateUser'],
    safety: 'write',
    check,
  })

const ofField = (member: 'display_report' | 'display_update') =>
  requirement({
    id: `custom-fields.${member.replace('_', '-')}-both-ways`,
    level: 'must',
    section: '2.5',
    statement: statementOf(member),
    operations: ['createCustomField', 'updateCustomField'],
    safety: 'write',
    async check(t) {
      t.need('customField.type')
      if (!(await t.run.own.canFollowFields())) t.skip('no field of its own can be found in answers')
      await judgeBothWays(t, fieldWith(t, member), member, [false, true])
    },
  })

const ofChoice = (member: 'language' | 'timezone') =>
  ofUser(member, async (t) => {
    const subject = userWith(t, member)
    const choices = await choicesOf(t, member, async (value) => (await subject.create(value)) !== null)
    if (choices === null) return t.skip(`no two values of ${member} are known that a creation accepts`)
    await judgeBothWays(t, subject, member, choices)
  })

export const bothWays = [
  ofUser('enabled', (t) => judgeBothWays(t, userWith(t, 'enabled'), 'enabled', [false, true])),

  ofUser('protected', async (t) => {
    // Disabled, so that one that stays protected cannot be used.
    const subject = userWith(t, 'protected', { enabled: false })
    const made: OwnUser[] = []
    const create: typeof subject.create = async (value) => {
      const one = await subject.create(value)
      if (one && value === true) made.push(one.thing)
      return one
    }
    try {
      await judgeBothWays(t, { ...subject, create }, 'protected', [true, false])
    } finally {
      for (const user of made) await subject.update(user, false)
    }
  }),

  ofUser('client_preferred', (t) =>
    judgeBothWays(t, userWith(t, 'client_preferred'), 'client_preferred', [true, false]),
  ),

  ofChoice('language'),
  ofChoice('timezone'),

  ofField('display_report'),
  ofField('display_update'),
]
