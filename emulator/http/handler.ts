/** Finds the part of a server that answers a request: the REST root of a tracker, its control plane, or neither. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ConnectionDropped } from '../arrange/faults.js'
import type { RunSuite } from '../inspector/suite.js'
import { maskPath } from '../observe/journal.js'
import { BODY_LIMIT, type Bytes } from '../request/message.js'
import type { Tracker } from '../types.js'
import type { Control } from './control.js'
import { preflight, withCors } from './cors.js'
import { addressOf, createInstances, INSTANCE_HEADER } from './instances.js'
import type { Listener, Reply } from './message.js'
import { atEndOfRound, callOfMessage, collectBody, jsonReply, send } from './message.js'
import { CONTROL_ROOT } from './routes.js'

/** The path of the REST root over HTTP, whatever the tracker's own base URL is. */
export const REST_ROOT = '/api/rest'

const STATE_LIMIT = 64 * 1024 * 1024

export interface Answered {
  readonly method: string
  /** The path without its query, and without tokens of the tracker that a client put there. */
  path(): string
  /** 0 if the connection ended without an answer. */
  readonly status: number
  readonly durationMs: number
}

export interface HandlerOptions {
  /** Whether there is a control plane, with the inspector. Default true. */
  readonly control?: boolean
  /** Lets the inspector run the conformance suite. */
  readonly runSuite?: RunSuite
  /** Called for every answer, including those of the control plane. */
  readonly onAnswer?: (answered: Answered) => void
}

export function requestListener(tracker: Tracker, origin: string, options: HandlerOptions): Listener {
  const { control: controlled = true, runSuite, onAnswer } = options
  const instances = createInstances(tracker)
  const controls = new WeakMap<Tracker, Control>()
  const isToken = (text: string) => tracker.db.tokens.find('secret', text) !== undefined

  return (message, response) => {
    const { method = 'GET', url = '/' } = message
    const started = performance.now()
    // A client that takes the server for a proxy sends the whole URL.
    const below = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '') || '/'
    // Both characters have another meaning in a URL.
    const target = below.replaceAll('#', '%23').replaceAll('\\', '%5C')
    const write = (reply: Reply | null) => {
      if (reply) send(response, reply)
      else response.destroy()
      const path = () => maskPath(withoutQuery(target), isToken)
      onAnswer?.({ method, status: reply?.status ?? 0, durationMs: performance.now() - started, path })
    }
    const end = (reply: Reply | null) => atEndOfRound(response, () => write(reply))
    const answer = (bytes: Bytes) => {
      const reply = answerTo(message, response, target, bytes)
      return reply instanceof Promise ? reply.then(end) : end(reply)
    }
    const isState = method === 'PUT' && withoutQuery(target).endsWith(`${CONTROL_ROOT}/state`)
    const body = collectBody(message, isState ? STATE_LIMIT : BODY_LIMIT)
    return body ? body.then((bytes) => (bytes === 'gone' ? undefined : answer(bytes))) : answer(null)
  }

  /** Null if the client gets no answer. */
  function answerTo(message: IncomingMessage, response: ServerResponse, target: string, bytes: Bytes): Given {
    const { method = 'GET', headers } = message
    const { origin: asker } = headers
    if (headers.host === undefined && message.httpVersion !== '1.0')
      return jsonReply(400, { message: 'A request needs a Host header' })
    const address = addressOf(target, headers[INSTANCE_HEADER]?.toString())
    if (address === null) {
      const text = 'An instance has a name of 1 to 64 letters, digits, ".", "_" and "-"'
      return withCors(asker, jsonReply(400, { message: text }))
    }
    const { name, path: below } = address
    const path = withoutQuery(below)
    if (controlled && isBelow(path, CONTROL_ROOT)) {
      if (bytes === 'too-large') return jsonReply(413, { message: 'The body is too large' })
      const query = new URLSearchParams(/\?.*$/.exec(below)?.[0])
      const call = { method, path, query, headers, body: bytes ?? new Uint8Array(0) }
      return controlOf(name).then((control) => control(call))
    }
    // Checked before the path, so that a page can read the answer to a wrong path.
    if (method === 'OPTIONS' && asker && headers['access-control-request-method'])
      return preflight(asker, headers['access-control-request-headers'])
    if (!isBelow(path, REST_ROOT)) {
      // A person opened the server's address in a browser.
      if (controlled && path === '/' && headers.accept?.includes('text/html'))
        return { status: 307, headers: [['location', '__tracker/']], body: '' }
      const also = controlled ? `, the control plane ${CONTROL_ROOT}/` : ''
      const text = `Nothing is here; the REST root is ${REST_ROOT}${also}`
      return withCors(asker, jsonReply(404, { message: text }))
    }
    const one = name === null ? tracker : instances.of(name)
    // A signal costs time, and only a fault delays an answer.
    const signal = one.faults.active.length > 0 ? signalOf(response) : null
    const dropped = (error: unknown): null => {
      if (error instanceof ConnectionDropped || signal?.aborted) return null
      throw error
    }
    try {
      const url = one.baseUrl + below.slice(REST_ROOT.length)
      const answer = one.handle(callOfMessage(message, url, bytes, signal))
      if (!(answer instanceof Promise)) return withCors(asker, answer)
      return answer.then((late) => withCors(asker, late)).catch(dropped)
    } catch (error) {
      return dropped(error)
    }
  }

  async function controlOf(name: string | null): Promise<Control> {
    // Loaded on demand: it loads slowly, and most clients never need it.
    const { createControl } = await import('./control.js')
    const one = name === null ? tracker : instances.of(name)
    const root = name === null ? origin : `${origin}/i/${name}`
    const control = controls.get(one) ?? createControl(one, root + REST_ROOT, instances, runSuite)
    controls.set(one, control)
    return control
  }
}

type Given = Reply | null | Promise<Reply | null>

function signalOf(response: ServerResponse): AbortSignal {
  const left = new AbortController()
  response.on('close', () => {
    if (!response.writableFinished) left.abort()
  })
  return left.signal
}

const withoutQuery = (target: string) => target.split('?', 1)[0] ?? ''

const isBelow = (path: string, root: string) => path === root || path.startsWith(`${root}/`)
