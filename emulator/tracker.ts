import { checked } from '../conformance/contract/checked.js'
import { type Seed, seeds, stateOfSeed } from './arrange/seed.js'
import { collationOf, type Settings, trackerFrom } from './assemble.js'
import { type DecisionFile, drawOf, learntIn, resolveDecisions, VARIABLE } from './decisions/index.js'
import { DEFAULT_BASE_URL, optionsSchema, parseBaseUrl, parseExt } from './options.js'
import type { Collation } from './state/collections.js'
import { type Image, imageOf, type State } from './state/store.js'
import type { Tracker, TrackerOptions } from './types.js'

/** Creates a tracker in memory. Rejects with one line if an option is invalid. */
export async function createTracker(options: TrackerOptions = {}): Promise<Tracker> {
  checked(optionsSchema, options, 'createTracker', 'option')
  // A web page has no environment.
  const draw = drawOf(options.vary, typeof process === 'undefined' ? undefined : process.env[VARIABLE])
  const decisions = resolveDecisions(options.decisions, draw)
  const settings: Settings = {
    decisions,
    learnt: learntIn(options.decisions, decisions),
    missing: new Set((options.decisions as Partial<DecisionFile> | undefined)?.notImplemented),
    vary: draw?.seed,
    baseUrl: parseBaseUrl(options.baseUrl ?? DEFAULT_BASE_URL),
    ext: parseExt(options.ext ?? 'Ext'),
    now: options.now,
  }
  return trackerFrom(settings, await imageOfSeed(options.seed ?? 'small', collationOf(settings.decisions)), 0)
}

const ready = new Map<State, Image>()

async function imageOfSeed(seed: Seed, collation: Collation): Promise<Image> {
  const builtIn = typeof seed === 'string' && Object.hasOwn(seeds, seed) ? seeds[seed] : undefined
  if (!builtIn) return imageOf(await stateOfSeed(seed, collation))
  const image = ready.get(builtIn) ?? imageOf(builtIn)
  ready.set(builtIn, image)
  return image
}
