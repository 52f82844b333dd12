/** Whether the tokens of the profile are still what they were: one that ends on the way must not look like a deviation. */
import { type Answer, type Call, type Identity, NoAnswer } from '../client/call.js'
import type { Client } from '../client/client.js'

export interface TokenWatch {
  onAnswer(answer: Answer, call: Call): void
  /** Whether one was refused since somebody has asked. */
  readonly inDoubt: boolean
  /** The owner of a token that was accepted before and is not any more; asks once for each that was refused. */
  ended(client: Client): Promise<Identity | null>
}

/** That of the password account may end with a change of its password. */
const watched: readonly Identity[] = ['administrator', 'restricted']

export function watchTokens(): TokenWatch {
  const accepted = new Set<Identity>()
  const refused = new Set<Identity>()

  return {
    onAnswer({ operation, status }, { as = 'administrator', authorization }) {
      if (authorization !== undefined) return
      if (operation === 'getAccountPage' && status === 200) accepted.add(as)
      if (status === 401 && accepted.has(as)) refused.add(as)
    },
    get inDoubt() {
      return refused.size > 0
    },
    async ended(client) {
      const suspects = watched.filter((one) => refused.has(one))
      refused.clear()
      for (const as of suspects) {
        try {
          const { status } = await client.send({ operation: 'getAccountPage', as })
          if (status === 401) return as
        } catch (error) {
          if (!(error instanceof NoAnswer)) throw error
        }
      }
      refused.clear()
      return null
    },
  }
}
