/** The tracker over HTTP: as a server that listens, or as a listener for another server. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ListenOptions, Tracker, TrackerServer } from '../types.js'
import { type HandlerOptions, REST_ROOT, requestListener } from './handler.js'
import { inOrder, type Listener } from './message.js'

export { type Answered, REST_ROOT } from './handler.js'

export type ServerOptions = ListenOptions & HandlerOptions

export async function listen(tracker: Tracker, options: ServerOptions = {}): Promise<TrackerServer> {
  const { port = 0, host = '127.0.0.1' } = options
  const server = createServer({
    // Clients in tests are idle between their calls; close() does not wait for them.
    keepAliveTimeout: 60_000,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 5_000,
    // The handler checks the header, so that its error has a JSON body, too.
    requireHostHeader: false,
  })
  await bind(server, port, host)
  const origin = originOf(server, host)
  const start = inOrder(requestListener(tracker, origin, options))
  // An Expect header with a value other than 100-continue has no effect.
  server.on('request', start).on('checkExpectation', start)
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

/** A listener for another server, without the control plane, which would need that server's address. */
export function listenerOf(tracker: Tracker): Listener<void> {
  const start = inOrder(requestListener(tracker, 'http://localhost', { control: false }))
  return (message, response) => {
    // Express removes the path at which the listener is mounted. That path is the REST root.
    const mounted = 'baseUrl' in message && typeof message.baseUrl === 'string' && message.baseUrl !== ''
    if (mounted) message.url = REST_ROOT + message.url
    start(message, response)
  }
}

async function bind(server: Server, port: number, host: string): Promise<void> {
  try {
    // Rejects with an error that the server emits before it listens.
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

/** The origin for calls: an address such as 0.0.0.0 cannot be called, so the loopback address replaces it. */
function originOf(server: Server, host: string): string {
  const { port, family } = server.address() as AddressInfo
  const everywhere = /^(0\.0\.0\.0|::|)$/.test(host)
  const name = everywhere ? (family === 'IPv6' ? '::1' : '127.0.0.1') : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
