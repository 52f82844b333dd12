/** Decides which findings count: a network, a proxy or a restart may spoil one exchange, but hardly two in the same way. */
import type { OperationId } from '../contract/index.js'
import type { Exchange } from '../oracle/exchange.js'
import type { Finding } from '../oracle/finding.js'
import { groupBy } from '../oracle/json.js'

/** Operations that use up resources of the profile. A run may have only one exchange of each. */
const scarce: readonly OperationId[] = ['deleteHelpdeskRecipient']

/**
 * A finding of a whole trace counts where it shows in two exchanges, or rests on several. Of a scarce operation one
 * exchange is enough, unless the server failed in it.
 */
export function confirmed(findings: readonly Finding[], trace: readonly Exchange[]): Finding[] {
  const first = firstOfRow(trace)
  const places = groupBy(findings, keyOf)
  const failed = new Set(trace.filter(({ status }) => status >= 500).map(({ n }) => n))
  return findings.filter((one) => {
    const exchanges = new Set(places.get(keyOf(one))?.map(({ n }) => first.get(n) ?? n))
    const isEnough = scarce.includes(one.operation) && !failed.has(one.n)
    return exchanges.size + one.evidence > 2 || isEnough
  })
}

/** What a finding says, wherever it shows. */
export const keyOf = ({ rule, operation }: Pick<Finding, 'rule' | 'operation'>): string =>
  `${rule} ${operation}`

/** The first of equal requests in a row: an immediate repetition proves nothing, since a disturbance may last. */
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
