/** Operations 20 and 22 to 25: delete a recipient of the helpdesk plugin; list, install, update and uninstall plugins. */
import { pluginBody } from '../../conformance/contract/bodies.js'
import { needGate } from '../request/access.js'
import { readBody, refuseEmpty } from '../request/body.js'
import type { AdmittedCall } from '../request/call.js'
import { refuseBy, refuseFor } from '../request/errors.js'
import { isInteger, positiveId } from '../request/json.js'
import { define, entity, written } from '../request/operation.js'
import type { Plugin } from '../state/store.js'

const needPluginManager = (c: AdmittedCall) => needGate(c, 'plugin-permission', 'manage plugins')

const DEFAULT_PRIORITY = 3

function defaultPriority(c: AdmittedCall): number {
  const { min, max } = c.decisions['plugin-priority-range']
  return Math.min(max, Math.max(min, DEFAULT_PRIORITY))
}

function pluginRecord(c: AdmittedCall, { installed: _, forced: __, ...record }: Plugin) {
  if (c.decisions['plugin-record'] !== 'short') return record
  const { basename, name, version, enabled, protected: isProtected, priority } = record
  return { basename, name, version, enabled, protected: isProtected, priority }
}

export const listPlugins = define({
  gate: needPluginManager,
  run(c) {
    const set = c.decisions['plugin-list-set']
    const all = set === 'with-available'
    const listed = c.store.db.plugins.rows.filter(
      ({ installed, forced }) => (installed || all) && !(forced && set === 'without-core'),
    )
    const byName = (a: Plugin, b: Plugin) => a.name.toLowerCase().localeCompare(b.name.toLowerCase())
    const byPriority = (a: Plugin, b: Plugin) => b.priority - a.priority || byName(a, b)
    const records = listed.toSorted(set === 'by-priority' ? byPriority : byName).map((plugin) => ({
      ...pluginRecord(c, plugin),
      ...(all ? { installed: plugin.installed } : {}),
    }))
    return entity('plugins', records)
  },
})

function findPlugin(c: AdmittedCall): Plugin {
  const name = c.path.plugin_name ?? ''
  const { plugins } = c.store.db
  const folds = c.decisions['plugin-name-match'] === 'insensitive'
  const found =
    plugins.find('basename', name) ?? (folds ? plugins.find('folded', name.toLowerCase()) : undefined)
  if (found) return found
  refuseBy(c, 'plugin-unknown', {
    'entity-not-found': ['plugin-entity-not-found', name],
    'not-registered': ['plugin-not-registered', name],
    none: { condition: 'plugin-not-registered', with: [name], number: null },
  })
}

function notInstalled({ basename }: Plugin) {
  const unknown = { condition: 'plugin-not-registered', with: [basename] } as const
  const cases = { invalid: { ...unknown, status: 400 }, 'not-found': { ...unknown, status: 404 } } as const
  return [`${basename} is not installed`, cases] as const
}

export const updatePlugin = define({
  gate: needPluginManager,
  find(c) {
    const plugin = findPlugin(c)
    if (!plugin.installed) refuseBy(c, 'plugin-update-not-installed', ...notInstalled(plugin))
    return plugin
  },
  guard(c, { basename, forced }) {
    if (forced)
      refuseBy(c, 'plugin-update-forced', `${basename} is part of the tracker`, {
        invalid: ['invalid-value', 'plugin_name'],
        forbidden: 'access-denied',
      })
  },
  accept(c) {
    const body = readBody(c, pluginBody)
    refuseEmpty(c, body)
    if (body.priority === undefined && body.protected === undefined)
      refuseBy(c, 'plugin-update-partial', { 'refused-empty': ['empty-field', 'priority'] })
    const { min, max } = c.decisions['plugin-priority-range']
    const { priority } = body
    if (priority !== undefined && (priority < min || priority > max))
      refuseFor('plugin-priority-range', ['invalid-value', 'priority'], `A priority is from ${min} to ${max}`)
    return body
  },
  run(c, plugin, body) {
    const form = c.decisions['plugin-update-partial'] === 'as-a-form'
    const updated = plugin.forced
      ? plugin
      : c.store.db.plugins.change(plugin, {
          priority: body.priority ?? (form ? defaultPriority(c) : plugin.priority),
          protected: body.protected ?? (form ? false : plugin.protected),
        })
    return written(`Plugin ${plugin.basename} updated`, 'plugin', pluginRecord(c, updated))
  },
})

export const installPlugin = define({
  gate: needPluginManager,
  find: findPlugin,
  permit(c, { basename, installed, requires }) {
    if (installed)
      return refuseBy(c, 'plugin-install-again', { refused: ['plugin-already-installed', basename] })
    const unmet = Object.entries(requires).find(([name, version]) => !isMet(c, name, version))
    if (!unmet) return
    const detail = `${basename} requires ${unmet.join(' ')}`
    refuseBy(c, 'plugin-install-deps', detail, { refused: ['plugin-install-failed', detail] })
  },
  run(c, plugin) {
    const fresh = c.decisions['plugin-install-defaults'] === 'fresh'
    const updated = plugin.installed
      ? plugin
      : c.store.db.plugins.change(plugin, {
          installed: true,
          enabled: true,
          ...(fresh ? { protected: false, priority: defaultPriority(c) } : {}),
        })
    return written(`Plugin ${plugin.basename} installed`, 'plugin', pluginRecord(c, updated))
  },
})

function isMet(c: AdmittedCall, name: string, version: string): boolean {
  const required = c.store.db.plugins.find('basename', name)
  return required?.installed === true && compareVersions(required.version, version) >= 0
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number))
  const differences = [0, 1, 2].map((part) => (left?.[part] ?? 0) - (right?.[part] ?? 0))
  return differences.find((difference) => difference !== 0) ?? 0
}

export const uninstallPlugin = define({
  gate: needPluginManager,
  find: findPlugin,
  permit(c, plugin) {
    if (!plugin.installed) return refuseBy(c, 'plugin-uninstall-absent', ...notInstalled(plugin))
    if (plugin.protected || plugin.forced)
      refuseBy(c, 'plugin-uninstall-protected', `${plugin.basename} is protected`, {
        invalid: ['invalid-value', 'plugin_name'],
        protected: 'protected-account',
        'access-denied': 'access-denied',
      })
  },
  run(c, plugin) {
    const removed = c.decisions['plugin-uninstall-protected'] === 'removed'
    const stays = !plugin.installed || (!removed && (plugin.protected || plugin.forced))
    if (!stays) c.store.db.plugins.change(plugin, { installed: false, enabled: false })
    return written(stays ? 'Nothing to do' : `Plugin ${plugin.basename} uninstalled`, 'plugin', {
      basename: plugin.basename,
      installed: stays && plugin.installed,
    })
  },
})

export const deleteHelpdeskRecipient = define({
  gate: (c) => needGate(c, 'recipient-permission', 'delete helpdesk recipients'),
  find(c) {
    const text = c.path.recipient_id ?? ''
    if (!isInteger(text))
      refuseBy(c, 'recipient-bad-id', `Not an id: ${text}`, { invalid: ['invalid-value', 'recipient_id'] })
    const recipient = c.store.db.recipients.find('id', positiveId(text))
    if (recipient) return recipient
    const unknown = { condition: 'plugin-entity-not-found', with: [`recipient ${text}`] } as const
    refuseBy(c, 'recipient-unknown', { 'entity-not-found': unknown, none: { ...unknown, number: null } })
  },
  run(c, recipient) {
    c.store.db.recipients.remove(recipient)
    return written(`Recipient ${recipient.id} deleted`, 'recipient', { id: recipient.id })
  },
})
