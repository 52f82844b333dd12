/** Decides which findings count: a network, a proxy or a restart may spoil one exchange, but hardly two in the same way. */
import type { OperationId } from '../contract/index.js'
import type { Exchange } from '../oracle/exchange.js'
import { did, type Finding } from '../oracle/finding.js'
import { groupBy } from '../oracle/json.js'
import type { Judgement, Verdict } from '../oracle/judge.js'
import type { Driver } from './driver.js'

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
    return exchanges.size + one.evidence > 2 || (scarce.includes(one.operation) && !failed.has(one.n))
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

/** The beginning of why a verdict is open where its finding does not count. */
export const ONCE = 'it failed once, and'

/** The judgement of a run: only findings that count make a verdict. `trouble`: why the run ended early. */
export function counted({ findings, verdicts, observations }: Judgement, run: Run, trouble: string | null) {
  const sure = withSequences(confirmed(findings, run.trace), run)
  const why = `${ONCE} ${trouble === null ? 'could not be made to fail again' : 'the run ended before it could try again'}`
  const keys = new Set(sure.map(keyOf))
  const settled = verdicts.map(
    (one): Verdict =>
      one.outcome !== 'failed' || keys.has(keyOf(one)) ? one : { ...one, outcome: 'not judgeable', why },
  )
  return { findings: sure, verdicts: settled, observations }
}

type Run = Pick<Driver, 'sequences' | 'trace'>

/** The findings that a shortest sequence shows come first, and have all of its changes as witnesses. */
function withSequences(findings: readonly Finding[], { sequences, trace }: Run): Finding[] {
  const [whole, others]: [Finding[], Finding[]] = [[], []]
  for (const one of findings) {
    const shortest = sequences.find(({ from, to, isShortest }) => isShortest && one.n > from && one.n <= to)
    const known = new Set(one.witnesses.map(({ n }) => n))
    const steps = trace
      .slice(shortest?.from, one.n - 1)
      .filter(({ n, method }) => method !== 'GET' && !known.has(n))
      .map(({ n }) => did(n, 'is a step of the shortest sequence'))
    if (shortest) whole.push({ ...one, witnesses: [...one.witnesses, ...steps] })
    else others.push(one)
  }
  return [...whole, ...others]
}
