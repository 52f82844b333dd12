/** Section 4: what is answered rightly once is answered rightly every time. */
import { operations, SUCCESS } from '../contract/index.js'
import type { Check } from '../suite/check.js'
import { type Row, requirementOf } from '../suite/engine.js'
import { requirement } from '../suite/requirement.js'
import { keepingColumns, keepingSetting, pluginBody, withPlugin } from '../suite/shared.js'
import type { Answer } from '../target/call.js'
import { inLetters } from '../target/client.js'

/** Enough to meet a fault that comes with every twelfth request, at the default number of runs. */
const times = (t: Check) => Math.max(2, Math.ceil(t.run.options.runs / 8))

async function everyTime(t: Check, ask: (round: number) => Promise<Answer>): Promise<void> {
  for (let round = 1; round <= times(t); round++)
    if (!t.expect(await ask(round), SUCCESS, `a valid request, the ${round}. of ${times(t)}`)) return
}

const reads: Row = {
  id: 'repetition.reads',
  level: 'must',
  section: '4',
  statement: 'A read that was answered 200 is answered 200 again, as long as nothing was changed.',
  operations: operations.filter(({ method }) => method === 'GET').map(({ id }) => id),
  safety: 'read',
  allowed: [SUCCESS],
  change({ proven }, t) {
    if (!proven) t.skip('the profile names no existing resource to read')
    const what = (round: number) => `a valid request, the ${round}. of ${times(t)}`
    return Array.from({ length: times(t) }, (_, index) => ({ what: what(index + 1), call: {} }))
  },
}

export const repetition = [
  requirementOf(reads),

  requirement({
    id: 'repetition.updates',
    level: 'must',
    section: '4',
    statement: 'Valid updates of one thing are answered 200, each of them.',
    operations: ['updateUser', 'updateCustomField'],
    safety: 'write',
    each: true,
    async check(t, operation) {
      if (operation === 'updateUser') {
        const { username } = await t.run.own.user()
        const body = (round: number) => ({ realname: `Kit Person ${inLetters(round, 2)} of ${t.run.tag}` })
        const path = { user_id: username }
        await everyTime(t, (round) => t.send({ operation, path, body: body(round) }))
        return
      }
      const field = await t.run.own.field()
      if (field.name === null) return t.skip('no field of its own can be found in answers')
      let own = field
      await everyTime(t, async () => {
        const body = t.run.own.fieldBody()
        const path = { field_id: own.id }
        const answer = await t.send({ operation, path, body })
        if (answer.status === SUCCESS) own = t.run.own.fieldRenamed(own, body.custom_field.name)
        return answer
      })
    },
  }),

  requirement({
    id: 'repetition.shared',
    level: 'must',
    section: '4',
    statement: 'A valid change of what is shared is answered 200 each time that it is asked for.',
    operations: ['updateUserSettings', 'manageColumns', 'updatePlugin', 'updateSettings'],
    safety: 'destructive',
    each: true,
    async check(t, operation) {
      if (operation === 'updatePlugin') {
        await withPlugin(t, async (plugin_name) => {
          const { min, max } = t.profile.plugin?.priority ?? {}
          // What is so already may not be asked for.
          const body = (odd: boolean) => pluginBody(t, { protected: odd, priority: odd ? max : min })
          const path = { plugin_name }
          await everyTime(t, (round) => t.send({ operation, path, body: body(round % 2 === 1) }))
        })
      }
      if (operation === 'updateSettings') {
        const body = t.need('settings')
        await everyTime(t, () => t.send({ operation, body }))
      }
      if (operation === 'updateUserSettings') {
        await keepingSetting(t, (setting) =>
          everyTime(t, () => t.send({ operation, body: { configs: [setting] } })),
        )
      }
      if (operation === 'manageColumns') {
        await keepingColumns(t, (columns, reference) =>
          everyTime(t, () => t.send({ operation, body: { ...reference, columns } })),
        )
      }
    },
  }),
]
