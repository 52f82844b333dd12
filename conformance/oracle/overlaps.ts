/** Finds exchanges that overlapped with another about the same thing. */
import type { Exchange } from './exchange.js'
import { isObject, parsed } from './json.js'

/** Numbers of exchanges that overlap with a change that concerns the same thing, and of those changes. */
export function overlaps(trace: readonly Exchange[]): ReadonlySet<number> {
  const found = new Set<number>()
  const timed = trace.filter((one) => one.startedAt !== undefined && one.endedAt !== undefined)
  const byStart = [...timed].sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0))
  const blur = blurOf(timed)
  let open: Exchange[] = []
  for (const one of byStart) {
    open = open.filter((other) => (other.endedAt ?? 0) > (one.startedAt ?? 0) + blur)
    for (const other of open)
      if ((isChange(one) || isChange(other)) && concernsSame(one, other)) found.add(one.n).add(other.n)
    open.push(one)
  }
  return found
}

/** By how much rounding may move two times apart, in milliseconds. Most recordings round the start of a request. */
function blurOf(timed: readonly Exchange[]): number {
  const isRounded = (unit: number) => timed.every(({ startedAt = 0 }) => startedAt % unit === 0)
  // A few exchanges may begin at a whole second by accident.
  const unit = [...(timed.length > 9 ? [1000] : []), 1].find(isRounded) ?? 0
  const areEndsRounded = timed.every(({ endedAt = 0 }) => endedAt % 1 === 0)
  return unit + (areEndsRounded ? unit : 0)
}

const isChange = ({ method }: Exchange) => method !== 'GET'

const resourceOf = (path: string) => /\/plugins\/[^/]+\/(\w+)/.exec(path)?.[1] ?? path

/** The same resource, unless both address members of it by other names. */
function concernsSame(a: Exchange, b: Exchange): boolean {
  if (resourceOf(a.path) !== resourceOf(b.path)) return false
  const [words, others] = [wordsOf(a), wordsOf(b)]
  return words.size === 0 || others.size === 0 || [...words].some((word) => others.has(word))
}

/** Segments of paths that are no addresses. */
const fixed =
  /^(users|custom_fields|pages|projects|helpdesk|recipient|edit|update|reset|create|impersonate|plugin|install|uninstall|)$/
/** The address and the name by which an exchange tells what it is about; empty where it is about the whole resource. */
function wordsOf({ path, body }: Exchange): Set<string> {
  const json = body === null ? undefined : parsed(body)
  const part = isObject(json) && isObject(json.custom_field) ? json.custom_field : json
  const names = isObject(part) ? [part.username, part.name, part.email] : []
  const [, ...segments] = path.replace(/^.*?\/plugins\/[^/]+/, '').split('/')
  return new Set([
    ...segments.filter((one) => !fixed.test(one)),
    ...names.filter((one) => typeof one === 'string'),
  ])
}
