/** Sections 2.6 and 4.2: plugins are listed, installed, updated and uninstalled. */

import { documentedStatuses } from '../contract/index.js'
import { ranked } from '../suite/requirement.js'
import {
  pluginBody,
  pluginsAtFirst,
  pluginsInstalled,
  statusesOfAbsent,
  withPlugin,
} from '../suite/shared.js'
import type { Check } from '../suite/types.js'
import type { Answer } from '../target/call.js'
import {
  countRecords,
  isObject,
  isPaged,
  mentions,
  pointersTo,
  recordsWith,
  stillLists,
  valueAt,
  values,
} from '../target/look.js'
import { uninstallPlugin, updatePlugin } from '../target/plugins.js'

export const plugins = ranked(30, [
  {
    id: 'plugins.metadata',
    level: 'should',
    section: '4.2',
    statement: 'The list of plugins has more than their names: management metadata.',
    operations: ['listPlugins'],
    safety: 'read',
    async check(t, operation) {
      const listed = await t.send({ operation })
      if (listed.status !== 200) t.inconclusive(`plugins are not listed: ${listed.status}`)
      t.verify(!isBareNames(listed.json), 'the list has nothing but names', listed)
    },
  },

  {
    id: 'plugins.install-and-uninstall',
    level: 'must',
    section: '4.2',
    statement:
      'An available plugin is installed with 200, listed and updated while it is installed, and uninstalled with 200.',
    operations: ['installPlugin', 'uninstallPlugin', 'listPlugins', 'updatePlugin'],
    safety: 'destructive',
    async check(t) {
      const { name } = t.need('plugin')
      const path = { plugin_name: name }
      const use = () => updatePlugin(t, name)
      const list = () => t.send({ operation: 'listPlugins' })

      const atFirst = await pluginsAtFirst(t)
      const absent = await statusesOfAbsent(t)
      const listedBefore = await list()
      const tooEarly = await use()
      // Where the run has installed it before, its removal is what did nothing.
      const left = tooEarly.status === 200 && !absent.includes(200) && t.run.succeeded('installPlugin')
      if (left) {
        const removed = t.expect(await uninstallPlugin(t, name), 200, 'uninstalling an installed plugin')
        const still = removed ? await use() : tooEarly
        const rule = 'updating a plugin after it was uninstalled'
        if (removed) t.expect(still, absent, rule, 'uninstallPlugin')
        if (still.status === 200) return
      } else t.expect(tooEarly, absent, 'updating a plugin that is not installed')

      const installed = await t.send({ operation: 'installPlugin', path })
      if (!t.expect(installed, 200, 'installing an available plugin')) return
      // What can be updated is installed, so it is the list that does not tell.
      const usable = t.expect(await use(), 200, 'updating an installed plugin')
      const listed = await list()
      const firstInstalled = await pluginsInstalled(t)
      const unchanged = listed.text === listedBefore.text && countRecords(listed.json) > 0
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

      const uninstalled = await uninstallPlugin(t, name)
      if (!t.expect(uninstalled, 200, 'uninstalling an installed plugin')) return
      const rule = 'updating a plugin after it was uninstalled'
      const gone = t.expect(await use(), absent, rule, 'uninstallPlugin')
      const listedAfter = await list()
      const appeared = !mentions(listedBefore.json, name) && mentions(listed.json, name)
      t.verify(
        !appeared || !stillLists(listedAfter.json, name, listed.json, [name]),
        'the list still shows the uninstalled plugin',
        listedAfter,
        gone ? 'listPlugins' : 'uninstallPlugin',
      )
      const others = otherPlugins(atFirst.list.json, name, listed.json).map(([other]) => String(other))
      const lost = others.find((other) => !mentions(listedAfter.json, other))
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
    level: 'must',
    section: '4.2',
    statement: 'A plugin that was uninstalled can be installed again.',
    operations: ['installPlugin', 'uninstallPlugin'],
    safety: 'destructive',
    async check(t) {
      const { name } = t.need('plugin')
      const path = { plugin_name: name }
      const absent = await statusesOfAbsent(t)
      for (const round of ['first', 'second']) {
        const installed = await t.send({ operation: 'installPlugin', path })
        if (!t.expect(installed, 200, `the ${round} installation`)) return
        const uninstalled = await uninstallPlugin(t, name)
        if (!t.expect(uninstalled, 200, `the ${round} removal`)) return
        const left = await updatePlugin(t, name)
        const rule = `updating a plugin after the ${round} removal`
        if (!t.expect(left, absent, rule, 'uninstallPlugin')) return
      }
      const gone = await t.send({ operation: 'uninstallPlugin', path })
      t.expect(gone, documentedStatuses, 'uninstalling a plugin that is not installed')
    },
  },

  {
    id: 'plugins.priority-range',
    level: 'must',
    section: '2.6',
    statement: 'A priority within the configured range is accepted, one outside it is answered 400.',
    operations: ['updatePlugin'],
    safety: 'destructive',
    async check(t, operation) {
      const { min, max } = t.need('plugin.priority')
      await withPlugin(t, async (plugin_name) => {
        const path = { plugin_name }
        for (const priority of new Set([min, max])) {
          const answer = await updatePlugin(t, plugin_name, { priority })
          if (t.expect(answer, 200, `the priority ${priority}, within ${min} to ${max}`))
            await listShows(t, plugin_name, 'priority', priority)
        }
        for (const priority of new Set([min, max])) {
          const alone = await t.send({ operation, path, body: { priority } })
          // What becomes of a member that is not given is not shown.
          if (alone.status === 200) await listShows(t, plugin_name, 'priority', priority)
        }
        await updatePlugin(t, plugin_name, { priority: max, protected: false })
        for (const priority of [min - 1, Math.min(-1, min - 2), max + 1, max + 1_000_000]) {
          const body = pluginBody(t, { priority, protected: true })
          const answer = await t.send({ operation, path, body })
          t.expect(answer, 400, `the priority ${priority}, outside ${min} to ${max}`)
        }
        await listShows(t, plugin_name, 'priority', max)
        // Sent beside a priority that was refused.
        await listShows(t, plugin_name, 'protected', false)
      })
    },
  },

  {
    id: 'plugins.protected',
    level: 'must',
    section: '2.6',
    statement: 'The protected flag of an installed plugin is set and lifted with 200.',
    operations: ['updatePlugin'],
    safety: 'destructive',
    async check(t, operation) {
      await withPlugin(t, async (plugin_name) => {
        const path = { plugin_name }
        const others = async () =>
          // In whatever order they are listed.
          otherPlugins((await t.send({ operation: 'listPlugins' })).json, plugin_name)
            .map((one) => JSON.stringify(one))
            .toSorted()
            .join()
        const before = await others()
        for (const flag of [true, false]) {
          const answer = await updatePlugin(t, plugin_name, { protected: flag })
          if (t.expect(answer, 200, `setting protected to ${flag}`))
            await listShows(t, plugin_name, 'protected', flag)
          t.verify((await others()) === before, 'the update of one plugin changed another one', answer)
        }
        for (const flag of [true, false]) {
          const alone = await t.send({ operation, path, body: { protected: flag } })
          if (alone.status === 200) await listShows(t, plugin_name, 'protected', flag)
        }
      })
    },
  },
])

/** Where the list shows such a member of the plugin, it must show this value. */
async function listShows(t: Check, name: string, member: string, value: number | boolean): Promise<void> {
  const listed = await t.send({ operation: 'listPlugins' })
  for (const record of recordsWith(listed.json, name)) {
    const shown = record[member]
    t.verify(
      typeof shown !== typeof value || shown === value,
      `the list shows ${member} ${JSON.stringify(shown)} after it was set to ${value}`,
      listed,
      'updatePlugin',
    )
  }
}

/** Whether all that an answer has is one list of bare names, in an envelope or not. */
function isBareNames(json: unknown): boolean {
  const [at, ...others] = pointersTo(json, Array.isArray)
  if (at === undefined || others.length > 0) return false
  const items = valueAt(json, at) as readonly unknown[]
  const envelopes = at.split('/').length - 1
  // As a text, or as a record that has nothing beside it.
  const members = items.filter(isObject).map((item) => Object.entries(item))
  const names = items.flatMap((item) => (isObject(item) ? Object.values(item) : [item]))
  const plain = names.every((name) => typeof name === 'string' && /^[\w.-]+$/.test(name))
  const alone = members.every((one) => one.length === 1 && one[0]?.[0] === members[0]?.[0]?.[0])
  return items.length > 0 && plain && alone && countRecords(json) === envelopes + members.length
}

/**
 * What a list shows of the priority and protection of the plugins apart from this one, whose record, in this list or in
 * another, tells where a plugin has its name.
 */
function otherPlugins(json: unknown, name: string, like = json): unknown[][] {
  const [record] = recordsWith(like, name)
  const key = record && Object.keys(record).find((member) => record[member] === name)
  if (key === undefined) return []
  return [...values(json)]
    .filter((value) => isObject(value) && typeof value[key] === 'string' && value[key] !== name)
    .map((value) => {
      const { [key]: other, priority, protected: flag } = value as Record<string, unknown>
      return [other, priority, flag]
    })
}
