/** Renders a finding as text. */
import type { Exchange } from './exchange.js'
import type { Finding } from './finding.js'

const long = /([^/]{60})[^/]{20,}/g
const lineOf = ({ method, path, query, caller }: Exchange): string =>
  `${method} ${path.replace(/^.*\/plugins\/[^/]+/, '').replace(long, '$1…')}${query} as ${caller}`

/** One sentence: what each witness did, and what the last exchange shows. */
export function explain(finding: Finding, trace: ReadonlyMap<number, Exchange>): string {
  const { n, seen, place, allowed, witnesses } = finding
  const at = (number: number) => {
    const exchange = trace.get(number)
    return `#${number}${exchange ? ` (${lineOf(exchange)})` : ''}`
  }
  const earlier = witnesses
    .filter((one) => trace.has(one.n) && one.n !== n)
    .sort((a, b) => a.n - b.n)
    .map((one) => `${at(one.n)} ${one.did}`)
  const wanted = allowed.length > 0 ? `, and ${allowed.join(' or ')} is allowed` : ''
  const where = place === undefined ? '' : ` at ${place}`
  return [...earlier, `${at(n)}: ${seen}${where}${wanted}`].join('; ')
}
