/** Sections 2.6 and 4.2: plugins are listed, installed, updated and uninstalled. */

import type { Answer } from '../client/call.js'
import {
  countRecords,
  haveSameLists,
  isPaged,
  mentions,
  pointersTo,
  recordsWith,
  stillLists,
} from '../client/look.js'
import { documentedStatuses } from '../contract/index.js'
import {
  flagsIn,
  listPlugins,
  otherPlugins,
  pluginBody,
  pluginOf,
  pluginsAtFirst,
  pluginsInstalled,
  statusesOfAbsent,
  withPlugin,
} from '../suite/plugins.js'
import { group } from '../suite/requirement.js'
import type { Check } from '../suite/types.js'

export const plugins = group({ rank: 30, level: 'must', safety: 'destructive' }, [
  {
    id: 'plugins.install-and-uninstall',
    section: '4.2',
    statement:
      'An available plugin is installed with 200, listed and updated while it is installed, and uninstalled with 200.',
    operations: ['installPlugin', 'uninstallPlugin', 'listPlugins', 'updatePlugin'],
    async check(t) {
      const { name, install, update, uninstall } = pluginOf(t)
      const atFirst = await pluginsAtFirst(t)
      const absent = await statusesOfAbsent(t)
      const listedBefore = await listPlugins(t)
      const tooEarly = await update()
      // Where the run has installed it before, its removal is what did nothing.
      const left = tooEarly.status === 200 && !absent.includes(200) && t.run.succeeded('installPlugin')
      if (left) {
        const removed = t.expect(await uninstall(), 200, 'uninstalling an installed plugin')
        const still = removed ? await update() : tooEarly
        const rule = 'updating a plugin after it was uninstalled'
        if (removed) t.expect(still, absent, rule, 'uninstallPlugin')
        if (still.status === 200) return
      } else t.expect(tooEarly, absent, 'updating a plugin that is not installed')

      if (!t.expect(await install(), 200, 'installing an available plugin')) return
      // What can be updated is installed, so it is the list that does not tell.
      const usable = t.expect(await update(), 200, 'updating an installed plugin')
      const listed = await listPlugins(t)
      const firstInstalled = await pluginsInstalled(t)
      const alike = listed.text === listedBefore.text || haveSameLists(listed.json, listedBefore.json)
      const unchanged = alike && countRecords(listed.json) > 0
      t.verify(
        !unchanged || isPaged(listed.json) || mentions(listed.json, name),
        'the list is the same as before the installation',
        listed,
        usable ? 'listPlugins' : 'installPlugin',
      )
      // A list may say of those that are not installed that they are not, in whatever way but by what was just updated, and
      // be one of several in the answer.
      const recordOf = ({ json }: Answer) =>
        JSON.stringify([
          recordsWith(json, name).map(({ priority, protected: _, ...rest }) => rest),
          pointersTo(json, (value) => value === name).map((at) => at.replace(/\/\d+(?=\/|$)/g, '')),
        ])
      t.verify(
        recordsWith(listedBefore.json, name).length === 0 || recordOf(listedBefore) !== recordOf(listed),
        'the list shows a plugin that is not installed as it shows one that is',
        listedBefore,
        'listPlugins',
      )

      if (!t.expect(await uninstall(), 200, 'uninstalling an installed plugin')) return
      const rule = 'updating a plugin after it was uninstalled'
      const gone = t.expect(await update(), absent, rule, 'uninstallPlugin')
      const listedAfter = await listPlugins(t)
      const appeared = !mentions(listedBefore.json, name) && mentions(listed.json, name)
      t.verify(
        !appeared || !stillLists(listedAfter.json, name, listed.json, [name]),
        'the list still shows the uninstalled plugin',
        listedAfter,
        gone ? 'listPlugins' : 'uninstallPlugin',
      )
      const lost = otherPlugins(atFirst.list, name, listed)?.find(
        (other) => !mentions(listedAfter.json, other),
      )
      t.verify(
        lost === undefined || isPaged(listedAfter.json),
        `with the plugin ${lost} has gone from the list`,
        listedAfter,
        // What had gone before anything was uninstalled went with the installation.
        lost !== undefined && !mentions(firstInstalled.json, lost) ? 'installPlugin' : 'uninstallPlugin',
      )
    },
  },

  {
    id: 'plugins.install-again',
    section: '4.2',
    statement: 'A plugin that was uninstalled can be installed again.',
    operations: ['installPlugin', 'uninstallPlugin'],
    async check(t) {
      const { path, install, update, uninstall } = pluginOf(t)
      const absent = await statusesOfAbsent(t)
      for (const round of ['first', 'second']) {
        if (!t.expect(await install(), 200, `the ${round} installation`)) return
        if (!t.expect(await uninstall(), 200, `the ${round} removal`)) return
        const rule = `updating a plugin after the ${round} removal`
        if (!t.expect(await update(), absent, rule, 'uninstallPlugin')) return
      }
      const gone = await t.send({ operation: 'uninstallPlugin', path })
      t.expect(gone, documentedStatuses, 'uninstalling a plugin that is not installed')
    },
  },

  {
    id: 'plugins.priority-range',
    section: '2.6',
    statement:
      'A priority within the configured range is accepted, and the list still has the plugin; one outside it is answered 400.',
    operations: ['updatePlugin', 'listPlugins'],
    async check(t) {
      const { min, max } = t.need('plugin.priority')
      await withPlugin(t, async ({ name, update, give }) => {
        const lists: Answer[] = []
        for (const priority of new Set([min, max]))
          if (t.expect(await update({ priority }), 200, `the priority ${priority}, within ${min} to ${max}`))
            lists.push(await listShows(t, name, { priority }))
        // What becomes of a member that is not given is not shown.
        for (const priority of new Set([min, max]))
          if ((await give({ priority })).status === 200) lists.push(await listShows(t, name, { priority }))
        const lacking = lists.find(
          ({ status, json }) => status === 200 && !isPaged(json) && !mentions(json, name),
        )
        if (lacking && lists.some(({ json }) => mentions(json, name)))
          t.verify(
            false,
            'the list has the plugin with one priority, and not with another',
            lacking,
            'listPlugins',
          )
        await update({ priority: max, protected: false })
        for (const priority of [min - 1, Math.min(-1, min - 2), max + 1, max + 1_000_000]) {
          const answer = await give(pluginBody(t, { priority, protected: true }))
          t.expect(answer, 400, `the priority ${priority}, outside ${min} to ${max}`)
        }
        // Neither the priority that was refused nor what was sent beside it.
        await listShows(t, name, { priority: max, protected: false })
      })
    },
  },

  {
    id: 'plugins.protected',
    section: '2.6',
    statement: 'The protected flag of an installed plugin is set and lifted with 200.',
    operations: ['updatePlugin'],
    async check(t) {
      await withPlugin(t, async ({ name, update, give }) => {
        const others = async () => {
          const listed = await listPlugins(t)
          // Two may not have one priority, so that it moves others.
          const flags = otherPlugins(listed, name)?.map((other) => other + flagsIn(listed, other))
          // In whatever order they are listed; and on one page of several there may be others.
          return isPaged(listed.json) ? undefined : flags?.toSorted().join()
        }
        const before = await others()
        for (const flag of [true, false]) {
          const answer = await update({ protected: flag })
          if (t.expect(answer, 200, `setting protected to ${flag}`))
            await listShows(t, name, { protected: flag })
          t.verify((await others()) === before, 'the update of one plugin changed another one', answer)
        }
        for (const flag of [true, false])
          if ((await give({ protected: flag })).status === 200) await listShows(t, name, { protected: flag })
      })
    },
  },
])

/** Where the list shows such members of the plugin, it must show these values. */
async function listShows(t: Check, name: string, given: Record<string, number | boolean>): Promise<Answer> {
  const listed = await listPlugins(t)
  for (const record of recordsWith(listed.json, name))
    for (const [member, value] of Object.entries(given)) {
      const shown = record[member]
      t.verify(
        typeof shown !== typeof value || shown === value,
        `the list shows ${member} ${JSON.stringify(shown)} after it was set to ${value}`,
        listed,
        'updatePlugin',
      )
    }
  return listed
}
