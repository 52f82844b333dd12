/** Whom a token speaks for, as far as the account page tells. */
import type { Identity } from '../target/client.js'
import type { Check } from './check.js'
import { isObject, values } from './look.js'

/** The username behind a token: the one name on its account page that addresses itself; null where none does. */
export async function usernameOf(t: Pick<Check, 'send'>, as: Identity): Promise<string | null> {
  const page = await t.send({ operation: 'getAccountPage', as })
  for (const value of values(page.json)) {
    if (!isObject(value)) continue
    for (const [key, name] of Object.entries(value)) {
      if (!/^(user_?name|login(_?name)?|name)$/i.test(key) || typeof name !== 'string') continue
      if (!/^[\w.@+-]{1,64}$/.test(name)) continue
      const self = await t.send({ operation: 'getUser', as, path: { user_id: name } })
      if (self.status === 200) return name
    }
  }
  return null
}
