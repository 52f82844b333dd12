/** Scenarios for what users share on a tracker: plugins, settings, columns and recipients. */
import type { Scenario } from '../script.js'
import { columnValues, configValues, pluginValues, settingValues } from './bodies.js'
import { sendEmpty, sending, vary } from './writing.js'

export const management: readonly Scenario[] = [
  {
    id: 'plugins',
    safety: 'destructive',
    needs: 'plugin',
    async run(s) {
      const { name, priority = { min: 1, max: 5 } } = s.profile.plugin ?? { name: '' }
      const path = { plugin_name: name }
      const update = sending(s, 'updatePlugin', { path })
      const plain = () => ({ priority: priority.min, protected: false })
      await s.send('uninstallPlugin', { path })
      await update({ priority: priority.min })
      await s.send('installPlugin', { path: { plugin_name: name.toUpperCase() } })
      await s.send('uninstallPlugin', { path })
      await s.send('installPlugin', { path, body: { force: true } })
      await s.send('uninstallPlugin', { path })
      await s.send('installPlugin', { path, keep: true })
      await s.send('installPlugin', { path })
      await s.send('listPlugins')
      await update(plain())
      await vary(s, update, plain, pluginValues(s), 8)
      await sendEmpty(s, 'updatePlugin', { path })
      await s.send('updatePlugin', { path })
      await update({ priority: priority.max, protected: true })
      await s.send('uninstallPlugin', { path })
      await s.send('listPlugins')
      await update({ priority: priority.max, protected: false }, { keep: true })
      await s.send('uninstallPlugin', { path, keep: true })
    },
  },
  {
    id: 'settings',
    safety: 'destructive',
    needs: 'settings',
    async run(s) {
      const settings = s.profile.settings ?? []
      const update = sending(s, 'updateSettings')
      await update(settings)
      await update([])
      await sendEmpty(s, 'updateSettings', {})
      await vary(s, update, () => settings.slice(0, 1), settingValues(s), 13)
      await update(settings, { headers: { 'Content-Type': 'text/plain' } })
      await update(settings, { keep: true })
    },
  },
  {
    id: 'preferences',
    safety: 'destructive',
    needs: 'userSetting',
    async run(s) {
      const as = s.profile.tokens.password ? 'password' : 'administrator'
      const body = { configs: [s.profile.userSetting] }
      const update = sending(s, 'updateUserSettings', { as })
      await update(body)
      // One of the two accounts may be protected.
      if (as === 'password') await s.send('updateUserSettings', { body })
      await s.send('getUserSettingsPage', { as })
      await vary(s, update, () => body, configValues(s), 8)
      await sendEmpty(s, 'updateUserSettings', { as })
      await s.send('updateUserSettings', { as })
      await s.send('getUserSettingsPage', { as })
      await update(body, { keep: true })
    },
  },
  {
    id: 'columns',
    safety: 'destructive',
    needs: 'columns',
    async run(s) {
      const plain = s.profile.columns ?? { columns: [] }
      const { columns: _, ...reference } = plain
      const save = sending(s, 'manageColumns')
      const read = await save(reference)
      await save(plain)
      await save(reference)
      await vary(s, save, () => plain, columnValues(s), 12)
      await sendEmpty(s, 'manageColumns', {})
      await s.send('manageColumns')
      if (s.profile.tokens.restricted) await save(reference, { as: 'restricted' })
      if (read === null || read.status === 200) await save(plain, { keep: true })
      await save(reference)
    },
  },
  {
    id: 'recipients',
    safety: 'destructive',
    needs: 'recipients',
    async run(s) {
      const { recipients = [], tokens } = s.profile
      if (recipients.length === 0) return
      const path = { recipient_id: String(s.pick(recipients)) }
      if (tokens.restricted) await s.send('deleteHelpdeskRecipient', { as: 'restricted', path })
      await s.send('deleteHelpdeskRecipient', { path })
      await s.send('deleteHelpdeskRecipient', { path })
    },
  },
]
