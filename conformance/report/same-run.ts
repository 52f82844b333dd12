/** Checks that reports are those of all shards of one run, on one tracker or many. */
import { UsageError } from '../contract/trouble.js'

/** What all shards of a run share; an error names the key. */
export type Facts = Readonly<Record<string, string>>

interface Shard {
  /** Where the report was read from. */
  readonly source: string
  readonly facts: Facts
  readonly runId: string | null
  readonly seed: number
  readonly seedGiven: boolean
  readonly shard: { readonly index: number; readonly count: number } | null
}

/** Throws a `UsageError` unless the parts belong to one run and each shard is there once. */
export function checkSameRun(parts: readonly Shard[]): void {
  checkSame(parts)
  checkSeeds(parts)
  checkShards(parts)
}

/** Throws an error that names the first fact in which a part differs from the first part. */
function checkSame(parts: readonly Shard[]): void {
  const [first] = parts
  for (const { source, facts } of parts)
    for (const [name, value] of Object.entries(facts))
      if (first && value !== first.facts[name])
        throw new UsageError(
          `${source} has another ${name} than ${first.source}: ${value} instead of ${first.facts[name]}`,
        )
}

/** Without a run id, chosen seeds must be equal; random seeds differ within one run. */
function checkSeeds(parts: readonly Shard[]): void {
  const [first, ...others] = parts.filter(({ runId, seedGiven }) => runId === null && seedGiven)
  const other = others.find(({ seed }) => seed !== first?.seed)
  if (first && other)
    throw new UsageError(
      `${other.source} has another seed than ${first.source}: ${other.seed} instead of ${first.seed}; give the shards of one run the same --seed, or the same --run-id`,
    )
}

function checkShards(parts: readonly Shard[]): void {
  const count = parts[0]?.shard?.count ?? 0
  const seen = new Map<number, string>()
  for (const { source, shard } of parts) {
    const index = shard?.index ?? 0
    const other = seen.get(index)
    if (other !== undefined) throw new UsageError(`${other} and ${source} are both shard ${index}/${count}`)
    seen.set(index, source)
  }
  for (let index = 1; index <= count; index++)
    if (!seen.has(index)) throw new UsageError(`shard ${index}/${count} is missing`)
}
