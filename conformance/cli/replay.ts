/** The command that runs one requirement again, as this run did. Tokens stay in the environment or the profile. */
import type { RunOptions } from '../suite/run.js'
import type { FlagValues } from './usage.js'

const kept = ['base-url', 'profile', 'ext', 'safety', 'timeout', 'rate'] as const

export function replayLine(flags: FlagValues, { seed, runs }: RunOptions): (requirement: string) => string {
  const target = flagsAgain(flags, kept)
  return (requirement) =>
    ['tracker-kit check', ...target, `--only ${requirement} --seed ${seed} --runs ${runs}`].join(' ')
}

/** Those flags as they were given, for a command line that people copy. */
export const flagsAgain = (flags: FlagValues, names: readonly string[]): string[] =>
  names.flatMap((name) => (flags[name] === undefined ? [] : [`--${name} ${shellWord(flags[name])}`]))

export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
