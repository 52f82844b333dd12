/** What a run left, as it is told: many things that are alike are one line. `report.json` has all of them. */
import { groupBy } from './alike.js'
import type { Report } from './report.js'

/** More of a kind than this are counted rather than named. */
const MOST_NAMED = 3

/** Of a target that is there no more nothing is left. */
export const leftOn = ({ leftovers, vanished }: Pick<Report, 'leftovers' | 'vanished'>): string[] =>
  vanished ? [] : condensed(leftovers)

export function condensed(leftovers: readonly string[]): string[] {
  const all = leftovers.map((line) => ({ line, ...ownIn(line) }))
  return groupBy(all, ({ line, kind, why }) => (kind === undefined ? line : [kind, why])).flatMap((group) => {
    const [{ kind, why } = {}] = group
    if (kind === undefined || group.length <= MOST_NAMED) return group.map(({ line }) => line)
    const tags = new Set(group.map(({ tag }) => tag))
    return [`${group.length} ${kind}s with ${[...tags].join(', ')} in their names (${why})`]
  })
}

/** What the run has made: of what kind, with the tag of the run in its name, and why it is left. */
const own =
  /^(user|custom field) (?:of the run \((listed after the clean-up): )?.*?(tk[a-z]{5})(?:.*? \((.*)\)$)?/s

function ownIn(line: string): { kind?: string; tag?: string; why?: string } {
  const [, kind, listed, tag, why = ''] = own.exec(line) ?? []
  // Where each of them stands is no reason of its own.
  return kind && tag ? { kind, tag, why: listed ?? why.replace(/ at \d+/, '') } : {}
}
