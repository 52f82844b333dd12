/** Section 1: response bodies are JSON, whatever the texts in them are. */

import { createField, deleteField } from '../suite/fields.js'
import { requirement } from '../suite/requirement.js'
import type { Check } from '../suite/types.js'
import type { Call } from '../target/call.js'

/** What stands in JSON as an escape. */
const special = 'a "quoted" word, a \\ and a / of'

async function expectJson(t: Check, calls: readonly Call[]): Promise<void> {
  for (const call of calls) {
    const answer = await t.send(call)
    const broken = answer.status === 200 && answer.json === undefined
    t.verify(!broken, 'with quotes and a backslash in what it shows the body is not JSON', answer)
  }
}

export const specialTexts = [
  requirement({
    id: 'answer.special-texts',
    level: 'must',
    section: '1',
    statement: 'A body that shows a text with quotes or a backslash in it is JSON.',
    operations: ['getUser', 'getUserEditPage', 'listCustomFields', 'getCustomFieldUpdatePage'],
    safety: 'write',
    async check(t) {
      // Which texts are accepted is not shown.
      const body = t.run.own.userBody({ realname: `Kit ${special} ${t.run.tag}` })
      const created = await t.send({ operation: 'createUser', body })
      if (created.status === 200) {
        const { username } = await t.run.own.adoptUser(body, created)
        const path = { user_id: username }
        await expectJson(t, [
          { operation: 'getUser', path },
          { operation: 'getUserEditPage', path },
        ])
      }
      if (t.profile.customField?.type === undefined || !(await t.run.own.canFollowFields())) return
      const { field } = await createField(t, t.run.own.fieldBody({ default_value: `${special} Kit` }))
      if (field === null) return
      const path = { field_id: field.id }
      await expectJson(t, [
        { operation: 'listCustomFields' },
        { operation: 'getCustomFieldUpdatePage', path },
      ])
      await deleteField(t, field)
    },
  }),
]
