/** The last thousand calls with their answers, without secrets. */
import { harEntry, harOf } from '../../conformance/contract/har.js'
import type { Call } from '../request/call.js'
import { explanationOf, learntFor } from '../request/explain.js'
import { jsonOf, remade, withoutUndefined } from '../request/json.js'
import { violationsOf } from '../request/violations.js'
import type { CallFilter, JournalEntry, TrackerJournal, Violation } from '../types.js'
import { contains } from './subset.js'

/** Limits the memory of a server that runs for days. */
const CAPACITY = 1000
/** The approximate limit for their memory, 64 MiB. The last call is kept even if it is larger. */
const SIZE_LIMIT = 64 * 1024 * 1024
/** Members and parameters that are masked completely. */
const secret = /^(password(_current)?|token|secret|access_token|api_key)$/i
/** Names that clients may use for secrets: texts in such members are masked. */
const likeSecret = /passw|token|secret|cookie|session|authorization|api_?key/i

/**
 * Searching a call for secrets costs more than answering it. So the entries are made on the first access, and from then
 * on after each call, since the caller may keep the list. `isToken` recognises the tracker's own tokens.
 */
export function createJournal(isToken: IsToken, roleOf: RoleOf) {
  const entries: JournalEntry[] = []
  const har: TrackerJournal['har'] = (some = entries) =>
    harOf(some.flatMap((entry) => exchangesOf(entry, callOf(entry.sequence), roleOf)))
  /** The unmasked call with this number, while the journal keeps it: only to send it again, never shown. */
  const callOf = (wanted: number) => kept[wanted - sequence + kept.length - 1]
  const journal = Object.defineProperty(entries, 'har', { value: har }) as unknown as TrackerJournal
  // The calls of the entries, in order, and then the calls without an entry.
  const kept: Call[] = []
  /** Calls that were refused since the last change of the state. */
  let refused: Call[] = []
  let watched = false
  let sequence = 0
  let size = 0

  function drop(): void {
    const entry = entries.shift()
    const call = kept.shift()
    size -= (call ? sizeOfCall(call) : 0) + (entry ? sizeOfEntry(entry) : 0)
  }

  /** Makes the entries of all calls, before something that they depend on changes. */
  function settle(): void {
    while (entries.length < kept.length) {
      const entry = entryOf(kept[entries.length] as Call, isToken)
      entries.push(entry)
      size += sizeOfEntry(entry)
    }
    while (size > SIZE_LIMIT && kept.length > 1) drop()
  }

  return {
    /** Live: the list grows with each call. */
    get entries(): TrackerJournal {
      watched = true
      settle()
      return journal
    },
    add(call: Call): void {
      sequence += 1
      call.sequence = sequence
      size += sizeOfCall(call)
      kept.push(call)
      if (call.refused) refused.push(call)
      // Only calls in the journal need an explanation.
      if (refused.length > 2 * CAPACITY) refused = refused.slice(-CAPACITY)
      while (kept.length > CAPACITY || (size > SIZE_LIMIT && kept.length > 1)) drop()
      if (watched) settle()
    },
    last(): JournalEntry {
      settle()
      return entries.at(-1) as JournalEntry
    },
    call: callOf,
    calls({ operation, path, caller, status, body }: CallFilter): JournalEntry[] {
      settle()
      const wanted = withoutUndefined({ operation, caller, status })
      return entries.filter(
        (entry, index) =>
          contains({ ...entry, status: entry.response.status }, wanted) &&
          (path === undefined || contains(kept[index]?.path, path)) &&
          (body === undefined || contains(jsonOf(kept[index]?.text ?? '') ?? null, body)),
      )
    },
    /** What the document does not allow in the calls; the last thousand violations. */
    get violations(): readonly Violation[] {
      const all = kept.flatMap((call) =>
        violationsOf(call).map((found) => ({ sequence: call.sequence, operation: call.operation, ...found })),
      )
      return all.slice(-CAPACITY)
    },
    /** Explains refusals that nobody has read yet, before the state changes. */
    explain(): void {
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

/** The approximate size of a value in bytes. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 16 + value.length
  if (typeof value !== 'object' || value === null) return 8
  let size = 32
  for (const member of Object.values(value)) size += 24 + sizeOf(member)
  return size
}

export const MASK = '***'

type IsToken = (text: string) => boolean

/** Masks credentials except their scheme. Repeated headers are joined to one text. */
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

/** Masks a text that is a token and, in other texts, the tokens of the path, since refusals quote them. */
function hiding(path: string, isToken: IsToken): Hide {
  const quoted = path.split(/[/?&=]/).filter(isToken)
  return (text) => (isToken(text) ? MASK : quoted.reduce((rest, token) => rest.replaceAll(token, MASK), text))
}

type Hide = (text: string) => string

function masked(value: unknown, hide: Hide, name = ''): unknown {
  if (typeof value === 'string') return likeSecret.test(name) ? MASK : hide(value)
  // A small number is a limit, such as the length of passwords. The items of a list have the name of the list.
  const isSecret = (part: unknown, key: string) =>
    secret.test(key) && !(typeof part === 'number' && part < 100_000)
  return remade(value, (part, key) => (isSecret(part, key) ? MASK : masked(part, hide, key || name)), hide)
}

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

/** The role of a token in the tracker's profile. */
type RoleOf = (token: string) => string | undefined

/** The exchange of an entry, if its call is still kept; with its number, its caller, and what a mask makes unfit to judge. */
function exchangesOf(entry: JournalEntry, call: Call | undefined, roleOf: RoleOf) {
  if (!call) return []
  const { sequence, at, path, method, headers, body, response, durationMs } = entry
  const authorization = call.headers.get('authorization')
  const role = roleOf(authorization?.replace(/^Bearer /, '') ?? '')
  const isLost = (shown: unknown, given: string) => textOf(shown)?.includes(MASK) ?? given !== ''
  const lost = [
    ...(isLost(body, call.text) ? ['body'] : []),
    ...(isLost(response.body, call.answer) ? ['text'] : []),
  ]
  const exchange = harEntry({
    startedDateTime: at,
    time: durationMs,
    request: { method, url: new URL(call.url).origin + path, headers, body: textOf(body) },
    response: { ...response, body: textOf(response.body) ?? '' },
  })
  const _caller = role ?? (authorization === null ? 'none' : 'unknown')
  return [{ _n: sequence, _caller, ...(lost.length === 0 ? {} : { _lost: lost }), ...exchange }]
}

const textOf = (body: unknown) => (body === null ? null : JSON.stringify(body))
