/** A fetch that records a program's requests to a tracker. */
import type { Har } from '../contract/har.js'
import type { Exchange } from '../oracle/exchange.js'
import { toHar } from './har.js'
import { somebodies } from './labels.js'
import type { OfflineProfile } from './profile.js'
import { type Profiled, redactor } from './redact.js'
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

/**
 * Wraps a fetch. The wrapped one resolves once the whole answer has arrived; the caller can read each request and answer
 * as before. The body of a request that is a stream is lost. Only operations of the interface are kept: those of the
 * profile's tracker, or else of the first one that is asked. A request that is aborted or redirected has the status 0.
 */
export function record(fetch: Fetch, { profile }: RecordOptions = {}): Recorded {
  const known: Profiled = profile ?? {}
  const { ext = 'Ext', baseUrl } = known
  const redact = redactor(known)
  const trace = createTracer(known, somebodies('none', redact.hide))
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
    const { method, url } = addressOf(input, init)
    const asked = isWanted({ method, url }) ? copied(input, init) : null
    if (asked === null) return fetch(input, init)
    const startedAt = now()
    const note = async (heard: Heard | null) => {
      const endedAt = now()
      const sent = { method, url, headers: asked.headers, body: await asked.body }
      hasCredentials ||= asked.headers.authorization !== undefined
      kept.push(trace(sent, heard, { startedAt, endedAt }))
    }
    let response: Response
    try {
      response = await fetch(input, init)
    } catch (error) {
      await note(null)
      throw error
    }
    const { status, headers: received } = response
    if (response.redirected || status === 0) await note(null)
    else await note({ status, headers: plain(received), text: await textOf(response) })
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
  const address = request?.url ?? String(input)
  const base = globalThis.location?.href ?? 'http://tracker.invalid'
  return { method, url: URL.canParse(address, base) ? new URL(address, base).href : address }
}

/** What a request says, without consuming its body; null where the fetch will refuse it. */
function copied(input: Request | URL | string, init: RequestInit = {}) {
  // A body that comes in pieces can be read once.
  const isLost = init.body instanceof ReadableStream || Symbol.asyncIterator in Object(init.body)
  try {
    const options = { ...init, ...(isLost && { body: null }), signal: null, duplex: 'half' } as RequestInit
    const copy = new Request(isRequest(input) ? input.clone() : addressOf(input).url, options)
    return { headers: plain(copy.headers), body: isLost ? undefined : copy.body && readable(() => copy) }
  } catch {
    return null
  }
}

/** Undefined where it cannot be read, or was read already. */
const readable = (body: () => Body): Promise<string | undefined> =>
  (async () => body().text())().catch(() => undefined)

/** A stream of events may have no end. */
async function textOf(response: Response): Promise<string | undefined> {
  const isEvents = response.headers.get('content-type')?.startsWith('text/event-stream')
  return isEvents ? undefined : readable(() => response.clone())
}

const plain = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers.keys()].map((name) => [name, headers.get(name) ?? '']))
