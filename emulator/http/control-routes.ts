/** The documented routes of the control plane. */
import { z } from 'zod'
import { openApi } from '../../conformance/contract/openapi.js'
import { version } from '../../conformance/contract/version.js'
import type { Duration } from '../arrange/clock.js'
import type { Fault } from '../arrange/faults.js'
import type { DecisionInput } from '../decisions/index.js'
import type { State } from '../state/collections.js'
import type { Tracker } from '../types.js'
import type { Instances } from './instances.js'
import { parse, pretty, type Route } from './routes.js'

const done = () => pretty({ status: 'ok' })
const faults = (tracker: Tracker) => pretty(tracker.faults.active)
const clock = (tracker: Tracker) => pretty({ now: tracker.clock.now().toISOString() })
const named = ({ limit, names }: Instances) => pretty({ limit, names })

export const controlRoutes: readonly Route[] = [
  {
    route: 'GET health',
    meaning: 'what is running: version, base URL, `ext`, `vary`',
    answer: ({ tracker: { ext, vary, decisions }, baseUrl }) =>
      pretty({ status: 'ok', version, baseUrl, ext, vary, decisions: Object.keys(decisions).length }),
  },
  {
    route: 'GET profile',
    meaning: 'a profile for `tracker-kit check`, at the address that was asked',
    // As it was asked for: the port of a container is another one outside.
    answer: ({ tracker, asked }) => pretty(tracker.profileFor(asked)),
  },
  {
    route: 'POST reset',
    meaning: 'back to the starting state and time; the journal and the faults are emptied',
    answer: ({ tracker }) => tracker.reset().then(done),
  },
  {
    route: 'GET journal',
    meaning: 'the last calls, each with the reason why it was refused',
    answer: ({ tracker }) => pretty(tracker.journal),
  },
  {
    route: 'GET state',
    meaning: 'the whole state',
    answer: ({ tracker }) => pretty(tracker.snapshot()),
  },
  {
    route: 'PUT state',
    takes: 'what `GET state` gave',
    meaning: 'puts it back; a state that does not fit changes nothing',
    answer: ({ tracker, body }) => tracker.restore(parse(body) as State).then(done),
  },
  {
    route: 'GET outbox',
    meaning: 'the mails that a tracker would have sent',
    answer: ({ tracker }) => pretty(tracker.outbox),
  },
  {
    route: 'GET violations',
    meaning: 'what requests had that the document does not allow',
    answer: ({ tracker }) => pretty(tracker.violations),
  },
  {
    route: 'GET breaches',
    meaning: 'answers of the emulator that the document does not allow',
    answer: ({ tracker }) => pretty(tracker.breaches),
  },
  {
    route: 'GET coverage',
    meaning: 'which operations, errors and roles calls have met',
    answer: ({ tracker }) => pretty(tracker.coverage()),
  },
  {
    route: 'GET decisions',
    meaning: 'the value of each decision',
    answer: ({ tracker }) => pretty(tracker.decisions),
  },
  {
    route: 'PATCH decisions',
    takes: '`{ "wrong-method": "not-found" }`',
    meaning: 'decides otherwise from the next request on',
    async answer({ tracker, body }) {
      await tracker.decide(parseDecisions(parse(body)))
      return pretty(tracker.decisions)
    },
  },
  { route: 'GET clock', meaning: 'the time', answer: ({ tracker }) => clock(tracker) },
  {
    route: 'POST clock',
    takes: '`{ "advance": "2h" }`',
    meaning: 'moves it; a number is in milliseconds',
    answer({ tracker, body }) {
      tracker.clock.advance(parseAdvance(parse(body)))
      return clock(tracker)
    },
  },
  {
    route: 'GET instances',
    meaning: 'the names of the trackers under `/i/NAME`, and how many there may be',
    answer: ({ instances }) => named(instances),
  },
  {
    route: 'DELETE instances',
    meaning: 'ends all of them',
    answer({ instances }) {
      instances.clear()
      return named(instances)
    },
  },
  {
    route: 'GET openapi.json',
    meaning: 'the interface as OpenAPI 3.1',
    answer: ({ tracker: { ext }, baseUrl }) => pretty(openApi({ baseUrl, ext })),
  },
  {
    route: 'GET faults',
    meaning: 'the faults that may still strike',
    answer: ({ tracker }) => faults(tracker),
  },
  {
    route: 'POST faults',
    takes: '`{ "operation": "getUser", "status": 503, "times": 1 }`',
    meaning: 'injects a fault',
    answer({ tracker, body }) {
      tracker.faults.inject(parse(body) as Fault)
      return faults(tracker)
    },
  },
  {
    route: 'DELETE faults',
    meaning: 'takes all of them back',
    answer({ tracker }) {
      tracker.faults.clear()
      return faults(tracker)
    },
  },
  {
    route: 'DELETE faults/{id}',
    meaning: 'takes one back',
    answer({ tracker, id }) {
      tracker.faults.clear(id)
      return faults(tracker)
    },
  },
]

function parseDecisions(value: unknown): DecisionInput {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new TypeError('Decisions are an object with a value for each id')
}

function parseAdvance(value: unknown): Duration {
  const result = z.strictObject({ advance: z.union([z.number(), z.string()]) }).safeParse(value)
  if (result.success) return result.data.advance as Duration
  throw new TypeError('The clock takes { "advance": "2h" }, or a number of milliseconds in its place')
}
