/** The plugin of the profile over time. The list is read after each change. */
import type { Ask } from '../ask.js'
import type { Driver } from '../driver.js'

const install: Ask = { op: 'installPlugin' }
const uninstall: Ask = { op: 'uninstallPlugin' }
const update = (body: object): Ask => ({ op: 'updatePlugin', body })
const byOther = (ask: Ask): Ask => ({ ...ask, caller: 'restricted' })
const protect = [true, false].map((flag) => update({ protected: flag }))

export async function plugins(driver: Driver): Promise<void> {
  const { plugin } = driver.profile
  if (!plugin) return
  const list = () => driver.ask({ op: 'listPlugins' })
  const put = async (...asks: readonly Ask[]) => {
    for (const ask of asks) if ((await driver.ask({ ...ask, at: plugin.name })).isSent) await list()
  }
  await list()
  await put(byOther(install))
  const { min = 0, max = 0 } = plugin.priority ?? {}
  // The third and the last come while the plugin is not protected, so a tracker has no reason to refuse them.
  const priorities = plugin.priority ? [min, max, min, Math.ceil((min + max) / 2), max] : []
  for (const isFirst of [true, false]) {
    const some = isFirst ? priorities : priorities.slice(0, 2)
    await put(...(isFirst ? [install, install, ...protect] : [install]), ...protect)
    // The plugin is not protected now, so only the caller is a reason to refuse.
    await put(byOther(update({ protected: true })), byOther(uninstall))
    await put(...some.map((priority, index) => update({ priority, protected: index % 2 === 0 })))
    if (isFirst && plugin.priority) {
      await put(update({ priority: min }), update({ priority: max }))
      for (const priority of [max + 1, min - 1, 100_000])
        await driver.ask({ ...update({ priority, protected: false }), at: plugin.name })
      await list()
    }
    await put(update({ protected: false }), uninstall)
    await driver.ask({ ...uninstall, at: plugin.name })
  }
  await put(update({ protected: false }))
}
