/** What hangs on a failure: the requests that led to it, and a script that shows it again. */

import type { Answer, Call } from '../client/call.js'
import type { Ledger } from '../client/ledger.js'
import type { Redact } from '../client/redact.js'
import type { Profile } from '../contract/index.js'
import { type Script, scriptOf, wordsIn } from './script.js'
import { idIn, type Trail } from './trail.js'
import type { Evidence } from './types.js'

type WordOf = (call: Call) => string | null

/** The word in the name of the thing that a call names by an id of the ledger. */
export function wordsOfThings(ledger: Ledger): WordOf {
  const inText = wordsIn(ledger.tag)
  return (call) => {
    const id = idIn(call)
    if (id === null) return null
    const kind = call.path?.field_id === undefined ? 'user' : 'customField'
    const named = ledger.known.findLast(
      (entry) =>
        entry.tag === ledger.tag &&
        entry.kind === kind &&
        (entry.id === id || entry.told.includes(Number(id))),
    )
    return inText(named?.name ?? '')[0] ?? null
  }
}

interface Source {
  readonly trail: Trail
  readonly profile: Profile
  readonly redact: Redact
  readonly tag: string
  readonly wordOf: WordOf
  /** Of the users that the run makes up. */
  readonly password: () => string
}

/** From what the run still knows of an answer, though nothing is written before somebody looks. */
export const evidenceOf =
  ({ trail, password, ...known }: Source) =>
  (answer: Answer, shownBy = answer): Evidence => {
    const led = trail.to(shownBy)
    let script: Script | undefined
    return {
      earlier: led.more,
      get steps() {
        return led.asked.map((one) => one.answer.exchange)
      },
      get script() {
        script ??= scriptOf(led, { ...known, password: password() })
        return script
      },
    }
  }
