import { checked } from '../conformance/contract/checked.js'
import { stateOfSeed } from './arrange/seed.js'
import { assembled, collationOf, type Settings } from './assemble.js'
import { type DecisionFile, drawOf, learntIn, resolveDecisions, VARIABLE } from './decisions/index.js'
import { DEFAULT_BASE_URL, optionsSchema, parseBaseUrl, parseExt } from './options.js'
import { imageOf } from './state/store.js'
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
  const state = await stateOfSeed(options.seed ?? 'small', collationOf(decisions))
  return assembled(settings, imageOf(state), 0).tracker
}
