/** Stable over runs and machines: by the id alone. */
export function shardOf(id: string, count: number): number {
  let hash = 0x811c9dc5
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return ((hash >>> 0) % count) + 1
}
