/** What a run, its requirements and their checks are to each other. */

import type { Answer, Call, Exchange } from '../client/call.js'
import type { Client, ClientOptions } from '../client/client.js'
import type { Ledger } from '../client/ledger.js'
import type { Swept } from '../client/sweep.js'
import type { OperationId, Profile, Safety } from '../contract/index.js'
import type { Own } from './own.js'
import type { ProfileField, ProfileFields } from './profile-fields.js'
import type { Script } from './script.js'
import type { Trail } from './trail.js'

export type { OwnField } from './own-fields.js'
export type { OwnUser } from './own-users.js'

/** What somebody needs who wants to see a failure again. Made once somebody looks. */
export interface Evidence {
  /** What led to it, in order; the last one shows it. */
  readonly steps: readonly Exchange[]
  /** How many that came before the first of them are left out. */
  readonly earlier: number
  readonly script: Script
}

/** What was judged, beside the message that says it in one line. */
export interface Judged {
  /** In an answer, as a JSON pointer behind the operation, or in words. */
  readonly place?: string
  readonly expected?: string
  readonly seen?: string
}

/** With the later answer that shows it, where the one to blame does not. */
export type Shown = Judged & { readonly shownBy?: Answer | undefined }

export interface Failure extends Judged {
  readonly operation: OperationId
  readonly message: string
  readonly exchange: Exchange | null
  readonly evidence?: Evidence
}

export interface Observation {
  readonly decision: string
  readonly operation: OperationId
  readonly value: string
}

export interface Check {
  readonly profile: Profile
  readonly run: Run
  /** Whether the run may do what needs this level. */
  allows(level: Safety): boolean
  send(call: Call): Promise<Answer>
  /** For a read that is not what is judged: its last answer, as long as nothing but reads was asked for since. */
  look(call: Call): Promise<Answer>
  /** Passes when the status is one of those allowed; otherwise records a failure and goes on. Returns the verdict. */
  expect(answer: Answer, allowed: number | readonly number[], rule: string, operation?: OperationId): boolean
  /** As `expect`, for what is seen otherwise than in a status. */
  verify(holds: boolean, message: string, answer: Answer, operation?: OperationId, judged?: Judged): boolean
  /** The verdict on many answers at once, all of them right. */
  pass(): void
  /** The profile's field, or a skip that names it. */
  need<F extends ProfileField>(field: F): NonNullable<ReturnType<ProfileFields[F]>>
  skip(reason: string): never
  inconclusive(reason: string): never
  /** What the target does where the document leaves it open. */
  observe(decision: string, operation: OperationId, value: string | number): void
}

export interface RunOptions {
  readonly profile: Profile
  /** Already bounded by the profile's own `safety`. */
  readonly safety: Safety
  readonly seed: number
  /** Generated cases of each property. */
  readonly runs: number
  readonly timeout: number
  readonly rate: number
  /** Checks at a time at most; default 1. */
  readonly concurrency?: number
  /** Requests in all, those of the clean-up apart; 0 sets no limit. */
  readonly budget: number
  /** Where the ledger of created things goes; null keeps it in memory. */
  readonly ledgerFile: string | null
  /** Requirement or operation ids; empty for all. */
  readonly only: readonly string[]
  /** Compares what reads show of the target before the run and after it. */
  readonly survey: boolean
  readonly shard: { readonly index: number; readonly count: number } | null
  readonly onExchange?: ClientOptions['onExchange']
}

export interface CheckResult {
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why it was skipped, or judged in part alone. */
  readonly reason?: string
  /** The target, not the profile, is the reason: it died, throttles, or refused a prerequisite. */
  readonly inconclusive?: 'target' | 'prerequisite'
  readonly failures: readonly Failure[]
}

export interface Run {
  /** As far as the target bears it out by now. */
  readonly profile: Profile
  /** Until the next call, for what compares a field with the lack of it. */
  assume(profile: Profile): void
  /** Fields of the profile that the target refuses, each told once. */
  readonly mistakes: readonly Mistake[]
  readonly options: RunOptions
  readonly client: Client
  readonly own: Own
  readonly ledger: Ledger
  /** The requests of the check that is under way. */
  readonly trail: Trail
  /** Whether another check that is under way has changed what this one has used, so that nothing it saw counts. */
  readonly isMixed: boolean
  /** For what uses such a thing that was seen by another one. */
  mix(): void
  /** `shownBy` is a later one that shows it. */
  evidenceFor(answer: Answer, shownBy?: Answer): Evidence
  /** Marks everything that the run makes. */
  readonly tag: string
  allows(level: Safety): boolean
  observe(observation: Observation): void
  readonly observations: readonly Observation[]
  /** One answer of each operation, status and shape, for the rules that hold for every answer. */
  samples(operation: OperationId): readonly Answer[]
  statuses(operation: OperationId): ReadonlyMap<number, number>
  /** Whether it was at fault in a check beside others, which were blamed for it. */
  isDoubted(operation: OperationId): boolean
  succeeded(operation: OperationId): boolean
  /** The password account as it stands now; null once the run no longer knows. */
  passwordAccount: { current: string; next: string } | null
  /** No further request of a check; what was made can still be swept. */
  cancel(): void
  readonly cancelled: boolean
  /** Before the first check. */
  lookAround(): Promise<void>
  /** After the clean-up: in words what is not as it was, beside what the ledger knows of. */
  changedOtherwise(): Promise<string[]>
  execute(requirement: Requirement, operation: OperationId): Promise<CheckResult>
  /** How many checks may be under way by now. */
  readonly width: number
  /** Before checks on these operations run beside each other: what any of them would find out for all. */
  prepare(operations: readonly OperationId[]): Promise<void>
  /** As `execute`, beside others: null where only `execute`, alone, can tell how it ends. */
  executeBeside(requirement: Requirement, operation: OperationId): Promise<CheckResult | null>
  /** Removes what the run made and puts back what it changed. */
  sweep(options: { keepShared: boolean }): Promise<void>
  readonly swept: readonly Swept[]
  /** Operation, status, count. */
  statusTable(): Record<string, Record<string, number>>
  close(): void
}

/**
 * One statement of the interface document and the check under it.
 *
 * `must`: the document says it plainly. `should`: the document says it of a thing whose shape it does not show.
 */
export interface Requirement {
  /** Stable and readable: `area.statement`. */
  readonly id: string
  readonly level: 'must' | 'should'
  /** Section of the interface document. */
  readonly section: string
  /** What a conforming tracker does, in our own words. */
  readonly statement: string
  readonly operations: readonly OperationId[]
  /** The level that the check needs; below it, the requirement is skipped. */
  readonly safety: Safety
  /** Its place in a run, the smallest first. */
  readonly rank?: number
  /** Runs the check once for each operation, rather than once for all of them. */
  readonly each?: true
  /** `end`: judged from all that was seen. `last`: may change who the administrator's token speaks for. */
  readonly phase?: 'end' | 'last'
  /** Judges an operation by many requests in a row, so that nothing else may ask for it meanwhile. */
  readonly inARow?: true
  /** Judges what depends on who asks, so that nobody else may ask meanwhile. */
  readonly alone?: true
  check(t: Check, operation: OperationId): Promise<void> | void
}

export interface Mistake {
  /** Dotted. */
  readonly field: string
  /** The target's own, or what it did instead. */
  readonly words: string
  readonly exchange: Exchange | null
}
