/** Makes the report of a run from what the run sent and how it was judged. */
import { type OperationId, operationIds, type Safety, safetyLevels } from '../contract/index.js'
import { whyNever } from '../drive/needs.js'
import type { Checked, DriveOptions } from '../drive/run.js'
import type { Exchange } from '../oracle/exchange.js'
import { groupBy } from '../oracle/json.js'
import { rules, type Verdict } from '../oracle/judge.js'
import { belowExtension, match } from '../oracle/operations.js'
import { type About, judgedReport } from './judged.js'
import type { Report } from './report.js'
import type { Gate } from './verdict.js'

export interface RunAbout
  extends Pick<About, 'only' | 'startedAt' | 'replay' | 'vanished' | 'runId' | 'seedGiven'> {
  readonly options: DriveOptions
  /** The same command with another `--safety`. */
  readonly rest?: (safety: Safety) => string
}

/** The operations that a run must call for these ids of requirements or operations; empty for all. */
export const operationsFor = (only: readonly string[]): OperationId[] => {
  const wanted = new Set(only.flatMap((id): readonly string[] => rules.get(id)?.operations ?? [id]))
  return operationIds.filter((operation) => wanted.has(operation))
}

export function runReport(checked: Checked, { options, rest, ...given }: RunAbout, gate: Gate): Report {
  const { profile, safety, seed, runs, shard = null } = options
  const trouble = checked.trouble ?? refusedCreations(checked)
  const about = {
    ...{ ...given, tracker: profile, safety, seed, runs, shard, trouble },
    ...{ profile: [...checked.mistakes], leftovers: [...checked.leftovers] },
    whyNever: whyNever(options, checked),
  }
  const report = judgedReport(checked, about, gate)
  const next = nextLevel(report, profile.safety)
  return { ...report, rest: (next && rest?.(next)) ?? null }
}

/** The next safety level if the run skipped something for its level, and the profile allows `most`. */
function nextLevel({ requirements, safety }: Report, most: Safety = 'destructive'): Safety | undefined {
  const isLeftOut = requirements.some(({ checks }) =>
    checks.some(({ reason = '' }) => reason.startsWith('needs --safety ')),
  )
  const [next] = safetyLevels.slice(safetyLevels.indexOf(safety) + 1, safetyLevels.indexOf(most) + 1)
  return isLeftOut ? next : undefined
}

/** Why most of a run cannot be judged: the target refused every creation. Null if it did not. */
function refusedCreations({ verdicts }: Checked): string | null {
  const creations = verdicts.filter(({ operation }) => /^create(User|CustomField)$/.test(operation))
  // A creation with a wrong status, such as 201, was carried out.
  const isDone = ({ rule, outcome }: Verdict) =>
    rule === 'success' ? /^(passed|failed)$/.test(outcome) : rule === 'status' && outcome === 'failed'
  const refused = creations.filter(({ rule, outcome }) => rule === 'success' && outcome === 'not judgeable')
  if (refused.length === 0 || creations.some(isDone)) return null
  return `the target accepted no request of ${refused.map((one) => one.operation).join(' and ')}; most checks need what one of these creates`
}

const FEW = 3
const lacking = new Set([404, 405, 501])

/** Operations that answered 404 for things that were shown, 405 or 501 to each of several requests: a tracker may lack them. */
export function lackedIn(trace: readonly Exchange[], ext?: string): OperationId[] {
  const asked = trace.flatMap(({ caller, method, path, status }) => {
    const found = caller === 'administrator' && match(method, belowExtension(path, ext) ?? '')
    return found ? [{ operation: found.operation.id, address: found.address, status }] : []
  })
  const shown = new Set(asked.flatMap(({ address, status }) => (status === 200 ? address : [])))
  const there = asked.filter(({ address = '', status }) => !address || shown.has(address) || status !== 404)
  return [...groupBy(there, ({ operation }) => operation)]
    .filter(([, all]) => all.length >= FEW && all.every(({ status }) => lacking.has(status)))
    .map(([operation]) => operation)
}

/** The result of a run that ended before its first request. */
export const nothingSeen = (trouble: string): Checked => ({
  ...{ findings: [], verdicts: [], observations: [], trace: [], stories: new Map(), sequences: [] },
  ...{ leftovers: [], mistakes: [], knowledge: { baseUrl: '', callers: [] }, trouble, requests: 0 },
})
