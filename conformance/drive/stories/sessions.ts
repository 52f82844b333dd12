/** Impersonations. They come last, since the token may act as another user afterwards. */
import { owners } from '../../client/call.js'
import { bareToken } from '../../client/labels.js'
import { scalars } from '../../oracle/json.js'
import { knownValue, type Thing } from '../../oracle/things.js'
import type { Answered, Credentials, Driver } from '../driver.js'
import { learnId, look } from '../reads.js'
import { realname, some, update } from '../users.js'

export async function impersonations(driver: Driver): Promise<void> {
  // Shows that an ordinary user may not do this, so that its session may not either.
  await driver.ask({ op: 'listPlugins', caller: 'restricted' })
  const users = (await some(driver, 2)).slice(0, 2)
  const [first, second] = users
  for (const [user, other] of first && second ? [[first, second] as const, [second, first] as const] : [])
    if (user.id === undefined) await learnId(driver, user, other)
  const isSettled = () => !driver.world.unsettled.has('administrator')
  for (const user of users) {
    const refused: string[] = []
    for (const at of [user.name, user.id]) {
      if (at === undefined || !isSettled()) continue
      const answer = await driver.ask({ op: 'impersonateUser', at })
      // An undocumented status below 400 may begin a session, too.
      if (answer.status >= 400) {
        refused.push(at)
        continue
      }
      for (const caller of user === first ? owners : (['administrator'] as const))
        await driver.ask({ op: 'getAccountPage', caller })
      if (!isSettled()) return
      await session(driver, answer, user, user === first ? undefined : first)
      // A served administrative request shows that the caller still has its rights.
      await driver.ask({ op: 'listPlugins' })
      await driver.ask({ op: 'getAccountPage' })
      await look(driver, user)
      // The account page of the next session shows whether it follows changes.
      if (at === user.name) await update(driver, user, changed(driver, user))
    }
    // A tracker that serves one address of a user must not refuse the other.
    if (refused.length === 1 && isSettled()) await driver.ask({ op: 'impersonateUser', at: refused[0] })
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
async function session(driver: Driver, { json, cookies }: Answered, user: Thing, other: Thing | undefined) {
  const { settings, tokens } = driver.profile
  const texts = scalars(json).flatMap((text) => (typeof text === 'string' ? bareToken(text) : []))
  const likely = texts.filter((text) => /^[^\s@]{12,}$/.test(text))
  const cookie = cookies
    ?.split(/,(?=[^;]+=)/)
    .map((one) => one.split(';')[0])
    .join('; ')
  const tries: Credentials[] = [
    ...likely.slice(0, 4).map((text) => ({ authorization: `Bearer ${text}` })),
    ...(cookie
      ? [`Bearer ${tokens.administrator}`, null].map((authorization) => ({ authorization, cookie }))
      : []),
  ]
  for (const caller of tries) {
    const page = await driver.ask({ op: 'getAccountPage', caller })
    const isTarget = scalars(page.json).some((text) => user.names.has(String(text)))
    if (!page.isDone) continue
    // A read is safe in the session of anybody, and shows whose rights the session has.
    await driver.ask({ op: 'listPlugins', caller })
    if (!isTarget) continue
    if (other) await driver.ask({ op: 'resetUser', caller, at: other.name })
    else if (settings) await driver.ask({ op: 'updateSettings', caller, body: settings })
    return
  }
}
