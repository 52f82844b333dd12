/** Sections 2.6 and 4.2: what becomes of a plugin, and of the list, when it is installed. */

import { documentedStatuses } from '../contract/index.js'
import { ranked } from '../suite/requirement.js'
import { pluginsAtFirst, pluginsInstalled, withPlugin } from '../suite/shared.js'
import type { Check } from '../suite/types.js'
import type { Answer } from '../target/call.js'
import { isObject, isPaged, mentions, pointersTo, recordsWith, valueAt, values } from '../target/look.js'
import { updatePlugin } from '../target/plugins.js'

const listed = (t: Check) => t.send({ operation: 'listPlugins' })

export const pluginLists = ranked(210, [
  {
    id: 'plugins.install-twice',
    level: 'must',
    section: '4.2',
    statement: 'A plugin that is installed stays so when it is installed again, whatever the answer is.',
    operations: ['installPlugin'],
    safety: 'destructive',
    async check(t, operation) {
      await withPlugin(t, async (name) => {
        const before = await updatePlugin(t, name)
        if (before.status !== 200) t.inconclusive(`an installed plugin cannot be updated: ${before.status}`)
        const again = await t.send({ operation, path: { plugin_name: name } })
        t.expect(again, documentedStatuses, 'installing a plugin that is installed')
        t.expect(await updatePlugin(t, name), 200, 'updating a plugin that was installed twice', operation)
      })
    },
  },

  {
    id: 'plugins.install-alone',
    level: 'should',
    section: '4.2',
    statement:
      'The installation of a plugin adds that one to the list, and no other that stays, and leaves the others as they were.',
    operations: ['installPlugin'],
    safety: 'destructive',
    async check(t, operation) {
      const removed = await installedAndRemoved(t)
      await withPlugin(t, async (name) => {
        const { list: before } = await pluginsAtFirst(t)
        const after = await pluginsInstalled(t)
        if (before.status !== 200 || isPaged(after.json))
          t.skip('the list of plugins is not shown as a whole')
        const key = keyOf(after, name)
        if (key === null) return t.skip('the list does not show the plugin by its name')
        // One that is needed by the plugin may come and go with it.
        const isNew = (other: string) =>
          other !== name && !mentions(before.json, other) && mentions(removed.json, other)
        const added = namesIn(after, key).find(isNew)
        t.verify(added === undefined, `with the plugin ${added} has come into the list`, after, operation)
        const changed = namesIn(before, key).find(
          (other) => other !== name && settingsIn(before, other) !== settingsIn(after, other),
        )
        t.verify(
          changed === undefined,
          `with the plugin the priority or protection of ${changed} has changed`,
          after,
          operation,
        )
      })
    },
  },

  {
    id: 'plugins.listed-once',
    level: 'should',
    section: '4.2',
    statement: 'The list has no plugin twice.',
    operations: ['listPlugins'],
    safety: 'destructive',
    async check(t) {
      await withPlugin(t, async (name) => {
        const shown = await listed(t)
        const lists = pointersTo(shown.json, Array.isArray).map((at) => valueAt(shown.json, at) as unknown[])
        const isIt = (one: unknown) => one === name || (isObject(one) && Object.values(one).includes(name))
        const twice = lists
          .filter((list) => list.some(isIt))
          // Of texts in a list those alone that are surely names of plugins.
          .map((list) => list.filter((one) => isObject(one) || one === name))
          .map((list) => list.map((one) => JSON.stringify(one)))
          .flatMap((list) => list.filter((one, at) => list.indexOf(one) !== at))
        t.verify(twice.length === 0, `the list has twice ${twice[0]?.slice(0, 80)}`, shown)
      })
    },
  },

  {
    id: 'plugins.no-wrong-types',
    level: 'must',
    section: '2.6',
    statement: 'Text that is no number does not become a priority, nor text that is no flag a protection.',
    operations: ['updatePlugin'],
    safety: 'destructive',
    async check(t, operation) {
      const { min, max } = t.need('plugin.priority')
      await withPlugin(t, async (name) => {
        const start = { priority: max, protected: false }
        const shownAfter = async (body: object) => {
          await t.send({ operation, path: { plugin_name: name }, body: start })
          const answer = await t.send({ operation, path: { plugin_name: name }, body })
          return { answer, shown: settingsIn(await listed(t), name) }
        }
        const { shown: asSet } = await shownAfter(start)
        for (const [member, values] of [
          ['priority', ['high', ['high']]],
          ['protected', ['perhaps']],
        ] as const) {
          const { [member]: _, ...rest } = start
          // Whether a member of a wrong type is refused or passed over is not shown, nor what an absent one becomes.
          const { shown: asAbsent } = await shownAfter(rest)
          for (const value of values) {
            const { answer, shown } = await shownAfter({ ...start, [member]: value })
            const message = `${member} ${JSON.stringify(value)} is answered ${answer.status}, and stored`
            t.verify(shown === asSet || shown === asAbsent, message, answer)
          }
        }
        // Each with a valid member beside the one of a wrong type, which would be a change.
        for (const body of [
          { priority: min, protected: 'perhaps' },
          { priority: 'high', protected: true },
        ]) {
          await t.send({ operation, path: { plugin_name: name }, body: start })
          const before = settingsIn(await listed(t), name)
          const answer = await t.send({ operation, path: { plugin_name: name }, body })
          const kept = settingsIn(await listed(t), name) === before
          const message = `the body ${JSON.stringify(body)} is answered ${answer.status}, and a part of it stored`
          t.verify(answer.status < 400 || kept, message, answer)
        }
      })
    },
  },
])

/** The list of plugins after one was installed and removed. */
async function installedAndRemoved(t: Check): Promise<Answer> {
  await withPlugin(t, async () => undefined)
  return listed(t)
}

/** The member by whose value the list names the plugin; null where it does not. */
function keyOf({ json }: Answer, name: string): string | null {
  const [record] = recordsWith(json, name)
  const key = record && Object.keys(record).find((member) => record[member] === name)
  // Of a list of names and values each member is a record.
  return key === undefined || key === 'value' ? null : key
}

const namesIn = ({ json }: Answer, key: string) =>
  [...values(json)].flatMap((value) =>
    isObject(value) && typeof value[key] === 'string' ? [value[key]] : [],
  )

const settingsIn = ({ json }: Answer, name: string) =>
  JSON.stringify(recordsWith(json, name).map((record) => [record.priority, record.protected]))
