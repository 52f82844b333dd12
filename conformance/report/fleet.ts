/** The report on many trackers: one entry for each, and the deviations that they share. */
import { z } from 'zod'
import { counts, level, type Report } from './report.js'
import { isPart } from './skipped.js'

const verdict = z.enum(['conforms', 'deviates', 'inconclusive', 'unusable'])
const target = z.object({
  /** The place in the list, from 1. */
  position: z.int(),
  /** The tracker's folder beside this report. */
  name: z.string(),
  /** Null if the profile could not be read. */
  baseUrl: z.string().nullable(),
  /** The exit code that `tracker-kit check` would have for this tracker alone. */
  code: z.int(),
  /** `unusable`: the profile is wrong, so nothing was sent. */
  verdict,
  because: z.string().nullable(),
  must: counts,
  should: counts,
  /** Requirements that were judged, and all requirements; 0 of 0 if there was no run. */
  judged: z.int(),
  of: z.int(),
  /** Whether the verdict covers only a part of the document. */
  part: z.boolean(),
  requests: z.int(),
  durationMs: z.number(),
  /** How many things the run created there and could not remove. */
  leftovers: z.int(),
})

const deviation = z.object({
  requirement: z.string(),
  level,
  statement: z.string(),
  /** The message of one of the trackers. */
  message: z.string(),
  /** The names of the trackers. */
  targets: z.array(z.string()),
})

export const fleetSchema = z.object({
  schema: z.literal('tracker-kit/fleet@1'),
  version: z.string(),
  startedAt: z.iso.datetime(),
  durationMs: z.number(),
  /** An id that all shards of one run share and no other run has; null if there is none. */
  runId: z.string().nullable(),
  /** What else the shards of one run share: the flags of every tracker's check, by name. */
  settings: z.record(z.string(), z.string()),
  seed: z.int(),
  /** Whether the user chose the seed; a random seed differs between shards. */
  seedGiven: z.boolean(),
  shard: z.object({ index: z.int(), count: z.int() }).nullable(),
  /** The whole list; a shard covers a part of it. */
  list: z.object({ targets: z.int(), digest: z.string() }),
  /** The highest exit code, and how many trackers have each verdict. */
  summary: z.object({ code: z.int(), verdicts: z.record(verdict, z.int()) }),
  /** Worst first. */
  targets: z.array(target),
  /** The most common first. */
  deviations: z.array(deviation),
})

export type FleetReport = z.infer<typeof fleetSchema>
export type FleetTarget = z.infer<typeof target>
export type Deviation = z.infer<typeof deviation>

export const verdicts = verdict.options

/** Sums up the results of all trackers. `least`: the lowest exit code that the report may have. */
export function fleetReport(facts: Omit<FleetReport, 'schema' | 'summary'>, least = 0): FleetReport {
  const number = (one: FleetTarget['verdict']) =>
    facts.targets.filter((target) => target.verdict === one).length
  const common = new Map<string, Deviation>()
  for (const one of facts.deviations) {
    const before = common.get(one.requirement)
    common.set(one.requirement, before ? { ...before, targets: [...before.targets, ...one.targets] } : one)
  }
  return {
    schema: 'tracker-kit/fleet@1',
    ...facts,
    summary: {
      code: Math.max(least, ...facts.targets.map(({ code }) => code)),
      verdicts: Object.fromEntries(verdicts.map((one) => [one, number(one)])) as Record<
        FleetTarget['verdict'],
        number
      >,
    },
    targets: facts.targets.toSorted(
      (a, b) =>
        b.code - a.code ||
        b.must.failed - a.must.failed ||
        b.should.failed - a.should.failed ||
        a.position - b.position,
    ),
    deviations: [...common.values()].sort(
      (a, b) => b.targets.length - a.targets.length || a.requirement.localeCompare(b.requirement),
    ),
  }
}

const none = { passed: 0, failed: 0, skipped: 0 }

/** The entry of a tracker in the list, and how its run ended. */
export interface Ran extends Pick<FleetTarget, 'position' | 'name' | 'baseUrl' | 'code' | 'because'> {
  /** Null if there was no report. */
  readonly report: Report | null
}

export function fleetTarget({ report, ...ran }: Ran): FleetTarget {
  const verdictOf = { 0: 'conforms', 1: 'deviates', 2: 'unusable' } as const
  const { summary, durationMs = 0, leftovers = [] } = report ?? {}
  return {
    ...ran,
    verdict: verdictOf[ran.code as 0] ?? 'inconclusive',
    because: ran.because ?? summary?.because ?? null,
    must: summary?.must ?? none,
    should: summary?.should ?? none,
    judged: summary?.judged ?? 0,
    of: summary?.of ?? 0,
    part: report !== null && isPart(report),
    requests: summary?.requests ?? 0,
    durationMs,
    leftovers: leftovers.length,
  }
}

/** The requirements that a tracker failed, without repetition. */
export function deviationsOf(name: string, report: Report): Deviation[] {
  return report.requirements
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ id, level, statement }) => ({
      requirement: id,
      level,
      statement,
      message: report.failures.find(({ requirement }) => requirement === id)?.message ?? '',
      targets: [name],
    }))
}
