/** Sections 2.1 and 2.5: each flag and preference in both directions, at creation and by an update. */

import { judgeBothWays } from '../suite/both-ways.js'
import { requirement } from '../suite/requirement.js'
import { fieldWith } from '../suite/with-member.js'

const statementOf = (member: string) =>
  `\`${member}\` is the one that was given last, in both directions, at creation as by an update, where answers show it.`

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

export const bothWays = [ofField('display_report'), ofField('display_update')]
