/** Impersonations. They come last, since the token may act as another user afterwards. */
import { scalars } from '../../oracle/json.js'
import { knownValue, type Thing } from '../../oracle/things.js'
import type { Credentials } from '../ask.js'
import type { Answered, Driver } from '../driver.js'
import { look, realname, some, update } from '../users.js'
import { learnId } from './members.js'
import { people } from './pages.js'

export async function impersonations(driver: Driver): Promise<void> {
  if (!driver.client.allows('destructive')) return
  // Shows that an ordinary user may not do this, so that its session may not either.
  if (driver.has('restricted')) await driver.ask({ op: 'listPlugins', caller: 'restricted' })
  const users = (await some(driver, 2)).slice(0, 2)
  const [first, second] = users
  for (const [user, other] of first && second ? [[first, second] as const, [second, first] as const] : [])
    if (user.id === undefined) await learnId(driver, user, other)
  for (const user of users) {
    const refused: string[] = []
    for (const at of [user.name, user.id]) {
      if (at === undefined || driver.world.unsettled.has('administrator')) continue
      const answer = await driver.ask({ op: 'impersonateUser', at })
      // An undocumented status below 400 may begin a session, too.
      if (answer.status >= 400) {
        refused.push(at)
        continue
      }
      const callers = user === first ? people(driver) : (['administrator'] as const)
      for (const caller of callers) await driver.ask({ op: 'getAccountPage', caller })
      if (driver.world.unsettled.has('administrator')) return
      await session(driver, [user, user === first ? undefined : first], answer)
      // A served administrative request shows that the caller still has its rights.
      await driver.ask({ op: 'listPlugins' })
      await driver.ask({ op: 'getAccountPage' })
      await look(driver, user)
      // The account page of the next session shows whether it follows changes.
      if (at === user.name) await update(driver, user, changed(driver, user))
    }
    // A tracker that serves one address of a user must not refuse the other.
    if (refused.length === 1 && !driver.world.unsettled.has('administrator'))
      await driver.ask({ op: 'impersonateUser', at: refused[0] })
  }
}

/** Another real name, and another language and timezone, where the tracker has several. */
function changed(driver: Driver, user: Thing): object {
  const others = Object.entries(driver.habits.choices).map(([name, values]) => [
    name,
    values.find((value) => value !== knownValue(user, name)),
  ])
  return { realname: realname(driver), ...Object.fromEntries(others) }
}

/** Tries every text and cookie of an impersonation's answer as credentials. `other`: a user whom the session may not reset. */
async function session(
  driver: Driver,
  [user, other]: readonly [Thing, Thing | undefined],
  { json, cookies }: Answered,
): Promise<void> {
  const texts = scalars(json).filter(
    (text): text is string => typeof text === 'string' && /^[^\s@]{12,}$/.test(text),
  )
  const cookie = cookies
    ?.split(/,(?=[^;]+=)/)
    .map((one) => one.split(';')[0])
    .join('; ')
  const token = driver.profile.tokens.administrator
  const tries: Credentials[] = [
    ...texts.slice(0, 4).map((text) => ({ authorization: `Bearer ${text}` })),
    ...(cookie
      ? [
          { authorization: `Bearer ${token}`, cookie },
          { authorization: null, cookie },
        ]
      : []),
  ]
  for (const caller of tries) {
    const page = await driver.ask({ op: 'getAccountPage', caller })
    const isTarget = scalars(page.json).some((text) => user.names.has(String(text)))
    if (page.status !== 200 || !isTarget) continue
    const { settings } = driver.profile
    await driver.ask({ op: 'listPlugins', caller })
    if (other) await driver.ask({ op: 'resetUser', caller, at: other.name })
    else if (settings) await driver.ask({ op: 'updateSettings', caller, body: settings })
    return
  }
}
