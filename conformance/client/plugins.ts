/** Uses of the profile's plugin, in the form that a tracker takes. */
import type { Profile } from '../contract/index.js'
import type { Answer, Call } from './call.js'
import { isObject, values } from './look.js'

interface Sender {
  readonly profile: Profile
  send(call: Call): Promise<Answer>
}

/** Both members, because whether an absent one stays as it is is not shown. */
function plainPlugin({ plugin }: Profile): { protected: boolean; priority?: number } {
  const priority = plugin?.priority?.min
  return { protected: false, ...(priority === undefined ? {} : { priority }) }
}

/**
 * Updates a plugin with what the profile says that one may have. What is so already may not be asked for, so where that is
 * refused with 400 it is asked for again after something else, of both members or of one.
 */
export async function updatePlugin(
  { send, profile }: Sender,
  plugin_name: string,
  overrides: object = {},
): Promise<Answer> {
  const path = { plugin_name }
  const update = (body: object) => send({ operation: 'updatePlugin', path, body })
  const body: ReturnType<typeof plainPlugin> = { ...plainPlugin(profile), ...overrides }
  let answer = await update(body)
  const { min, max } = profile.plugin?.priority ?? {}
  const flag = { protected: !body.protected }
  const priority = min === max ? {} : { priority: body.priority === max ? min : max }
  for (const other of [{ ...flag, ...priority }, flag, priority]) {
    if (answer.status !== 400) break
    if (Object.keys(other).length > 0 && (await update(other)).status === 200) answer = await update(body)
  }
  return answer
}

/** Uninstalls a plugin. It may be protected from its installation on, and be refused for that: then that is lifted. */
export async function uninstallPlugin(sender: Sender, plugin_name: string): Promise<Answer> {
  const uninstall = () => sender.send({ operation: 'uninstallPlugin', path: { plugin_name } })
  const answer = await uninstall()
  const mayBeProtected = answer.status === 403 || answer.status === 400
  if (!mayBeProtected || (await updatePlugin(sender, plugin_name)).status !== 200) return answer
  return uninstall()
}

/** Whether the list of plugins shows it, and not as one that is only available. */
export function isInstalled({ status, json }: Answer, name: string): boolean {
  if (status !== 200) return false
  const isAvailable = ([key, value]: [string, unknown]) =>
    /install|activ|enabl|stat(e|us)/i.test(key) &&
    (value === false || value === 0 || /^(not|un|avail|inact)/i.test(String(value)))
  return [...values(json)]
    .filter(isObject)
    .flatMap((record) => {
      const keyed = Object.hasOwn(record, name) ? record[name] : undefined
      if (isObject(keyed)) return [keyed]
      return Object.values(record).includes(name) || keyed !== undefined ? [record] : []
    })
    .some((record) => !Object.entries(record).some(isAvailable))
}
