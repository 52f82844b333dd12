/** One exchange over HTTP: turns a call into a request, and the response into an answer or an error. */
import type http from 'node:http'
import supertest from 'supertest'
import { type OperationId, operation, type Profile, pathOf } from '../contract/index.js'
import { parseJson, readText } from './body.js'
import { type Answer, type Call, type Identity, NoAnswer } from './call.js'
import { Withheld } from './permit.js'
import { type Heard, now, type Sent } from './tracer.js'

const MAX_ANSWER_MEGABYTES = 8

interface ExchangeOptions {
  readonly agent: http.Agent
  /** Milliseconds. */
  readonly timeout: number
  /** Called for each request that was sent; with null where no answer came. */
  onSent(sent: Sent, heard: Heard | null, startedAt: number): void
}

/** Rejects with `NoAnswer`, and with `Withheld` where the profile lacks the token of the caller. */
export function createExchange(profile: Profile, { agent, timeout, onSent }: ExchangeOptions) {
  const target = supertest(profile.baseUrl)

  return async (call: Call): Promise<Answer> => {
    const sent = requestFor(profile, call)
    const { method, url, headers, body } = sent
    const request = target[method.toLowerCase() as 'get'](url.slice(profile.baseUrl.length))
      .agent(agent)
      .redirects(0)
      .timeout({ deadline: timeout, response: timeout })
      .maxResponseSize(MAX_ANSWER_MEGABYTES * 1024 * 1024)
      .ok(() => true)
      .buffer(true)
      .parse(readText)
      .set(headers)
    const startedAt = now()
    let response: supertest.Response
    try {
      response = await (body === null ? request : request.send(body))
    } catch (error) {
      const { req, res } = request as unknown as { req?: http.ClientRequest; res?: http.IncomingMessage }
      onSent(sent, null, startedAt)
      const connection = { reused: req?.reusedSocket ?? false, begun: res !== undefined }
      throw noAnswer(error, call.operation, timeout, connection)
    }
    const { status } = response
    const text = typeof response.body === 'string' ? response.body : ''
    const received = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
    const answer = { status, headers: Object.fromEntries(received), text }
    onSent(sent, answer, startedAt)
    return { ...answer, operation: call.operation, json: parseJson(text) }
  }
}

function requestFor(profile: Profile, call: Call): Sent {
  const { method } = operation(call.operation)
  const path = pathOf(call.operation, profile.ext ?? 'Ext', call.path)
  const query = call.query ? `?${call.query}` : ''
  const authorization =
    call.authorization === undefined ? `Bearer ${tokenOf(profile, call.as)}` : call.authorization
  const body = call.rawBody ?? (call.body === undefined ? null : JSON.stringify(call.body))
  const headers: Record<string, string> = {
    Accept: 'application/json',
    ...(authorization === null ? {} : { Authorization: authorization }),
    ...(body === null ? {} : { 'Content-Type': 'application/json' }),
  }
  for (const [name, value] of Object.entries(call.headers ?? {})) {
    if (value === null) delete headers[name]
    else headers[name] = value
  }
  return { method, url: `${profile.baseUrl}${path}${call.suffix ?? ''}${query}`, headers, body }
}

function tokenOf(profile: Profile, identity: Identity = 'administrator'): string {
  const token = profile.tokens[identity]
  if (token === undefined) throw new Withheld(`the profile has no tokens.${identity}`)
  return token
}

/** `begun`: the headers of the answer were there. */
function noAnswer(
  error: unknown,
  id: OperationId,
  timeout: number,
  { reused, begun }: { readonly reused: boolean; readonly begun: boolean },
): NoAnswer {
  const { message, timeout: timedOut, ...rest } = error as NodeJS.ErrnoException & { timeout?: number }
  // Supertest wraps the code of a failed connection into a message.
  const code = rest.code ?? /^E[A-Z_]+/.exec(message)?.[0] ?? ''
  if (timedOut !== undefined || code === 'ECONNABORTED' || code === 'ETIMEDOUT')
    return new NoAnswer(`no answer within ${timeout / 1000} s`, 'timeout', id)
  if (['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code))
    return new NoAnswer(`the target is not reachable (${code})`, 'unreachable', id)
  if (code === 'ETOOLARGE')
    return new NoAnswer(
      `the answer to ${id} is larger than the ${MAX_ANSWER_MEGABYTES} MB that are read`,
      'too-large',
      id,
    )
  const ended = begun ? 'in the middle of the answer' : 'without an answer'
  return new NoAnswer(`the connection ended ${ended} (${code || message})`, 'dropped', id, reused)
}
