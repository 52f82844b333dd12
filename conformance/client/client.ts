/**
 * The one way to a target. What could change something passes the guard; it keeps to the rate, waits out throttling, tells an answer
 * from the lack of one, and records every exchange without secrets.
 */
import http from 'node:http'
import https from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import supertest from 'supertest'
import { type OperationId, operation, type Profile, pathOf, type Safety } from '../contract/index.js'
import type { Exchange } from '../oracle/exchange.js'
import { parseJson } from './body.js'
import { type Answer, type Call, type Identity, NoAnswer } from './call.js'
import { createGuard } from './guard.js'
import { strangers } from './labels.js'
import { createLedger, type Ledger } from './ledger.js'
import { madeUpTag } from './made-up.js'
import { type Touch, Withheld } from './permit.js'
import { redactor } from './redact.js'
import { createTracer, now, type Sent } from './tracer.js'

export interface ClientOptions {
  readonly safety: Safety
  /** Milliseconds for one request. */
  readonly timeout: number
  /** Requests a second at most; 0 sets no limit. */
  readonly rate: number
  readonly signal?: AbortSignal
  /** Where the run records what it creates and changes; default: in memory only. */
  readonly ledger?: Ledger
  /** Called with each exchange, for a trace: also those of the guard, repetitions, and those without an answer. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined
}

export type Client = ReturnType<typeof createClient>

const THROTTLE_BUDGET_MS = 60_000
const MAX_ANSWER_MEGABYTES = 8
/** The number of answers that are kept, since a long run at `read` changes nothing. */
const MOST_SEEN = 100
/** Shorter than the time for which servers keep an idle connection open. */
const IDLE_MS = 1_500

export function createClient(profile: Profile, options: ClientOptions) {
  const redact = redactor(profile)
  const { onExchange, timeout, signal } = options
  const trace = createTracer(profile, strangers(profile))
  const secure = profile.baseUrl.startsWith('https:')
  const agent = new (secure ? https : http).Agent({ keepAlive: true, maxSockets: 1 })
  const target = supertest(profile.baseUrl)
  let throttleBudget = THROTTLE_BUDGET_MS
  let nextSlot = 0
  let lastAnswer = 0
  /** Answers to reads since the last request that could change something. */
  const seen = new Map<string, Answer>()
  const { safety, ledger = createLedger(null, { tag: madeUpTag(), baseUrl: profile.baseUrl }) } = options
  const guard = createGuard({
    ...{ profile, safety, ledger },
    ask: async (call) =>
      profile.notImplemented?.includes(call.operation) ? unanswered(call) : answered(call, async () => []),
  })

  let last: Promise<unknown> = Promise.resolve()

  /**
   * Rejects with `Withheld` where the guard does not let the request leave. One request at a time, so that the proof of a read
   * still holds when the change arrives.
   */
  function send(call: Call): Promise<Answer> {
    const answer = last.then(() => answered(call, (again) => guard.admit(call, again)))
    last = Promise.allSettled([answer])
    return answer
  }

  /** For a read: its last answer if only reads were sent since; otherwise it is sent. */
  const look = async (call: Call): Promise<Answer> => seen.get(JSON.stringify(call)) ?? send(call)

  /** The guard checks a change again before it is sent again. */
  async function answered(call: Call, admit: (again: boolean) => Promise<readonly Touch[]>): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const touches = await admit(attempt > 1)
      const settle = (by: Answer | null) => {
        for (const touch of touches) touch(by)
      }
      const answer = await once(call).catch((error: unknown) => {
        settle(null)
        throw error
      })
      const wait = throttleDelay(answer, attempt)
      // An answer that asks to come back later does not tell whether the request was carried out.
      settle(wait === null ? answer : null)
      if (wait === null) {
        client.serverErrors = answer.status >= 500 ? client.serverErrors + 1 : 0
        guard.proofs.note(call, answer)
        if (seen.size >= MOST_SEEN) seen.clear()
        if (isRead(call)) seen.set(JSON.stringify(call), answer)
        return answer
      }
      if (wait > throttleBudget)
        throw new NoAnswer(`the target throttles (${answer.status})`, 'throttled', call.operation)
      throttleBudget -= wait
      await pause(wait)
    }
  }

  const pause = (milliseconds: number) => delay(milliseconds, undefined, { signal })

  /** Only reads are sent again after a lost answer: a change may have been carried out. */
  async function once(call: Call, isRepeated = false): Promise<Answer> {
    signal?.throwIfAborted()
    if (!isRead(call)) seen.clear()
    if (!isRead(call) && Date.now() - lastAnswer > IDLE_MS) agent.destroy()
    const slot = Math.max(Date.now(), nextSlot)
    if (options.rate > 0) nextSlot = slot + 1000 / options.rate
    if (slot > Date.now()) await pause(slot - Date.now())
    client.requests += 1
    try {
      return await exchange(call)
    } catch (error) {
      const isIdle = error instanceof NoAnswer && error.kind === 'dropped' && error.reusedConnection
      if (!isIdle || !isRead(call) || isRepeated) throw error
    } finally {
      lastAnswer = Date.now()
    }
    return once(call, true)
  }

  /** Rejects with `NoAnswer`, and with `Withheld` where the profile lacks the token of the caller. */
  async function exchange(call: Call): Promise<Answer> {
    const asked = requestFor(profile, call)
    const { method, url, headers, body } = asked
    const request = target[method.toLowerCase() as 'get'](url.slice(profile.baseUrl.length))
      .agent(agent as http.Agent)
      .redirects(0)
      .timeout({ deadline: timeout, response: timeout })
      .maxResponseSize(MAX_ANSWER_MEGABYTES * 1024 * 1024)
      .ok(() => true)
      // Superagent parses by content type, and adds one to a text; the suite wants bytes, as they are.
      .responseType('blob')
      .set(headers)
    const startedAt = now()
    const whole = body == null ? request : request.serialize(String).send(Buffer.from(body))
    const response = await whole.catch((error: unknown) => {
      onExchange?.(trace(asked, null, { startedAt, endedAt: now() }))
      throw noAnswer(error, call.operation, timeout, request as unknown as Underway)
    })
    const text = Buffer.isBuffer(response.body) ? response.body.toString() : ''
    const received = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
    const answer = { status: response.status, headers: Object.fromEntries(received), text }
    onExchange?.(trace(asked, answer, { startedAt, endedAt: now() }))
    return { ...answer, operation: call.operation, json: parseJson(text) }
  }

  const client = {
    ...{ send, look, guard, redact },
    ext: profile.ext ?? 'Ext',
    /** Whether the client's safety level allows such requests. */
    allows: guard.allows,
    close: (): void => void agent.destroy(),
    requests: 0,
    /** Answers of 500 and above in a row. */
    serverErrors: 0,
  }
  return client
}

/** Stands for the answer to a request that was not sent. */
export const unanswered = ({ operation: id }: Call): Answer => ({
  ...{ operation: id, status: 501, headers: {}, text: '', json: undefined },
})

const isRead = (call: Call) => operation(call.operation).method === 'GET'

/** How long to wait before asking again; null when the answer stands. */
function throttleDelay({ status, headers }: Answer, attempt: number): number | null {
  const after = headers['retry-after']
  if (status !== 429 && !(status === 503 && after !== undefined)) return null
  const seconds = Number(after)
  const asked =
    Number.isFinite(seconds) && after !== undefined ? seconds * 1000 : Date.parse(after ?? '') - Date.now()
  return Number.isFinite(asked) ? Math.max(asked, 50) : 250 * 2 ** attempt
}

function requestFor(profile: Profile, call: Call): Sent {
  const path = pathOf(call.operation, profile.ext ?? 'Ext', call.path)
  const { as, authorization = `Bearer ${tokenOf(profile, as)}`, headers = {}, suffix = '' } = call
  const body = call.rawBody ?? JSON.stringify(call.body) ?? null
  const type = body === null ? null : 'application/json'
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  const usual = { accept: 'application/json', authorization, 'content-type': type }
  const all = Object.entries({ ...usual, ...Object.fromEntries(own) })
  const present = all.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))
  const url = `${profile.baseUrl}${path}${suffix}${call.query ? `?${call.query}` : ''}`
  return { method: operation(call.operation).method, url, headers: Object.fromEntries(present), body }
}

function tokenOf(profile: Profile, identity: Identity = 'administrator'): string {
  const token = profile.tokens[identity]
  if (token === undefined) throw new Withheld(`the profile has no tokens.${identity}`)
  return token
}

/** A request of supertest that has been sent. */
interface Underway {
  readonly req?: http.ClientRequest
  /** There as soon as the headers of the answer are. */
  readonly res?: http.IncomingMessage
}

function noAnswer(error: unknown, id: OperationId, timeout: number, { req, res }: Underway): NoAnswer {
  const { message, timeout: timedOut, ...rest } = error as NodeJS.ErrnoException & { timeout?: number }
  // Supertest wraps the code of a failed connection into a message.
  const code = rest.code ?? /^E[A-Z_]+/.exec(message)?.[0] ?? ''
  if (timedOut !== undefined || code === 'ECONNABORTED' || code === 'ETIMEDOUT')
    return new NoAnswer(`no answer within ${timeout / 1000} s`, 'timeout', id)
  if (['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code))
    return new NoAnswer(`the target is not reachable (${code})`, 'unreachable', id)
  const large = `the answer to ${id} is larger than the ${MAX_ANSWER_MEGABYTES} MB that are read`
  if (code === 'ETOOLARGE') return new NoAnswer(large, 'too-large', id)
  const ended = res ? 'in the middle of the answer' : 'without an answer'
  return new NoAnswer(`the connection ended ${ended} (${code || message})`, 'dropped', id, req?.reusedSocket)
}
