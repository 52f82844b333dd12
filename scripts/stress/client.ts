/** A well-behaved client over HTTP, on connections that are kept. */
import { Agent, request } from 'node:http'
import { type OperationId, operation, pathOf } from '../../conformance/contract/index.js'

export interface Told {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of 26 shapes
  readonly json: any
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export interface Asked {
  readonly path?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  /** In place of the client's own token. */
  readonly token?: string
  /** In place of any token. */
  readonly cookie?: string
}

export interface Client {
  /** Rejects where there is no answer. */
  ask(id: OperationId, asked?: Asked): Promise<Told>
  close(): void
}

export function createClient(url: string, token: string): Client {
  const agent = new Agent({ keepAlive: true })
  return {
    ask: (id, { path, body, token: other = token, cookie } = {}) =>
      new Promise((resolve, reject) => {
        const text = body === undefined ? undefined : JSON.stringify(body)
        const sent = request(url + pathOf(id, 'Ext', path), {
          agent,
          method: operation(id).method,
          headers: {
            ...(cookie === undefined ? { authorization: `Bearer ${other}` } : { cookie }),
            ...(text === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          },
        })
        sent.on('error', reject)
        sent.on('response', (answer) => {
          let received = ''
          answer.setEncoding('utf8').on('data', (chunk: string) => {
            received += chunk
          })
          answer.on('error', reject)
          answer.on('end', () => {
            const { statusCode: status = 0, headers } = answer
            resolve({ status, json: received === '' ? null : JSON.parse(received), headers })
          })
        })
        sent.end(text)
      }),
    close: () => agent.destroy(),
  }
}
