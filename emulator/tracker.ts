import { checked } from '../conformance/contract/checked.js'
import { stateOfSeed } from './arrange/seed.js'
import { assembled, collationOf, type Observer, type Settings } from './assemble.js'
import { type DecisionFile, drawOf, learntIn, noting, resolveDecisions, VARIABLE } from './decisions/index.js'
import { optionsSchema } from './options.js'
import type { Call } from './request/call.js'
import type { Outgoing } from './request/message.js'
import { handle } from './request/serve.js'
import { imageOf, type State } from './state/store.js'
import type { Tracker, TrackerOptions } from './types.js'

/** Creates a tracker in memory. Rejects with one line if an option is invalid. */
export async function createTracker(options: TrackerOptions = {}): Promise<Tracker> {
  const { baseUrl, ext } = checked(optionsSchema, options, 'createTracker', 'option')
  // A web page has no environment.
  const draw = drawOf(options.vary, typeof process === 'undefined' ? undefined : process.env[VARIABLE])
  const decisions = resolveDecisions(options.decisions, draw)
  const settings: Settings = {
    decisions,
    learnt: learntIn(options.decisions, decisions),
    missing: new Set((options.decisions as Partial<DecisionFile> | undefined)?.notImplemented),
    vary: draw?.seed,
    baseUrl,
    ext,
    now: options.now,
  }
  const state = await stateOfSeed(options.seed ?? 'small', collationOf(decisions))
  return assembled(settings, imageOf(state), 0).tracker
}

/** A tracker that simulates another one. It keeps no journal, and can return to any of its states at low cost. */
export async function createObserved(options: TrackerOptions & { readonly seed: State }, observer: Observer) {
  const { baseUrl, ext } = optionsSchema.parse(options)
  const decisions = noting(resolveDecisions(options.decisions), (...read) => observer.decision(...read))
  const settings: Settings = {
    ...{ decisions, learnt: null, missing: new Set(), vary: undefined },
    ...{ baseUrl, ext, now: options.now, observer },
  }
  const start = imageOf(options.seed)
  const { tracker, setup, store } = assembled(settings, start, 0)
  return {
    tracker,
    /** The same object for all trackers with the same seed. */
    start,
    // An answer cannot be delayed, since faults cannot be injected.
    answer: (call: Call) => handle(setup(), call) as Outgoing,
    tables: store.tables,
    image: store.image,
    put: store.put,
  }
}
