/** Delta debugging: finds a smallest part of a list that still shows what the whole list shows. */

/**
 * Returns a part from which no member can be removed; other parts may be as small. The whole list is known to show it.
 * `shows` is called once for each other part, and never for an empty one.
 */
export async function smallest<T>(list: readonly T[], shows: (part: readonly T[]) => Promise<boolean>) {
  const asked = new Map<string, boolean>()
  const place = new Map(list.map((item, index) => [item, index]))
  const holds = async (part: readonly T[]) => {
    if (part.length === 0) return false
    const key = part.map((item) => place.get(item)).join()
    const known = asked.get(key) ?? (await shows(part))
    asked.set(key, known)
    return known
  }
  const firstOf = async (candidates: readonly (readonly T[])[]) => {
    for (const candidate of candidates) if (await holds(candidate)) return candidate
    return null
  }

  let found = list
  for (let pieces = 2; found.length > 1; ) {
    const size = Math.ceil(found.length / pieces)
    const parts = Array.from({ length: Math.ceil(found.length / size) }, (_, index) =>
      found.slice(index * size, (index + 1) * size),
    )
    const others = parts.map((part) => found.filter((item) => !part.includes(item)))
    const part = await firstOf(parts)
    const other = part ?? (pieces === 2 ? null : await firstOf(others))
    if (other !== null) {
      found = other
      pieces = part ? 2 : Math.max(2, pieces - 1)
    } else if (size === 1) break
    else pieces = Math.min(found.length, pieces * 2)
  }
  return found
}
