/** What a run left, as reports show it: one line for many things that are alike. `report.json` lists all of them. */
import { groupBy } from '../oracle/json.js'
import type { Report } from './report.js'

const MOST_NAMED = 3

/** What is left on the target; nothing if the target ended with the run. */
export const leftOn = ({ leftovers, vanished }: Pick<Report, 'leftovers' | 'vanished'>): string[] =>
  vanished ? [] : condensed(leftovers).map(withoutMiddle)

/** A name may have a thousand letters, and the reason stands behind it. */
const withoutMiddle = (line: string) =>
  line.length > LONGEST ? `${line.slice(0, LONGEST / 2)}…${line.slice(-LONGEST / 2)}` : line
const LONGEST = 200

export function condensed(leftovers: readonly string[]): string[] {
  const things = leftovers.map((line) => {
    const [, kind, listed, tag, why = ''] = made.exec(line) ?? []
    // The place in the reason differs between things that are left for the same reason.
    return { line, kind, tag, why: listed ?? why.replace(/ at \d+/, '') }
  })
  const groups = groupBy(things, ({ line, kind, why }) => (kind ? `${kind} ${why}` : line))
  return [...groups.values()].flatMap((group) => {
    const [{ kind, why } = {}] = group
    if (!kind || group.length <= MOST_NAMED) return group.map(({ line }) => line)
    const tags = new Set(group.map(({ tag }) => tag))
    return `${group.length} ${kind}s with ${[...tags].join(', ')} in their names (${why})`
  })
}

/** Matches a thing that the run created: its kind, the tag of the run in its name, and why it is left. */
const made =
  /^(user|custom field) (?:of the run \((listed after the clean-up): )?.*?(tk[a-z]{5})(?:.*? \((.*)\)$)?/s
