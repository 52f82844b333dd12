/** Operations 22 to 25: plugins are listed, installed, updated and uninstalled. */
import { pluginBody } from '../../conformance/contract/bodies.js'
import { needGate } from '../request/access.js'
import { read, written } from '../request/answers.js'
import { isEmpty, readBody } from '../request/body.js'
import type { AdmittedCall } from '../request/call.js'
import { refuse } from '../request/errors.js'
import { define } from '../request/operation.js'
import type { Plugin } from '../state/store.js'

const needPluginManager = (c: AdmittedCall) => needGate(c, 'plugin-permission', 'manage plugins')

const DEFAULT_PRIORITY = 3

function defaultPriority(c: AdmittedCall): number {
  const { min, max } = c.decisions['plugin-priority-range']
  return Math.min(max, Math.max(min, DEFAULT_PRIORITY))
}

function pluginRecord(c: AdmittedCall, plugin: Plugin): Record<string, unknown> {
  const { basename, name, version, enabled, protected: isProtected, priority } = plugin
  if (c.decisions['plugin-record'] === 'short')
    return { basename, name, version, enabled, protected: isProtected, priority }
  const { installed: _, forced: __, ...record } = plugin
  return record
}

/** As a list shows it that has more than what is installed. */
const listedRecord = (c: AdmittedCall, plugin: Plugin) =>
  c.decisions['plugin-list-set'] === 'with-available'
    ? { ...pluginRecord(c, plugin), installed: plugin.installed }
    : pluginRecord(c, plugin)

export const listPlugins = define({
  gate: needPluginManager,
  run(c) {
    const set = c.decisions['plugin-list-set']
    const listed = c.store.db.plugins.rows.filter(
      ({ installed, forced }) =>
        (installed || set === 'with-available') && !(forced && set === 'without-core'),
    )
    const byName = (a: Plugin, b: Plugin) => a.name.toLowerCase().localeCompare(b.name.toLowerCase())
    const byPriority = (a: Plugin, b: Plugin) => b.priority - a.priority || byName(a, b)
    const sorted = listed.toSorted(set === 'by-priority' ? byPriority : byName)
    return read(
      'plugins',
      sorted.map((plugin) => listedRecord(c, plugin)),
    )
  },
})

function findPlugin(c: AdmittedCall): Plugin {
  const name = c.path.plugin_name ?? ''
  const { plugins } = c.store.db
  const folds = c.decisions['plugin-name-match'] === 'insensitive'
  const found =
    plugins.find('basename', name) ?? (folds ? plugins.find('folded', name.toLowerCase()) : undefined)
  if (found) return found
  const how = c.decisions['plugin-unknown']
  const decision = 'plugin-unknown'
  if (how === 'entity-not-found') refuse('plugin-entity-not-found', { with: [name], decision })
  refuse('plugin-not-registered', { with: [name], decision, ...(how === 'none' ? { number: null } : {}) })
}

export const updatePlugin = define({
  gate: needPluginManager,
  find(c) {
    const plugin = findPlugin(c)
    const how = c.decisions['plugin-update-not-installed']
    if (plugin.installed || how === 'stored') return plugin
    const status = how === 'invalid' ? 400 : 404
    const detail = `${plugin.basename} is not installed`
    refuse('plugin-not-registered', {
      with: [plugin.basename],
      status,
      detail,
      decision: 'plugin-update-not-installed',
    })
  },
  guard(c, { basename, forced }) {
    const how = c.decisions['plugin-update-forced']
    const options = {
      detail: `${basename} is part of the tracker`,
      decision: 'plugin-update-forced',
    } as const
    if (!forced || how === 'no-effect') return
    if (how === 'invalid') refuse('invalid-value', { with: ['plugin_name'], ...options })
    refuse('access-denied', options)
  },
  accept(c) {
    const body = readBody(c, pluginBody)
    if (isEmpty(body) && c.decisions['empty-object-body'] !== 'accepted')
      refuse('malformed-body', { detail: 'The body has no fields', decision: 'empty-object-body' })
    const partial = c.decisions['plugin-update-partial']
    if (partial === 'refused-empty' && body.priority === undefined && body.protected === undefined)
      refuse('empty-field', { with: ['priority'], decision: 'plugin-update-partial' })
    const { min, max } = c.decisions['plugin-priority-range']
    const { priority } = body
    if (priority !== undefined && (priority < min || priority > max)) {
      const detail = `A priority is from ${min} to ${max}`
      refuse('invalid-value', { with: ['priority'], detail, decision: 'plugin-priority-range' })
    }
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
  permit(c, plugin) {
    const { basename } = plugin
    if (plugin.installed) {
      if (c.decisions['plugin-install-again'] === 'refused')
        refuse('plugin-already-installed', { with: [basename], decision: 'plugin-install-again' })
      return
    }
    const unmet = Object.entries(plugin.requires).find(([name, version]) => !isMet(c, name, version))
    if (unmet && c.decisions['plugin-install-deps'] === 'refused') {
      const detail = `${basename} requires ${unmet.join(' ')}`
      refuse('plugin-install-failed', { with: [detail], detail, decision: 'plugin-install-deps' })
    }
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
  for (let i = 0; i < 3; i++) {
    const difference = (left?.[i] ?? 0) - (right?.[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

export const uninstallPlugin = define({
  gate: needPluginManager,
  find: findPlugin,
  permit(c, plugin) {
    const { basename } = plugin
    const absent = c.decisions['plugin-uninstall-absent']
    if (!plugin.installed && absent !== 'unchanged') {
      const status = absent === 'invalid' ? 400 : 404
      const detail = `${basename} is not installed`
      refuse('plugin-not-registered', {
        with: [basename],
        status,
        detail,
        decision: 'plugin-uninstall-absent',
      })
    }
    const how = c.decisions['plugin-uninstall-protected']
    if (!plugin.installed || !(plugin.protected || plugin.forced)) return
    if (how === 'unchanged' || how === 'removed') return
    const options = { detail: `${basename} is protected`, decision: 'plugin-uninstall-protected' } as const
    if (how === 'invalid') refuse('invalid-value', { with: ['plugin_name'], ...options })
    refuse(how === 'protected' ? 'protected-account' : 'access-denied', options)
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
