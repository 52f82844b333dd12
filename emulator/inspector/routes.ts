/** The routes that the inspector's page needs in addition to the rest of the control plane. */
import { readFile } from 'node:fs/promises'
import { fixtureOf } from '../arrange/fixture.js'
import { controlRoutes } from '../http/control-routes.js'
import { jsonReply, type Reply, textReply } from '../http/message.js'
import { jsonRoute, type Route, route } from '../http/routes.js'
import type { Tracker } from '../types.js'
import { eventStream } from './events.js'
import { page } from './page.js'
import { sent, sentAgain } from './sending.js'
import { icon, style } from './style.js'
import { createSuite, type RunSuite, type Suite } from './suite.js'
import { editRow, tablesOf } from './tables.js'
import { formsOf, ledgerOf, overviewOf } from './views.js'

/** Their paths are below `inspector/`, except the page itself, the events and the suite. */
export function inspectorRoutes(tracker: Tracker, runSuite: RunSuite | undefined): readonly Route[] {
  const suite = runSuite ? createSuite(tracker, runSuite) : null
  const routes: Route[] = [
    route('GET ', null, ({ baseUrl }) => page(tracker, baseUrl, [...controlRoutes, ...routes])),
    route('GET events', 'the journal and each new call, as server-sent events', () =>
      eventStream(tracker, suite),
    ),
    route('GET assets/main.js', null, async () => {
      const { clientScript } = await import('./location.js')
      return textReply('text/javascript', await readFile(clientScript, 'utf8'))
    }),
    route('GET assets/style.css', null, () => textReply('text/css', style)),
    route('GET assets/icon.svg', null, () => textReply('image/svg+xml', icon)),
    jsonRoute('GET inspector/overview', null, ({ baseUrl }) => overviewOf(tracker, baseUrl, suite !== null)),
    jsonRoute('GET inspector/state', null, () => tablesOf(tracker)),
    jsonRoute('POST inspector/row', null, ({ json }) => editRow(tracker, json())),
    route('GET inspector/fixture', null, async () =>
      textReply('text/plain', await fixtureOf(tracker.snapshot())),
    ),
    jsonRoute('GET inspector/forms', null, () => formsOf(tracker)),
    jsonRoute('GET inspector/ledger', null, () => ledgerOf(tracker)),
    jsonRoute('POST inspector/send', null, ({ json }) => sent(tracker, json())),
    jsonRoute('POST inspector/replay', null, ({ json }) => sentAgain(tracker, json())),
    ...(suite ? suiteRoutes(suite) : []),
  ]
  return routes
}

const suiteRoutes = (suite: Suite): readonly Route[] => [
  jsonRoute('GET suite', 'the progress of the suite, and the result of the last run', () => suite.status),
  route('POST suite', 'runs the suite against a copy of the tracker', () =>
    suite.start()
      ? jsonReply(202, suite.status)
      : jsonReply(409, { message: 'The suite is running; wait for its end, or stop it' }),
  ),
  jsonRoute('DELETE suite', 'stops it', () => {
    suite.stop()
    return suite.status
  }),
  route('GET suite/report.html', null, () => report(suite.html)),
]

function report(html: string | null): Reply {
  if (html === null) return jsonReply(404, { message: 'There is no report yet; POST to suite runs it' })
  return textReply('text/html', html)
}
