/** The suite as a library: registers itself in the vitest file that calls it. */
import type { Profile } from './contract/index.js'
import { checkIds } from './suite/plan.js'
import { registerSuite } from './suite/register.js'
import { parseProfile } from './target/profile.js'

export type { Profile } from './contract/index.js'
export { requirements } from './requirements/index.js'
export type { Requirement } from './suite/types.js'

export interface ConformanceOptions {
  /** Requirement or operation ids; all when absent. */
  readonly only?: readonly string[]
  /** Generated cases of each property, default 100. */
  readonly runs?: number
  readonly seed?: number
  /** Milliseconds for one request, default 10,000. */
  readonly timeout?: number
}

/**
 * Registers the suite in the running vitest file, one test for each requirement and operation. The run may do what
 * `profile.safety` says, `read` when it is absent. Throws when the profile is not one, or an id is unknown.
 */
export function defineConformance(profile: Profile, options: ConformanceOptions = {}): void {
  const checked = parseProfile(profile, 'defineConformance')
  const only = options.only ?? []
  checkIds(only, 'defineConformance: only')
  registerSuite({
    profile: checked,
    safety: checked.safety ?? 'read',
    seed: options.seed ?? 1,
    runs: options.runs ?? 100,
    timeout: options.timeout ?? 10_000,
    rate: 0,
    budget: 0,
    ledgerFile: null,
    only,
    survey: true,
    shard: null,
  })
}
