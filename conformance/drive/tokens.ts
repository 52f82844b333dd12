/** Watches whether the tokens of the profile stay valid: a token that ends must not look like a deviation. */
import { NoAnswer } from '../client/call.js'
import type { Driver } from './driver.js'

/** The token of the password account is left out: it may end with a change of its password. */
const watched = ['administrator', 'restricted'] as const

/** A token that is refused after it was accepted; an own page of its caller shows whether it has ended. */
export async function endedToken({ client, trace }: Driver): Promise<string | null> {
  for (const token of watched) {
    const last = trace.findLast(({ caller, status }) => caller === token && status !== 0)
    if (last?.status !== 401 || !trace.some((one) => one.caller === token && one.status === 200)) continue
    try {
      const { status } = await client.send({ operation: 'getAccountPage', as: token })
      if (status === 401) return token
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
    }
  }
  return null
}
