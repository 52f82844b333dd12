/** Columns, settings and passwords of callers, settings of the extension, recipients, and the plugin: what a profile gives away. */
import type { Identity } from '../../client/call.js'
import { otherSettingsIn, settingIn } from '../../client/look.js'
import { renamed, unknownName } from '../defects.js'
import type { Ask, Driver } from '../driver.js'
import { lookAtCaller } from '../reads.js'
import { changePassword, WRONG_PASSWORD } from '../valid.js'

/** The columns of two callers: each saves its own. */
export async function columns(driver: Driver): Promise<void> {
  const { columns: given } = driver.profile
  if (!given) return
  const { columns, ...reference } = given
  const [own, other] = ['administrator', 'restricted'] as const
  const read = (caller: Identity, body: object = reference) =>
    driver.ask({ op: 'manageColumns', caller, body })
  const save = async (caller: Identity, order: readonly string[], body?: object) => {
    await read(caller, { ...(body ?? reference), columns: order })
    await read(caller, body)
  }
  const turned = columns.toReversed()
  const orders = [columns, turned, columns.slice(0, -1), columns.slice(1)].filter(({ length }) => length > 0)
  await read(own)
  for (const order of [...orders, columns]) await save(own, order)
  // A refused list must not be saved in part.
  await save(own, [...columns.slice(1), unknownName(driver)])
  for (const order of [[], columns]) await save(own, order)
  const { type, ...untyped } = reference
  if (type === 'view') await save(own, turned, untyped)
  await read(own)
  if (!driver.has(other)) return
  await read(own)
  await save(other, columns)
  await read(own)
  await save(own, turned)
  await read(other)
  await save(other, orders.at(-1) ?? columns)
  await save(own, columns)
  await read(other)
}

/** The first value of the profile's setting, where it differs from that of the profile. */
export function formerSetting({ profile, world, client }: Driver) {
  const { option = '', value } = profile.userSetting ?? {}
  const first = world.requests.find(
    ({ op, caller, status }) => op === 'getUserSettingsPage' && caller === 'administrator' && status === 200,
  )
  const before = settingIn(first?.answer, option, client.guard.members.setting)
  return before === undefined || String(before) === value ? undefined : { option, value: String(before) }
}

/** The own settings of two callers: a change affects one setting of one caller. */
export async function ownSettings(driver: Driver): Promise<void> {
  const { userSetting } = driver.profile
  if (!userSetting) return
  const callers = (['administrator', 'restricted'] as const).filter(driver.has)
  const put = async (configs: readonly unknown[], caller: Identity = 'administrator') => {
    await driver.ask({ op: 'updateUserSettings', caller, body: { configs } })
    for (const one of callers) await driver.ask({ op: 'getUserSettingsPage', caller: one })
  }
  const page = await driver.ask({ op: 'getUserSettingsPage' })
  const former = formerSetting(driver)
  const others = otherSettingsIn(page.json, userSetting.option, driver.client.guard.members.setting)
  // A setting with 0 or 1 has a second valid value.
  const on = others.find((one) => /^[01]$/.test(one.value)) ?? others.find((one) => /^\d+$/.test(one.value))
  const off = on && /^[01]$/.test(on.value) ? { ...on, value: on.value === '0' ? '1' : '0' } : on
  if (former) await put([former])
  for (const caller of callers) await put([userSetting], caller)
  if (former) {
    await put([former])
    await put([userSetting])
    for (const caller of callers) await put([former], caller)
    for (const list of on && off ? [[userSetting, off], [former], [on, userSetting], [off], [on]] : [])
      await put(list)
    await put([former])
    await put([{ option: unknownName(driver), value: '1' }, userSetting])
  }
  await put([userSetting, { option: unknownName(driver), value: '1' }])
  await put([userSetting])
}

/** Settings of the extension: the same ones several times, and unknown names. */
export async function settings(driver: Driver): Promise<void> {
  const { settings: given } = driver.profile
  if (!given) return
  const put = (body: unknown) => driver.ask({ op: 'updateSettings', body })
  for (let times = 0; times < 3; times += 1) await put(given)
  await put(renamed(given, unknownName(driver)))
  await put([...given, ...renamed(given.slice(0, 1), unknownName(driver))])
  await put(renamed(given, ''))
  for (let times = 0; times < 3; times += 1) await put(given)
  for (const caller of ['administrator', 'restricted'] as const)
    await driver.ask({ op: 'getUserSettingsPage', caller })
}

/** Callers without permission delete no recipient, and a deleted one does not return. */
export async function recipients(driver: Driver): Promise<void> {
  for (const id of driver.profile.recipients?.slice(0, 3) ?? [])
    for (const caller of ['restricted', 'nobody', 'administrator', 'administrator'] as const)
      await driver.ask({ op: 'deleteHelpdeskRecipient', caller, at: String(id) })
}

const install: Ask = { op: 'installPlugin' }
const uninstall: Ask = { op: 'uninstallPlugin' }
const update = (body: object): Ask => ({ op: 'updatePlugin', body })
const byOther = (ask: Ask): Ask => ({ ...ask, caller: 'restricted' })
const protect = [true, false].map((flag) => update({ protected: flag }))

/** The plugin of the profile over time. The list is read after each change. */
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

/** Wrong current passwords, each before a right change, and the first password again after it. */
export async function passwords(driver: Driver): Promise<void> {
  const { passwordAccount, password } = driver.profile
  if (!passwordAccount || !driver.has('password')) return
  const { current, next } = passwordAccount
  const put = async (from: string, to: string) => (await changePassword(driver, from, to)).isDone
  await lookAtCaller(driver, 'password')
  const swapped = current.toUpperCase() === current ? current.toLowerCase() : current.toUpperCase()
  const [first, part] = [current.slice(0, 8), next.slice(0, 8)]
  const near = [current.slice(0, -1), `${current}x`, swapped]
  const wrong = [WRONG_PASSWORD, ...near, '', next, `${first}zzzzzzzz`].filter((text) => text !== current)
  // A password may be stored in part, or stored though it was refused.
  const back = async () => {
    for (const from of [next, part, password?.invalid])
      if (from !== undefined && (await put(from, current))) return true
    return false
  }
  for (const [index, one] of wrong.entries()) {
    // If the tracker accepts a wrong password, the first one is restored, and the wrong one is tried again.
    for (let times = 0; times < 2 && (await put(one, next)); times += 1) await back()
    if (index % 2 === 1) continue
    if (index < 3 && password?.invalid !== undefined && (await put(current, password.invalid))) await back()
    if ((await put(current, next)) || (await put(first, next))) {
      await lookAtCaller(driver, 'password')
      for (const one of [current, part].filter((text) => text !== next)) await put(one, next)
    }
    if (!(await back())) return
  }
}
