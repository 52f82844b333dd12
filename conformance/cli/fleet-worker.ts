/** Checks one tracker of a fleet in its own process, so that a crash affects no other tracker. */
import { UnreachableError, UsageError } from '../contract/trouble.js'
import type { Report } from '../report/report.js'
import { askedOf, checkTarget } from './check.js'
import type { Done, Order } from './fleet.js'
import { exitCodes, type Io } from './usage.js'

const ending = new AbortController()

/** Only the parent ends the process: a terminal signals all processes, and a second signal would stop the clean-up. */
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => ending.abort())
process.on('disconnect', () => {
  // Cleans up if the parent is gone, but not if it cancelled before: then it did not want to wait.
  if (ending.signal.aborted) process.exit(exitCodes.cancelled)
  ending.abort()
})
process.on('message', (message: Order | 'cancel') => {
  if (message === 'cancel') ending.abort()
  else void run(message)
})

async function run({ profile, source, ledgerFile, flags }: Order): Promise<void> {
  const io: Io = {
    out: () => undefined,
    err: () => undefined,
    env: {},
    signal: ending.signal,
    terminal: false,
    paint: (_, text) => text,
  }
  let report: Report | null = null
  const onReport = (found: Report) => {
    report = found
  }
  const target = { profile, source, ledgerFile, close: async () => undefined }
  const check = async () => checkTarget(target, { ...askedOf(flags, io.env), onReport }, io)
  const done = await check()
    .then((code): Done => ({ code, because: null, report }))
    .catch((error: Error): Done => {
      const { message: because } = error
      if (error instanceof UsageError) return { code: exitCodes.usage, because, report }
      if (error instanceof UnreachableError) return { code: exitCodes.unreachable, because, report }
      throw error
    })
  // The process may end once the result is sent.
  process.removeAllListeners('disconnect')
  process.send?.(done, () => process.disconnect())
}
