/** What a run left, as it is told: many things that are alike are one line. `report.json` has all of them. */
import { groupBy } from './alike.js'
import type { Report } from './report.js'

/** More of a kind than this are counted rather than named. */
const MOST_NAMED = 3

interface Left {
  readonly line: string
  /** What it is, such as `custom field`. */
  readonly kind: string
  /** Why it is left. */
  readonly why: string
  /** The tag that a run gives to what it makes, of each run; of a page that differs its title. */
  readonly tag: string
}

const DIFFERS = 'page'

/** Of a target that is there no more nothing is left. */
export const leftOn = ({ leftovers, vanished }: Pick<Report, 'leftovers' | 'vanished'>): string[] =>
  vanished ? [] : condensed(leftovers)

export function condensed(leftovers: readonly string[]): string[] {
  return groupBy(leftovers.map(parsed), ({ kind, why, line, tag }) =>
    tag === '' ? line : [kind, why],
  ).flatMap((group) => {
    const [first] = group
    const tags = [...new Set(group.map(({ tag }) => tag))]
    const isPage = first?.kind === DIFFERS
    const count = isPage ? tags.length : group.length
    if (!first || first.tag === '' || count <= MOST_NAMED) return group.map(({ line }) => line)
    const names = tags.join(', ')
    if (isPage) return [`${count} pages (show another ${first.why} than before the run: ${names})`]
    return [`${count} ${first.kind}s with ${names} in their names (${first.why})`]
  })
}

const named = /^(user|custom field) (?!of the run).*?(tk[a-z]{5}).*? \((.*)\)$/s
/** What a list has after the clean-up, quoted as it stands there. */
const listedAfter = /^(.+?) of the run \((listed after the clean-up): .*?(tk[a-z]{5})/s
/** At a place by its name; a record of a list is a thing of its own. */
const differing = /^(.+?) \((?:no longer shows|has come to show) (?!in its list)([\w$-]+(?:\.[\w$-]+)*) /s

function parsed(line: string): Left {
  const [, kind = '', tag = '', why = ''] = named.exec(line) ?? []
  // Where each of them stands is no reason of its own.
  if (tag !== '') return { line, kind, why: why.replace(/ at \d+/, ''), tag }
  const [, title = '', place = ''] = differing.exec(line) ?? []
  if (title !== '') return { line, kind: DIFFERS, why: place, tag: title }
  const [, ofKind = '', when = '', ofTag = ''] = listedAfter.exec(line) ?? []
  return { line, kind: ofKind, why: when, tag: ofTag }
}
