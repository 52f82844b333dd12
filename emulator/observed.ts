/** Trackers that simulate another tracker, for a program that learns its behaviour. */
import { assembled, type Observer } from './assemble.js'
import { resolveDecisions } from './decisions/index.js'
import { DEFAULT_BASE_URL, parseExt } from './options.js'
import type { Call } from './request/call.js'
import type { Outgoing } from './request/message.js'
import { handle } from './request/serve.js'
import { type Image, imageOf, type State } from './state/store.js'
import type { Tracker, TrackerOptions } from './types.js'

/** A tracker that simulates another one. It keeps no journal, and can return to any of its states at low cost. */
export interface Observed {
  readonly tracker: Tracker
  answer(call: Call): Outgoing
  /** The same object for all trackers with the same seed. */
  readonly start: Image
  image(): Image
  put(image: Image): void
}

export async function createObserved(
  options: TrackerOptions & { readonly seed: State },
  observer: Observer,
): Promise<Observed> {
  const decisions = new Proxy(resolveDecisions(options.decisions), {
    get(target, id) {
      if (typeof id === 'string') observer.decision(id)
      return Reflect.get(target, id)
    },
  })
  const settings = {
    ...{ decisions, learnt: null, missing: new Set<never>(), vary: undefined, baseUrl: DEFAULT_BASE_URL },
    ...{ ext: parseExt(options.ext ?? 'Ext'), now: options.now, observer },
  }
  const start = imageOf(options.seed)
  const { tracker, setup, store } = assembled(settings, start, 0)
  return {
    tracker,
    start,
    // An answer cannot be delayed, since faults cannot be injected.
    answer: (call) => handle(setup(), call) as Outgoing,
    image: store.image,
    put: store.put,
  }
}
