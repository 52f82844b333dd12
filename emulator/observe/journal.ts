/** What was asked and answered: the last thousand calls, without any secret. */

import type { ReadHeaders } from '../request/incoming.js'
import type { CallFilter, JournalEntry } from '../types.js'
import { contains } from './subset.js'

/** Enough for any one test; a server that runs for days must not grow. */
export const CAPACITY = 1000
const secret = /^(password(_current)?|token|secret|access_token|api_key)$/i

/** A request as it came, secrets included: for sending it once more, never shown. */
export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: ReadHeaders
  readonly text: string
}

export interface Journal {
  readonly entries: readonly JournalEntry[]
  /** Returns the entry as it is kept. */
  add(entry: Omit<JournalEntry, 'sequence'>, sent: Sent): JournalEntry
  /** What the call with this number was, as long as the journal holds it. */
  sent(sequence: number): Sent | undefined
  calls(filter: CallFilter): JournalEntry[]
  clear(): void
}

export function createJournal(): Journal {
  const entries: JournalEntry[] = []
  // What was really sent, at the same places, to compare with and to send again; never shown.
  const requests: { readonly body: unknown; readonly sent: Sent }[] = []
  let sequence = 0
  return {
    entries,
    add(entry, sent) {
      if (entries.length === CAPACITY) {
        entries.shift()
        requests.shift()
      }
      sequence += 1
      const kept: JournalEntry = {
        sequence,
        ...entry,
        path: maskPath(entry.path),
        body: masked(entry.body),
        response: { status: entry.response.status, body: masked(entry.response.body) },
      }
      entries.push(kept)
      requests.push({ body: entry.body, sent })
      return kept
    },
    sent(wanted) {
      return requests[entries.findIndex(({ sequence }) => sequence === wanted)]?.sent
    },
    calls({ operation, caller, status, body }) {
      return entries.filter(
        (entry, index) =>
          (operation === undefined || entry.operation === operation) &&
          (caller === undefined || entry.caller === caller) &&
          (status === undefined || entry.response.status === status) &&
          (body === undefined || contains(requests[index]?.body, body)),
      )
    },
    clear() {
      entries.length = 0
      requests.length = 0
      sequence = 0
    },
  }
}

const MASK = '***'

/** The value itself where there is nothing to mask, which is nearly always: nobody changes a body afterwards. */
const masked = (value: unknown) => (holdsSecret(value) ? maskedCopy(value) : value)

function holdsSecret(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(holdsSecret)
  for (const [key, member] of Object.entries(value)) if (secret.test(key) || holdsSecret(member)) return true
  return false
}

function maskedCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskedCopy)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, secret.test(key) ? MASK : maskedCopy(member)]),
  )
}

function maskPath(path: string): string {
  if (!path.includes('?')) return path
  const [before = '', query] = path.split('?', 2)
  const parameters = new URLSearchParams(query)
  for (const key of [...parameters.keys()]) if (secret.test(key)) parameters.set(key, MASK)
  return `${before}?${parameters}`
}
