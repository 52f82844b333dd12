/** What all shards of one run share without talking to each other, and no other run has. */
import { createHash } from 'node:crypto'
import { UsageError } from '../contract/trouble.js'
import type { FlagValues, Io } from './usage.js'

/** From `--run-id`, or else from what a CI server calls a run; null where there is neither. */
export function runIdOf(command: string, flags: FlagValues, env: Io['env']): string | null {
  const given = flags['run-id']
  if (given !== undefined) {
    if (!/^[\w.:@/+-]{1,200}$/.test(given))
      throw new UsageError(
        `${command}: --run-id takes up to 200 letters, digits and . : @ / + - _, not "${given}"`,
      )
    return given
  }
  // A second attempt is a run of its own: what it saw may be another tracker by then.
  if (env.GITHUB_RUN_ID) return `github-${env.GITHUB_RUN_ID}-${env.GITHUB_RUN_ATTEMPT || '1'}`
  if (env.CI_PIPELINE_ID) return `pipeline-${env.CI_PIPELINE_ID}`
  return env.BUILD_ID ? `build-${env.BUILD_ID}` : null
}

/** So that the shards of a run draw one seed. */
export const seedFrom = (runId: string): number =>
  createHash('sha256').update(runId).digest().readUInt32BE() % 2 ** 31
