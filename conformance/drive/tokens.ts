/** Watches whether the tokens of the profile stay valid: a token that ends must not look like a deviation. */
import { NoAnswer } from '../client/call.js'
import type { Client } from '../client/client.js'
import type { Exchange } from '../oracle/exchange.js'

/** The token of the password account is left out: it may end with a change of its password. */
const watched = ['administrator', 'restricted'] as const
export type WatchedToken = (typeof watched)[number]

export interface TokenWatch {
  note(exchange: Exchange): void
  /** Asks for the page of each token that was refused after it had been accepted. */
  ended(client: Client): Promise<WatchedToken | null>
}

export function watchTokens(): TokenWatch {
  const accepted = new Set<string>()
  /** Callers whose last answer was a refusal. */
  const refused = new Set<string>()
  return {
    note({ caller, status }) {
      if (status !== 401 && status !== 0) refused.delete(caller)
      if (status === 200) accepted.add(caller)
      if (status === 401 && accepted.has(caller)) refused.add(caller)
    },
    async ended(client) {
      for (const token of watched) {
        if (!refused.has(token)) continue
        try {
          const { status } = await client.send({ operation: 'getAccountPage', as: token })
          if (status === 401) return token
        } catch (error) {
          if (!(error instanceof NoAnswer)) throw error
        }
        refused.delete(token)
      }
      return null
    },
  }
}
