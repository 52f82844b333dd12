/** The candidate that a typing error most likely meant, or null if none is close. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const most = Math.max(word.length < 5 ? 1 : 2, Math.floor(word.length / 3))
  const [close] = candidates
    .map((name) => ({ name, distance: editDistance(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
  if (close) return close.name
  // The beginning of a name, or the last part of a dotted one, differs in many letters but is clear nevertheless.
  const begins = (name: string) => editDistance(word, name.slice(0, word.length)) <= word.length / 4
  const parts = candidates.filter((name) => word.length > 1 && (begins(name) || name.endsWith(`.${word}`)))
  return parts.length === 1 ? (parts[0] ?? null) : null
}

/** An error about an unknown name, with the likely name or, if there are few, all known names. */
export function noSuch(kind: string, name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  const all = known.length <= 30 ? `; there are ${known.join(', ') || 'none'}` : ''
  return `no ${kind} is called "${name}"${near ? `; did you mean "${near}"?` : all}`
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitute = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(substitute, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
