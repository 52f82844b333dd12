/** The target that the flags name: that of a profile, a base URL, or an emulator that is started for the run. */
import { membersOf } from '../client/look.js'
import { parseProfile, readProfile, troubleWith } from '../client/profile.js'
import { type Profile, type Safety, safetyLevels } from '../contract/index.js'
import { UsageError } from '../contract/trouble.js'
import { type Flags, type FlagValues, type Io, integerOf } from './usage.js'

/** The flags of every command that sends requests: which tracker, and which limits. */
export const targetFlags = {
  'base-url': ['URL', 'REST root of the tracker'],
  profile: ['FILE', 'what the kit may know and use of the tracker, as JSON'],
  token: [
    'T',
    "the administrator's bearer token; default $TRACKER_TOKEN, then tokens.administrator of the profile",
  ],
  ext: ['SEGMENT', 'extension path segment, default Ext'],
  timeout: ['MS', 'limit for one request, default 10000', 1, 600_000],
  rate: ['N', 'at most N requests a second; default no limit', 1, 100_000],
} as const satisfies Flags

/** A flag of commands that make values up. */
export const seedFlag = (help: string) => ['N', help, -(2 ** 31), 2 ** 31 - 1] as const

/** The limits of the requests; a rate of 0 is none. */
export function limitsOf(flags: FlagValues) {
  return { timeout: integerOf(flags, 'timeout', 10_000), rate: integerOf(flags, 'rate', 0) }
}

export const seedOf = (flags: FlagValues, fallback = Math.floor(Math.random() * 2 ** 31)): number =>
  integerOf(flags, 'seed', fallback)

/** The profile's level or else `read`. `--safety` lowers it, and raises it only if the profile names none. */
export function safetyOf(flags: FlagValues, { safety: most }: Profile, io: Io): Safety {
  const wanted = flags.safety ?? most ?? 'read'
  const level = safetyLevels.find((one) => one === wanted)
  if (!level) throw new UsageError(`--safety takes ${safetyLevels.join(', ')}, not "${wanted}"`)
  if (most === undefined || safetyLevels.indexOf(level) <= safetyLevels.indexOf(most)) return level
  io.err(`The profile allows ${most} at most, so --safety ${level} is taken as ${most}\n`)
  return most
}

/** Throws a `UsageError` if the value of `--base-url` is not valid. */
export function checkBaseUrl(text: string | undefined): void {
  const trouble = text === undefined ? null : troubleWith(text)
  if (trouble !== null) throw new UsageError(`--base-url ${trouble.replace(/^must be/, 'takes')}`)
}

export interface CheckTarget {
  readonly profile: Profile
  /** Whether there is no token, so that only a plan is possible. */
  readonly lacksToken?: boolean
  close?(): Promise<void>
}

/** Follows the name of the command or field that needs the token. */
export const tokenNeeded =
  "needs the administrator's token: --token, TRACKER_TOKEN or tokens.administrator of a profile"

export async function targetOf(flags: FlagValues, io: Io): Promise<CheckTarget> {
  if (flags['base-url'] === undefined && flags.profile === undefined) return builtIn(flags)
  const { profile, lacksToken } = profileOf(flags, io.env)
  if (lacksToken && flags.plan === undefined) throw new UsageError(tokenNeeded)
  return { profile, lacksToken }
}

/** The profile of a file, with what the flags and the environment say otherwise. */
export function profileOf({ profile: file, 'base-url': baseUrl, ext, token }: FlagValues, env: Io['env']) {
  checkBaseUrl(baseUrl)
  const given = file === undefined ? {} : readProfile(file)
  const tokens = membersOf(given.tokens)
  const administrator = token ?? (env.TRACKER_TOKEN || undefined)
  const lacksToken = administrator === undefined && !('administrator' in tokens)
  const own = lacksToken ? 'none' : administrator
  const profile = {
    ...given,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(ext === undefined ? {} : { ext }),
    tokens: { ...tokens, ...(own === undefined ? {} : { administrator: own }) },
  }
  return { profile: parseProfile(profile, file === undefined ? 'the flags' : `profile ${file}`), lacksToken }
}

async function builtIn({ token, ext }: FlagValues): Promise<CheckTarget> {
  if (token !== undefined) throw new UsageError('--token needs --base-url or --profile')
  const { createTracker } = await import('../../emulator/index.js')
  const tracker = await createTracker(ext === undefined ? {} : { ext })
  const server = await tracker.listen({ port: 0 })
  const profile = parseProfile(tracker.profileFor(server.url), 'the built-in emulator')
  return { profile, close: () => server.close() }
}
