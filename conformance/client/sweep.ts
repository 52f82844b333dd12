/** Removes what a run created, and restores what it changed, according to its ledger; nothing else. */
import type { Profile } from '../contract/index.js'
import { NoAnswer } from './call.js'
import type { Client } from './client.js'
import { left, told, type Undoing } from './disable.js'
import type { Entry, Ledger } from './ledger.js'
import { Lacking, Withheld } from './permit.js'
import { called, createUndo } from './undo.js'

export interface Swept {
  /** In words, what could not be removed or restored. */
  readonly left: readonly string[]
  /** In words, what is changed and cannot be restored. */
  readonly told: readonly string[]
  /** In words, the users that are disabled. The interface has no deletion of users. */
  readonly disabled: readonly string[]
  /** Entries of what is told. They stay open until somebody has been told: a run may be killed before. */
  readonly closing: readonly Entry[]
}

/** After so many unanswered requests in a row, the rest is reported without further requests. */
const MOST_SILENT = 3

/** `keep`: what is not due yet. */
type Keep = (entry: Entry) => boolean

export async function sweep(client: Client, profile: Profile, ledger: Ledger, keep?: Keep): Promise<Swept> {
  const closing: Entry[] = []
  const swept = { left: [] as string[], told: [] as string[], disabled: [] as string[], closing }
  let [silent, message] = [0, '']
  const undoIt = createUndo(client, profile)
  // A token that acts as another user must not be used.
  // The last change first, since two entries may be about one thing under two names; names that are numbers last.
  const rank = ({ kind, name }: Entry) =>
    kind === 'session' ? 0 : kind === 'user' && /^[-+\s]*\d/.test(name) ? 2 : 1
  // For the same reason such a thing waits for the final clean-up.
  const isDue = (entry: Entry) => !keep || !(keep(entry) || isOnlyTold(entry))
  const due = () =>
    ledger.open
      .toReversed()
      .toSorted((a, b) => rank(a) - rank(b))
      .filter(isDue)
  const first = due()
  for (const entry of first) await sweepOne(entry)
  // After the others are removed, a thing with the same name may be visible.
  if (!keep && swept.left.length > 0 && swept.left.length < first.length && silent === 0) {
    swept.left = []
    for (const entry of due()) if (!closing.includes(entry)) await sweepOne(entry)
  }
  return swept

  async function sweepOne(entry: Entry): Promise<void> {
    const { outcome, why } = silent >= MOST_SILENT ? left(message) : await undo(entry)
    const line = `${called(entry, client)} (${why})`
    if (outcome === 'left') swept.left.unshift(line)
    else if (outcome === 'told') {
      swept.told.unshift(line)
      if (!keep) closing.push(entry)
    } else {
      if (outcome === 'disabled')
        swept.disabled.unshift(entry.name === '' ? called(entry, client) : `user ${entry.name}`)
      ledger.close(entry)
    }
  }

  async function undo(entry: Entry, isAgain = false): Promise<Undoing> {
    try {
      const end = await undoIt(entry)
      silent = 0
      return end
    } catch (error) {
      if (error instanceof Withheld) return (error instanceof Lacking ? told : left)(error.message)
      if (!(error instanceof NoAnswer)) throw error
      // Each step may be repeated, since an answer may be lost.
      if (error.kind === 'dropped' && !isAgain) return undo(entry, true)
      silent += 1
      message = error.message
      return left(message)
    }
  }
}

const isOnlyTold = ({ kind, value }: Entry) =>
  ['recipient', 'givenField', 'extensionSettings'].includes(kind) ||
  (['columns', 'setting'].includes(kind) && value === undefined)

/** Closes the entries of what these sweeps tell, once it is told. */
export function closeTold(ledger: Ledger, sweeps: readonly Swept[]): void {
  for (const { closing } of sweeps) for (const entry of closing) ledger.close(entry)
}

/** All leftovers: those of the last sweep, and those of all sweeps that cannot be restored. */
export function leftoversOf(sweeps: readonly Swept[]): string[] {
  const last = sweeps.at(-1)?.left ?? []
  const disabled = sweeps.flatMap((swept) => swept.disabled)
  const users = disabled.map((user) => `${user} (disabled; this interface deletes no users)`)
  return [...new Set([...last, ...sweeps.flatMap((swept) => swept.told), ...users])]
}
