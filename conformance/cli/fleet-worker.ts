/** One tracker of a fleet, in a process of its own: what breaks here breaks nothing else. */

import { UnreachableError, UsageError } from '../contract/trouble.js'
import { askedOf, checkTarget } from './check.js'
import type { Done, Order } from './fleet.js'
import { exitCodes, type Io } from './usage.js'

const ending = new AbortController()

/** From the parent alone: a terminal signals all processes at once, and a second signal would end the clean-up. */
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => ending.abort())
process.on('disconnect', () => {
  // Without its parent it cleans up; a parent that is gone after it said so did not want to wait.
  if (ending.signal.aborted) process.exit(exitCodes.cancelled)
  ending.abort()
})
process.on('message', (message: Order | 'cancel') => {
  if (message === 'cancel') ending.abort()
  else void run(message)
})

async function run({ profile, source, flags }: Order): Promise<void> {
  const io: Io = {
    out: () => undefined,
    err: () => undefined,
    env: {},
    signal: ending.signal,
    terminal: false,
    paint: (_, text) => text,
  }
  const close = async () => undefined
  const check = async () => checkTarget({ profile, source, close }, askedOf(flags, io.env), io)
  const done = await check()
    .then((code): Done => ({ code, because: null }))
    .catch((error: Error): Done => {
      if (error instanceof UsageError) return { code: exitCodes.usage, because: error.message }
      if (error instanceof UnreachableError) return { code: exitCodes.unreachable, because: error.message }
      throw error
    })
  // Once it is sent the process may end.
  process.removeAllListeners('disconnect')
  process.send?.(done, () => process.disconnect())
}
