/** Sections 2.1 and 2.5: each flag and preference in both directions, at creation and by an update. */

import { judgeBothWays } from '../suite/both-ways.js'
import { choicesOf } from '../suite/choices.js'
import { requirement } from '../suite/requirement.js'
import type { OwnUser, Requirement } from '../suite/types.js'
import { fieldWith, userWith } from '../suite/with-member.js'

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
    const choices = await choicesOf(t, member, async (value) => (await subject.create(value)).thing !== null)
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
      if (one.thing !== null && value === true) made.push(one.thing)
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
