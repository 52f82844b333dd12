/** The list of trackers for `check --targets`: one profile in each line, as the path of its file or as JSON. */
import { createHash } from 'node:crypto'
import { basename, dirname, resolve } from 'node:path'
import { jsonIn, readText } from '../client/files.js'
import { parseProfile, readProfile } from '../client/profile.js'
import { UsageError } from '../contract/trouble.js'
import type { FlagValues } from './usage.js'

export interface Listed {
  /** From 1. */
  readonly position: number
  /** A unique name that can be a folder. */
  readonly name: string
  readonly baseUrl: string | null
  /** The profile, not yet checked; null if it cannot be read. */
  readonly profile: Record<string, unknown> | null
  /** Where the profile is from; errors begin with it. */
  readonly source: string
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
  const targets = linesOf(file).map(({ line, text }, index): Listed => {
    const read = profileOf(text, file, line, fallback)
    const url = read.profile?.baseUrl
    const baseUrl = typeof url === 'string' ? url.replace(/\/+$/, '') : null
    const stem = read.stem ?? (baseUrl ?? `line ${line}`).replace(/^https?:\/\//i, '')
    const place = `${baseUrl} ${read.profile?.ext ?? 'Ext'}`
    const other = baseUrl === null ? undefined : places.get(place)
    places.set(place, line)
    const twice = other === undefined ? null : `${read.source}: it is the same tracker as in line ${other}`
    return {
      position: index + 1,
      name: freeName(stem, names),
      baseUrl,
      profile: read.profile,
      source: read.source,
      trouble: read.trouble ?? twice,
      flags: read.stem === null ? flagsOf(baseUrl, read.profile) : { profile: resolve(dirname(file), text) },
    }
  })
  if (targets.length === 0) throw new UsageError(`--targets ${file} names no tracker`)
  const hash = createHash('sha256')
  for (const { name, baseUrl } of targets) hash.update(`${name}\t${baseUrl}\n`)
  return { targets, digest: hash.digest('hex').slice(0, 16) }
}

function flagsOf(baseUrl: string | null, profile: Listed['profile']): FlagValues {
  const ext = typeof profile?.ext === 'string' ? { ext: profile.ext } : {}
  return { 'base-url': baseUrl ?? undefined, ...ext }
}

const linesOf = (file: string): { line: number; text: string }[] =>
  readText(`--targets ${file}`, file)
    .split('\n')
    .map((text, index) => ({ line: index + 1, text: text.trim() }))
    .filter(({ text }) => text !== '' && !text.startsWith('#'))

interface Read {
  readonly profile: Record<string, unknown> | null
  /** The name of the profile's file; null for JSON. */
  readonly stem: string | null
  readonly source: string
  readonly trouble: string | null
}

function profileOf(text: string, file: string, line: number, fallback: string | undefined): Read {
  if (/^[a-z]+:\/\//i.test(text)) {
    const source = `line ${line} of ${file}`
    const trouble = `${source}: it is a URL, and a profile is needed: the path of its file, or {"baseUrl": …}`
    return { profile: null, stem: null, source, trouble }
  }
  const inline = text.startsWith('{')
  const stem = inline ? null : basename(text).replace(/\.json$/, '')
  const source = inline ? `line ${line} of ${file}` : `profile ${text}`
  try {
    const given = inline
      ? (jsonIn(text, source) as Record<string, unknown>)
      : readProfile(resolve(dirname(file), text))
    const profile = withToken(given, fallback)
    parseProfile(profile, source)
    return { profile, stem, source, trouble: null }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { profile: null, stem, source, trouble: error.message }
  }
}

/** Adds the fallback token. A profile's own token has priority: a tracker must not get the token of another. */
function withToken(profile: Record<string, unknown>, fallback: string | undefined): Record<string, unknown> {
  if (fallback === undefined) return profile
  const tokens = typeof profile.tokens === 'object' && profile.tokens !== null ? profile.tokens : {}
  return { ...profile, tokens: { administrator: fallback, ...tokens } }
}

function freeName(stem: string, names: Set<string>): string {
  const plain =
    stem
      .replace(/[^\w.-]+/g, '-')
      .replace(/^[.-]+|[.-]+$/g, '')
      .slice(0, 100) || 'tracker'
  let name = plain
  // Names that differ only in case are the same folder on some machines.
  for (let number = 2; names.has(name.toLowerCase()); number++) name = `${plain}-${number}`
  names.add(name.toLowerCase())
  return name
}
