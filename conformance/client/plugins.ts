/** Whether the profile's plugin is installed, and how it is uninstalled. */
import type { Profile } from '../contract/index.js'
import type { Answer, Call } from './call.js'
import { isObject, values } from './look.js'

interface Sender {
  readonly profile: Profile
  send(call: Call): Promise<Answer>
}

/** Uninstalls a plugin; lifts its protection first if the tracker refuses. */
export async function uninstallPlugin({ send, profile }: Sender, plugin_name: string): Promise<Answer> {
  const path = { plugin_name }
  const uninstall = () => send({ operation: 'uninstallPlugin', path })
  const answer = await uninstall()
  if (answer.status !== 403 && answer.status !== 400) return answer
  // A tracker may require both members, or refuse a value that is set already.
  const { min, max } = profile.plugin?.priority ?? {}
  for (const priority of new Set([min, max, undefined])) {
    const body = { protected: false, ...(priority === undefined ? {} : { priority }) }
    if ((await send({ operation: 'updatePlugin', path, body })).status === 200) return uninstall()
  }
  return answer
}

/** Whether the list of plugins shows the plugin as installed. */
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
