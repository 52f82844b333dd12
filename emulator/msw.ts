/** The emulator behind Mock Service Worker. No other file imports msw. */
import { type HttpHandler, HttpResponse, http, passthrough } from 'msw'
import { ConnectionDropped } from './arrange/faults.js'
import { preflight, withCors } from './http/cors.js'
import { responseOf, withLength } from './request/respond.js'
import { callOfRequest } from './request/web.js'
import type { Tracker } from './types.js'

/**
 * Request handlers for `setupServer` or `setupWorker`. One handler catches all, since each handler that msw tries costs
 * more than the tracker's own dispatch. URLs outside the extension are passed through. No browser lets a page set a
 * cookie in an answer, so an impersonation works only by its token there: see the decision `impersonate-effect`.
 */
export function handlers(tracker: Tracker): HttpHandler[] {
  if (typeof tracker?.handle !== 'function')
    throw new TypeError('handlers: they need a tracker; is an `await` missing before createTracker()?')
  const prefix = `${tracker.baseUrl}/plugins/`
  return [
    // msw would parse a path with an asterisk again for each request, which takes nearly half as long as the answer itself.
    http.all(new RegExp(`^${prefix.replace(/\W/g, '\\$&')}`), async ({ request }) => {
      if (!request.url.startsWith(prefix)) return passthrough()
      const { method, headers } = request
      const origin = headers.get('origin')
      if (method === 'OPTIONS')
        return responseOf(preflight(origin ?? '*', headers.get('access-control-request-headers')))
      try {
        const answer = await tracker.handle(await callOfRequest(request))
        return responseOf(withCors(origin, withLength(answer)))
      } catch (error) {
        // If it were thrown, it would become an answer with status 500.
        if (error instanceof ConnectionDropped) return HttpResponse.error()
        throw error
      }
    }),
  ]
}
