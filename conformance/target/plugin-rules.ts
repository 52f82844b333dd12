/** What requests would touch of plugins: nothing but the profile's own may be meant by a name. */
import type { OperationId } from '../contract/index.js'
import type { Answer, Call } from './call.js'
import { isDone, type Judge, type Rule, stateAfter, type Touch, Withheld } from './judge.js'
import { isObject, mentions, values } from './look.js'

export function changesOfPlugins({
  profile,
  ledger,
  ask,
  need,
  isMadeUp,
}: Judge): Pick<Record<OperationId, Rule>, 'updatePlugin' | 'installPlugin' | 'uninstallPlugin'> {
  /** The list of plugins as it was last read. */
  let plugins: Promise<Answer> | null = null

  /** Texts beside the profile's own plugin in the list of plugins; null where there is no list. */
  async function pluginNames(): Promise<string[] | null> {
    plugins ??= ask({ operation: 'listPlugins' })
    const { status, json } = await plugins
    if (status !== 200 || json === undefined) return null
    const texts: string[] = []
    const walk = (value: unknown) => {
      if (typeof value === 'string') texts.push(value.toLowerCase())
      if (typeof value !== 'object' || value === null) return
      if (Object.values(value).includes(profile.plugin?.name)) return
      texts.push(...Object.keys(value).map((key) => key.toLowerCase()))
      for (const inner of Object.values(value)) walk(inner)
    }
    walk(json)
    return texts
  }

  async function isListed(name: string | undefined): Promise<boolean> {
    plugins ??= ask({ operation: 'listPlugins' })
    return name !== undefined && mentions((await plugins).json, name)
  }

  /** Whether it is listed, and not as one that is only available. */
  async function isInstalled(name: string): Promise<boolean> {
    plugins ??= ask({ operation: 'listPlugins' })
    const { status, json } = await plugins
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

  /** The profile's own plugin, or null where nothing has that name. */
  async function plugin(call: Call): Promise<string | null> {
    const own = profile.plugin?.name.toLowerCase() ?? ''
    const name = String(call.path?.plugin_name ?? '')
    if (name === profile.plugin?.name) {
      need('destructive', `it addresses the plugin ${name} of the profile`)
      if (!ledger.known.some((entry) => entry.kind === 'plugin') && (await isInstalled(name)))
        throw new Withheld(
          `not sent, since the plugin ${name} of the profile is listed before the run installed it`,
        )
      return name
    }
    const listed = await pluginNames()
    if (listed === null || !isMadeUp(name)) need('destructive', `no list shows that ${name} is no plugin`)
    // A list that lacks the one that is surely there is no proof of what is not.
    if (!isMadeUp(name) && !(await isListed(profile.plugin?.name)))
      throw new Withheld(`not sent, since no list shows the plugins beside which ${name} would be none`)
    const near = name.trim().toLowerCase()
    const isBeginning = (text: string) => text.length > 2 && near.startsWith(text) && !own.startsWith(text)
    const mayBe = (text: string) => text.includes(near) || isBeginning(text)
    if (listed?.some(mayBe) || (near.length < 2 && !isMadeUp(name)))
      throw new Withheld(`not sent, since a plugin that is not the profile's may be meant by ${name}`)
    return null
  }

  async function installation(call: Call, undoes: boolean): Promise<readonly Touch[]> {
    const given = await plugin(call)
    // A name near to the profile's may have meant that plugin, but only where it was not refused.
    const name = given ?? profile.plugin?.name ?? null
    if (name === null || (given === null && (undoes || isMadeUp(call.path?.plugin_name)))) return []
    const open = ledger.open.find((one) => one.kind === 'plugin' && one.name === name)
    if (!undoes) {
      const entry = open ?? ledger.intend({ kind: 'plugin', name })
      return [
        {
          entry,
          settle(answer) {
            plugins = null
            ledger.set(entry, { state: stateAfter(answer) })
            if (given === null && open === undefined && stateAfter(answer) === 'refused') ledger.close(entry)
          },
        },
      ]
    }
    return [
      {
        settle(answer) {
          plugins = null
          if (open && isDone(answer)) ledger.close(open)
        },
      },
    ]
  }

  return {
    async updatePlugin(call) {
      await plugin(call)
      return []
    },
    installPlugin: (call) => installation(call, false),
    uninstallPlugin: (call) => installation(call, true),
  }
}
