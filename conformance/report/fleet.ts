/** The report on many trackers: one line for each, and which deviations they share. */
import { z } from 'zod'
import type { Report } from './report.js'
import { isPart } from './skipped.js'

const verdict = z.enum(['conforms', 'deviates', 'inconclusive', 'unusable'])
const counts = z.object({ passed: z.int(), failed: z.int(), skipped: z.int() })

const target = z.object({
  /** Place in the list, from 1. */
  position: z.int(),
  /** Its folder beside this report. */
  name: z.string(),
  /** Null where its profile could not be read. */
  baseUrl: z.string().nullable(),
  /** What `tracker-kit check` on it alone would have ended with. */
  code: z.int(),
  /** `unusable`: its profile is wrong, and it was not asked. */
  verdict,
  because: z.string().nullable(),
  must: counts,
  should: counts,
  /** Requirements that were judged, of all that there are; 0 of 0 where there was no run. */
  judged: z.int(),
  of: z.int(),
  /** Whether its verdict speaks of a part of the document alone. */
  part: z.boolean(),
  requests: z.int(),
  durationMs: z.number(),
  /** How many things the run made there and could not remove. */
  leftovers: z.int(),
})

const deviation = z.object({
  requirement: z.string(),
  level: z.enum(['must', 'should']),
  statement: z.string(),
  /** What one of the trackers did. */
  message: z.string(),
  /** Names. */
  targets: z.array(z.string()),
})

export const fleetSchema = z.object({
  schema: z.literal('tracker-kit/fleet@1'),
  version: z.string(),
  startedAt: z.iso.datetime(),
  durationMs: z.number(),
  /** What all shards of one run share, and no other run has; null where nobody said it. */
  runId: z.string().nullable(),
  /** What else the shards of one run have in common: the flags of every tracker's check, by their names. */
  settings: z.record(z.string(), z.string()),
  seed: z.int(),
  /** Whether somebody chose the seed; one drawn at random is another in each shard. */
  seedGiven: z.boolean(),
  shard: z.object({ index: z.int(), count: z.int() }).nullable(),
  /** The whole list, of which a shard has a part. */
  list: z.object({ targets: z.int(), digest: z.string() }),
  /** The highest code, and how many trackers have each verdict. */
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

/** Adds up what is known of each tracker. `least`: the exit code is no lower, whatever they say. */
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

/** What the list says of a tracker, and how its run ended. */
export interface Ran extends Pick<FleetTarget, 'position' | 'name' | 'baseUrl' | 'code' | 'because'> {
  /** Null where there is none. */
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

/** The requirements that a tracker failed, each once. */
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
