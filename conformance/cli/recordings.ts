/** Recorded traffic, and what is known of the tracker that was recorded. Nothing is sent. */
import { type ReadHar, readHar } from '../client/har-read.js'
import { type OfflineProfile, parseProfile, readProfile } from '../client/profile.js'
import { UsageError } from '../contract/trouble.js'
import { readHarFile } from './har-file.js'
import { checkBaseUrl } from './target.js'
import type { FlagValues, Io } from './usage.js'

/** What stands for the tracker where nobody has said which it is. */
const NOWHERE = 'http://tracker.invalid'

/** Nothing is sent, so that no token is needed. */
export function offlineProfile(
  { profile: file, 'base-url': baseUrl }: FlagValues,
  env: Io['env'],
): OfflineProfile {
  checkBaseUrl(baseUrl)
  const known = env.TRACKER_TOKEN ? { administrator: env.TRACKER_TOKEN } : {}
  if (file === undefined) return { baseUrl: NOWHERE, tokens: known }
  const given = readProfile(file)
  const tokens = { ...known, ...(typeof given.tokens === 'object' ? given.tokens : {}) }
  const hasToken = 'administrator' in tokens
  const whole = { ...given, tokens: hasToken ? tokens : { ...tokens, administrator: 'none' } }
  const profile = parseProfile(whole, `profile ${file}`)
  const { administrator: _, ...others } = profile.tokens
  return hasToken ? profile : { ...profile, tokens: others }
}

/** Each group of files as one recording. Throws a `UsageError` that names the files. */
export function readRecordings(
  groups: readonly (readonly string[])[],
  flags: FlagValues,
  profile: OfflineProfile,
): ReadHar[] {
  return groups.map((files) => {
    const hars = files.map((file) => readHarFile(file))
    try {
      return readHar(hars, { baseUrl: flags['base-url'], ext: flags.ext, profile })
    } catch (error) {
      throw error instanceof UsageError ? new UsageError(`${files.join(', ')}: ${error.message}`) : error
    }
  })
}

/** Where there are operations under another segment. */
export const hintAt = (otherExt: string | null): string =>
  otherExt === null ? '' : `; operations were recorded under /plugins/${otherExt}: give --ext ${otherExt}`

export interface Recordings {
  /** Under the REST root and the segment of what was recorded. */
  readonly profile: OfflineProfile
  /** One for each file: what was there before is not taken over from one to the next. */
  readonly traces: readonly ReadHar[]
}

/** The files of `--from`, for a command that learns or compares. */
export function recordingsFrom(
  command: string,
  files: readonly string[],
  flags: FlagValues,
  env: Io['env'],
): Recordings {
  const profile = offlineProfile(flags, env)
  const single = files.map((file) => [file])
  const traces = readRecordings(single, flags, profile)
  for (const [index, { exchanges, otherExt }] of traces.entries()) {
    if (exchanges.length > 0) continue
    throw new UsageError(
      `${command}: ${files[index]}: no recorded request is an operation of the interface${hintAt(otherExt)}`,
    )
  }
  const [baseUrl] = traces.flatMap((one) => one.baseUrl ?? [])
  const ext = flags.ext ?? profile.ext
  return {
    profile: { ...profile, baseUrl: baseUrl ?? profile.baseUrl, ...(ext === undefined ? {} : { ext }) },
    traces,
  }
}
