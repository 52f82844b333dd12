/** `tracker-kit sweep`: finishes the clean-up of an interrupted run, only by its ledger. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../client/client.js'
import { replayLedger } from '../client/ledger.js'
import { changedOtherwise } from '../client/survey.js'
import { closeTold, leftoversOf, sweep as sweepLedger } from '../client/sweep.js'
import { UsageError } from '../contract/trouble.js'
import { condensed } from '../report/leftovers.js'
import { counted } from '../report/words.js'
import { LEDGER } from './ledger-guard.js'
import { limitsOf, targetFlags, targetOf } from './target.js'
import { type Command, exitCodes } from './usage.js'

export const sweep: Command = {
  about:
    'Removes what an interrupted run left behind.\nLEDGER is the ledger.jsonl of the run, or its folder.',
  flags: targetFlags,
  takes: 'LEDGER [flags]',
  examples: ['sweep report/ledger.jsonl --profile tracker.json'],
  async run({ flags: given, positionals }, io) {
    const [place] = positionals
    if (place === undefined || positionals.length > 1)
      throw new UsageError('takes one ledger: the ledger.jsonl of a run, or the folder that it is in')
    const file = ledgerAt(place)
    if (given['base-url'] === undefined && given.profile === undefined)
      throw new UsageError('needs --base-url or --profile of the tracker that the run was on')
    const { profile } = await targetOf(given, io)
    const ledger = replayLedger(file, profile.baseUrl)
    const client = createClient(profile, {
      // The ledger contains only what the run was allowed to do.
      safety: profile.safety ?? 'destructive',
      ...limitsOf(given),
      ledger,
    })
    try {
      const before = ledger.open.length
      if (ledger.torn > 0)
        io.err(`sweep skips ${counted(ledger.torn, 'damaged line')} of ${file}, and does the rest\n`)
      const swept = await sweepLedger(client, profile, ledger)
      const left = leftoversOf([swept])
      const otherwise = await changedOtherwise(client, profile, left)
      closeTold(ledger, [swept])
      io.out(`${counted(before, 'open entry', 'open entries')} before, ${ledger.open.length} after\n`)
      for (const line of condensed([...left, ...otherwise])) io.out(`  ${line}\n`)
      return ledger.open.length + otherwise.length === 0 ? exitCodes.ok : exitCodes.deviates
    } finally {
      client.close()
    }
  },
}

/** The ledger file; a folder stands for the ledger in it, since `--out` of a run names a folder. */
function ledgerAt(place: string): string {
  if (!statSync(place, { throwIfNoEntry: false })?.isDirectory()) return place
  const file = join(place, LEDGER)
  if (existsSync(file)) return file
  throw new UsageError(
    `the folder ${place} has no ${LEDGER}; give the folder of --out of the run, or its ledger file`,
  )
}
