/** What was asked and answered: the last thousand calls, without any secret. */

import type { ReadHeaders } from '../request/incoming.js'
import type { CallFilter, JournalEntry } from '../types.js'
import { contains } from './subset.js'

/** Enough for any one test; a server that runs for days must not grow. */
export const CAPACITY = 1000
/** What they may take up in memory, about; the last call is kept however large it is. 64 MiB. */
const SIZE_LIMIT = 64 * 1024 * 1024
/** Members and parameters of which nothing is shown. */
const secret = /^(password(_current)?|token|secret|access_token|api_key)$/i
/** Those of a client that names them in its own way: texts in them are not shown. */
const likeSecret = /passw|token|secret|cookie|session|authorization|api_?key/i

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

/** `isToken` knows the tracker's own tokens, which are not shown wherever a client puts them. */
export function createJournal(isToken: (text: string) => boolean): Journal {
  const entries: JournalEntry[] = []
  // What was really sent, at the same places, to compare with and to send again; never shown.
  const requests: Kept[] = []
  let sequence = 0
  let size = 0

  function drop(): void {
    entries.shift()
    size -= requests.shift()?.size ?? 0
  }

  return {
    entries,
    add(entry, sent) {
      sequence += 1
      const hide = hiding(entry.path, isToken)
      const kept: JournalEntry = {
        sequence,
        ...entry,
        path: maskPath(entry.path, isToken),
        body: masked(entry.body, hide),
        response: { status: entry.response.status, body: masked(entry.response.body, hide) },
        refusal: entry.refusal && { ...entry.refusal, detail: hide(entry.refusal.detail) },
      }
      const own = sizeOf(kept.body) * 2 + sizeOf(kept.response.body) + sent.text.length + sent.url.length * 2
      size += own
      entries.push(kept)
      requests.push({ body: entry.body, sent, size: own })
      while (entries.length > CAPACITY || (size > SIZE_LIMIT && entries.length > 1)) drop()
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
      size = 0
    },
  }
}

interface Kept {
  readonly body: unknown
  readonly sent: Sent
  readonly size: number
}

/** About how many bytes a value takes up. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 16 + value.length
  if (typeof value !== 'object' || value === null) return 8
  let size = 32
  for (const member of Object.values(value)) size += 24 + sizeOf(member)
  return size
}

const MASK = '***'

type IsToken = (text: string) => boolean

/** Masks a text that is a token, and in other texts those of the path, which a refusal quotes. */
function hiding(path: string, isToken: IsToken): Hide {
  const quoted = path.split(/[/?&=]/).filter(isToken)
  return (text) => (isToken(text) ? MASK : quoted.reduce((rest, token) => rest.replaceAll(token, MASK), text))
}

type Hide = (text: string) => string

/** The value itself where there is nothing to mask, which is nearly always: nobody changes a body afterwards. */
const masked = (value: unknown, hide: Hide) => (holdsSecret(value, hide) ? maskedCopy(value, hide) : value)

function holdsSecret(value: unknown, hide: Hide, name = ''): boolean {
  if (typeof value === 'string') return likeSecret.test(name) || hide(value) !== value
  if (Array.isArray(value)) return value.some((item) => holdsSecret(item, hide, name))
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([key, member]) => secret.test(key) || hide(key) !== key || holdsSecret(member, hide, key),
  )
}

function maskedCopy(value: unknown, hide: Hide, name = ''): unknown {
  if (typeof value === 'string') return likeSecret.test(name) ? MASK : hide(value)
  if (Array.isArray(value)) return value.map((item) => maskedCopy(item, hide, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      hide(key),
      secret.test(key) ? MASK : maskedCopy(member, hide, key),
    ]),
  )
}

/** A path with its query, without what is secret in it. */
export function maskPath(path: string, isToken: IsToken): string {
  const [before = '', query] = path.split('?', 2)
  const shown = before
    .split('/')
    .map((segment) => (isToken(segment) ? MASK : segment))
    .join('/')
  if (query === undefined) return shown
  const parameters = new URLSearchParams(query)
  for (const [key, value] of [...parameters])
    if (likeSecret.test(key) || isToken(value)) parameters.set(key, MASK)
  return `${shown}?${parameters}`
}
