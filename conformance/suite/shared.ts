/** Uses of what is shared on a target, each put back as it was. */
import type { Profile } from '../contract/index.js'
import type { Answer } from '../target/client.js'
import type { Check } from './check.js'
import type { Resource } from './ledger.js'
import { columnLists, settingIn } from './look.js'
import { plainPlugin, uninstallPlugin } from './plugins.js'
import { restoring } from './restore.js'
import type { Run } from './run.js'

const effect = 'destructive'

/** For checks of which a part alone changes what is shared. */
export function needDestructive(t: Check): void {
  if (!t.allows('destructive')) t.skip('needs --safety destructive')
}

export const pluginBody = (t: Check, overrides: object = {}): object => ({
  ...plainPlugin(t.profile),
  ...overrides,
})

/** Installs the profile's plugin for as long as `use` runs, and uninstalls it again. */
export async function withPlugin<T>(t: Check, use: (name: string) => Promise<T>): Promise<T> {
  const { name } = t.need('plugin')
  const path = { plugin_name: name }
  await pluginsAtFirst(t)
  const answer = await t.send({ operation: 'installPlugin', path, effect })
  if (answer.status !== 200) t.inconclusive(`the plugin could not be installed: ${answer.status}`)
  await pluginsInstalled(t)
  try {
    return await use(name)
  } finally {
    await uninstallPlugin(t, name)
  }
}

const firstLists = new WeakMap<Run, Promise<Answer>>()
const secondLists = new WeakMap<Run, Promise<Answer>>()

/** The list of plugins as it was before the run installed or removed any. */
export function pluginsAtFirst(t: Check): Promise<Answer> {
  const list = firstLists.get(t.run) ?? t.send({ operation: 'listPlugins' })
  firstLists.set(t.run, list)
  return list
}

/** The list of plugins as it was after the first installation of the run, and before any removal. */
export function pluginsInstalled(t: Check): Promise<Answer> {
  const list = secondLists.get(t.run) ?? t.send({ operation: 'listPlugins' })
  secondLists.set(t.run, list)
  return list
}

type Columns = NonNullable<Profile['columns']>

/**
 * Lets `use` save columns, and afterwards saves those that a read showed before, where it showed any. For another type
 * than that of the profile where `type` gives one.
 */
export async function keepingColumns<T>(
  t: Check,
  use: (columns: readonly string[], reference: Omit<Columns, 'columns'>) => Promise<T>,
  type: { readonly type?: string } = {},
): Promise<T> {
  const { columns, ...ofProfile } = t.need('columns')
  const reference = { ...ofProfile, ...type }
  const before = await t.send({ operation: 'manageColumns', body: reference, effect })
  const [value] = before.status === 200 ? columnLists(before.json) : []
  const change = value && { kind: 'columns' as const, name: JSON.stringify(reference), id: null, value }
  return puttingBack(t, change, () => use(columns, reference))
}

/** Lets `use` change the profile's self-service setting, and afterwards sets what the page showed before. */
export async function keepingSetting<T>(
  t: Check,
  use: (setting: { option: string; value: string }, before: unknown) => Promise<T>,
): Promise<T> {
  const setting = t.need('userSetting')
  const value = settingIn((await t.send({ operation: 'getUserSettingsPage' })).json, setting.option)
  const isOther = typeof value === 'string' && value !== setting.value
  const change = isOther ? { kind: 'setting' as const, name: setting.option, id: null, value } : undefined
  return puttingBack(t, change, () => use(setting, value))
}

/** In the ledger until it is put back, so that the clean-up does it where a run ends before. */
async function puttingBack<T>(t: Check, change: Resource | undefined, use: () => Promise<T>): Promise<T> {
  if (change === undefined) return use()
  const { ledger } = t.run
  // One that could not be put back before holds what was there at first.
  const first = ledger.open.find(({ kind, name }) => kind === change.kind && name === change.name)
  if (!first) ledger.intend(change)
  try {
    return await use()
  } finally {
    const { status } = await t.send(restoring(first ?? change))
    if (status === 200) ledger.removed(change.kind, change.name)
  }
}
