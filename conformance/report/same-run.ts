/** Checks that reports are those of all shards of one run, on one tracker or many. */
import { UsageError } from '../contract/trouble.js'

/** What all shards of a run share; an error names the key. */
export type Facts = Readonly<Record<string, string>>

/** What reports on one tracker and on many have in common. */
interface Sharded {
  readonly version: string
  readonly startedAt: string
  readonly durationMs: number
  readonly runId: string | null
  readonly seed: number
  readonly shard: { readonly index: number; readonly count: number } | null
}

export interface Part<R> {
  /** Where the report was read from, for errors. */
  readonly source: string
  readonly report: R
}

/**
 * The facts of the whole run. Throws a `UsageError` unless the parts are all shards of one run, each once. `of` returns
 * what else the shards share, and whether the user chose the seed.
 */
export function wholeRun<R extends Sharded>(
  parts: readonly Part<R>[],
  of: (report: R) => { readonly facts: Facts; readonly seedGiven: boolean },
) {
  const [first] = parts
  if (!first) throw new UsageError('needs the directories of the shards')
  if (!first.report.shard)
    throw new UsageError(`${first.source} is the report of a whole run, not of a shard`)
  checkSame(parts, (report) => ({ ...ownFacts(report), ...of(report).facts }))
  // Without a run id, chosen seeds must be equal; random seeds differ within one run.
  const chosen = parts.filter(({ report }) => report.runId === null && of(report).seedGiven)
  checkSame(chosen, ({ seed }) => ({ seed: String(seed) }), '; give the shards the same --seed or --run-id')
  checkShards(parts, first.report.shard.count)
  const reports = parts.map(({ report }) => report)
  return {
    reports,
    startedAt: reports.map(({ startedAt }) => startedAt).sort()[0] ?? first.report.startedAt,
    durationMs: Math.max(...reports.map(({ durationMs }) => durationMs)),
    shard: null,
  }
}

const ownFacts = ({ runId, version, shard }: Sharded): Facts => ({
  'run id': runId ?? 'none',
  'suite version': version,
  'number of shards': String(shard?.count ?? 'none'),
})

/** Throws an error that names the first fact in which a part differs from the first part. */
function checkSame<R>(parts: readonly Part<R>[], factsOf: (report: R) => Facts, advice = ''): void {
  const [first] = parts
  for (const { source, report } of parts)
    for (const [name, value] of Object.entries(factsOf(report))) {
      const other = first && factsOf(first.report)[name]
      if (first && value !== other)
        throw new UsageError(
          `${source} has another ${name} than ${first.source}: ${value} instead of ${other}${advice}`,
        )
    }
}

function checkShards(parts: readonly Part<Sharded>[], count: number): void {
  const seen = new Map<number, string>()
  for (const { source, report } of parts) {
    const index = report.shard?.index ?? 0
    const other = seen.get(index)
    if (other !== undefined) throw new UsageError(`${other} and ${source} are both shard ${index}/${count}`)
    seen.set(index, source)
  }
  for (let index = 1; index <= count; index++)
    if (!seen.has(index)) throw new UsageError(`shard ${index}/${count} is missing`)
}
