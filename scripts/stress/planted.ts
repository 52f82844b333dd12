/**
 * A tracker full of secrets with unmistakable texts. Secrets may be here, and everything else is searched for them:
 *
 * - `GET /__tracker/profile`, `--profile-out`, the banner of `serve`: the emulator prints its own, generated tokens for
 * the person who started it.
 * - `GET /__tracker/state`, `--state FILE`: a state can be restored only if it is complete.
 * - The answer of impersonateUser itself, whose purpose is to return a token.
 */
import { type Profile, pathOf } from '../../conformance/contract/index.js'
import { createTracker, type State } from '../../emulator/index.js'

/** The state, and the secrets in it: every password and token of the starting state. */
export async function plantedState(): Promise<{ state: State; secrets: string[] }> {
  const { users, tokens, ...rest } = (await createTracker()).snapshot()
  const secrets: string[] = []
  const next = () => {
    const secret = `Planted-Secret-${secrets.length + 1}-Xq7`
    secrets.push(secret)
    return secret
  }
  const state = {
    ...rest,
    users: users.map((user) => ({ ...user, password: next() })),
    tokens: tokens.map((token) => ({ ...token, secret: next() })),
  }
  return { state, secrets }
}

/** A request of the administrator, unless it has credentials of its own. */
export type Sent = readonly [
  method: string,
  path: string,
  body?: string | undefined,
  headers?: Readonly<Record<string, string>>,
]

/** Requests in which a client sends secrets at the right and at wrong places, and these secrets. */
export function plantedRequests({ tokens, passwordAccount }: Profile) {
  const secrets = Array.from({ length: 12 }, (_, index) => `Typed-Secret-${index}-Zw4`)
  const at = (index: number) => secrets[index] ?? ''
  const users = pathOf('createUser', 'Ext')
  const password = pathOf('changeOwnPassword', 'Ext')
  const json = (value: unknown) => JSON.stringify(value)
  const asPassword = { authorization: `Bearer ${tokens.password}` }
  const current = passwordAccount?.current
  const requests: readonly Sent[] = [
    ['POST', users, json({ username: 'otto', password: at(0) })],
    ['PATCH', `${users}/otto`, json({ password: at(1), password_current: at(2) })],
    ['PATCH', password, json({ password_current: current, password: at(3) }), asPassword],
    ['PATCH', password, json({ password_current: at(4), password: at(5) }), asPassword],
    // Members with names other than the document's, and with too many members around them.
    ['PATCH', password, json({ newPassword: at(6), oldPassword: at(7), passwords: [at(6)] })],
    ['POST', users, json([{ user: { password: at(8), api_token: at(8) } }])],
    ['POST', users, `{"username":"pia","password":"${at(9)}"`],
    // Credentials at wrong places.
    ['GET', `${users}/nina?access_token=${at(10)}&authToken=${at(10)}&password=${at(10)}`],
    ['GET', `${users}/nina?key=${tokens.administrator}`],
    ['GET', `${users}/${tokens.administrator}`],
    ['GET', `${users}/nina`, undefined, { authorization: `Basic ${at(11)}` }],
    ['GET', `${users}/nina`, undefined, { cookie: `tracker_session=${at(11)}` }],
    ['PUT', `${users}/nina/impersonate`],
    ['PUT', `${users}/viewer/reset`],
    ['PATCH', `${users}/administrator`, json({ email: 'new@example.org' })],
    ['GET', pathOf('getTokensPage', 'Ext')],
    ['GET', pathOf('getAccountPage', 'Ext')],
  ]
  return { requests, secrets }
}

/** The secrets in a text: unchanged, in another case, without their ends, or encoded. */
export function found(text: string, secrets: readonly string[]): string[] {
  const small = text.toLowerCase()
  return secrets.filter(
    (secret) =>
      small.includes(secret.slice(0, -1).toLowerCase()) ||
      small.includes(secret.slice(1).toLowerCase()) ||
      text.includes(Buffer.from(secret).toString('base64').replace(/=+$/, '')),
  )
}
