/** What a run left, as reports show it: one line for many things that are alike. `report.json` lists all of them. */
import { groupBy } from './alike.js'
import type { Report } from './report.js'

/** Up to this many things of a kind are named; more are counted. */
const MOST_NAMED = 3

/** What is left on the target; nothing if the target ended with the run. */
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

/** Matches a thing that the run created: its kind, the tag of the run in its name, and why it is left. */
const own =
  /^(user|custom field) (?:of the run \((listed after the clean-up): )?.*?(tk[a-z]{5})(?:.*? \((.*)\)$)?/s

function ownIn(line: string): { kind?: string; tag?: string; why?: string } {
  const [, kind, listed, tag, why = ''] = own.exec(line) ?? []
  // The place in the reason differs between things that are left for the same reason.
  return kind && tag ? { kind, tag, why: listed ?? why.replace(/ at \d+/, '') } : {}
}
