/** Calls from web requests, answers as web responses, and a call as a web request for a tracker with a stubbed `fetch`. */
import { ConnectionDropped } from '../arrange/faults.js'
import { Call } from './call.js'
import { BODY_LIMIT, type Outgoing } from './message.js'
import { responseOf } from './respond.js'

export async function callOfRequest(request: Request): Promise<Call> {
  const { method, url, headers, signal } = request
  const tooLarge = Number(headers.get('content-length') ?? 0) > BODY_LIMIT
  const bytes = request.body === null || tooLarge ? null : new Uint8Array(await request.arrayBuffer())
  return new Call(method, url, headers, tooLarge ? 'too-large' : bytes, signal)
}

/** The answer of a `fetch` to a call. Rejects if the connection must end without an answer. */
export async function askedByFetch(
  fetch: (request: Request) => Promise<Response>,
  call: Call,
): Promise<Outgoing> {
  const response = await fetch(requestOf(call))
  const { status, headers } = response
  try {
    return { status, headers: [...headers], body: response.body && (await response.text()) }
  } catch (error) {
    if (!(error instanceof ConnectionDropped && error.sent)) throw error
    return { ...error.sent, headers: [...error.sent.headers], cut: true }
  }
}

function requestOf({ url, method, headers, bytes, signal }: Call): Request {
  const all = new Headers([...headers])
  // The body was not kept: the length alone makes the tracker refuse it.
  if (bytes === 'too-large') all.set('content-length', String(Number.MAX_SAFE_INTEGER))
  const body = bytes === 'too-large' ? null : (bytes as Uint8Array<ArrayBuffer> | null)
  return new Request(url, { method, headers: all, body, signal })
}

/** Other runtimes read the internal slots of a given `Response`, not its members. */
const isNode = () =>
  process.versions?.node !== undefined &&
  (typeof navigator === 'undefined' || /^Node\.js\//.test(navigator.userAgent))

/** The class that `TextResponse` extends, or null. Node loads its own on first use, which takes a while. */
let base: typeof Response | null | undefined

export function fetchedOf(answer: Outgoing): Response {
  if (base === undefined) {
    base = typeof process !== 'undefined' && isNode() ? Response : null
    if (base) TextResponse.extend(base)
  }
  return base === Response && answer.body !== null && !answer.cut
    ? (new TextResponse(answer) as Partial<Response> as Response)
    : responseOf(answer)
}

/**
 * It has no internal slots of a `Response`: code that needs them gets an error instead of an empty body. A plain
 * `Response` does whatever this class lacks.
 */
export class TextResponse implements Partial<Response> {
  readonly #answer: Outgoing
  #headers: Headers | undefined
  #plain: Response | undefined
  #isRead = false

  static extend(base: typeof Response): void {
    const { prototype } = TextResponse
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(base.prototype))) {
      if (name in prototype) continue
      const ask = function (this: TextResponse) {
        const plain = this.#asPlain()
        const member: unknown = Reflect.get(plain, name)
        return typeof member === 'function' ? member.call(plain) : member
      }
      Object.defineProperty(prototype, name, get ? { get: ask } : { value: ask })
    }
    Object.setPrototypeOf(prototype, base.prototype)
  }

  /** One of the headers is the content type. */
  constructor(answer: Outgoing) {
    this.#answer = answer
  }

  get status(): number {
    return this.#answer.status
  }
  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }
  get headers(): Headers {
    this.#headers ??= new Headers(this.#answer.headers as [string, string][])
    return this.#headers
  }
  get bodyUsed(): boolean {
    return this.#plain?.bodyUsed ?? this.#isRead
  }
  async text(): Promise<string> {
    return this.#take() ?? this.#asPlain().text()
  }
  async json(): Promise<unknown> {
    const text = this.#take()
    return text === undefined ? this.#asPlain().json() : JSON.parse(text)
  }

  /** The text, which then counts as read; undefined if it was read already, or the stream was taken. */
  #take(): string | undefined {
    if (this.#plain || this.#isRead) return undefined
    this.#isRead = true
    return this.#answer.body ?? ''
  }

  #asPlain(): Response {
    if (!this.#plain) {
      this.#plain = new Response(this.#answer.body, { status: this.status })
      if (this.#isRead) void this.#plain.text()
    }
    const { headers } = this.#plain
    for (const name of [...headers.keys()]) headers.delete(name)
    for (const [name, value] of this.headers) headers.append(name, value)
    return this.#plain
  }
}
