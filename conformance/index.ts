/** The suite as a library: registers tests in the vitest file that calls it, and judges the requests of other clients. */
import { z } from 'zod'
import { type OfflineProfile, parseProfile } from './client/profile.js'
import { knowledgeOf } from './client/redact.js'
import { checked } from './contract/checked.js'
import type { Profile } from './contract/index.js'
import type { Exchange } from './oracle/exchange.js'
import { type Judgement, judge as judgeTrace, rules } from './oracle/judge.js'
import type { Statement } from './oracle/statement.js'
import { registerSuite } from './register.js'
import { operationsFor } from './report/checked.js'
import { checkIds } from './report/judged.js'
import { DEFAULT_RUNS } from './report/plan.js'

export { type Fetch, type Recorded, type RecordOptions, record } from './client/record.js'
export type { Har } from './contract/har.js'
export type { Profile } from './contract/index.js'
export type { Exchange } from './oracle/exchange.js'
export type { Finding, Judgement, Verdict } from './oracle/judge.js'
export type { Statement as Requirement } from './oracle/statement.js'

/** Every statement of the document that is judged. */
export const requirements: readonly Statement[] = [...rules.values()]

export interface ConformanceOptions {
  /** Ids of requirements or operations; default all. */
  readonly only?: readonly string[]
  /** The number of generated requests, default 50. */
  readonly runs?: number
  readonly seed?: number
  /** Milliseconds for each request, default 10,000. */
  readonly timeout?: number
}

const optionsSchema = z.strictObject({
  only: z.array(z.string()).optional(),
  runs: z.int().min(1).optional(),
  seed: z.int().optional(),
  timeout: z.number().min(1).optional(),
})

/**
 * Registers the suite in the running vitest file, with one test for each requirement and operation. The run may do what
 * `profile.safety` allows, default `read`. Throws if the profile is not valid or an id is unknown.
 */
export function defineConformance(profile: Profile, options: ConformanceOptions = {}): void {
  checked(optionsSchema, options, 'defineConformance', 'option')
  const target = parseProfile(profile, 'defineConformance')
  const only = options.only ?? []
  checkIds(only, 'defineConformance: only')
  const run = {
    ...{ profile: target, safety: target.safety ?? 'read', seed: options.seed ?? 1 },
    ...{ runs: options.runs ?? DEFAULT_RUNS, timeout: options.timeout ?? 10_000 },
    ...{ rate: 0, budget: 0, ledgerFile: null, only: operationsFor(only) },
  }
  registerSuite({ ...run, survey: run.safety !== 'read' }, only)
}

/**
 * Judges recorded exchanges by the document, and sends nothing. With the profile of the recording, its tokens identify
 * the callers, and requests with what it promises must succeed.
 */
export function judge(
  exchanges: readonly Exchange[],
  { profile }: { readonly profile?: OfflineProfile | undefined } = {},
): Judgement {
  if (!Array.isArray(exchanges))
    throw new TypeError(
      'judge takes a list of exchanges, such as record(fetch).exchanges; for a HAR file, run: npx tracker-kit judge FILE.har',
    )
  return judgeTrace(exchanges, knowledgeOf(profile))
}
