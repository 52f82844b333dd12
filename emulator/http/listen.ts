/** The tracker over HTTP: sockets, limits, and which part of the server a path belongs to. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setRealImmediate } from '../arrange/clock.js'
import { ConnectionDropped } from '../arrange/faults.js'
import type { RunSuite } from '../inspector/suite.js'
import { maskPath } from '../observe/journal.js'
import { coreOf } from '../request/incoming.js'
import type { ListenOptions, Tracker, TrackerServer } from '../types.js'
import { type Answering, answering, attach, type Handler } from './connections.js'
import type { Control } from './control.js'
import { METHODS, preflight, withCors } from './cors.js'
import { addressOf, createInstances, INSTANCE_HEADER } from './instances.js'
import {
  type Content,
  jsonReply,
  type Reply,
  readBody,
  send,
  toIncoming,
  toReply,
  toRequest,
  welcome,
} from './message.js'
import { CONTROL_ROOT } from './routes.js'

/** Path of the REST root over HTTP, whatever the tracker's own base URL is. */
export const REST_ROOT = '/api/rest'

/** The same as the tracker's own. */
const BODY_LIMIT = 1024 * 1024
/** A saved state may be larger than any request. */
const STATE_LIMIT = 64 * 1024 * 1024

export interface Answered {
  readonly method: string
  /** Without its query, and without tokens of the tracker that a client put there. Made on reading. */
  readonly path: string
  /** 0 where the connection ended without an answer. */
  readonly status: number
  readonly durationMs: number
}

export interface ServerOptions extends ListenOptions {
  /** Whether there is a control plane, with the inspector. Default true. */
  readonly control?: boolean
  /** Lets the inspector run the conformance suite. */
  readonly runSuite?: RunSuite
  /** Called for every answer, those of the control plane too. */
  readonly onAnswer?: (answered: Answered) => void
}

export async function listen(tracker: Tracker, options: ServerOptions = {}): Promise<TrackerServer> {
  const { port = 0, host = '127.0.0.1' } = options
  const server = createServer({
    // Tests keep clients idle between their calls; close() does not wait for them.
    keepAliveTimeout: 60_000,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 5_000,
    // Checked by the handler, so that this answer has a JSON body as well.
    requireHostHeader: false,
  })
  await bind(server, port, host)
  const origin = originOf(server, host)
  attach(server, answering(createHandler(tracker, origin, options)))
  let closing: Promise<void> | undefined
  return {
    url: origin + REST_ROOT,
    origin,
    close() {
      closing ??= new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
      return closing
    },
  }
}

/** Answers what a server of somebody else's takes; without the control plane, whose address it does not know. */
export function listenerOf(tracker: Tracker): Answering['start'] {
  const { start } = answering(createHandler(tracker, 'http://localhost', { control: false }))
  return (message, response) => {
    // Express and its like take the path away below which they hand over; that is where the REST root is then.
    const mounted = 'baseUrl' in message && typeof message.baseUrl === 'string' && message.baseUrl !== ''
    if (mounted) message.url = REST_ROOT + message.url
    start(message, response)
  }
}

async function bind(server: Server, port: number, host: string): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, () => {
        server.off('error', reject)
        resolve()
      })
    })
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? ''
    const reasons: Record<string, string> = {
      EADDRINUSE: `port ${port} on ${host} is in use; choose another one, or 0 for any free port`,
      EACCES: `port ${port} on ${host} needs more rights; choose one above 1023`,
      EADDRNOTAVAIL: `this machine has no address ${host}; 127.0.0.1 is for this machine alone, 0.0.0.0 for all`,
      ENOTFOUND: `there is no host called ${host}; give an address of this machine`,
      EAI_AGAIN: `there is no host called ${host}; give an address of this machine`,
    }
    throw new Error(`Cannot listen: ${reasons[code] ?? (cause as Error).message}`, { cause })
  }
}

/** An address that listens everywhere cannot be called; the loopback one stands for it. */
function originOf(server: Server, host: string): string {
  const { port, family } = server.address() as AddressInfo
  const everywhere = /^(0\.0\.0\.0|::|)$/.test(host)
  const name = everywhere ? (family === 'IPv6' ? '::1' : '127.0.0.1') : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

function createHandler(
  tracker: Tracker,
  origin: string,
  { control: controlled = true, runSuite, onAnswer }: ServerOptions,
): Handler {
  const instances = createInstances(tracker)
  const controls = new WeakMap<Tracker, Control>()
  const isToken = (text: string) => tracker.db.tokens.find('secret', text) !== undefined

  /** Null where the client gets none. */
  async function answer(
    message: IncomingMessage,
    response: ServerResponse,
    target: string,
    body: Content,
  ): Promise<Reply | null> {
    const { method = 'GET', headers } = message
    if (headers.host === undefined && message.httpVersion !== '1.0')
      return jsonReply(400, { message: 'A request needs a Host header' })
    const address = addressOf(target, headers[INSTANCE_HEADER]?.toString())
    if (address === null) {
      const text = 'An instance has a name of 1 to 64 letters, digits, ".", "_" and "-"'
      return withCors(message, jsonReply(400, { message: text }))
    }
    const { name, path: below } = address
    const path = pathOf(below)
    if (controlled && isBelow(path, CONTROL_ROOT)) {
      if (body === 'too-large') return jsonReply(413, { message: 'The body is too large' })
      const control = await controlOf(name)
      return control({ method, path, headers, body })
    }
    // Before the path is looked at, so that a page with the wrong one can read that it is.
    const asked = preflight(message)
    if (asked) return asked
    if (!isBelow(path, REST_ROOT)) {
      if (controlled && path === '/' && headers.accept?.includes('text/html')) return welcome()
      const also = controlled ? `, the control plane ${CONTROL_ROOT}/` : ''
      const text = `Nothing is here; the REST root is ${REST_ROOT}${also}`
      return withCors(message, jsonReply(404, { message: text }))
    }
    // The web's Request knows no such method.
    if (method === 'TRACE')
      return jsonReply(405, { message: 'TRACE is not answered here' }, [['allow', METHODS]])
    const one = name === null ? tracker : instances.of(name)
    // A signal makes a request dearer; only a fault holds an answer back for so long that it takes one.
    const signal = one.faults.active.length > 0 ? signalOf(response) : null
    const request = toIncoming(message, one.baseUrl + below.slice(REST_ROOT.length), body, signal)
    const core = coreOf(one)
    try {
      const reply = core ? await core(request) : await toReply(await one.fetch(await toRequest(request)))
      return withCors(message, reply)
    } catch (error) {
      if (error instanceof ConnectionDropped || signal?.aborted) return null
      throw error
    }
  }

  async function controlOf(name: string | null): Promise<Control> {
    // On demand: with the inspector it takes a while to load, and most clients never ask for it.
    const { createControl } = await import('./control.js')
    const one = name === null ? tracker : instances.of(name)
    const root = name === null ? origin : `${origin}/i/${name}`
    const control = controls.get(one) ?? createControl(one, root + REST_ROOT, instances, runSuite)
    controls.set(one, control)
    return control
  }

  return async (message, response) => {
    const started = performance.now()
    const { method = 'GET', url = '/' } = message
    const target = originForm(url)
    const body = await readBody(message, limitOf(method, target))
    if (body === 'gone') return
    const reply = await answer(message, response, target, body)
    await endOfRound()
    if (reply) send(response, reply)
    else response.destroy()
    if (!onAnswer) return
    const durationMs = performance.now() - started
    onAnswer({
      method,
      get path() {
        return maskPath(pathOf(target), isToken)
      },
      status: reply?.status ?? 0,
      durationMs,
    })
  }
}

let round: Promise<void> | undefined

/**
 * All that has arrived is worked on before anything is written: the first answer wakes a client that waits, and from then
 * on the two work at the same time. Writing each answer at once would pay for that over and over.
 */
function endOfRound(): Promise<void> {
  round ??= new Promise((resolve) => {
    setRealImmediate(() => {
      round = undefined
      resolve()
    })
  })
  return round
}

/** Aborted when the client leaves without its answer. */
function signalOf(response: ServerResponse): AbortSignal {
  const left = new AbortController()
  response.on('close', () => {
    if (!response.writableFinished) left.abort()
  })
  return left.signal
}

const limitOf = (method: string, target: string) =>
  method === 'PUT' && pathOf(target).endsWith(`${CONTROL_ROOT}/state`) ? STATE_LIMIT : BODY_LIMIT

function pathOf(target: string): string {
  const end = target.indexOf('?')
  return end < 0 ? target : target.slice(0, end)
}

const isBelow = (path: string, root: string) => path === root || path.startsWith(`${root}/`)

/** Clients that think they talk to a proxy send the whole URL. */
function originForm(target: string): string {
  const below = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '') || '/'
  // Both mean something else in a URL, where they cannot stand as they are.
  return below.replaceAll('#', '%23').replaceAll('\\', '%5C')
}
