/** What a run left, as it is told: many things that are alike are one line. `report.json` has all of them. */
import { groupBy } from './alike.js'

/** More of a kind than this are counted rather than named. */
const MOST_NAMED = 3

interface Left {
  readonly line: string
  /** What it is, such as `custom field`. */
  readonly kind: string
  /** Why it is left. */
  readonly why: string
  /** How many things the line tells of. */
  readonly count: number
  /** The tag that a run gives to what it makes, of each run. */
  readonly tag: string
}

export function condensed(leftovers: readonly string[]): string[] {
  return groupBy(leftovers.map(parsed), ({ kind, why, line, tag }) =>
    tag === '' ? line : [kind, why],
  ).flatMap((group) => {
    const [first] = group
    const count = countOf(group)
    if (!first || first.tag === '' || count <= MOST_NAMED) return group.map(({ line }) => line)
    const tags = [...new Set(group.map(({ tag }) => tag))].join(', ')
    return [`${count} ${first.kind}s with ${tags} in their names (${first.why})`]
  })
}

/** How many things the lines tell of. */
export const countLeftovers = (leftovers: readonly string[]): number => countOf(leftovers.map(parsed))

const countOf = (all: readonly Left[]) => all.reduce((sum, { count }) => sum + count, 0)

const kinds = { user: 'user', customField: 'custom field', 'custom field': 'custom field' } as const

function parsed(line: string): Left {
  const counted = /^(\d+) (user)s with (tk[a-z]{5}) in their names \((.*)\)$/s.exec(line)
  if (counted) {
    const [, count, kind = '', tag = '', why = ''] = counted
    return { line, kind, why, count: Number(count), tag }
  }
  const named = /^(user|customField|custom field)(s?) (.*?(tk[a-z]{5}).*?) \((.*)\)$/s.exec(line)
  if (!named) return { line, kind: '', why: '', count: 1, tag: '' }
  const [, kind = '', many, names = '', tag = '', why = ''] = named
  const count = many === 's' ? names.split(', ').length : 1
  return { line, kind: kinds[kind as keyof typeof kinds], why, count, tag }
}
