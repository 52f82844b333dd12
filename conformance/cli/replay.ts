/** The command that checks one requirement again, as this run did. Tokens stay in the environment or the profile. */
import type { Safety } from '../contract/index.js'
import { shellQuote } from '../report/curl.js'
import type { FlagValues } from './usage.js'

/** The flags that name the target, and how it is asked. */
export const kept = ['base-url', 'profile', 'ext', 'safety', 'timeout', 'rate'] as const

export function replayLine(flags: FlagValues, { seed, runs }: Readonly<Record<'seed' | 'runs', number>>) {
  const target = flagsAgain(flags, kept)
  return (requirement: string) =>
    ['tracker-kit check', ...target, `--only ${requirement} --seed ${seed} --runs ${runs}`].join(' ')
}

/** The flags that a run at another level repeats; the folder of a shard is not repeated. */
const keptAtAnother = [
  ...['base-url', 'profile', 'ext', 'timeout', 'rate', 'concurrency', 'runs', 'seed', 'only', 'fail-on'],
  ...['baseline', 'strict', 'max-requests'],
]

/** The command for the same run at another level, without a shard. */
export function restLine(flags: FlagValues): (safety: Safety) => string {
  const again = flagsAgain(flags, [...keptAtAnother, ...(flags.shard === undefined ? ['out'] : []), 'token'])
  return (safety) => ['tracker-kit check', ...again, `--safety ${safety}`].join(' ')
}

/** The flags with these names as they were given, for a command line that people copy. */
export const flagsAgain = (flags: FlagValues, names: readonly string[]): string[] =>
  names.flatMap((name) => {
    const value = flags[name]
    if (value === undefined) return []
    // Secrets are not printed, since logs may keep them.
    if (name === 'token') return '--token TOKEN'
    return value === '' ? `--${name}` : `--${name} ${shellWord(value)}`
  })

export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : shellQuote(text))
