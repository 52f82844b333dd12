/** The routes that the inspector's page needs in addition to the rest of the control plane. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { jsonReply, type Reply, textReply } from '../http/message.js'
import { jsonRoute, type Route, route } from '../http/routes.js'
import type { Tracker } from '../types.js'
import { eventStream } from './events.js'
import { page } from './page.js'
import { icon, style } from './style.js'
import { createSuite, type RunSuite, type Suite } from './suite.js'
import { editRow, tablesOf } from './tables.js'
import { ledgerOf, overviewOf } from './views.js'

/** Their paths are below `inspector/`, except the page itself, the events and the suite. */
export function inspectorRoutes(tracker: Tracker, runSuite: RunSuite | undefined): readonly Route[] {
  const suite = runSuite ? createSuite(tracker, runSuite) : null
  return [
    route('GET ', null, page),
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
    jsonRoute('GET inspector/ledger', null, () => ledgerOf(tracker)),
    jsonRoute('POST inspector/replay', null, async ({ json }) => {
      const { sequence } = z.object({ sequence: z.int() }).parse(json())
      const { status } = await tracker.replay(sequence)
      return { status }
    }),
    ...(suite ? suiteRoutes(suite) : []),
  ]
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
