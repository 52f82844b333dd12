/** What speaks for each decision of a learnt file. */

import { redactor } from '../../client/redact.js'
import { requestLines } from '../../contract/decisions/index.js'
import type { Profile } from '../../contract/index.js'
import type { Live } from '../ask/run.js'
import type { Recorded, Transcript } from '../ask/script.js'
import type { LedgerView, Values } from '../copy/copy.js'
import type { Fitted } from '../fit/decisions.js'
import { gapsOfIds } from '../fit/direct.js'

export interface Evidence {
  readonly value: unknown
  readonly sure: 'seen' | 'contradicted' | 'not-probed'
  readonly reason?: string
  /** Requests that tell its values apart on the emulator, for whoever wants to know it of the target. */
  readonly probe?: readonly string[]
  readonly calls?: readonly {
    readonly not: unknown
    readonly request: string
    readonly body: unknown
    readonly status: number
    readonly answer: unknown
  }[]
}

export function idsSeen(values: Values, transcript: Transcript): Evidence {
  const value = values['create-id-assignment'] ?? 'increasing'
  const gaps = gapsOfIds(transcript)
  return gaps.length > 0
    ? { value, sure: 'seen', reason: `ids are ${[...new Set(gaps)].slice(0, 5).join(', ')} apart` }
    : { value, sure: 'not-probed', reason: 'no answer tells the ids of what was made' }
}

export function evidenceOf(
  values: Values,
  fitted: Fitted,
  live: Live,
  ledger: LedgerView,
  profile: Profile,
  /** Calls that the emulator answers otherwise, with all that was learnt. */
  unlike: ReadonlySet<Recorded>,
): Record<string, Evidence> {
  const redact = redactor(profile)
  const shown = ({ step, seen }: Recorded, not: unknown) => ({
    not,
    request: redact.text(
      `${step.operation} ${JSON.stringify({ ...step.path, ...(step.query ? { query: step.query } : {}), ...(step.as ? { as: step.as } : {}) })}`,
    ),
    body: step.body === undefined ? redact.body(step.rawBody ?? '') : redact.json(step.body),
    status: seen.status,
    answer: short(redact.json(seen.json)),
  })
  const reasons = [...new Set(Object.values(live.skipped))].slice(0, 3).join('; ')
  return Object.fromEntries(
    Object.entries(ledger).map(([id, { default: fallback }]): [string, Evidence] => {
      const value = id in values ? values[id] : fallback
      const trials = fitted.tried.get(id) ?? []
      const telling = trials.filter(({ worse, calls }) => worse > 0 && calls.length > 0)
      if (telling.length === 0) {
        const reason =
          trials.length === 0
            ? `no call that was allowed depends on it${reasons ? ` (not run: ${reasons})` : ''}`
            : 'no call told its values apart'
        // A line has the emulator's passwords, which the target may have too.
        const lines = requestLines(id).map((line) => redact.text(line))
        return [id, { value, sure: 'not-probed', reason, probe: lines }]
      }
      const calls = telling.flatMap(({ value: not, calls }) =>
        calls.slice(0, 1).map((call) => shown(call, not)),
      )
      // What a learnt rule tells apart contradicts nothing.
      const against = telling.some((trial) => trial.against.some((call) => unlike.has(call)))
      return [
        id,
        {
          value,
          sure: against ? 'contradicted' : 'seen',
          ...(against ? { reason: 'other calls speak for another value' } : {}),
          calls,
        },
      ]
    }),
  )
}

function short(value: unknown): unknown {
  const text = JSON.stringify(value) ?? ''
  return text.length > 400 ? `${text.slice(0, 400)}…` : value
}
