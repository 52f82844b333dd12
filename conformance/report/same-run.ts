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

/** Without a run id, seeds that the user chose must be equal; random seeds differ within one run. */
export const seedFact = ({ runId, seed }: Sharded, isGiven: boolean): Facts =>
  runId === null ? { seed: isGiven ? String(seed) : 'random' } : {}

/**
 * The facts of the whole run. Throws a `UsageError` unless the parts are all shards of one run, each once. `factsOf`
 * returns what else the shards share.
 */
export function wholeRun<R extends Sharded>(parts: readonly Part<R>[], factsOf: (report: R) => Facts) {
  const [first] = parts
  if (!first) throw new UsageError('needs the directories of the shards')
  const { shard } = first.report
  if (!shard) throw new UsageError(`${first.source} is the report of a whole run, not of a shard`)
  const facts = ({ runId, version, ...report }: R): [name: string, value: string][] =>
    Object.entries({
      'run id': runId ?? 'none',
      'suite version': version,
      'number of shards': String(report.shard?.count ?? 'none'),
      ...factsOf({ runId, version, ...report } as R),
    })
  const shared = new Map(facts(first.report))
  for (const { source, report } of parts)
    for (const [name, value] of facts(report)) {
      if (value === shared.get(name)) continue
      const advice = name === 'seed' ? '; give the shards the same --seed or --run-id' : ''
      throw new UsageError(
        `${source} has another ${name} than ${first.source}: ${value} instead of ${shared.get(name)}${advice}`,
      )
    }
  for (let index = 1; index <= shard.count; index++) {
    const [one, other] = parts.filter(({ report }) => report.shard?.index === index)
    const name = `shard ${index}/${shard.count}`
    if (!one) throw new UsageError(`${name} is missing`)
    if (other) throw new UsageError(`${one.source} and ${other.source} are both ${name}`)
  }
  const reports = parts.map(({ report }) => report)
  return {
    reports,
    startedAt: reports.map(({ startedAt }) => startedAt).sort()[0] ?? first.report.startedAt,
    durationMs: Math.max(...reports.map(({ durationMs }) => durationMs)),
    shard: null,
  }
}
