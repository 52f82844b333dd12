/** The tracker over HTTP: a server that listens, and the same as a listener for the servers of others. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ListenOptions, Tracker, TrackerServer } from '../types.js'
import { type Answering, answering, attach } from './connections.js'
import { type HandlerOptions, REST_ROOT, requestListener } from './handler.js'

export { type Answered, REST_ROOT } from './handler.js'

export type ServerOptions = ListenOptions & HandlerOptions

export async function listen(tracker: Tracker, options: ServerOptions = {}): Promise<TrackerServer> {
  const { port = 0, host = '127.0.0.1' } = options
  const server = createServer({
    // Clients of tests are idle between their calls; close() does not wait for them.
    keepAliveTimeout: 60_000,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 5_000,
    // The handler checks it, so that this answer has a JSON body too.
    requireHostHeader: false,
  })
  await bind(server, port, host)
  const origin = originOf(server, host)
  attach(server, answering(requestListener(tracker, origin, options)))
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

/** Answers the requests of somebody else's server, without the control plane: its address is not known. */
export function listenerOf(tracker: Tracker): Answering['start'] {
  const { start } = answering(requestListener(tracker, 'http://localhost', { control: false }))
  return (message, response) => {
    // Express takes the path away at which the listener is mounted. That path is the REST root.
    const mounted = 'baseUrl' in message && typeof message.baseUrl === 'string' && message.baseUrl !== ''
    if (mounted) message.url = REST_ROOT + message.url
    start(message, response)
  }
}

async function bind(server: Server, port: number, host: string): Promise<void> {
  try {
    // Rejects with the error that the server tells before it listens.
    await once(server.listen(port, host), 'listening')
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? ''
    const unknown = `there is no host called ${host}; give an address of this machine`
    const reasons: Record<string, string> = {
      EADDRINUSE: `port ${port} on ${host} is in use; choose another one, or 0 for any free port`,
      EACCES: `port ${port} on ${host} needs more rights; choose one above 1023`,
      EADDRNOTAVAIL: `this machine has no address ${host}; 127.0.0.1 is for this machine alone, 0.0.0.0 for all`,
      ENOTFOUND: unknown,
      EAI_AGAIN: unknown,
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
