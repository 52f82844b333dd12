/** The suite as a library: registers itself in the vitest file that calls it. */
import { z } from 'zod'
import { parseProfile } from './client/profile.js'
import { checked } from './contract/checked.js'
import type { Profile } from './contract/index.js'
import { checkIds, DEFAULT_RUNS } from './suite/plan.js'
import { registerSuite } from './suite/register.js'

export type { Profile } from './contract/index.js'
export { requirements } from './requirements/index.js'
export type { Requirement } from './suite/types.js'

export interface ConformanceOptions {
  /** Requirement or operation ids; all when absent. */
  readonly only?: readonly string[]
  /** Generated cases of each property, default 50. */
  readonly runs?: number
  readonly seed?: number
  /** Milliseconds for one request, default 10,000. */
  readonly timeout?: number
}

const optionsSchema = z.strictObject({
  only: z.array(z.string()).optional(),
  runs: z.int().min(1).optional(),
  seed: z.int().optional(),
  timeout: z.number().min(1).optional(),
})

/**
 * Registers the suite in the running vitest file, one test for each requirement and operation. The run may do what
 * `profile.safety` says, `read` when it is absent. Throws when the profile is not one, or an id is unknown.
 */
export function defineConformance(profile: Profile, options: ConformanceOptions = {}): void {
  checked(optionsSchema, options, 'defineConformance', 'option')
  const target = parseProfile(profile, 'defineConformance')
  const only = options.only ?? []
  checkIds(only, 'defineConformance: only')
  registerSuite({
    profile: target,
    safety: target.safety ?? 'read',
    seed: options.seed ?? 1,
    runs: options.runs ?? DEFAULT_RUNS,
    timeout: options.timeout ?? 10_000,
    rate: 0,
    budget: 0,
    ledgerFile: null,
    only,
    survey: true,
    shard: null,
  })
}
