/** Which findings count: a network, a proxy or a restart may spoil one exchange, and hardly two in the same way. */
import type { OperationId } from '../contract/index.js'
import type { Finding } from '../oracle/finding.js'

/** They use up what the profile gives away, or end who a token speaks for, so a run cannot tell their story twice. */
const unrepeatable: readonly OperationId[] = [
  'deleteHelpdeskRecipient',
  'changeOwnPassword',
  'impersonateUser',
]

/** Of a whole trace. A finding counts where it shows in two exchanges, or rests on several. */
export function confirmed(findings: readonly Finding[]): Finding[] {
  const places = new Map<string, Set<number>>()
  const keyOf = ({ rule, operation }: Finding) => `${rule} ${operation}`
  for (const one of findings) places.set(keyOf(one), (places.get(keyOf(one)) ?? new Set()).add(one.n))
  return findings.filter(
    (one) => (places.get(keyOf(one))?.size ?? 0) + one.evidence > 2 || unrepeatable.includes(one.operation),
  )
}
