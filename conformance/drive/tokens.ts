/** Watches whether the tokens of the profile stay valid: a token that ends must not look like a deviation. */
import { NoAnswer } from '../client/call.js'
import type { Client } from '../client/client.js'
import type { Exchange } from '../oracle/exchange.js'

/** The token of the password account is left out: it may end with a change of its password. */
const watched = ['administrator', 'restricted'] as const
type Watched = (typeof watched)[number]

export interface EndedToken {
  readonly of: Watched
  /** The number of its first exchange that was refused for good. */
  readonly since: number
}

export interface TokenWatch {
  note(exchange: Exchange): void
  /** Asks for the page of each token that was refused after it had been accepted. */
  ended(client: Client): Promise<EndedToken | null>
}

export function watchTokens(): TokenWatch {
  const accepted = new Set<string>()
  /** By caller, the first refusal since the last answer that was none. */
  const refused = new Map<string, number>()
  return {
    note({ caller, status, n }) {
      if (status !== 401 && status !== 0) refused.delete(caller)
      if (status === 200) accepted.add(caller)
      if (status === 401 && accepted.has(caller) && !refused.has(caller)) refused.set(caller, n)
    },
    async ended(client) {
      for (const of of watched) {
        const since = refused.get(of)
        if (since === undefined) continue
        try {
          const { status } = await client.send({ operation: 'getAccountPage', as: of })
          if (status === 401) return { of, since }
        } catch (error) {
          if (!(error instanceof NoAnswer)) throw error
        }
        refused.delete(of)
      }
      return null
    },
  }
}
