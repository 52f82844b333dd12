import type { Requirement } from './requirement.js'
import type { RunOptions } from './run.js'

/** Whether `--only` and `--shard` leave a requirement in. */
export function isSelected(
  requirement: Requirement,
  { only, shard }: Pick<RunOptions, 'only' | 'shard'>,
): boolean {
  const named =
    only.length === 0 ||
    only.includes(requirement.id) ||
    requirement.operations.some((operation) => only.includes(operation))
  return named && (shard === null || shardOf(requirement.id, shard.count) === shard.index)
}

/** Stable over runs and machines: by the id alone. */
export function shardOf(id: string, count: number): number {
  let hash = 0x811c9dc5
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return ((hash >>> 0) % count) + 1
}
