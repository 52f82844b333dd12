/** Assembles a tracker from its parts: the store, the clock, the faults, the journal, and the pipeline for calls. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { checked } from '../conformance/contract/checked.js'
import { createClock, type TrackerClock } from './arrange/clock.js'
import { createFaults } from './arrange/faults.js'
import { callerOf, profileOf, tokensOf } from './arrange/profile.js'
import { type Decisions, resolveDecisions } from './decisions/index.js'
import { createCoverage } from './observe/coverage.js'
import { diffStates } from './observe/diff.js'
import { createJournal } from './observe/journal.js'
import { calledWithSchema, callsSchema, listenSchema } from './options.js'
import type { Call, Setup } from './request/call.js'
import { mailsOf } from './request/reports.js'
import { handle } from './request/serve.js'
import { askedByFetch, callOfRequest, fetchedOf } from './request/web.js'
import type { Collation } from './state/collections.js'
import { checkNames } from './state/state.js'
import type { Image, Look, Store } from './state/store.js'
import { createStore, imageOf, parseState, stateOf } from './state/store.js'
import { type Outcome, twinOf } from './twin/twin.js'
import type { Tracker, TrackerEvent, TrackerOptions } from './types.js'

/** The settings of a tracker; together with its state, they determine what it does. */
export interface Settings extends Pick<Setup, 'decisions' | 'learnt' | 'missing' | 'vary' | 'ext'> {
  readonly baseUrl: string
  readonly now: TrackerOptions['now']
  readonly observer?: Observer
}

export interface Observer {
  decision(id: string, member?: string): void
  readonly look: Look
  /** Called with the outcome of each request, for which the request is checked twice. */
  readonly outcome?: (outcome: Outcome) => void
}

export function assembled(settings: Settings, start: Image, advanced: number) {
  const { baseUrl, ext, vary, decisions, observer } = settings
  const clock: TrackerClock = createClock(settings.now)
  const journal = createJournal(
    (text) => store.db.tokens.find('secret', text) !== undefined,
    (token) => callerOf(store.db, tokens, token),
  )
  const store: Store = createStore(collationOf(decisions), {
    beforeChange: journal.explain,
    look: observer?.look,
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
    ...{ ...settings, store, faults, clock },
    root: new URL(baseUrl).pathname.replace(/\/$/, ''),
    twin: twinOf(decisions, observer?.outcome),
    record: observer ? null : record,
  }
  let listening: Promise<(message: IncomingMessage, response: ServerResponse) => void> | undefined
  const fetch: Tracker['fetch'] = async (request) => {
    if (typeof request?.headers?.get !== 'function')
      throw new TypeError(
        'tracker.fetch takes a Request; wrap it: (url, init) => tracker.fetch(new Request(url, init))',
      )
    const answer = handle(setup, await callOfRequest(request))
    return fetchedOf(answer instanceof Promise ? await answer : answer)
  }
  const tracker: Tracker = {
    baseUrl,
    ext,
    vary: vary ?? null,
    learnt: settings.learnt,
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
      return profileOf(tracker, baseUrl)
    },
    profileFor: (url) => profileOf(tracker, url),
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
    calls: (filter = {}) => journal.calls(checked(callsSchema, filter, 'calls')),
    calledWith: (operation, body) =>
      journal.calls(checked(calledWithSchema, { operation, body }, 'calledWith')).length > 0,
    async replay(sequence) {
      const call = journal.call(sequence)
      if (!call) throw new RangeError(`The journal has no call ${sequence}`)
      const { url, method, headers, text } = call
      return tracker.fetch(new Request(url, { method, headers: [...headers], body: text || null }))
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
      // Loaded on demand: the rest also runs in a browser.
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
    fork: () => assembled({ ...settings, decisions: setup.decisions }, store.image(), clock.advanced).tracker,
    coverage: () => coverage.coverage,
  }
  return { tracker, setup: () => setup, store }
}

/** Reads a decision only when it compares names, because learning sends each call again that has read it. */
export function collationOf(decisions: Decisions): Collation {
  const by = (id: 'username-case' | 'cf-name-unique') => (name: string) =>
    decisions[id] === 'insensitive' ? name.toLowerCase() : name
  return { username: by('username-case'), customField: by('cf-name-unique') }
}
