/** `1 failure`, `2 failures`. */
export const counted = (n: number, one: string, many = `${one}s`) => `${n} ${n === 1 ? one : many}`

/** `a, b and 3 more things`, or `a, b and 3 more`. */
export function listed(names: readonly string[], most: number, noun?: string): string {
  const more = names.length - most
  if (more <= 0) return names.join(', ')
  const rest = noun === undefined ? `${more} more` : counted(more, `more ${noun}`)
  return `${names.slice(0, most).join(', ')} and ${rest}`
}

/** The first lines, and one that counts the rest. */
export function bounded(lines: readonly string[], most: number, moreOf = (n: number) => `… and ${n} more`) {
  const more = lines.length - most
  return more > 0 ? [...lines.slice(0, most), moreOf(more)] : [...lines]
}

/** The blocks that are there, with an empty line between them. */
export const written = (blocks: readonly string[]) =>
  `${blocks.filter((block) => block !== '').join('\n\n')}\n`

/** A duration, as every report shows it: `1.2 s`. */
export const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** A table of Markdown. The columns with the names in `numbers` stand to the right. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: readonly string[] = [],
): string {
  const plain = (cell: string) => cell.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')
  const rule = head.map((name) => (numbers.includes(name) ? '--:' : '---'))
  return [head, rule, ...rows].map((cells) => `| ${cells.map(plain).join(' | ')} |`).join('\n')
}
