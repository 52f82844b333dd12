/** Facts about an exchange that only later exchanges show. */
import type { Exchange } from './exchange.js'
import { groupBy } from './json.js'
import type { Knowledge } from './knowledge.js'

const REFUSED = 401
const SERVED = 200
/** Refusals that make a caller a stranger. */
const ENOUGH = 3

/**
 * Relabels a caller as a stranger where it was refused before and after, or where it was refused often and
 * never served. A tracker may refuse the token of a disabled user at some operations only, so the profile has to tell which
 * that is.
 */
export function withStrangers(trace: readonly Exchange[], { callers }: Knowledge): readonly Exchange[] {
  if (!callers.includes('disabled')) return trace
  const strange = new Set<number>()
  const somebody = trace.filter(({ caller }) => caller.startsWith('somebody:'))
  for (const those of groupBy(somebody, ({ caller }) => caller).values()) {
    const refused = those.filter(({ status }) => status === REFUSED)
    const [first, last] = [refused[0], refused.at(-1)]
    if (!first || !last || refused.length < ENOUGH) continue
    const isNeverServed = those.every(({ status }) => status !== SERVED)
    for (const { n } of those) if (isNeverServed || (n >= first.n && n <= last.n)) strange.add(n)
  }
  return trace.map((one) => (strange.has(one.n) ? { ...one, caller: 'stranger:refused credentials' } : one))
}
