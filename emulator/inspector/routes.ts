/** The routes that the inspector's page needs in addition to the rest of the control plane. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { textReply } from '../http/message.js'
import { jsonRoute, type Route, route } from '../http/routes.js'
import type { Tracker } from '../types.js'
import { eventStream } from './events.js'
import { icon, page, style } from './page.js'
import { type RunSuite, suiteRoutes } from './suite.js'
import { editRow, tablesOf } from './tables.js'
import { ledgerOf, overviewOf } from './views.js'

/** Their paths are below `inspector/`, except the page itself, the events and the suite. */
export function inspectorRoutes(tracker: Tracker, runSuite: RunSuite | undefined): readonly Route[] {
  return [
    route('GET ', null, page),
    route('GET events', 'the journal and each new call, as server-sent events', () => eventStream(tracker)),
    route('GET assets/main.js', null, async () => {
      const { clientScript } = await import('./location.js')
      return textReply('text/javascript', await readFile(clientScript, 'utf8'))
    }),
    route('GET assets/style.css', null, () => textReply('text/css', style)),
    route('GET assets/icon.svg', null, () => textReply('image/svg+xml', icon)),
    jsonRoute('GET inspector/overview', null, ({ baseUrl }) => overviewOf(tracker, baseUrl, !!runSuite)),
    jsonRoute('GET inspector/state', null, () => tablesOf(tracker)),
    jsonRoute('POST inspector/row', null, ({ json }) => editRow(tracker, json())),
    jsonRoute('GET inspector/ledger', null, () => ledgerOf(tracker)),
    jsonRoute('POST inspector/replay', null, async ({ json }) => {
      const { sequence } = z.object({ sequence: z.int() }).parse(json())
      const { status } = await tracker.replay(sequence)
      return { status }
    }),
    ...(runSuite ? suiteRoutes(tracker, runSuite) : []),
  ]
}
