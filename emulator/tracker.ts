import { nearest } from '../conformance/contract/nearest.js'
import { small } from '../fixtures/seeds/small.js'
import type { Decisions } from './decisions/index.js'
import { resolveDecisions } from './decisions/index.js'
import { createFaults } from './faults.js'
import { createJournal } from './journal.js'
import { handle, type Pipeline } from './pipeline.js'
import { profileOf, tokensOf } from './profile.js'
import { type Collation, createStore, type State } from './state/store.js'
import type { Tracker, TrackerOptions } from './types.js'

/** Starting states by name. */
export const seeds: Readonly<Record<string, State>> = { small }

const DEFAULT_BASE_URL = 'http://tracker.test/api/rest'

export async function createTracker(options: TrackerOptions = {}): Promise<Tracker> {
  const decisions = resolveDecisions(options.decisions, options.vary)
  const baseUrl = parseBaseUrl(options.baseUrl ?? DEFAULT_BASE_URL)
  const ext = parseExt(options.ext ?? 'Ext')
  const seed = findSeed(options.seed ?? 'small')
  const store = createStore(collationOf(decisions))
  const journal = createJournal()
  const faults = createFaults()
  const exclusively = createLock()
  await store.load(seed)
  const tokens = tokensOf(store.db)
  const pipeline: Pipeline = {
    decisions,
    store,
    journal,
    faults,
    ext,
    root: new URL(baseUrl).pathname.replace(/\/$/, ''),
    now: options.now ?? (() => new Date()),
    vary: options.vary,
    exclusively,
  }
  const profileFor = (url: string) => profileOf({ db: store.db, decisions, tokens, ext }, url)

  const tracker: Tracker = {
    baseUrl,
    ext,
    vary: options.vary ?? null,
    decisions,
    tokens,
    get profile() {
      return profileFor(baseUrl)
    },
    profileFor,
    journal: journal.entries,
    faults,
    db: store.db,
    fetch: (request) => handle(pipeline, request),
    async listen(listenOptions) {
      // Loaded on demand: the rest runs in a browser too.
      const { listen } = await import('./http/listen.js')
      return listen(tracker, listenOptions)
    },
    reset: () =>
      exclusively(async () => {
        await store.load(seed)
        journal.clear()
        faults.clear()
      }),
    snapshot: () => store.snapshot(),
    restore: (state) => exclusively(() => store.load(state)),
  }
  return tracker
}

function collationOf(decisions: Decisions): Collation {
  const fold = (text: string) => text.toLowerCase()
  const exact = (text: string) => text
  return {
    username: decisions['username-case'] === 'insensitive' ? fold : exact,
    customField: decisions['cf-name-unique'] === 'insensitive' ? fold : exact,
  }
}

/** One piece of work after the other, in the order in which they came. */
function createLock() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}

function findSeed(seed: string | State): State {
  if (typeof seed !== 'string') return seed
  const found = Object.hasOwn(seeds, seed) ? seeds[seed] : undefined
  if (found) return found
  const near = nearest(seed, Object.keys(seeds))
  throw new RangeError(`No starting state is called "${seed}"${near ? `; did you mean "${near}"?` : ''}`)
}

function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new RangeError(`The base URL must be an http URL without query, not "${text}"`)
  return text.replace(/\/$/, '')
}

function parseExt(ext: string): string {
  if (ext === '' || ext.includes('/'))
    throw new RangeError(`The extension must be one path segment, not "${ext}"`)
  return ext
}
