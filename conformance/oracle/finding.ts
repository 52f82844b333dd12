/** The oracle's output is data. One function renders it as text, another as HTML. */
import type { OperationId } from '../contract/index.js'
import type { Level } from './held.js'

/** An exchange that rules out every other explanation, and what it did. */
export interface Witness {
  readonly n: number
  readonly did: string
}

export interface Finding {
  readonly rule: string
  readonly level: Level
  readonly section: string
  readonly statement: string
  /** The operation to blame. */
  readonly operation: OperationId
  /** The exchange that shows it. */
  readonly n: number
  /** Statuses that were allowed; empty where the finding is not about a status. */
  readonly allowed: readonly number[]
  readonly seen: string
  /** A path in the answer. */
  readonly place?: string
  readonly witnesses: readonly Witness[]
  /** How many exchanges the finding rests on. */
  readonly evidence: number
  /** The finding of which this one is only a consequence, as `rule operation`. */
  readonly follows?: string
}

export type Outcome = 'passed' | 'failed' | 'not judgeable' | 'never exercised'

/** What became of one statement for one operation. */
export interface Verdict {
  readonly rule: string
  readonly operation: OperationId
  readonly level: Level
  readonly outcome: Outcome
  /** How many exchanges were judged. */
  readonly count: number
  /** Why it is not judgeable. */
  readonly why?: string
}

/** How a tracker has decided what the document leaves open. */
export interface Observation {
  /** The stage that is open. */
  readonly decision: string
  readonly operation: OperationId
  readonly value: string
}

export interface Judgement {
  readonly findings: readonly Finding[]
  readonly verdicts: readonly Verdict[]
  readonly observations: readonly Observation[]
}

/** What a rule over one or several exchanges sees. */
export interface Sighting {
  readonly op: OperationId
  readonly n: number
  readonly isRight: boolean
  readonly says?: string
  readonly place?: string
  readonly witnesses?: readonly Witness[]
  readonly level?: Level
  readonly evidence?: number
}

export const did = (n: number, what: string): Witness => ({ n, did: what })

/** A finding follows from a forbidden success that is among its witnesses. */
export function withCauses(findings: readonly Finding[]): Finding[] {
  const forbidden = new Map(
    findings
      // An undocumented status forbids nothing.
      .filter(({ rule, allowed: statuses }) => rule !== 'status' && statuses.length > 0)
      .map((one) => [one.n, `${one.rule} ${one.operation}`]),
  )
  return findings.map((one) => {
    const causes = one.witnesses.flatMap(({ n }) => forbidden.get(n) ?? [])
    const follows = causes.find((cause) => cause !== `${one.rule} ${one.operation}`)
    return follows === undefined || forbidden.has(one.n) ? one : { ...one, follows }
  })
}
