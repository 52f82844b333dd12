/** Which target the flags name: a profile's, a base URL's, or an emulator that is started for the run. */
import type { Safety } from '../contract/index.js'
import { readProfile } from '../target/profile.js'
import { type FlagValues, type Io, UsageError } from './usage.js'

export interface CheckTarget {
  /** Not yet checked. */
  readonly profile: unknown
  /** Where the profile is from, as the beginning of an error. */
  readonly source: string
  readonly defaultSafety: Safety
  close(): Promise<void>
}

export async function targetOf(command: string, flags: FlagValues, io: Io): Promise<CheckTarget> {
  const { 'base-url': baseUrl, profile: file, ext } = flags
  if (baseUrl === undefined && file === undefined) return builtIn(flags)
  if (baseUrl !== undefined && !isHttpUrl(baseUrl))
    throw new UsageError(`${command}: --base-url takes an http or https URL, not "${baseUrl}"`)
  const given = file === undefined ? {} : readProfile(file)
  const tokens = typeof given.tokens === 'object' && given.tokens !== null ? given.tokens : {}
  const administrator = flags.token ?? (io.env.TRACKER_TOKEN || undefined)
  if (administrator === undefined && !('administrator' in tokens))
    throw new UsageError(
      `${command}: needs the administrator's token: --token, TRACKER_TOKEN or tokens.administrator of a profile`,
    )
  return {
    profile: {
      ...given,
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(ext === undefined ? {} : { ext }),
      tokens: { ...tokens, ...(administrator === undefined ? {} : { administrator }) },
    },
    source: file === undefined ? 'the flags' : `profile ${file}`,
    defaultSafety: 'read',
    close: async () => undefined,
  }
}

async function builtIn({ token, ext }: FlagValues): Promise<CheckTarget> {
  if (token !== undefined) throw new UsageError('check: --token needs --base-url or --profile')
  const { createTracker } = await import('../../emulator/index.js')
  const tracker = await createTracker(ext === undefined ? {} : { ext })
  const server = await tracker.listen({ port: 0 })
  return {
    profile: tracker.profileFor(server.url),
    source: 'the built-in emulator',
    defaultSafety: 'destructive',
    close: () => server.close(),
  }
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}
