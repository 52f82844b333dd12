/** The report on many trackers: one entry for each, and the deviations that they share. */
import { z } from 'zod'
import { groupBy } from '../oracle/json.js'
import { failureSchema, type Report, reportSchema, shardedSchema } from './report.js'
import { isPart } from './view.js'

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
  /** All are 0 if there was no run. */
  ...reportSchema.shape.summary.pick({ must: true, should: true, judged: true, of: true, requests: true })
    .shape,
  /** Whether the verdict covers only a part of the document. */
  part: z.boolean(),
  durationMs: z.number(),
  /** How many things the run created there and could not remove. */
  leftovers: z.int(),
})

/** A requirement that trackers failed, with the message of one of them and the names of all. */
const deviation = failureSchema
  .pick({ requirement: true, level: true, statement: true, message: true })
  .extend({ targets: z.array(z.string()) })

export const fleetSchema = shardedSchema.extend({
  schema: z.literal('tracker-kit/fleet@1'),
  /** What else the shards of one run share: the flags of every tracker's check, by name. */
  settings: z.record(z.string(), z.string()),
  /** Whether the user chose the seed; a random seed differs between shards. */
  seedGiven: z.boolean(),
  /** The whole list; a shard covers a part of it. */
  list: z.object({ targets: z.int(), digest: z.string() }),
  /** The highest exit code, and how many trackers have each verdict. */
  summary: z.object({ code: z.int(), verdicts: z.record(verdict, z.int()) }),
  targets: z.array(target),
  deviations: z.array(deviation),
})

export type FleetReport = z.infer<typeof fleetSchema>
export type FleetTarget = z.infer<typeof target>
export type Deviation = z.infer<typeof deviation>

export const verdicts = verdict.options

export function fleetReport(facts: Omit<FleetReport, 'schema' | 'summary'>): FleetReport {
  const counts = verdicts.map((one) => [one, facts.targets.filter(({ verdict }) => verdict === one).length])
  const common = [...groupBy(facts.deviations, ({ requirement }) => requirement).values()]
  return {
    schema: 'tracker-kit/fleet@1',
    ...facts,
    summary: {
      code: Math.max(0, ...facts.targets.map(({ code }) => code)),
      verdicts: Object.fromEntries(counts) as FleetReport['summary']['verdicts'],
    },
    targets: facts.targets.toSorted(
      (a, b) =>
        b.code - a.code ||
        b.must.failed - a.must.failed ||
        b.should.failed - a.should.failed ||
        a.position - b.position,
    ),
    deviations: common
      .map((group) => ({ ...(group[0] as Deviation), targets: group.flatMap(({ targets }) => targets) }))
      .sort((a, b) => b.targets.length - a.targets.length || a.requirement.localeCompare(b.requirement)),
  }
}

/** The entry of a tracker in the list, and how its run ended. */
export interface Ran extends Pick<FleetTarget, 'position' | 'name' | 'baseUrl' | 'code' | 'because'> {
  readonly report: Report | null
}

export function fleetTarget({ report, ...ran }: Ran): FleetTarget {
  const verdictOf = { 0: 'conforms', 1: 'deviates', 2: 'unusable' } as const
  const none = { passed: 0, failed: 0, skipped: 0 }
  const unjudged = { must: none, should: none, judged: 0, of: 0, requests: 0, because: null }
  const { must, should, judged, of, requests, because } = report?.summary ?? unjudged
  return {
    ...{ ...ran, verdict: verdictOf[ran.code as 0] ?? 'inconclusive', because: ran.because ?? because },
    ...{ must, should, judged, of, part: report !== null && isPart(report), requests },
    ...{ durationMs: report?.durationMs ?? 0, leftovers: report?.leftovers.length ?? 0 },
  }
}

/** The requirements that a tracker failed, without repetition. */
export const deviationsOf = (name: string, { requirements, failures }: Report): Deviation[] =>
  requirements
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ id, level, statement }) => {
      const { message = '' } = failures.find(({ requirement }) => requirement === id) ?? {}
      return { requirement: id, level, statement, message, targets: [name] }
    })
