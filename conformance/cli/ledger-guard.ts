/** Makes sure that things that a run created on a live tracker can be swept, however the run ends. */
import { randomInt } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { replayLedger } from '../client/ledger.js'
import { flagsAgain, shellWord } from './replay.js'
import type { FlagValues, Io } from './usage.js'

/** The ledger's name in the folder of a report. */
export const LEDGER = 'ledger.jsonl'

/** A ledger for a run without `--out`. */
export const temporaryLedger = (): string =>
  join(tmpdir(), `tracker-kit-${randomInt(36 ** 5, 36 ** 6).toString(36)}.ledger.jsonl`)

/**
 * Guards a ledger and returns a function that ends the guard: if entries are open, or the target was not compared with
 * its former state, it prints the command for the rest; otherwise it removes a ledger that `--out` does not ask for. If
 * the process exits earlier, the same happens.
 */
export function guardLedger(file: string | null, baseUrl: string, flags: FlagValues, io: Io): () => void {
  if (file === null) return () => undefined
  const target = flagsAgain(flags, ['base-url', 'profile', 'ext', 'token'])
  const line = ['npx tracker-kit sweep', shellWord(file), ...target].join(' ')
  const atExit = () => {
    if (!existsSync(file)) return
    if (isUnfinished(file, baseUrl))
      io.err(
        `The clean-up is not finished. This command continues it (a person must remove what no read shows to be the run's own):\n${line}\n`,
      )
    else if (flags.out === undefined) rmSync(file, { force: true })
  }
  // Node would warn about the listeners of a fleet, one for each tracker that is checked at the same time.
  process.setMaxListeners(0).once('exit', atExit)
  return () => {
    process.removeListener('exit', atExit)
    atExit()
  }
}

function isUnfinished(file: string, baseUrl: string): boolean {
  try {
    const { open, survey } = replayLedger(file, baseUrl)
    return open.length + survey.length > 0
  } catch {
    // The sweep will report what is wrong with the ledger.
    return true
  }
}
