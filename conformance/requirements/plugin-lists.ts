/** Sections 2.6 and 4.2: what becomes of a plugin, and of the list, when it is installed. */

import { isObject, isPaged, mentions, pointersTo, valueAt } from '../client/look.js'
import { documentedStatuses } from '../contract/index.js'
import {
  flagsIn,
  listPlugins,
  otherPlugins,
  pluginsAtFirst,
  pluginsInstalled,
  settingsIn,
  withPlugin,
} from '../suite/plugins.js'
import { group } from '../suite/requirement.js'

export const pluginLists = group({ rank: 210, level: 'must', safety: 'destructive' }, [
  {
    id: 'plugins.install-twice',
    section: '4.2',
    statement: 'A plugin that is installed stays so when it is installed again, whatever the answer is.',
    operations: ['installPlugin'],
    async check(t, operation) {
      await withPlugin(t, async ({ install, update }) => {
        const before = await update()
        if (before.status !== 200) t.inconclusive(`an installed plugin cannot be updated: ${before.status}`)
        t.expect(await install(), documentedStatuses, 'installing a plugin that is installed')
        t.expect(await update(), 200, 'updating a plugin that was installed twice', operation)
      })
    },
  },

  {
    id: 'plugins.install-alone',
    level: 'should',
    section: '4.2',
    statement:
      'The installation of a plugin adds that one to the list, not whatever there is, and protects no other.',
    operations: ['installPlugin'],
    async check(t, operation) {
      await withPlugin(t, async () => undefined)
      const removed = await listPlugins(t)
      await withPlugin(t, async ({ name }) => {
        const { list: before } = await pluginsAtFirst(t)
        const after = await pluginsInstalled(t)
        if (before.status !== 200 || isPaged(after.json))
          t.skip('the list of plugins is not shown as a whole')
        const others = otherPlugins(after, name)
        if (others === null) return t.skip('the list does not show the plugin by its name')
        // One that is needed by the plugin may come with it, and stay.
        const isNew = (other: string) => !mentions(before.json, other) && mentions(removed.json, other)
        const [added, another] = others.filter(isNew)
        const come = `with the plugin ${added} and ${another} have come into the list`
        t.verify(another === undefined, come, after, operation)
        // A new one may take its place among the priorities of the others.
        const changed = otherPlugins(before, name, after)?.find(
          (other) => flagsIn(before, other) !== flagsIn(after, other),
        )
        const message = `with the plugin the protection of ${changed} has changed`
        t.verify(changed === undefined, message, after, operation)
      })
    },
  },

  {
    id: 'plugins.listed-once',
    level: 'should',
    section: '4.2',
    statement: 'The list has no plugin twice.',
    operations: ['listPlugins'],
    async check(t) {
      await withPlugin(t, async ({ name }) => {
        const shown = await listPlugins(t)
        // A record may have a list of its own, of what was done to it.
        const outer = pointersTo(shown.json, Array.isArray).filter((at) => !/\/\d+\//.test(at))
        const lists = outer.map((at) => valueAt(shown.json, at) as unknown[])
        const isIt = (one: unknown) => one === name || (isObject(one) && Object.values(one).includes(name))
        const twice = lists
          // Bare names may be those of what there was.
          .filter((list) => list.some(isIt) && (lists.length === 1 || list.some(isObject)))
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
    section: '2.6',
    statement: 'Text that is no number does not become a priority, nor text that is no flag a protection.',
    operations: ['updatePlugin'],
    async check(t) {
      const { min, max } = t.need('plugin.priority')
      await withPlugin(t, async ({ name, give }) => {
        const start = { priority: max, protected: false }
        const settings = async () => settingsIn(await listPlugins(t), name)
        const shownAfter = async (body: object) => {
          await give(start)
          const answer = await give(body)
          return { answer, shown: await settings() }
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
          await give(start)
          const before = await settings()
          const answer = await give(body)
          const message = `the body ${JSON.stringify(body)} is answered ${answer.status}, and a part of it stored`
          t.verify(answer.status < 400 || (await settings()) === before, message, answer)
        }
      })
    },
  },
])
