import type { IncomingMessage, ServerResponse } from 'node:http'
import { checked } from '../conformance/contract/checked.js'
import { createClock, type TrackerClock } from './arrange/clock.js'
import { createFaults } from './arrange/faults.js'
import { profileOf, tokensOf } from './arrange/profile.js'
import { type Seed, seeds, stateOfSeed } from './arrange/seed.js'
import type { Decisions } from './decisions/index.js'
import { drawOf, resolveDecisions, VARIABLE } from './decisions/index.js'
import { createCoverage } from './observe/coverage.js'
import { diffStates } from './observe/diff.js'
import { createJournal } from './observe/journal.js'
import {
  calledWithSchema,
  callsSchema,
  DEFAULT_BASE_URL,
  listenSchema,
  optionsSchema,
  parseBaseUrl,
  parseExt,
} from './options.js'
import type { Call, Setup } from './request/call.js'
import { mailsOf } from './request/mails.js'
import type { Outgoing } from './request/message.js'
import { handle } from './request/pipeline.js'
import { responseOf } from './request/respond.js'
import type { Collation } from './state/collections.js'
import { checkNames, exact } from './state/references.js'
import {
  createStore,
  type Image,
  imageOf,
  parseState,
  type State,
  type Store,
  stateOf,
} from './state/store.js'
import { type Outcome, twinOf } from './twin/twin.js'
import type { Tracker, TrackerEvent, TrackerOptions } from './types.js'
import { askedByFetch, callOfRequest } from './web.js'

/** What makes a tracker what it is, besides its state. */
interface Settings {
  readonly decisions: Decisions
  readonly vary: number | undefined
  readonly baseUrl: string
  readonly ext: string
  readonly strictClient: boolean
  readonly now: TrackerOptions['now']
  readonly observer?: Observer
}

/** A tracker in memory. Rejects with one line where an option is not what it should be. */
export async function createTracker(options: TrackerOptions = {}): Promise<Tracker> {
  checked(optionsSchema, options, 'createTracker', 'option')
  // In a page there is no environment.
  const draw = drawOf(options.vary, typeof process === 'undefined' ? undefined : process.env[VARIABLE])
  const settings: Settings = {
    decisions: resolveDecisions(options.decisions, draw),
    vary: draw?.seed,
    baseUrl: parseBaseUrl(options.baseUrl ?? DEFAULT_BASE_URL),
    ext: parseExt(options.ext ?? 'Ext'),
    strictClient: options.strictClient ?? false,
    now: options.now,
  }
  return trackerFrom(settings, await imageOfSeed(options.seed ?? 'small', collationOf(settings.decisions)), 0)
}

/** What a listener hears of a tracker that simulates another one. */
export interface Observer {
  /** A decision was read. */
  decision(id: string): void
  /** How a request came out; to know it, each request is checked twice. */
  readonly outcome?: (outcome: Outcome) => void
}

/** A tracker that simulates another one. It keeps no journal, and goes back to any of its states at little cost. */
export interface Observed {
  readonly tracker: Tracker
  answer(call: Call): Outgoing
  /** The same object for all that begin with one seed. */
  readonly start: Image
  image(): Image
  put(image: Image): void
}

/** A tracker that tells how each request comes out, and which decisions it depends on. */
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
  const settings: Settings = {
    decisions,
    vary: undefined,
    baseUrl: DEFAULT_BASE_URL,
    ext: parseExt(options.ext ?? 'Ext'),
    strictClient: false,
    now: options.now,
    observer,
  }
  const start = observedStart(options.seed)
  const { tracker, setup, store } = assembled(settings, start, 0)
  return {
    tracker,
    start,
    // Nothing holds an answer back where nobody can inject a fault.
    answer: (call) => handle(setup(), call) as Outgoing,
    image: store.image,
    put: store.put,
  }
}

/** A learning makes hundreds of trackers that start alike. */
const observedStarts = new WeakMap<State, Image>()

function observedStart(seed: State): Image {
  const image = observedStarts.get(seed) ?? imageOf(seed)
  observedStarts.set(seed, image)
  return image
}

/** A tracker that starts with what is in the image, at a clock that has been advanced so far. */
function trackerFrom(settings: Settings, start: Image, advanced: number): Tracker {
  return assembled(settings, start, advanced).tracker
}

function assembled(
  settings: Settings,
  start: Image,
  advanced: number,
): { tracker: Tracker; setup: () => Setup; store: Store } {
  const { baseUrl, ext } = settings
  const clock: TrackerClock = createClock(settings.now)
  const journal = createJournal((text) => store.db.tokens.find('secret', text) !== undefined)
  const store: Store = createStore(collationOf(settings.decisions), {
    beforeChange: journal.explain,
    beforeLoss(collection) {
      if (collection === 'tokens') journal.settle()
    },
  })
  const coverage = createCoverage()
  const listeners = new Set<(event: TrackerEvent) => void>()
  const tell = (event: TrackerEvent) => {
    for (const listener of listeners) listener(event)
  }
  const record = (call: Call) => {
    journal.add(call)
    if (call.operation) coverage.count(call.operation, call.status, call.caller?.access_level ?? null)
    if (listeners.size > 0) tell({ kind: 'call', entry: journal.last() })
  }
  const faults = createFaults(clock, () => tell({ kind: 'faults' }))
  store.put(start)
  clock.rewind(advanced)
  const tokens = tokensOf(store.db)
  let setup: Setup = {
    decisions: settings.decisions,
    store,
    faults,
    clock,
    ext,
    root: new URL(baseUrl).pathname.replace(/\/$/, ''),
    vary: settings.vary,
    strictClient: settings.strictClient,
    twin: twinOf(settings.decisions, settings.observer?.outcome),
    record: settings.observer ? null : record,
  }
  const profileFor = (url: string) =>
    profileOf({ db: store.db, decisions: setup.decisions, tokens, ext }, url)

  let listening: Promise<(message: IncomingMessage, response: ServerResponse) => void> | undefined
  const fetch: Tracker['fetch'] = async (request) => {
    const answer = handle(setup, await callOfRequest(request))
    return responseOf(answer instanceof Promise ? await answer : answer)
  }
  const tracker: Tracker = {
    baseUrl,
    ext,
    vary: settings.vary ?? null,
    get decisions() {
      return setup.decisions
    },
    async decide(input) {
      const given = Object.entries(input).filter(([, value]) => value !== undefined)
      const decisions = resolveDecisions({ ...setup.decisions, ...Object.fromEntries(given) })
      const collation = collationOf(decisions)
      for (const image of [start, store.image()]) checkNames(stateOf(image), collation)
      journal.explain()
      store.collate(collation)
      setup = { ...setup, decisions, twin: twinOf(decisions) }
      tell({ kind: 'decisions' })
    },
    tokens,
    get profile() {
      return profileFor(baseUrl)
    },
    profileFor,
    clock: {
      now: clock.now,
      advance(by) {
        clock.advance(by)
        tell({ kind: 'clock' })
      },
    },
    get journal() {
      return journal.entries
    },
    calls(filter = {}) {
      checked(callsSchema, filter, 'calls')
      return journal.calls(filter)
    },
    calledWith(operation, body) {
      checked(calledWithSchema, { operation, body }, 'calledWith')
      return journal.calls({ operation, body }).length > 0
    },
    async replay(sequence) {
      const call = journal.call(sequence)
      if (!call) throw new RangeError(`The journal has no call ${sequence}`)
      const { url, method, headers, text } = call
      return tracker.fetch(
        new Request(url, { method, headers: [...headers], body: text === '' ? null : text }),
      )
    },
    watch(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    get outbox() {
      return mailsOf(store.db, store.db.notifications.rows)
    },
    get violations() {
      return journal.violations
    },
    get breaches() {
      return journal.breaches
    },
    faults,
    db: store.db,
    fetch,
    handle(call) {
      // A stubbed `tracker.fetch` must still be called.
      return this.fetch === fetch ? handle(setup, call) : askedByFetch(this.fetch, call)
    },
    listener(message, response) {
      listening ??= import('./http/listen.js').then(({ listenerOf }) => listenerOf(tracker))
      void listening.then((start) => start(message as IncomingMessage, response as ServerResponse))
    },
    async listen(listenOptions = {}) {
      checked(listenSchema, listenOptions, 'listen', 'option')
      // Loaded on demand: the rest runs in a browser too.
      const { listen } = await import('./http/listen.js')
      return listen(tracker, listenOptions)
    },
    async reset() {
      store.put(start)
      journal.clear()
      faults.clear()
      clock.rewind(advanced)
      tell({ kind: 'reset' })
    },
    snapshot: () => stateOf(store.image()),
    async restore(state) {
      store.put(imageOf(parseState(state, store.collation)))
      tell({ kind: 'restore' })
    },
    diff: (before = stateOf(start), after = stateOf(store.image())) => diffStates(before, after),
    fork: () => trackerFrom({ ...settings, decisions: setup.decisions }, store.image(), clock.advanced),
    coverage: () => coverage.coverage,
  }
  return { tracker, setup: () => setup, store }
}

/** What was made of the built-in starting states, which need no check: every tracker that starts with one shares it. */
const ready = new Map<State, Image>()

async function imageOfSeed(seed: Seed, collation: Collation): Promise<Image> {
  const builtIn = typeof seed === 'string' && Object.hasOwn(seeds, seed) ? seeds[seed] : undefined
  if (!builtIn) return imageOf(await stateOfSeed(seed, collation))
  const image = ready.get(builtIn) ?? imageOf(builtIn)
  ready.set(builtIn, image)
  return image
}

function collationOf(decisions: Decisions): Collation {
  const fold = (text: string) => text.toLowerCase()
  return {
    username: decisions['username-case'] === 'insensitive' ? fold : exact.username,
    customField: decisions['cf-name-unique'] === 'insensitive' ? fold : exact.customField,
  }
}
