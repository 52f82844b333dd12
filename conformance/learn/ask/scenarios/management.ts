/** What is shared on a tracker: plugins, settings, columns and recipients. */
import type { Request, Scenario } from '../script.js'

/** No tracker has such a list of columns. */
const NO_TYPE = 'none-such'

export const management: readonly Scenario[] = [
  {
    id: 'plugins',
    safety: 'destructive',
    needs: 'plugin',
    async run(s) {
      const { name, priority = { min: 1, max: 5 } } = s.profile.plugin ?? { name: '' }
      const path = { plugin_name: name }
      const update = (body: unknown, more: Request = {}) => s.send('updatePlugin', { path, body, ...more })
      await s.send('uninstallPlugin', { path })
      await update({ priority: priority.min })
      await s.send('installPlugin', { path: { plugin_name: name.toUpperCase() } })
      await s.send('uninstallPlugin', { path })
      await s.send('installPlugin', { path, body: { force: true } })
      await s.send('uninstallPlugin', { path })
      await s.send('installPlugin', { path, keep: true })
      await s.send('installPlugin', { path })
      await s.send('listPlugins')
      const { min, max } = priority
      for (const value of new Set([min, max, min - 1, max + 1, ...s.few(0, [3, 10, 0, 1, 4, 5, 6, 9, 11])]))
        await update({ priority: value, protected: false })
      for (const body of s.few(5, [
        { priority: priority.max },
        { protected: false },
        { priority: String(priority.min), protected: false },
        { priority: priority.min, protected: 'yes' },
        { extra: 1 },
        {},
        [],
        { priority: priority.min, protected: false, extra: 1 },
        { priority: null, protected: false },
        { priority: priority.min, protected: 0 },
        'text',
      ]))
        await update(body)
      await s.send('updatePlugin', { path, rawBody: '{' })
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
      const [first] = settings
      const update = (body: unknown, more: Request = {}) => s.send('updateSettings', { body, ...more })
      await update(settings)
      await update([])
      for (const request of s.few(2, [{ rawBody: '{' }, { body: {} }, {}, { body: 'text' }, { body: null }]))
        await s.send('updateSettings', request)
      if (typeof first === 'object' && first !== null) {
        const [member = 'option'] = Object.keys(first)
        const { value } = first as { value?: unknown }
        const option = (first as Record<string, unknown>)[member]
        await update([first, first])
        await update([{ ...first, [member]: s.name() }])
        await update([{ value }])
        await update([{ [member]: option }])
        await update([{ ...first, value: null }])
        await update([{ ...first, value: [1] }])
        await update([{ ...first, value: typeof value === 'string' ? 5 : 'text' }])
        await update([{ ...first, extra: 1 }])
        for (const other of s.few(0, ['option', 'name', 'key']))
          if (other !== member) {
            await update([{ [other]: option, value }])
            await update([{ ...first, [other]: option }])
          }
        await update([{ [String(option)]: value ?? 1 }])
        await update(['text'])
        await update([null])
        await update([first, { ...first, [member]: s.name() }])
      }
      await update(settings, { headers: { 'Content-Type': 'text/plain' } })
      await update(settings, { keep: true })
    },
  },
  {
    id: 'preferences',
    safety: 'destructive',
    needs: 'userSetting',
    async run(s) {
      const setting = s.profile.userSetting ?? { option: '', value: '' }
      const as = s.profile.tokens.password ? 'password' : 'administrator'
      const update = (body: unknown, more: Request = {}) =>
        s.send('updateUserSettings', { as, body, ...more })
      await update({ configs: [setting] })
      // One of them may be protected.
      if (as === 'password') await s.send('updateUserSettings', { body: { configs: [setting] } })
      await s.send('getUserSettingsPage', { as })
      for (const body of s.few(7, [
        { configs: [] },
        {},
        { configs: 'text' },
        { configs: [{ option: setting.option }] },
        { configs: [{ option: s.name(), value: 'x' }] },
        { configs: [{ ...setting, value: 'not \u0001 a value' }] },
        { configs: [{ ...setting, value: 5 }] },
        { configs: [{ ...setting, extra: 1 }] },
        { configs: [setting, setting] },
        { configs: [setting], extra: 1 },
        { configs: [{ option: 'refresh_delay', value: '5' }] },
        { configs: [{ option: 'language', value: 'klingon' }] },
        { configs: [{ option: 'email_on_new', value: '1' }] },
        { configs: [{ option: 'language', value: 'english' }] },
        [],
        { configs: [{ ...setting, value: null }] },
        { configs: null },
        { configs: ['text'] },
        { configs: [{ value: setting.value }] },
        { configs: [{ ...setting, value: true }] },
        { configs: [setting, { option: s.name(), value: 'x' }] },
        { configs: [{ option: 'font_family', value: 'Lato' }] },
      ]))
        await update(body)
      await s.send('updateUserSettings', { as, rawBody: '{' })
      await s.send('updateUserSettings', { as })
      await s.send('getUserSettingsPage', { as })
      await update({ configs: [setting] }, { keep: true })
    },
  },
  {
    id: 'columns',
    safety: 'destructive',
    needs: 'columns',
    async run(s) {
      const plain = s.profile.columns ?? { columns: [] }
      const { columns, ...reference } = plain
      const [one = 'id'] = columns
      const [project = '1'] = s.profile.projects ?? []
      const save = (body: unknown, more: Request = {}) => s.send('manageColumns', { body, ...more })
      const read = await save(reference)
      await save(plain)
      await save(reference)
      for (const body of s.few(12, [
        { ...plain, columns: [] },
        { ...plain, columns: [...columns, s.name()] },
        { ...plain, type: NO_TYPE },
        { ...plain, project: { id: '987654' } },
        { ...plain, columns: [one, one] },
        { ...plain, project: typeof plain.project === 'string' ? { id: project } : project },
        { columns },
        {},
        { ...plain, type: 'print' },
        { ...plain, type: 'view_issues' },
        { ...plain, columns: [s.name()] },
        { ...plain, columns: [one.toUpperCase()] },
        { ...plain, columns: one },
        { ...plain, columns: [one, one.toUpperCase()] },
        { ...plain, project: '987654' },
        { ...plain, project: null },
        { ...plain, project: 5 },
        { ...plain, project: typeof plain.project === 'string' ? project : { id: project } },
        { ...plain, extra: 1 },
        { ...plain, columns: ['eta'] },
        { ...plain, columns: null },
        { ...plain, project: { id: Number(project) } },
        { ...plain, columns: [5] },
        { ...plain, type: 'csv' },
        { ...plain, type: null },
        { ...plain, type: 5 },
        { ...plain, project: 'abc' },
        { ...plain, project: {} },
        [],
        'text',
      ]))
        await save(body)
      await s.send('manageColumns', { rawBody: '{' })
      await s.send('manageColumns')
      if (s.profile.tokens.restricted) await s.send('manageColumns', { as: 'restricted', body: reference })
      if (read === null || read.status === 200) await save(plain, { keep: true })
      await save(reference)
    },
  },
  {
    id: 'recipients',
    safety: 'destructive',
    needs: 'recipients',
    async run(s) {
      const [id] = s.profile.recipients ?? []
      if (id === undefined) return
      const path = { recipient_id: String(s.pick(s.profile.recipients ?? [id])) }
      if (s.profile.tokens.restricted)
        await s.send('deleteHelpdeskRecipient', { as: 'restricted', path, refused: 'permission' })
      await s.send('deleteHelpdeskRecipient', { path })
      await s.send('deleteHelpdeskRecipient', { path })
    },
  },
]
