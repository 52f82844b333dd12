/** The emulator behind Mock Service Worker. No other file imports msw. */
import { type HttpHandler, HttpResponse, http, passthrough } from 'msw'
import { ConnectionDropped } from './arrange/faults.js'
import { allowing, allowingToSend } from './http/cors.js'
import { responseOf, withLength } from './request/respond.js'
import type { Tracker } from './types.js'
import { callOfRequest } from './web.js'

/**
 * Request handlers for `setupServer` or `setupWorker`. One handler catches all, since each handler that msw tries costs
 * more than the tracker's own dispatch. URLs outside the extension are passed through. No browser lets a page set a
 * cookie in an answer, so an impersonation works only by its token there: see the decision `impersonate-effect`.
 */
export function handlers(tracker: Tracker): HttpHandler[] {
  const prefix = `${tracker.baseUrl}/plugins/`
  return [
    // msw would parse a path with an asterisk again for each request, which takes nearly half as long as the answer itself.
    http.all(new RegExp(`^${prefix.replace(/\W/g, '\\$&')}`), async ({ request }) => {
      if (!request.url.startsWith(prefix)) return passthrough()
      const origin = request.headers.get('origin')
      const wanted = request.headers.get('access-control-request-headers')
      if (request.method === 'OPTIONS')
        return new Response(null, { status: 204, headers: allowingToSend(origin ?? '*', wanted) })
      const response = await answerOf(tracker, request)
      if (origin === null || response.type === 'error') return response
      const headers = new Headers(response.headers)
      for (const [name, value] of allowing(origin, response.headers.keys())) headers.append(name, value)
      return new Response(response.body, { status: response.status, headers })
    }),
  ]
}

/** Without this, an error that a handler throws would become an answer with status 500. */
async function answerOf(tracker: Tracker, request: Request): Promise<Response> {
  try {
    return responseOf(withLength(await tracker.handle(await callOfRequest(request))))
  } catch (error) {
    if (error instanceof ConnectionDropped) return HttpResponse.error()
    throw error
  }
}
