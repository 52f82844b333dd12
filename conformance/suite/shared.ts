/** Uses of what is shared on a target, each put back as it was. */
import type { Profile } from '../contract/index.js'
import type { Check } from './check.js'
import { columnLists, settingIn } from './look.js'

const effect = 'destructive'

/** Both members, because whether an absent one stays as it is is not shown. */
export function pluginBody(t: Check, overrides: object = {}): object {
  const priority = t.profile.plugin?.priority?.min
  return { protected: false, ...(priority === undefined ? {} : { priority }), ...overrides }
}

/** Installs the profile's plugin for as long as `use` runs, and uninstalls it again. */
export async function withPlugin<T>(t: Check, use: (name: string) => Promise<T>): Promise<T> {
  const { name } = t.need('plugin')
  const path = { plugin_name: name }
  const answer = await t.send({ operation: 'installPlugin', path, effect })
  if (answer.status !== 200) t.inconclusive(`the plugin could not be installed: ${answer.status}`)
  try {
    return await use(name)
  } finally {
    await t.send({ operation: 'uninstallPlugin', path, effect })
  }
}

type Columns = NonNullable<Profile['columns']>

/** Lets `use` save columns, and afterwards saves those that a read showed before, where it showed any. */
export async function keepingColumns<T>(
  t: Check,
  use: (columns: readonly string[], reference: Omit<Columns, 'columns'>) => Promise<T>,
): Promise<T> {
  const { columns, ...reference } = t.need('columns')
  const operation = 'manageColumns'
  const before = await t.send({ operation, body: reference, effect })
  try {
    return await use(columns, reference)
  } finally {
    const [previous] = before.status === 200 ? columnLists(before.json) : []
    if (previous) await t.send({ operation, body: { ...reference, columns: previous }, effect })
  }
}

/** Lets `use` change the profile's self-service setting, and afterwards sets what the page showed before. */
export async function keepingSetting<T>(
  t: Check,
  use: (setting: { option: string; value: string }, before: unknown) => Promise<T>,
): Promise<T> {
  const setting = t.need('userSetting')
  const before = settingIn((await t.send({ operation: 'getUserSettingsPage' })).json, setting.option)
  try {
    return await use(setting, before)
  } finally {
    const body = { configs: [{ ...setting, value: before }] }
    if (typeof before === 'string' && before !== setting.value)
      await t.send({ operation: 'updateUserSettings', body, effect })
  }
}
