/** Sections 4.1 and 4.2: a creation that is answered 200 has made something, whatever members it gave. */

import { mentions } from '../client/look.js'
import { errorBodyFault } from '../suite/error-body.js'
import { fieldSeries } from '../suite/field-series.js'
import { group } from '../suite/requirement.js'
import { userSeries } from '../suite/user-series.js'

export const madeAsAnswered = group({ rank: 300, level: 'must', safety: 'write' }, [
  {
    id: 'users.made-as-answered',
    section: '4.1',
    statement:
      'Whatever members a creation gives, one that is answered 200 has made a user: it is not the body of an error that is answered so, with nobody made.',
    operations: ['createUser'],
    async check(t, operation) {
      const { asked } = await userSeries(t)
      const made = asked.filter(({ answer, read }) => answer.status === 200 && read !== undefined)
      const plain = made.find(({ read }) => read?.status === 200)
      if (plain === undefined) return t.inconclusive('no user that was created can be read by its username')
      for (const { answer, members, read } of made) {
        // Somebody who is disabled may not be there to be read; a success may be told in the form of an error.
        const isError = errorBodyFault(answer) === null && errorBodyFault(plain.answer) !== null
        const isHidden = members.enabled === false && !isError
        t.verify(
          read?.status !== 404 || isHidden,
          `a creation with ${Object.keys(members).join(', ')} is answered 200, and no user was made`,
          answer,
          operation,
        )
      }
    },
  },

  {
    id: 'custom-fields.made-as-answered',
    section: '4.2',
    statement:
      'Whatever members a creation gives, one that is answered 200 has made a field, where the list shows one that was made plainly.',
    operations: ['createCustomField'],
    async check(t, operation) {
      const { asked, isListed, creations } = await fieldSeries(t)
      if (!isListed) t.skip('the list does not show a field that was made, or one page of several')
      for (const { answer, members, read } of asked) {
        if (answer.operation !== operation || answer.status !== 200 || read === undefined) continue
        const name = String(members.name)
        const isThere = mentions(read.json, name) || creations.some(({ state }) => state.name === name)
        // Linked to no project it need not be visible to the caller.
        const isLinked = Object.entries(members).some(([one, value]) => one.startsWith('project ') && value)
        t.verify(
          isThere || (!isLinked && t.profile.projects !== undefined),
          `a creation with ${Object.keys(members).join(', ')} is answered 200, and no field was made`,
          answer,
          operation,
        )
      }
    },
  },
])
