/** The plugin of the profile over time. The list is read after each change. */
import type { OperationId } from '../../contract/index.js'
import type { Driver } from '../driver.js'

export async function plugins(driver: Driver): Promise<void> {
  const { plugin } = driver.profile
  if (!plugin || !driver.client.allows('destructive')) return
  const at = plugin.name
  const list = () => driver.ask({ op: 'listPlugins' })
  const put = async (op: OperationId, body?: object) => {
    await driver.ask({ op, at, body })
    await list()
  }
  const byOthers = async (...ops: OperationId[]) => {
    if (!driver.has('restricted')) return
    for (const op of ops) {
      const body = op === 'updatePlugin' ? { protected: true } : undefined
      await driver.ask({ op, at, caller: 'restricted', body })
      await list()
    }
  }
  await list()
  await byOthers('installPlugin')
  const { min, max } = plugin.priority ?? { min: 0, max: -1 }
  // The third and the last come while the plugin is not protected, so a tracker has no reason to refuse them.
  const priorities = plugin.priority ? [min, max, min, Math.ceil((min + max) / 2), max] : []
  for (const round of [1, 2]) {
    for (let times = round; times < 3; times += 1) await put('installPlugin')
    for (const flag of round === 1 ? [true, false, true, false] : [true, false])
      await put('updatePlugin', { protected: flag })
    // The plugin is not protected now, so only the caller is a reason to refuse.
    await byOthers('updatePlugin', 'uninstallPlugin')
    for (const [index, priority] of (round === 1 ? priorities : priorities.slice(0, 2)).entries())
      await put('updatePlugin', { priority, protected: index % 2 === 0 })
    if (round === 1) for (const priority of priorities.slice(0, 2)) await put('updatePlugin', { priority })
    const outside = round === 1 && plugin.priority ? [max + 1, min - 1, 100_000] : []
    for (const priority of outside)
      await driver.ask({ op: 'updatePlugin', at, body: { priority, protected: false } })
    if (outside.length > 0) await list()
    await put('updatePlugin', { protected: false })
    await put('uninstallPlugin')
    await driver.ask({ op: 'uninstallPlugin', at })
  }
  await put('updatePlugin', { protected: false })
}
