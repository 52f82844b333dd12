/** Server-sent events of the tracker: first the whole journal, then one event for each call or change. */
import type { Reply } from '../http/message.js'
import type { JournalEntry, Tracker, Violation } from '../types.js'

export interface ShownCall extends JournalEntry {
  readonly violations: readonly Violation[]
}

export function eventStream(tracker: Tracker): Reply {
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
