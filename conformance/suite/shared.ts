/** Uses of what is shared on a target, each put back as it was. */

import type { Profile } from '../contract/index.js'
import type { Answer } from '../target/call.js'
import type { Entry } from '../target/ledger.js'
import { settingIn } from '../target/look.js'
import { plainPlugin, uninstallPlugin, updatePlugin } from '../target/plugins.js'
import { onceFor } from './once.js'
import type { Check } from './types.js'

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
  const answer = await t.send({ operation: 'installPlugin', path })
  if (answer.status !== 200) t.inconclusive(`the plugin could not be installed: ${answer.status}`)
  await pluginsInstalled(t)
  try {
    return await use(name)
  } finally {
    await uninstallPlugin(t, name)
  }
}

interface AtFirst {
  readonly list: Answer
  /** Of the profile's plugin. */
  readonly update: Answer
}
/** By the plugin's name. */
const firstSight = onceFor(
  async (t: Check, name: string): Promise<AtFirst> => ({
    list: await t.send({ operation: 'listPlugins' }),
    update: await updatePlugin(t, name),
  }),
)
const secondList = onceFor((t: Check, _name: string) => t.send({ operation: 'listPlugins' }))

/**
 * The list of plugins, and how an update of the profile's is answered, before the run installed or removed any. Whether one
 * that is not installed may be updated is not shown: where it may, no later update tells that it is gone.
 */
export const pluginsAtFirst = (t: Check): Promise<AtFirst> => firstSight(t, t.need('plugin').name)

/** How an update may be answered of the profile's plugin while it is not installed. */
export async function statusesOfAbsent(t: Check): Promise<readonly number[]> {
  const { update } = await pluginsAtFirst(t)
  return update.status === 200 ? [404, 400, 200] : [404, 400]
}

/** The list of plugins as it was after the first installation of the run, and before any removal. */
export const pluginsInstalled = (t: Check): Promise<Answer> => secondList(t, t.need('plugin').name)

type Columns = NonNullable<Profile['columns']>

/**
 * Lets `use` save columns, and puts back afterwards what a read showed before. For another type than that of the profile
 * where `type` gives one.
 */
export async function keepingColumns<T>(
  t: Check,
  use: (columns: readonly string[], reference: Omit<Columns, 'columns'>) => Promise<T>,
  type: { readonly type?: string } = {},
): Promise<T> {
  const { columns, ...ofProfile } = t.need('columns')
  return puttingBack(t, 'columns', () => use(columns, { ...ofProfile, ...type }))
}

/** Lets `use` change the profile's self-service setting, and afterwards sets what the page showed before. */
export async function keepingSetting<T>(
  t: Check,
  use: (setting: { option: string; value: string }, before: unknown) => Promise<T>,
): Promise<T> {
  const setting = t.need('userSetting')
  const value = settingIn((await t.send({ operation: 'getUserSettingsPage' })).json, setting.option)
  return puttingBack(t, 'setting', () => use(setting, value))
}

/** What the guard has put into the ledger meanwhile is undone at once, lest the next check meets it. */
async function puttingBack<T>(t: Check, kind: Entry['kind'], use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } finally {
    await t.run.own.putBack(kind)
  }
}
