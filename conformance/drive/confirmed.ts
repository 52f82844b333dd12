/** Which findings count: a network, a proxy or a restart may spoil one exchange, and hardly two in the same way. */
import type { Exchange } from '../oracle/exchange.js'
import type { Finding } from '../oracle/finding.js'

/** A finding of a whole trace counts where it shows in two exchanges, or rests on several. */
export function confirmed(findings: readonly Finding[], trace: readonly Exchange[]): Finding[] {
  const first = firstOfRow(trace)
  const places = new Map<string, Set<number>>()
  const keyOf = ({ rule, operation }: Finding) => `${rule} ${operation}`
  for (const one of findings)
    places.set(keyOf(one), (places.get(keyOf(one)) ?? new Set()).add(first.get(one.n) ?? one.n))
  return findings.filter((one) => (places.get(keyOf(one))?.size ?? 0) + one.evidence > 2)
}

/** A request that is sent again at once shows nothing new: what spoilt its first answer may still last. */
function firstOfRow(trace: readonly Exchange[]): ReadonlyMap<number, number> {
  const first = new Map<number, number>()
  for (const [index, one] of trace.entries()) {
    const before = trace[index - 1]
    if (before && textOf(before) === textOf(one)) first.set(one.n, first.get(before.n) ?? before.n)
  }
  return first
}

const textOf = ({ caller, method, path, query, body }: Exchange) =>
  JSON.stringify([caller, method, path, query, body])
