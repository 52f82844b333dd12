/** The emulator behind Mock Service Worker. The only file that imports msw. */
import { type HttpHandler, HttpResponse, http, passthrough } from 'msw'
import { ConnectionDropped } from './arrange/faults.js'
import type { Tracker } from './types.js'

/**
 * Request handlers for `setupServer` or `setupWorker`. It is one catch-all, since each handler that msw passes over
 * costs more than the tracker's own dispatch. URLs outside the extension go through to whoever serves them.
 */
export function handlers(tracker: Tracker): HttpHandler[] {
  const prefix = `${tracker.baseUrl}/plugins/`
  return [
    http.all(`${prefix}*`, async ({ request }) => {
      if (!request.url.startsWith(prefix)) return passthrough()
      const origin = request.headers.get('origin')
      if (request.method === 'OPTIONS') return preflight(request, origin)
      const response = await answered(tracker, request)
      if (origin === null || response.type === 'error') return response
      const headers = new Headers(response.headers)
      headers.set('access-control-allow-origin', origin)
      headers.append('vary', 'Origin')
      return new Response(response.body, { status: response.status, headers })
    }),
  ]
}

/** What is thrown in a handler would be an answer with the status 500. */
async function answered(tracker: Tracker, request: Request): Promise<Response> {
  try {
    return await tracker.fetch(request)
  } catch (error) {
    if (error instanceof ConnectionDropped) return HttpResponse.error()
    throw error
  }
}

/** A browser asks before it sends an Authorization header to another origin. */
function preflight(request: Request, origin: string | null): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': origin ?? '*',
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers':
        request.headers.get('access-control-request-headers') ?? 'authorization, content-type',
      'access-control-max-age': '600',
      vary: 'Origin',
    },
  })
}
