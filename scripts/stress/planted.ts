/** A tracker that is full of secrets which cannot be mistaken for anything else. */
import { type Profile, pathOf } from '../../conformance/contract/index.js'
import { createTracker, type State } from '../../emulator/index.js'

/**
 * Where secrets may stand. Everything else is searched for them.
 *
 * - `GET /__tracker/profile`, `--profile-out`, the banner of `serve`: the emulator hands its own, made-up tokens to whoever
 *   started it. `inspector/forms` fills in the password that the profile has.
 * - `GET /__tracker/state`, `--state FILE`, `inspector/fixture`: a state that is to be restored needs all of it.
 * - The answer of impersonateUser itself, which is what it is for.
 */
export const mayHold = ['profile', 'state', 'inspector/fixture', 'inspector/forms'] as const

const word = (number: number) => `Planted-Secret-${number}-Xq7`

/** Every password and token of the starting state is one. */
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

/** Requests by which a client gives away what it should not, rightly and by mistake; and what they give away. */
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
      // Members with other names than the document's, and more than there should be around them.
      {
        method: 'PATCH',
        path: password,
        body: json({ newPassword: at(6), oldPassword: at(7), passwords: [at(6)] }),
      },
      { method: 'POST', path: users, body: json([{ user: { password: at(8), api_token: at(8) } }]) },
      { method: 'POST', path: users, body: `{"username":"pia","password":"${at(9)}"` },
      // Credentials where they do not belong.
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

/** Secrets that the text holds: as they are, in another case, without their ends, or encoded. */
export function found(text: string, secrets: readonly string[]): string[] {
  const small = text.toLowerCase()
  return secrets.filter(
    (secret) =>
      small.includes(secret.slice(0, -1).toLowerCase()) ||
      small.includes(secret.slice(1).toLowerCase()) ||
      text.includes(Buffer.from(secret).toString('base64').replace(/=+$/, '')),
  )
}
