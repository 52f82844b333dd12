/** A tracker full of secrets with unmistakable texts. */
import { type Profile, pathOf } from '../../conformance/contract/index.js'
import { createTracker, type State } from '../../emulator/index.js'

/**
 * Where secrets may be. Everything else is searched for them.
 *
 * - `GET /__tracker/profile`, `--profile-out`, the banner of `serve`: the emulator prints its own, generated tokens for
 * the person who started it.
 * - `GET /__tracker/state`, `--state FILE`: a state can be restored only if it is complete.
 * - The answer of impersonateUser itself, whose purpose is to return a token.
 */
export const mayHold = ['profile', 'state'] as const

const word = (number: number) => `Planted-Secret-${number}-Xq7`

/** The state, and the secrets in it: every password and token of the starting state. */
export async function plantedState(): Promise<{ state: State; secrets: string[] }> {
  const { users, tokens, ...rest } = (await createTracker()).snapshot()
  let number = 0
  const next = () => {
    number += 1
    return word(number)
  }
  const state = {
    ...rest,
    users: users.map((user) => ({ ...user, password: next() })),
    tokens: tokens.map((token) => ({ ...token, secret: next() })),
  }
  return { state, secrets: Array.from({ length: number }, (_, index) => word(index + 1)) }
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Requests in which a client sends secrets at the right and at wrong places, and these secrets. */
export function plantedRequests({ tokens, passwordAccount }: Profile): {
  requests: Sent[]
  secrets: string[]
} {
  const typed = Array.from({ length: 12 }, (_, index) => `Typed-Secret-${index}-Zw4`)
  const at = (index: number) => typed[index] ?? ''
  const users = pathOf('createUser', 'Ext')
  const password = pathOf('changeOwnPassword', 'Ext')
  const json = (value: unknown) => JSON.stringify(value)
  const asPassword = { authorization: `Bearer ${tokens.password}` }
  const current = passwordAccount?.current
  return {
    secrets: typed,
    requests: [
      { method: 'POST', path: users, body: json({ username: 'otto', password: at(0) }) },
      { method: 'PATCH', path: `${users}/otto`, body: json({ password: at(1), password_current: at(2) }) },
      {
        method: 'PATCH',
        path: password,
        headers: asPassword,
        body: json({ password_current: current, password: at(3) }),
      },
      {
        method: 'PATCH',
        path: password,
        headers: asPassword,
        body: json({ password_current: at(4), password: at(5) }),
      },
      // Members with names other than the document's, and with too many members around them.
      {
        method: 'PATCH',
        path: password,
        body: json({ newPassword: at(6), oldPassword: at(7), passwords: [at(6)] }),
      },
      { method: 'POST', path: users, body: json([{ user: { password: at(8), api_token: at(8) } }]) },
      { method: 'POST', path: users, body: `{"username":"pia","password":"${at(9)}"` },
      // Credentials at wrong places.
      { method: 'GET', path: `${users}/nina?access_token=${at(10)}&authToken=${at(10)}&password=${at(10)}` },
      { method: 'GET', path: `${users}/nina?key=${tokens.administrator}` },
      { method: 'GET', path: `${users}/${tokens.administrator}` },
      { method: 'GET', path: `${users}/nina`, headers: { authorization: `Basic ${at(11)}` } },
      { method: 'GET', path: `${users}/nina`, headers: { cookie: `tracker_session=${at(11)}` } },
      { method: 'PUT', path: `${users}/nina/impersonate` },
      { method: 'PUT', path: `${users}/viewer/reset` },
      { method: 'PATCH', path: `${users}/administrator`, body: json({ email: 'new@example.org' }) },
      { method: 'GET', path: pathOf('getTokensPage', 'Ext') },
      { method: 'GET', path: pathOf('getAccountPage', 'Ext') },
    ],
  }
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
