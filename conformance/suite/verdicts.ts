/** How a check can end before its last verdict. */
import type { Answer } from '../client/call.js'

/** Ends a check without a verdict; the reason is reported. */
export class Skip extends Error {}

/** Ends a check with a failure, where what it was only to prepare contradicts what the target did before. */
export class Contradiction extends Error {
  constructor(
    message: string,
    readonly answer: Answer,
  ) {
    super(message)
  }
}

/** As a skip, where the target's behaviour is what stood in the way. */
export class Inconclusive extends Skip {}
