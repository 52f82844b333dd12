/** The profile's plugin, as checks install, update and list it, each time put back as it was. */

import type { Answer } from '../client/call.js'
import { isObject, recordsWith, values } from '../client/look.js'
import { plainPlugin, uninstallPlugin, updatePlugin } from '../client/plugins.js'
import { onceFor } from './once.js'
import type { Check } from './types.js'

export const pluginBody = (t: Check, overrides: object = {}): object => ({
  ...plainPlugin(t.profile),
  ...overrides,
})

/** Bodies in turn, of which no two that follow each other ask for the same; of `both` members, or of the priority alone. */
function pluginTurn(t: Check, round: number, both: boolean): object {
  const { min, max } = t.profile.plugin?.priority ?? {}
  const isOdd = round % 2 === 1
  return pluginBody(t, {
    priority: isOdd ? min : max,
    ...(both || min === max ? { protected: isOdd } : {}),
  })
}

/** Whether an installed plugin is updated only by what is otherwise in each member. */
const isUpdatedByBoth = onceFor(async (t: Check, name: string): Promise<boolean> => {
  const update = (round: number) =>
    t.send({ operation: 'updatePlugin', path: { plugin_name: name }, body: pluginTurn(t, round, false) })
  return (await update(1)).status === 400 || (await update(2)).status === 400
})

/** The body of the installed plugin's next valid update. What may be changed of a protected one is not shown. */
export const pluginAgain = async (t: Check, round: number): Promise<object> =>
  pluginTurn(t, round, await isUpdatedByBoth(t, t.need('plugin').name))

export interface Plugin {
  readonly name: string
  readonly path: { readonly plugin_name: string }
  install(): Promise<Answer>
  /** Lifts its protection where that stands in the way. */
  uninstall(): Promise<Answer>
  /** With all members, as a tracker takes them. */
  update(overrides?: object): Promise<Answer>
  /** With this body, whatever it is. */
  give(body: object): Promise<Answer>
}

export function pluginOf(t: Check): Plugin {
  const { name } = t.need('plugin')
  const path = { plugin_name: name }
  return {
    name,
    path,
    install: () => t.send({ operation: 'installPlugin', path }),
    uninstall: () => uninstallPlugin(t, name),
    update: (overrides) => updatePlugin(t, name, overrides),
    give: (body) => t.send({ operation: 'updatePlugin', path, body }),
  }
}

export const listPlugins = (t: Check) => t.send({ operation: 'listPlugins' })

/** Installs the profile's plugin for as long as `use` runs, and uninstalls it again. */
export async function withPlugin<T>(t: Check, use: (plugin: Plugin) => Promise<T>): Promise<T> {
  const plugin = pluginOf(t)
  await pluginsAtFirst(t)
  const answer = await plugin.install()
  if (answer.status !== 200) t.inconclusive(`the plugin could not be installed: ${answer.status}`)
  await pluginsInstalled(t)
  try {
    return await use(plugin)
  } finally {
    await plugin.uninstall()
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
    list: await listPlugins(t),
    update: await updatePlugin(t, name),
  }),
)
const secondList = onceFor((t: Check, _name: string) => listPlugins(t))

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

/** What a list shows of the priority and protection of one, as text. */
export const settingsIn = ({ json }: Answer, name: string): string =>
  JSON.stringify(
    recordsWith(json, name)
      // An entry of a history names the plugin too.
      .filter(({ priority, protected: flag }) => priority !== undefined || flag !== undefined)
      .map((record) => [record.priority, record.protected]),
  )

/** What a list shows of the protection of one, as text. */
export const flagsIn = ({ json }: Answer, name: string): string =>
  JSON.stringify(recordsWith(json, name).map((record) => record.protected))

/** The names of the others; null unless the record of this one, in this list or in another, tells where a plugin has its name. */
export function otherPlugins({ json }: Answer, name: string, { json: like } = { json }): string[] | null {
  const [record] = recordsWith(like, name)
  const key = record && Object.keys(record).find((member) => record[member] === name)
  // Of a list of names and values each member is a record.
  if (key === undefined || key === 'value') return null
  const names = [...values(json)].flatMap((value) =>
    isObject(value) && typeof value[key] === 'string' ? [value[key]] : [],
  )
  return names.filter((other) => other !== name)
}
