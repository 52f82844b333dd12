/** The last thousand calls with their answers, without any secret. */
import type { Call } from '../request/call.js'
import { explanationOf, learntFor } from '../request/explain.js'
import { jsonOf, remade } from '../request/json.js'
import { violationsOf } from '../request/violations.js'
import type { CallFilter, JournalEntry, TrackerJournal, Violation } from '../types.js'
import { journalHar } from './har.js'
import { contains } from './subset.js'

/** A server that runs for days must not grow. */
const CAPACITY = 1000
/** What they may take up in memory, about; the last call is kept however large it is. 64 MiB. */
const SIZE_LIMIT = 64 * 1024 * 1024
/** Members and parameters of which nothing is shown. */
const secret = /^(password(_current)?|token|secret|access_token|api_key)$/i
/** Those of a client that names them in its own way: texts in them are not shown. */
const likeSecret = /passw|token|secret|cookie|session|authorization|api_?key/i

/**
 * To parse a call and to look through it for secrets costs more than to answer it. So the entries are made once somebody
 * looks; from then on, as they may still hold the list, after each call.
 *
 * `isToken` knows the tracker's own tokens, which are not shown wherever a client puts them; `roleOf` gives the role of
 * a token in the tracker's profile.
 */
export function createJournal(isToken: IsToken, roleOf: (token: string) => string | undefined) {
  const entries: JournalEntry[] = []
  const har: TrackerJournal['har'] = (some = entries) => {
    const held = some.map((entry) => [entry, callOf(entry.sequence)] as const)
    return journalHar(held, roleOf)
  }
  /** The call with this number as it really was, as long as the journal holds it: to send it once more, never shown. */
  const callOf = (wanted: number) => kept[wanted - sequence + kept.length - 1]
  const journal = Object.defineProperty(entries, 'har', { value: har }) as unknown as TrackerJournal
  // Those of the first entries, and then those that have none yet.
  const kept: Call[] = []
  /** Those that were refused since the state was another. */
  let refused: Call[] = []
  let watched = false
  let sequence = 0
  let size = 0

  function drop(): void {
    const entry = entries.shift()
    const call = kept.shift()
    size -= (call ? sizeOfCall(call) : 0) + (entry ? sizeOfEntry(entry) : 0)
  }

  /** Makes the entries of all calls, before something changes that they depend on. */
  function settle(): void {
    while (entries.length < kept.length) {
      const entry = entryOf(kept[entries.length] as Call, isToken)
      entries.push(entry)
      size += sizeOfEntry(entry)
    }
    while (size > SIZE_LIMIT && kept.length > 1) drop()
  }

  return {
    /** Live: it grows with each call. */
    get entries(): TrackerJournal {
      watched = true
      settle()
      return journal
    },
    /** Gives the call its number, and keeps it. */
    add(call: Call): void {
      sequence += 1
      call.sequence = sequence
      size += sizeOfCall(call)
      kept.push(call)
      if (call.refused) refused.push(call)
      // Of those that the journal no longer holds nobody will ask.
      if (refused.length > 2 * CAPACITY) refused = refused.slice(-CAPACITY)
      while (kept.length > CAPACITY || (size > SIZE_LIMIT && kept.length > 1)) drop()
      if (watched) settle()
    },
    last(): JournalEntry {
      settle()
      return entries.at(-1) as JournalEntry
    },
    call: callOf,
    calls({ operation, caller, status, body }: CallFilter): JournalEntry[] {
      settle()
      return entries.filter(
        (entry, index) =>
          (operation === undefined || entry.operation === operation) &&
          (caller === undefined || entry.caller === caller) &&
          (status === undefined || entry.response.status === status) &&
          (body === undefined || contains(jsonOf(kept[index]?.text ?? '') ?? null, body)),
      )
    },
    /** What the calls had that the document does not allow; the last thousand. */
    get violations(): readonly Violation[] {
      const all = kept.flatMap((call) =>
        violationsOf(call).map((found) => ({ sequence: call.sequence, operation: call.operation, ...found })),
      )
      return all.slice(-CAPACITY)
    },
    /** Explains the refusals that nobody has asked for yet, before the state becomes another. */
    explain(): void {
      if (refused.length === 0) return
      for (const call of refused.splice(0).slice(-CAPACITY)) explanationOf(call)
    },
    settle,
    clear(): void {
      entries.length = 0
      kept.length = 0
      refused = []
      sequence = 0
      size = 0
    },
  }
}

function entryOf(call: Call, isToken: IsToken): JournalEntry {
  const { pathname, search } = new URL(call.url)
  const path = pathname + search
  const hide = hiding(path, isToken)
  const { sequence, operation, caller, durationMs, fault, mails } = call
  const refusal = explanationOf(call)
  return {
    sequence,
    at: new Date(call.at).toISOString(),
    method: call.method,
    path: maskPath(path, isToken),
    operation,
    caller: caller?.username ?? null,
    headers: headersOf(call.headers, isToken),
    body: masked(jsonOf(call.text) ?? null, hide),
    response: {
      status: call.status,
      headers: headersOf(call.answerHeaders, isToken),
      body: masked(call.answer === '' ? null : JSON.parse(call.answer), hide),
    },
    durationMs,
    refusal: refusal && { ...refusal, detail: hide(refusal.detail) },
    learnt: learntFor(call),
    fault,
    mails,
  }
}

const sizeOfCall = ({ text, answer, url }: Call) => text.length + answer.length + url.length * 2

const sizeOfEntry = ({ body, response }: JournalEntry) => sizeOf(body) * 2 + sizeOf(response.body)

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

/** Of credentials the scheme alone is shown. One that occurs more than once has its values in one text. */
function headersOf(headers: Iterable<readonly [string, string]>, isToken: IsToken): Record<string, string> {
  const shown: Record<string, string> = {}
  for (const [name, value] of headers) {
    const text = likeSecret.test(name)
      ? `${/^(?:Bearer|Basic) +/i.exec(value)?.[0] ?? ''}${MASK}`
      : value
          .split(/[\s,;="]+/)
          .filter(isToken)
          .reduce((rest, token) => rest.replaceAll(token, MASK), value)
    shown[name] = shown[name] === undefined ? text : `${shown[name]}, ${text}`
  }
  return shown
}

/** Masks a text that is a token, and in other texts those of the path, which a refusal quotes. */
function hiding(path: string, isToken: IsToken): Hide {
  const quoted = path.split(/[/?&=]/).filter(isToken)
  return (text) => (isToken(text) ? MASK : quoted.reduce((rest, token) => rest.replaceAll(token, MASK), text))
}

type Hide = (text: string) => string

function masked(value: unknown, hide: Hide, name = ''): unknown {
  if (typeof value === 'string') return likeSecret.test(name) ? MASK : hide(value)
  // What is said of a list holds for its items.
  return remade(value, (part, key) => (secret.test(key) ? MASK : masked(part, hide, key || name)), hide)
}

/** A path with its query, without what is secret in it. */
export function maskPath(path: string, isToken: IsToken): string {
  const [before = '', query] = path.split('?', 2)
  const segments = before.split('/').map((segment) => (isToken(segment) ? MASK : segment))
  const shown = segments.join('/')
  if (query === undefined) return shown
  const parameters = new URLSearchParams(query)
  for (const [key, value] of [...parameters])
    if (likeSecret.test(key) || isToken(value)) parameters.set(key, MASK)
  return `${shown}?${parameters}`
}
