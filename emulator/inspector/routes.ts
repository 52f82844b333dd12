/** The routes that the inspector's page needs in addition to the rest of the control plane. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { checked } from '../../conformance/contract/checked.js'
import { type Reply, textReply } from '../http/message.js'
import { jsonRoute, type Route, route } from '../http/routes.js'
import type { JournalEntry, Tracker, Violation } from '../types.js'
import { icon, page, style } from './page.js'
import { type RunSuite, suiteRoutes } from './suite.js'
import { editRow, ledgerOf, overviewOf, tablesOf } from './views.js'

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
      const { sequence } = checked(z.strictObject({ sequence: z.int() }), json(), 'replay')
      const { status } = await tracker.replay(sequence)
      return { status }
    }),
    ...(runSuite ? suiteRoutes(tracker, runSuite) : []),
  ]
}

export interface ShownCall extends JournalEntry {
  readonly violations: readonly Violation[]
}

/** First the whole journal, then one event for each call or change. */
function eventStream(tracker: Tracker): Reply {
  const shown = (entries: readonly JournalEntry[]): ShownCall[] => {
    const { violations } = tracker
    const ofCall = (wanted: number) => violations.filter(({ sequence }) => sequence === wanted)
    return entries.map((entry) => ({ ...entry, violations: ofCall(entry.sequence) }))
  }
  return {
    status: 200,
    headers: [['content-type', 'text/event-stream']],
    body: null,
    stream(write) {
      // JSON without indentation has no line breaks, so one line of data is enough.
      const send = (event: string, data: unknown) =>
        write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      send('journal', shown(tracker.journal))
      return tracker.watch((event) =>
        event.kind === 'call' ? send('call', shown([event.entry])[0]) : send('changed', event.kind),
      )
    },
  }
}
