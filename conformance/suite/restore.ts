/** Puts shared things back as a ledger says that they were before the run. */
import type { Profile } from '../contract/index.js'
import type { Call, Client } from '../target/client.js'
import type { Resource } from './ledger.js'
import { mentions } from './look.js'
import { uninstallPlugin } from './plugins.js'

const effect = 'destructive'

/** What sets columns or a setting to the value that they had. */
export function restoring({ kind, name, value }: Resource): Call {
  if (kind === 'setting')
    return { operation: 'updateUserSettings', body: { configs: [{ option: name, value }] }, effect }
  return { operation: 'manageColumns', body: { ...JSON.parse(name), columns: value }, effect }
}

/** Returns in words what could not be put back, or null. */
export async function restore(client: Client, profile: Profile, resource: Resource): Promise<string | null> {
  const { kind, name } = resource
  const what = kind === 'password' ? "the password account's password" : `${kind} ${name}`
  if (!client.allows(effect)) return `${what} (changed; to put it back needs the level ${effect})`
  if (kind === 'password') return restorePassword(client, profile, what, resource.done === true)
  if (kind === 'plugin') {
    const { status } = await uninstallPlugin({ send: client.send, profile }, name)
    if (isDone(status) || status === 404) return null
    // So may be answered what is not installed, and what may not be removed.
    const isListed = async () => mentions((await client.send({ operation: 'listPlugins' })).json, name)
    return status === 400 && !(await isListed()) ? null : `${what} (may be installed still: ${status})`
  }
  const { status } = await client.send(restoring(resource))
  return isDone(status) ? null : `${what} (not put back: ${status})`
}

/**
 * Each password that a run may have set is tried as the current one. Where none is, it was not changed, unless the target
 * has said so: then a rule may stand in the way.
 */
async function restorePassword(
  client: Client,
  profile: Profile,
  what: string,
  done: boolean,
): Promise<string | null> {
  const { passwordAccount, tokens, password } = profile
  if (!passwordAccount || tokens.password === undefined)
    return `${what} (the profile has no passwordAccount with a token)`
  const candidates = [passwordAccount.next, password?.invalid]
  let last: number | null = null
  for (const password_current of candidates) {
    if (password_current === undefined) continue
    const { status } = await client.send({
      operation: 'changeOwnPassword',
      as: 'password',
      body: { password_current, password: passwordAccount.current },
      effect,
    })
    if (isDone(status)) return null
    if (status !== 400 && status !== 403) return `${what} (may be passwordAccount.next: ${status})`
    last ??= status
  }
  return done ? `${what} (may be passwordAccount.next: ${last})` : null
}

const isDone = (status: number) => status >= 200 && status < 300
