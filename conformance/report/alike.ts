/**
 * Groups the failures of an operation that look alike, since one fault of a tracker fails many checks. The common cause
 * is likely but not known, so none is left out, and each requirement fails for itself.
 */
import type { OperationId } from '../contract/index.js'
import { groupBy } from '../oracle/json.js'
import { withoutValues } from './baseline.js'
import type { Report, ReportFailure } from './report.js'
import { counted, listed } from './words.js'

export interface Alike {
  /** The failure to read first: that of the requirement that covers the fewest operations. */
  readonly first: ReportFailure
  /** The operations that failed in this way, in the order of the run. */
  readonly operations: readonly OperationId[]
  /** The other failures, in the order of the run. */
  readonly rest: readonly ReportFailure[]
  /** `3 more failures look like it, likely for the same reason; in a, b and 3 more requirements`; empty without others. */
  readonly more: string
}

/** The groups in the order of the run. Failures in the baseline come last, in groups of their own. */
export function alike({ failures, requirements }: Pick<Report, 'failures' | 'requirements'>): Alike[] {
  const about = new Map(requirements.map(({ id, operations }) => [id, operations]))
  const rank = ({ requirement, level, operation }: ReportFailure) => {
    const operations = about.get(requirement) ?? []
    const width = operations.includes(operation) ? operations.length : 1000
    return width + (level === 'must' ? 0 : 10_000)
  }
  const firstOf = (group: readonly ReportFailure[]) =>
    group.reduce((best, one) => (rank(one) < rank(best) ? one : best))
  const sorted = failures.toSorted((a, b) => Number(a.known) - Number(b.known))
  // Many operations that fail in the same way at the same requirement have one fault, such as no check of tokens.
  const byOperation = groupBy(sorted, (one) => `${one.operation} ${one.known} ${manner(one)}`)
  const merged = groupBy([...byOperation.values()], (group) => {
    const { requirement, known, ...first } = firstOf(group)
    return `${requirement} ${known} ${wayOf(first)}`
  })
  return [...merged.values()].map((groups) => {
    const all = groups.flat()
    const first = firstOf(groups[0] ?? all)
    const operations = [...new Set(all.map(({ operation }) => operation))]
    const rest = all.filter((one) => one !== first)
    return { first, operations, rest, more: moreOf(first, rest) }
  })
}

/** In which way a check failed, whichever view has shown it. */
const wayOf = ({ seen = '' }: Pick<ReportFailure, 'seen'>): string =>
  withoutValues(seen).replace(/^.*\bshows /, 'shows ')

/**
 * The same for all members of a record: a change that is lost, or stored wrongly, shows at many of them. A request that is
 * accepted, and must not be, lacks the check of one requirement, and says nothing of others.
 */
function manner(one: ReportFailure): string {
  const way = wayOf(one)
  return way.startsWith('answered 2')
    ? `${way} ${one.requirement}`
    : way.replace(/^shows .*, not .*/s, 'shows another value')
}

function moreOf({ requirement: own }: ReportFailure, rest: readonly ReportFailure[]): string {
  if (rest.length === 0) return ''
  const others = [...new Set(rest.map(({ requirement }) => requirement))].filter((one) => one !== own)
  const where = others.length === 0 ? '' : `; in ${listed(others, 3, 'requirement')}`
  return `${counted(rest.length, 'more failure')} ${rest.length === 1 ? 'looks' : 'look'} like it, likely for the same reason${where}`
}
