/** What users and fields of the run's own have in common: names, and what a refusal of a plain one means. */

import type { Answer } from '../client/call.js'
import type { Client } from '../client/client.js'
import type { Entry, Ledger } from '../client/ledger.js'
import { inLetters } from '../client/made-up.js'
import type { OperationId, Profile } from '../contract/index.js'
import { Contradiction, Inconclusive } from './verdicts.js'

/** As `make`; while one is being made, whoever asks gets that one. */
export function oneAtATime<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => {
    made ??= make().finally(() => {
      made = null
    })
    return made
  }
}

/** Another success than 200 is for a requirement to fail; what was made is there all the same. */
export const isDone = ({ status }: Pick<Answer, 'status'>) => status >= 200 && status < 300

export type Maker = ReturnType<typeof createMaker>

/** `given`: the profile as far as the target bears it out by now. */
export function createMaker(client: Client, ledger: Ledger, given: () => Profile) {
  /** Operations that have accepted a plain body. */
  const created = new Set<OperationId>()
  let counter = 0
  // Of one width, so that no name is the beginning of another.
  const name = () => `${ledger.tag}x${inLetters(++counter, 3)}`

  const entryOf = (kind: Entry['kind'], name: string): Entry | undefined =>
    ledger.open.findLast((entry) => entry.kind === kind && entry.name === name)

  /**
   * The same body but for its names was accepted before: then a refusal is one that nothing explains, unless there is no room
   * for another one. `another`: its status.
   */
  async function refused(answer: Answer, plain: boolean, another: () => Promise<number>): Promise<never> {
    const { operation, status } = answer
    // How many fields or users a tracker may have is not shown.
    const isFull = async () => status === 400 && (await another()) === 400
    if (plain && created.has(operation) && !(await isFull()))
      throw new Contradiction(`one more plain creation: expected 200 as before, saw ${status}`, answer)
    throw new Inconclusive(`nothing of its own: ${operation} answered ${status} to a plain body`)
  }

  return { client, ledger, given, created, name, entryOf, refused }
}
