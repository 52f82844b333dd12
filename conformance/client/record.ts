/** A fetch that records a program's requests to a tracker. */
import type { Har } from '../contract/har.js'
import type { Exchange } from '../oracle/exchange.js'
import { toHar } from './har.js'
import { createLabels, headerIn, somebodies } from './labels.js'
import type { OfflineProfile } from './profile.js'
import { redactorOf } from './redact.js'
import { createTracer, type Heard, meantBy, now, type Sent, withoutSecrets } from './tracer.js'

export type Fetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>

export interface Recorded extends Fetch {
  /** The exchanges so far, in the order of the answers, without secrets. */
  readonly exchanges: readonly Exchange[]
  /** The same as HAR 1.2. */
  har(): Har
}

export interface RecordOptions {
  /** Its tokens identify callers, its secrets are masked, and only requests to its `baseUrl` are kept. */
  readonly profile?: OfflineProfile | undefined
}

/** The time that a request body may still take after the answer, in milliseconds. */
const GRACE_MS = 1_000

/**
 * Wraps a fetch. The wrapped one resolves once the whole answer has arrived; the caller can read each request and answer
 * as before. Only operations of the interface are kept: those of the profile's tracker, or else of the first one that is
 * asked. A request that is aborted or redirected has the status 0, for nobody knows what it did.
 */
export function record(fetch: Fetch, { profile }: RecordOptions = {}): Recorded {
  const { ext = 'Ext', tokens, baseUrl } = profile ?? { tokens: {} }
  const redact = redactorOf(profile ?? { tokens })
  const trace = createTracer(redact, createLabels({ tokens }, somebodies('none', redact.hide)), ext)
  const kept: Exchange[] = []
  let root = baseUrl ?? null
  let hasCredentials = false

  /** Whether it is an operation of the recorded tracker. */
  function isWanted({ method, url }: Pick<Sent, 'method' | 'url'>): boolean {
    const own = meantBy({ method, url }, ext)?.root
    if (own === undefined) return false
    root ??= own
    return own === root
  }

  async function recorded(input: Request | URL | string, init?: RequestInit): Promise<Response> {
    const asked = isWanted(addressOf(input, init)) ? reading(input, init) : null
    if (asked === null) return fetch(input, init)
    const { method, url, headers, body, again = init } = asked
    const startedAt = now()
    const note = async (heard: Heard | null, isTextLost = false) => {
      const endedAt = now()
      const written = await within(GRACE_MS, body)
      hasCredentials ||= headerIn(headers, 'authorization') !== undefined
      const lost = [
        ...(written === undefined ? ['body' as const] : []),
        ...(isTextLost ? ['text' as const] : []),
      ]
      kept.push(trace({ method, url, headers, body: written ?? null }, heard, { startedAt, endedAt, lost }))
    }
    let response: Response
    try {
      response = await fetch(input, again)
    } catch (error) {
      await note(null)
      throw error
    }
    const { status, headers: received } = response
    if (response.redirected || status === 0) await note(null)
    else {
      const text = await textOf(response)
      await note({ status, headers: plain(received), text: text ?? '' }, text === undefined)
    }
    return response
  }

  const exchanges = (): readonly Exchange[] => {
    // If no request has credentials, a proxy may add them.
    const told = hasCredentials
      ? kept
      : kept.map((one) => (one.caller === 'none' ? { ...one, caller: 'unknown' } : one))
    return withoutSecrets(told, redact)
  }
  return Object.defineProperties(recorded, {
    exchanges: { get: exchanges, enumerable: true },
    har: { value: () => toHar(exchanges(), { baseUrl: root ?? 'http://tracker.invalid' }) },
  }) as Recorded
}

const isRequest = (input: Request | URL | string): input is Request =>
  typeof input === 'object' && 'clone' in input

function addressOf(input: Request | URL | string, init: RequestInit = {}): Pick<Sent, 'method' | 'url'> {
  const request = isRequest(input) ? input : null
  const method = (init.method ?? request?.method ?? 'GET').toUpperCase()
  const [address, base] = [
    request?.url ?? String(input),
    globalThis.location?.href ?? 'http://tracker.invalid',
  ]
  return { method, url: URL.canParse(address, base) ? new URL(address, base).href : address }
}

interface Reading extends Omit<Sent, 'body'> {
  /** Undefined where the body cannot be read. */
  readonly body: Promise<string | null | undefined>
  /** A copy of the caller's request, since its stream is read here. */
  readonly again?: RequestInit
}

/** The body of a request, without consuming it; null where the fetch will refuse it. */
function reading(input: Request | URL | string, init: RequestInit = {}): Reading | null {
  const request = isRequest(input) ? input : null
  const { method, url } = addressOf(input, init)
  const { body } = init
  try {
    const given = new Headers(init.headers ?? request?.headers)
    const about = { method, url, headers: plain(given) }
    if (body === undefined || body === null)
      return { ...about, body: request?.body ? readable(() => request.clone()) : Promise.resolve(null) }
    if (body instanceof ReadableStream) {
      const [own, other] = body.tee()
      return { ...about, body: readable(() => new Response(own)), again: { ...init, body: other } }
    }
    if (!isPlainBody(body)) return { ...about, body: Promise.resolve(undefined) }
    // A Blob can be read many times, and has its type.
    const same = new Request(url, { method, headers: given, body })
    return { ...about, headers: plain(same.headers), body: readable(() => same) }
  } catch {
    return null
  }
}

const isPlainBody = (body: unknown) =>
  typeof body === 'string' ||
  body instanceof URLSearchParams ||
  body instanceof FormData ||
  body instanceof Blob ||
  body instanceof ArrayBuffer ||
  ArrayBuffer.isView(body)

const readable = async (body: () => Body): Promise<string | undefined> => {
  try {
    return await body().text()
  } catch {
    return undefined
  }
}

/** A stream of events may have no end. */
async function textOf(response: Response): Promise<string | undefined> {
  const isEvents = response.headers.get('content-type')?.startsWith('text/event-stream')
  return isEvents ? undefined : readable(() => response.clone())
}

const plain = (headers: Headers): Record<string, string> => {
  const all: Record<string, string> = {}
  for (const [name, value] of headers) all[name] = name in all ? `${all[name]}, ${value}` : value
  return all
}

async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
