/** Commands on plugins, columns, settings and pages: sections 2.3, 2.6, 2.7 and 4.2. */

import fc from 'fast-check'
import { hasList, knownColumnLists } from '../../client/look.js'
import { operations } from '../../contract/index.js'
import { pluginOf, statusesOfAbsent } from '../../suite/plugins.js'
import type { Check } from '../../suite/types.js'
import { Violation } from '../property.js'
import { type Command, command, type Model, require } from './model.js'

const always = () => true

/** What is refused or does nothing when it is asked for twice is not shown. */
const install = () =>
  command('installPlugin', always, async (model, t) => {
    const answer = await pluginOf(t).install()
    require(answer, model.plugin === 'absent'
      ? 200
      : [200, 400], `installing a plugin that is ${model.plugin}`)
    model.plugin = 'installed'
  })

const uninstall = () =>
  command('uninstallPlugin', always, async (model, t) => {
    const { path, uninstall } = pluginOf(t)
    const isInstalled = model.plugin === 'installed'
    const answer = await (isInstalled ? uninstall() : t.send({ operation: 'uninstallPlugin', path }))
    const allowed = model.plugin === 'installed' ? 200 : [200, 400, 404]
    require(answer, allowed, `uninstalling a plugin that is ${model.plugin}`)
    model.plugin = 'absent'
  })

const update = () =>
  command('updatePlugin', always, async (model, t) => {
    const answer = await pluginOf(t).update()
    const allowed = model.plugin === 'installed' ? 200 : await statusesOfAbsent(t)
    require(answer, allowed, `updating a plugin that is ${model.plugin}`)
  })

const saveColumns = (columns: readonly string[]) =>
  command('manageColumns', always, async (model, t) => {
    const all = t.need('columns')
    const answer = await t.send({ operation: 'manageColumns', body: { ...all, columns } })
    // Which columns must stay is not shown.
    if (answer.status === 400 && columns.length < all.columns.length) return
    require(answer, 200, 'saving columns')
    model.columns = columns
  })

const readColumns = () =>
  command(
    'manageColumns to read',
    ({ columns }) => columns !== null,
    async (model, t) => {
      const { columns: all, ...reference } = t.need('columns')
      // How a read is told from an update is not shown, so an answer without columns says nothing.
      const answer = await t.send({ operation: 'manageColumns', body: reference })
      const shown = answer.status === 200 && knownColumnLists(answer.json, all).length > 0
      // Some column may stand in front of every list.
      const saved = model.columns ?? []
      const ends = (list: readonly string[]) => list.slice(-saved.length).join() === saved.join()
      if (shown && !hasList(answer.json, saved) && !knownColumnLists(answer.json, all).some(ends))
        throw new Violation('a read shows other columns than those saved last', answer)
    },
  )

const setOption = () =>
  command('updateUserSettings', always, async (_, t) => {
    const body = { configs: [t.need('userSetting')] }
    require(await t.send({ operation: 'updateUserSettings', body }), 200, 'a permitted setting')
  })

const setExtension = () =>
  command('updateSettings', always, async (_, t) => {
    const body = t.need('settings')
    require(await t.send({ operation: 'updateSettings', body }), 200, 'valid settings')
  })

const pages = operations.filter(({ method, parameters }) => method === 'GET' && parameters.length === 0)

const readPage = (operation: (typeof pages)[number]['id']) =>
  command(operation, always, async (_, t) => {
    require(await t.send({ operation }), 200, 'reading as administrator')
  })

export function managementCommands({ profile, allows }: Check): fc.Arbitrary<Command>[] {
  const { plugin, columns, userSetting, settings } = profile
  const one = (make: () => Command) => fc.constant(null).map(make)
  const reads = fc.constantFrom(...pages.map(({ id }) => id)).map(readPage)
  if (!allows('destructive')) return [reads]
  return [
    reads,
    ...(plugin ? [one(install), one(uninstall), one(update)] : []),
    ...(columns
      ? [fc.shuffledSubarray(columns.columns, { minLength: 1 }).map(saveColumns), one(readColumns)]
      : []),
    ...(userSetting ? [one(setOption)] : []),
    ...(settings ? [one(setExtension)] : []),
  ]
}

/** The plugin is absent at the beginning of each sequence. */
export async function uninstallAfterwards(model: Model, t: Check): Promise<void> {
  if (model.plugin === 'absent') return
  await pluginOf(t).uninstall()
}
