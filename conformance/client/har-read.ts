/** Exchanges from recordings: the kit's own, and those of browsers, proxies and test tools. */
import querystring from 'node:querystring'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { UsageError } from '../contract/trouble.js'
import type { Exchange } from '../oracle/exchange.js'
import { groupBy } from '../oracle/json.js'
import { parseJson } from './body.js'
import { type Headers, isHidden, somebodies } from './labels.js'
import type { OfflineProfile } from './profile.js'
import { redactor } from './redact.js'
import { createTracer, meantBy, originOf, partsOf, type Sent, withoutSecrets } from './tracer.js'

export interface HarOptions {
  /** The tracker among the recorded hosts; required where several are possible. */
  readonly baseUrl?: string | undefined
  readonly ext?: string | undefined
  /** Its tokens become roles, and its secrets pseudonyms. */
  readonly profile?: OfflineProfile | undefined
}

export interface ReadHar {
  readonly exchanges: readonly Exchange[]
  /** Entries that were passed over, by reason. */
  readonly passed: readonly { readonly reason: string; readonly count: number }[]
  /** REST root of the tracker; null where no entry is of one. */
  readonly baseUrl: string | null
  /** Without exchanges: where the recording has operations, and the flag to give, as the end of a message; else empty. */
  readonly hint: string
}

const text = z.string().optional().catch(undefined)
const number = z.number().optional().catch(undefined)
const pair = z.looseObject({ name: z.string(), value: z.union([z.string(), z.number()]).transform(String) })

/** Repeated headers are joined into one, as in HTTP. */
const headers = z
  .array(z.unknown())
  .catch([])
  .transform((all) => {
    const joined: Record<string, string> = {}
    for (const one of all) {
      const { data } = pair.safeParse(one)
      if (!data || data.name.startsWith(':')) continue
      const name = data.name.toLowerCase()
      joined[name] = Object.hasOwn(joined, name) ? `${joined[name]}, ${data.value}` : data.value
    }
    return joined
  })

const content = z.looseObject({ size: number, mimeType: text, text, encoding: text })

/** An entry as tools write it: with absent members, and with encoded, truncated or missing bodies. */
const entrySchema = z.looseObject({
  ...{ _n: number, _caller: text, startedDateTime: text, time: number },
  _lost: z.array(z.enum(['body', 'text'])).catch([]),
  request: z.looseObject({
    ...{ method: z.string(), url: z.string(), headers, bodySize: number },
    postData: content.extend({ params: headers }).optional().catch(undefined),
  }),
  /** Without an answer the response is absent or has the status -1. */
  response: z
    .looseObject({ status: number, headers, bodySize: number, redirectURL: text, content: content.catch({}) })
    .optional()
    .catch(undefined),
})

type Entry = z.output<typeof entrySchema>

const fileSchema = z.looseObject({ log: z.looseObject({ entries: z.array(z.unknown()) }) })

/**
 * Of one file, or of several in a list. What cannot be judged is counted, with its reason. Throws a `UsageError` for what
 * is no HAR, and where the tracker is not plain.
 */
export function readHar(json: unknown, options: HarOptions = {}): ReadHar {
  const { profile } = options
  const ext = options.ext ?? profile?.ext ?? 'Ext'
  const files = (Array.isArray(json) ? json : [json]).map(entriesIn)
  const { entries, isNumbered } = inOrder(files.flat())
  const bare = new Set(files.flatMap((file) => bareIn(file, ext)))
  const roots = [...new Set(entries.flatMap((entry) => rootOf(entry, ext) ?? []))]
  const baseUrl = trackerIn(roots, options)
  const known = profile ?? {}
  const redact = redactor(known)
  const trace = createTracer(known, somebodies('unknown', redact.hide), ext)
  const against = (entry: Entry | null) => reasonAgainst(entry, baseUrl, ext)
  // An answer may have contained a token before its first use.
  const read = withoutSecrets(entries.filter((entry) => against(entry) === null).map(exchangeOf), redact)
  // The kit's own traces have only relevant headers.
  const exchanges = entries.some(({ _caller }) => _caller !== undefined) ? read : withoutCommonHeaders(read)
  const broken = files.flat().filter((entry) => entry === null)
  const reasons = [...broken, ...entries].flatMap((entry) => against(entry) ?? [])
  const passed = [...groupBy(reasons, String)].map(([reason, { length }]) => ({ reason, count: length }))
  return { exchanges, passed, baseUrl, hint: exchanges.length > 0 ? '' : hintFor(entries, roots) }

  function exchangeOf(entry: Entry): Exchange {
    const { request, _n, _caller, time = -1 } = entry
    const { method, url, postData } = request
    const body = requestBody(entry, meantBy(request, ext)?.operation.body !== undefined)
    const type = request.headers['content-type'] ?? postData?.mimeType ?? 'application/json'
    const headers = type === '' ? request.headers : { ...request.headers, 'content-type': type }
    const { status = 0, headers: received = {} } = entry.response ?? {}
    const heard = status > 0 ? { status, headers: received, text: textOf(entry) } : null
    const startedAt = startOf(entry)
    const endedAt =
      startedAt === undefined || time < 0 ? undefined : Math.round((startedAt + time) * 1000) / 1000
    const sent = { method: method.toUpperCase(), url, headers, body }
    const { n, caller, ...exchange } = trace(sent, heard, { startedAt, endedAt })
    const label = _caller ?? (bare.has(entry) ? 'none' : caller)
    return { n: isNumbered ? (_n ?? n) : n, caller: label, ...exchange }
  }
}

/** Of a file; null for what is no entry. */
function entriesIn(json: unknown, file: number, files: readonly unknown[]): (Entry | null)[] {
  const { data } = fileSchema.safeParse(files.length > 1 ? apart(json, file + 1) : json)
  if (!data) throw new UsageError('it is no HAR: it has no log.entries')
  return data.log.entries.map((one) => entrySchema.safeParse(one).data ?? null)
}

/** A few requests may have a header in common by accident. */
const SEVERAL = 5

/** Without the headers that each request has, such as a cookie of the browser: they say nothing of any one. */
function withoutCommonHeaders(all: readonly Exchange[]): readonly Exchange[] {
  const [first, ...others] = all
  const isCommon = ([name, value]: [string, string]) =>
    others.every(({ headers }) => (name === 'cookie' ? name in headers : headers[name] === value))
  const common = others.length < SEVERAL ? [] : Object.entries(first?.headers ?? {}).filter(isCommon)
  if (common.length === 0) return all
  const isTelling = ([name]: [string, string]) => common.every(([other]) => other !== name)
  const telling = (headers: Exchange['headers']) =>
    Object.fromEntries(Object.entries(headers).filter(isTelling))
  return all.map((one) => ({ ...one, headers: telling(one.headers) }))
}

/** Entries without credentials, in a file whose other entries have them. */
function bareIn(file: readonly (Entry | null)[], ext: string): Entry[] {
  const entries = file.flatMap((entry) => (entry && meantBy(entry.request, ext) ? [entry] : []))
  const areKept = entries.some(({ request }) => request.headers.authorization)
  return areKept ? entries.filter(({ request }) => !mayTellWho(request)) : []
}

/** Whether a header or a parameter may identify the caller to a tracker or a proxy. */
function mayTellWho({ url, headers }: Entry['request']): boolean {
  const names = [...Object.keys(headers), ...new URLSearchParams(partsOf(url).query).keys()]
  return names.some((name) => /auth|cookie|user(?!-agent)|token|key|session|cert|credential/i.test(name))
}

/** Two runs of the kit use the same pseudonyms for different secrets and sessions. */
function apart(json: unknown, file: number): unknown {
  const text = (JSON.stringify(json) ?? 'null')
    .replace(/\bSECRET\.(\d+)/g, `SECRET.${file}.$1`)
    .replace(/("_caller":"(?:session|somebody):)(\d+)/g, `$1${file}.$2`)
  return JSON.parse(text)
}

/** Sorts by the kit's own numbers, or by times where all entries have them; otherwise keeps the order. */
function inOrder(all: readonly (Entry | null)[]) {
  const entries = all.filter((entry) => entry !== null)
  const numbers = new Set(entries.flatMap(({ _n }) => _n ?? []))
  const isNumbered = numbers.size === entries.length
  const keyOf = (entry: Entry) => (isNumbered ? entry._n : startOf(entry)) ?? Number.NaN
  const isPlain = !entries.some((entry) => Number.isNaN(keyOf(entry)))
  return { entries: isPlain ? entries.toSorted((a, b) => keyOf(a) - keyOf(b)) : entries, isNumbered }
}

function hintFor(entries: readonly Entry[], [root]: readonly string[]): string {
  if (root !== undefined) return `; operations were recorded at ${root}: give --base-url ${root}`
  const segments = entries.flatMap(({ request }) => /\/plugins\/([^/?#]+)\//.exec(request.url)?.[1] ?? [])
  const other = [...new Set(segments)]
    .map((segment) => querystring.unescape(segment))
    .find((name) => entries.some(({ request }) => meantBy(request, name) !== null))
  return other === undefined ? '' : `; operations were recorded under /plugins/${other}: give --ext ${other}`
}

/** The REST root that an entry was sent to; null where it is no operation of the interface. */
const rootOf = (entry: Entry, ext: string): string | null =>
  isElsewhere(entry) ? null : (meantBy(entry.request, ext)?.root ?? null)

function trackerIn(roots: readonly string[], { baseUrl, profile }: HarOptions): string | null {
  const among = (url: string | undefined) => roots.find((root) => url !== undefined && root === written(url))
  if (baseUrl !== undefined) return among(baseUrl) ?? null
  const own = roots.length > 1 ? among(profile?.baseUrl) : (roots[0] ?? null)
  if (own !== undefined) return own
  const choice = roots.join(' or --base-url ')
  throw new UsageError(`it has requests to several trackers; give --base-url ${choice}`)
}

const written = (url: string) => originOf(url) + partsOf(url).path.replace(/\/+$/, '')

/** Why an entry is no exchange with the tracker; null where it is one. */
function reasonAgainst(entry: Entry | null, baseUrl: string | null, ext: string): string | null {
  if (entry === null) return 'incomplete: without a request'
  const { request, response, _fromCache } = entry
  if (request.method.toUpperCase() === 'OPTIONS') return 'asked by the browser itself (OPTIONS)'
  if (originOf(request.url) === '') return 'not over HTTP'
  if (meantBy(request, ext) === null) return 'no operation of the interface'
  if (isElsewhere(entry)) return 'redirected to another host'
  if (rootOf(entry, ext) !== baseUrl) return 'to another host'
  if (response?.status === 304 || _fromCache) return 'answered from a cache'
  return null
}

/** A browser or a proxy causes redirects between hosts, or from HTTP to HTTPS. */
function isElsewhere({ request: { url }, response }: Entry): boolean {
  const { status = 0, headers = {}, redirectURL } = response ?? {}
  if (status < 300 || status > 399) return false
  const to = headers.location ?? redirectURL ?? ''
  return 'non-authoritative-reason' in headers || (/^\w+:/.test(to) && originOf(to) !== originOf(url))
}

/** The kit's own recordings name their lost parts. `takesBody`: the operation has a body in the document. */
function requestBody({ request, _lost, _caller }: Entry, takesBody: boolean): Sent['body'] {
  const { postData, bodySize, headers: sent } = request
  if (_lost.includes('body')) return undefined
  if (_caller !== undefined) return postData?.text ?? null
  // Where bodies are left out or in other files, some tools write an empty text.
  const written = postData && decoded(postData)
  if (written) return isLeftOut(written) || isCut(written, lengthIn(sent, bodySize)) ? undefined : written
  const params = Object.entries(postData?.params ?? {})
  if (params.length > 0 && !postData?.mimeType?.startsWith('multipart/'))
    return new URLSearchParams(params).toString()
  if (lengthIn(sent, bodySize) > 0 || params.length > 0) return undefined
  // Some tools write the size 0 for a body that they leave out.
  const isBare = bodySize === 0 && sent['content-type'] === undefined
  const isTold = isBare || sent['content-length'] !== undefined
  return takesBody && !isTold ? undefined : null
}

function textOf({ response, _lost, _caller }: Entry): string | undefined {
  const { content: given = {}, bodySize, headers: received = {} } = response ?? {}
  if (_lost.includes('text')) return undefined
  if (_caller !== undefined) return given.text ?? ''
  const written = decoded(given)
  if (written) return isCut(written, given.size) || isLeftOut(written) ? undefined : written
  const isEmpty = given.size === 0 && lengthIn(received, bodySize) <= 0
  const mayBeMore = received['transfer-encoding'] !== undefined && given.text === undefined
  return isEmpty && !mayBeMore ? '' : undefined
}

/** Whether a text is only the beginning of a body: shorter than its size, or JSON without an end where no size is told. */
function isCut(written: string, size = -1): boolean {
  const isBroken = parseJson(written) === undefined
  return isBroken && (size < 0 ? /^\s*[[{].*[^\]}\s]\s*$/s.test(written) : size > Buffer.byteLength(written))
}

/** A placeholder for a body. */
const isLeftOut = (written: string) => isHidden(written) && parseJson(written) === undefined

const lengthIn = (all: Headers, size = -1): number => Math.max(size, Number(all['content-length'] ?? -1))

/** The text of a body that is encoded, and may still be compressed; undefined where none can be read. */
function decoded({ text: written, encoding }: z.output<typeof content>): string | undefined {
  if (written === undefined || encoding?.toLowerCase() !== 'base64') return written
  const bytes = Buffer.from(written, 'base64')
  try {
    const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b
    return new TextDecoder('utf-8', { fatal: true }).decode(isZipped ? gunzipSync(bytes) : bytes)
  } catch {
    return undefined
  }
}

/** Milliseconds since the epoch, to the microsecond; undefined where the recording does not tell. */
function startOf({ startedDateTime = '' }: Pick<Entry, 'startedDateTime'>): number | undefined {
  const milliseconds = Date.parse(startedDateTime)
  const [, micros = ''] = /\.\d{3}(\d{1,3})/.exec(startedDateTime) ?? []
  // The time 0 means that the clock was not set.
  return milliseconds > 1_000_000_000 ? milliseconds + Number(micros.padEnd(3, '0')) / 1000 : undefined
}
