/**
 * `tracker-kit check --targets`: runs the suite on many trackers, a few at a time. Each line of their list is a profile, as
 * the path of its file or as JSON.
 */
import { basename, dirname, join, resolve } from 'node:path'
import { jsonIn, readText } from '../client/files.js'
import { membersOf } from '../client/look.js'
import { parseProfile, readProfile } from '../client/profile.js'
import { UnreachableError, UsageError } from '../contract/trouble.js'
import { version } from '../contract/version.js'
import { digestOf } from '../report/baseline.js'
import { deviationsOf, fleetReport, fleetTarget, type Ran } from '../report/fleet.js'
import type { Report } from '../report/report.js'
import { askedOf, checkTarget } from './check-target.js'
import { makeDirectory } from './files.js'
import { announce, removeReports, writeReports } from './report-files.js'
import { asideOf, exitCodes, type FlagValues, type Io, integerOf } from './usage.js'

/** Flags that each profile replaces, or that concern a single tracker. */
const refused = ['base-url', 'profile', 'token', 'ext', 'baseline', 'write-baseline', 'plan'] as const

/** The flags that determine how each tracker is judged, which all shards must share. */
const judging = ['safety', 'runs', 'only', 'fail-on', 'strict', 'max-requests'] as const

/** Returns the highest exit code of the trackers. */
export async function checkFleet(file: string, flags: FlagValues, io: Io): Promise<number> {
  const other = refused.find((name) => flags[name] !== undefined)
  if (other !== undefined)
    throw new UsageError(
      `--${other} is about one tracker; leave it out, or give --profile FILE in place of --targets`,
    )
  const { runId, settings, out } = askedOf(flags, io.env)
  const { seed, seedGiven, shard } = settings
  const { targets, digest } = readTargets(file, io.env.TRACKER_TOKEN || undefined)
  const waiting = targets.filter(({ position }) => !shard || (position - 1) % shard.count === shard.index - 1)
  const startedAt = new Date()
  if (out !== null) await makeDirectory(out)
  // The checks do not see the environment, so they cannot read the run id there.
  const { targets: _, concurrency: _c, shard: _s, out: _o, ...given } = flags
  const passed = { ...given, seed: String(seed), quiet: '', ...(runId === null ? {} : { 'run-id': runId }) }
  const ran: Ran[] = []
  const total = waiting.length
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const one = await runOne(next, out === null ? passed : { ...passed, out: join(out, next.name) }, io)
      ran.push(one)
      const { verdict, because } = fleetTarget(one)
      const said = because === null ? verdict : `${verdict}: ${because}`
      asideOf(flags, io).err(`${ran.length}/${total} ${next.name} ${said}\n`)
    }
  }
  await Promise.all(Array.from({ length: integerOf(flags, 'concurrency', 4) }, work))
  const report = fleetReport({
    ...{ version, startedAt: startedAt.toISOString(), durationMs: Date.now() - startedAt.getTime() },
    settings: Object.fromEntries(judging.map((name) => [name, flags[name] ?? 'default'])),
    ...{ runId, seed, seedGiven, shard, list: { targets: targets.length, digest } },
    targets: ran.map(fleetTarget),
    deviations: ran.flatMap(({ name, report: one }) => (one ? deviationsOf(name, one) : [])),
  })
  if (out !== null) await writeReports(report, out)
  await announce(report, out, flags, io)
  return report.summary.code
}

/** Checks a tracker. No trouble with one tracker ends the checks of the others. */
async function runOne(listed: Listed, flags: FlagValues, io: Io): Promise<Ran> {
  const { profile, trouble, flags: own, ...entry } = listed
  let report: Report | null = null
  const ended = (code: number, because: string | null): Ran => ({ ...entry, code, because, report })
  await removeReports(flags)
  if (profile === null || trouble !== null) return ended(exitCodes.usage, trouble)
  if (io.signal.aborted) return ended(exitCodes.cancelled, 'not run: the run was cancelled')
  const err = (text: string) => io.err(`${listed.name}: ${text}`)
  const alone: Io = { ...io, out: () => undefined, err, env: {} }
  try {
    const onReport = (found: Report) => {
      report = found
    }
    const asked = { ...askedOf({ ...flags, ...own }, alone.env), onReport }
    return ended(await checkTarget({ profile }, asked, alone), null)
  } catch (error) {
    const { message } = error as Error
    if (error instanceof UsageError) return ended(exitCodes.usage, message)
    const isKnown = error instanceof UnreachableError
    return ended(exitCodes.unreachable, isKnown ? message : `the check itself broke: ${message}`)
  }
}

type Listed = ReturnType<typeof readTargets>['targets'][number]

/**
 * Reads the list without empty lines and those that begin with `#`. Throws a `UsageError` if it names no tracker; a
 * wrong profile is the trouble of its line. `fallback` is the token of profiles without one. The digest is the same for
 * the same trackers in the same order.
 */
export function readTargets(file: string, fallback: string | undefined) {
  // The names of the files beside the trackers' folders are taken.
  const names = new Set(['report.json', 'report.html', 'summary.md'])
  const places = new Map<string, number>()
  const lines = readText(`--targets ${file}`, file)
    .split('\n')
    .map((text, index) => ({ line: index + 1, text: text.trim() }))
    .filter(({ text }) => text !== '' && !text.startsWith('#'))
  const targets = lines.map(({ line, text }, index) => {
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
    /** They name the tracker on a command line. */
    const flags: FlagValues = isPath ? { profile: resolve(dirname(file), text) } : inline
    const name = freeName(stem, names)
    return { position: index + 1, name, baseUrl, profile, trouble: trouble ?? twice, flags }
  })
  if (targets.length === 0) throw new UsageError(`--targets ${file} names no tracker`)
  return { targets, digest: digestOf(targets.map(({ name, baseUrl }) => `${name}\t${baseUrl}\n`).join('')) }
}

/** `trouble`: why the tracker cannot be checked. */
function profileOf(text: string, source: string, folder: string, fallback: string | undefined) {
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

/** A unique name that can be a folder. */
function freeName(stem: string, names: Set<string>): string {
  const signs = stem.replace(/^https?:\/\//i, '').replace(/[^\w.-]+/g, '-')
  const plain = signs.replace(/^[.-]+|[.-]+$/g, '').slice(0, 100) || 'tracker'
  let name = plain
  // Names that differ only in case are the same folder on some machines.
  for (let number = 2; names.has(name.toLowerCase()); number++) name = `${plain}-${number}`
  names.add(name.toLowerCase())
  return name
}
