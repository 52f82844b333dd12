/** Recorded traffic, and what is known about the recorded tracker. Nothing is sent. */
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { jsonIn, readText } from '../client/files.js'
import { type ReadHar, readHar } from '../client/har-read.js'
import { isObject, valueAt } from '../client/look.js'
import type { OfflineProfile } from '../client/profile.js'
import { UsageError } from '../contract/trouble.js'
import { groupBy } from '../oracle/json.js'
import { checkBaseUrl, profileOf } from './target.js'
import type { FlagValues, Io } from './usage.js'

/** The base URL of a tracker that nobody named. */
const NOWHERE = 'http://tracker.invalid'

/** A profile for a command that sends nothing and so needs no token. */
export function offlineProfile({ profile: file, ...flags }: FlagValues, env: Io['env']): OfflineProfile {
  checkBaseUrl(flags['base-url'])
  const known = file === undefined ? { 'base-url': NOWHERE } : { profile: file }
  const { profile, lacksToken } = profileOf(known, env)
  const { administrator: _, ...others } = profile.tokens
  return lacksToken ? { ...profile, tokens: others } : profile
}

/** Reads files as one recording. Throws a `UsageError` that names the files. */
export function readRecording(files: readonly string[], flags: FlagValues, profile: OfflineProfile): ReadHar {
  const hars = files.map(readHarFile)
  try {
    return readHar(hars, { baseUrl: flags['base-url'], ext: flags.ext, profile })
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${files.join(', ')}: ${error.message}`) : error
  }
}

/** The recorded entries that are left out, by reason; empty where there are none. */
export function passedText(traces: readonly ReadHar[]): string {
  const passed = traces.flatMap((one) => one.passed)
  const sumOf = (all: typeof passed) => all.reduce((sum, { count }) => sum + count, 0)
  return [...groupBy(passed, ({ reason }) => reason)]
    .map(([reason, all]) => `${sumOf(all)} ${reason}`)
    .join(', ')
}

export type Recordings = ReturnType<typeof recordingsFrom>

/** Reads the files of `--from`, for a command that learns or compares. */
export function recordingsFrom(files: readonly string[], flags: FlagValues, env: Io['env']) {
  const profile = offlineProfile(flags, env)
  const traces = files.map((file) => readRecording([file], flags, profile))
  for (const [index, { exchanges, hint }] of traces.entries()) {
    if (exchanges.length > 0) continue
    throw new UsageError(`${files[index]}: no recorded request is an operation of the interface${hint}`)
  }
  const [baseUrl] = traces.flatMap((one) => one.baseUrl ?? [])
  const ext = flags.ext ?? profile.ext
  return {
    /** With the REST root and the segment of the recording. */
    profile: { ...profile, baseUrl: baseUrl ?? profile.baseUrl, ...(ext === undefined ? {} : { ext }) },
    /** One for each file: the state after one file does not carry over to the next. */
    traces,
  }
}

/** Throws a `UsageError` that begins with the name of the file. */
function readHarFile(file: string): unknown {
  const text = readText(file, file)
  if (text.startsWith('PK'))
    throw new UsageError(`${file} is a ZIP archive; unpack it, and give the .har file in it`)
  const json = jsonIn(text.replace(/^\uFEFF/, ''), file)
  for (const entry of list(valueAt(json, '/log/entries')))
    for (const place of ['/request/postData', '/response/content'])
      attach(valueAt(entry, place), dirname(file))
  return json
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Adds a body from its file. If the file is missing, the body stays lost. */
function attach(body: unknown, folder: string): void {
  if (!isObject(body) || typeof body._file !== 'string' || body.text) return
  try {
    const text = readFileSync(join(folder, basename(body._file))).toString('base64')
    Object.assign(body, { text, encoding: 'base64' })
  } catch {
    // The reader of the HAR file reports what it could not judge.
  }
}
