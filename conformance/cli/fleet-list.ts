/** The list of trackers for `check --targets`: one profile in each line, as the path of its file or as JSON. */
import { basename, dirname, resolve } from 'node:path'
import { jsonIn, readText } from '../client/files.js'
import { membersOf } from '../client/look.js'
import { parseProfile, readProfile } from '../client/profile.js'
import type { Profile } from '../contract/index.js'
import { UsageError } from '../contract/trouble.js'
import { digestOf } from '../report/baseline.js'
import type { FlagValues } from './usage.js'

export interface Listed {
  /** From 1. */
  readonly position: number
  /** A unique name that can be a folder. */
  readonly name: string
  readonly baseUrl: string | null
  /** Null if it is wrong, or cannot be read. */
  readonly profile: Profile | null
  /** Why the tracker cannot be checked. */
  readonly trouble: string | null
  /** The flags that name the tracker on a command line. */
  readonly flags: FlagValues
}

/** Names of the files beside the trackers' folders. */
const taken = ['report.json', 'report.html', 'summary.md']

/**
 * Reads the list without empty lines and those that begin with `#`. Throws a `UsageError` if it names no tracker; a
 * wrong profile is the trouble of its line. `fallback` is the token of profiles without one. The digest is the same for
 * the same trackers in the same order.
 */
export function readTargets(file: string, fallback: string | undefined) {
  const names = new Set(taken)
  const places = new Map<string, number>()
  const lines = readText(`--targets ${file}`, file)
    .split('\n')
    .map((text, index) => ({ line: index + 1, text: text.trim() }))
    .filter(({ text }) => text !== '' && !text.startsWith('#'))
  const targets = lines.map(({ line, text }, index): Listed => {
    const isPath = !/^(\{|[a-z]+:\/\/)/i.test(text)
    const source = isPath ? `profile ${text}` : `line ${line} of ${file}`
    const { profile, trouble } = profileOf(text, source, dirname(file), fallback)
    const { baseUrl = null, ext } = profile ?? {}
    const stem = isPath ? basename(text).replace(/\.json$/, '') : (baseUrl ?? `line ${line}`)
    const place = `${baseUrl} ${ext ?? 'Ext'}`
    const other = baseUrl === null ? undefined : places.get(place)
    places.set(place, line)
    const twice = other === undefined ? null : `${source}: it is the same tracker as in line ${other}`
    // A profile without a file has its own token, so command lines must have a placeholder for it.
    const inline = { 'base-url': baseUrl ?? undefined, ext, token: '' }
    return {
      ...{ position: index + 1, name: freeName(stem, names), baseUrl, profile },
      trouble: trouble ?? twice,
      flags: isPath ? { profile: resolve(dirname(file), text) } : inline,
    }
  })
  if (targets.length === 0) throw new UsageError(`--targets ${file} names no tracker`)
  return { targets, digest: digestOf(targets.map(({ name, baseUrl }) => `${name}\t${baseUrl}\n`).join('')) }
}

function profileOf(
  text: string,
  source: string,
  folder: string,
  fallback: string | undefined,
): Pick<Listed, 'profile' | 'trouble'> {
  try {
    if (/^[a-z]+:\/\//i.test(text))
      throw new UsageError(
        `${source}: it is a URL, and a profile is needed: the path of its file, or {"baseUrl": …}`,
      )
    const given = text.startsWith('{')
      ? (jsonIn(text, source) as Readonly<Record<string, unknown>>)
      : readProfile(resolve(folder, text))
    // A profile's own token has priority: a tracker must not get the token of another.
    const own = { administrator: fallback, ...membersOf(given.tokens) }
    const profile = fallback === undefined ? given : { ...given, tokens: own }
    return { profile: parseProfile(profile, source), trouble: null }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { profile: null, trouble: error.message }
  }
}

function freeName(stem: string, names: Set<string>): string {
  const plain =
    stem
      .replace(/^https?:\/\//i, '')
      .replace(/[^\w.-]+/g, '-')
      .replace(/^[.-]+|[.-]+$/g, '')
      .slice(0, 100) || 'tracker'
  let name = plain
  // Names that differ only in case are the same folder on some machines.
  for (let number = 2; names.has(name.toLowerCase()); number++) name = `${plain}-${number}`
  names.add(name.toLowerCase())
  return name
}
