/** The evidence in the recording for each decision of a learnt file. */
import type { redactor } from '../../client/redact.js'
import { requestLines } from '../../contract/decisions/index.js'
import type { LedgerView, Pair, Values } from '../copy/emulator.js'
import type { Fitted } from '../fit/decisions.js'
import { distance } from '../trace/compare.js'
import type { Recorded } from '../trace/recorded.js'

export interface Evidence {
  readonly value: unknown
  /** `narrowed`: the exchanges rule out some values, and not those of `others`. */
  readonly sure: 'known' | 'narrowed' | 'contradicted' | 'never-shown'
  /** Numbers of the exchanges that rule out other values; `2:41` is exchange 41 of the second recording. */
  readonly exchanges?: readonly (number | string)[]
  /** Numbers of the exchanges that support another value. */
  readonly against?: readonly (number | string)[]
  /** Values that explain the exchanges equally well. */
  readonly others?: readonly unknown[]
  readonly reason?: string
  /** Requests whose answers differ between the values on the emulator, so that a reader can try them on the target. */
  readonly probe?: readonly string[]
}

const MOST_EXCHANGES = 5

export function evidenceOf(
  values: Values,
  fitted: Fitted,
  pairs: readonly Pair[],
  ledger: LedgerView,
  redact: ReturnType<typeof redactor>,
): Record<string, Evidence> {
  const isSeveral = pairs.some(({ recorded }) => recorded.part > 0)
  const numberOf = ({ n, part }: Recorded) => (isSeveral ? `${part + 1}:${n}` : n)
  const numbersOf = (calls: readonly Recorded[]) => [...new Set(calls.map(numberOf))].slice(0, MOST_EXCHANGES)
  /** Calls that the emulator still answers differently, with everything that was learnt. */
  const isUnlike = ({ recorded, replayed }: Pair) => distance(recorded, replayed.seen) > 5
  const unlike = new Set(pairs.filter(isUnlike).map(({ recorded }) => recorded))
  const one = (id: string, fallback: unknown): Evidence => {
    const value = id in values ? values[id] : fallback
    const trials = fitted.tried.get(id) ?? []
    const telling = trials.filter(({ worse, calls }) => worse > 0 && calls.length > 0)
    // A request line contains passwords of the emulator, which may also be passwords of the target.
    const probe = requestLines(id).map((line) => redact.text(line))
    const reason = `no recorded call ${trials.length === 0 ? 'depends on it' : 'tells its values apart'}`
    if (telling.length === 0) return { value, sure: 'never-shown', reason, probe }
    const exchanges = numbersOf(telling.flatMap((trial) => trial.calls))
    // A call that a learnt rule makes equal is no contradiction.
    const against = numbersOf(telling.flatMap((trial) => trial.against).filter((call) => unlike.has(call)))
    if (against.length > 0) return { value, sure: 'contradicted', exchanges, against }
    const others = trials.filter((trial) => !telling.includes(trial)).map((trial) => trial.value)
    return others.length > 0
      ? { value, sure: 'narrowed', exchanges, others, probe }
      : { value, sure: 'known', exchanges }
  }
  return Object.fromEntries(Object.entries(ledger).map(([id, row]) => [id, one(id, row.default)]))
}
