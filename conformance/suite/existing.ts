/** The things that subjects name: the run's own, those of the profile, and what there is none of. */

import { shardOf } from './shard.js'
import type { Check, OwnUser } from './types.js'
import { Skip } from './verdicts.js'

/** Numbers and names that no tracker has: long, and others in each run. */
export const missing = {
  id: ({ run }: Check) => 1_200_000_000 + shardOf(String(run.options.seed), 900_000_000),
  username: (t: Check) => `${t.run.tag}nobody`,
  plugin: (t: Check) => `${t.run.tag}NoPlugin`,
}

/** Nobody has it. */
export const WRONG_PASSWORD = 'Kit-not-the-current-1!'

async function orSkip<T>(make: () => Promise<T>): Promise<T | null> {
  try {
    return await make()
  } catch (error) {
    if (error instanceof Skip) return null
    throw error
  }
}

/** The run's own user for requests that must not change anything; null where the level or the target lets there be none. */
export async function ownUser(t: Check): Promise<OwnUser | null> {
  return t.allows('write') ? orSkip(() => t.run.own.sharedUser()) : null
}

/** One of the run's own for requests that could change it; else a name that nobody has. */
export async function existingUser(t: Check, fresh = false): Promise<{ username: string; proven: boolean }> {
  const other = fresh && t.allows('write') ? orSkip(() => t.run.own.otherUser()) : ownUser(t)
  const own = await other
  return own ? { username: own.username, proven: true } : { username: missing.username(t), proven: false }
}

/** One of the run's own, or one that the profile gives away, for requests that could change it; else none. */
export async function existingField(
  t: Check,
  fresh = false,
): Promise<{ readonly id: number; readonly name: string | null; readonly proven: boolean }> {
  const make = () => (fresh ? t.run.own.field() : t.run.own.sharedField())
  const own = t.allows('write') ? await orSkip(make) : null
  return own ? { ...own, proven: true } : { id: missing.id(t), name: null, proven: false }
}

/** Where a change of the password ended its token, no request of that account says anything more. */
export function needPasswordToken(t: Check): void {
  t.need('tokens.password')
  if (t.profile.passwordAccount && t.run.passwordAccount === null)
    t.inconclusive("the password account's token or password was lost on the way")
}
