/**
 * Whether the target bears out what the profile says of it. Each field is tried by itself before the first check that may
 * use it; what is shared is used no more for that than needed, so some fields are tried once a check could not do without
 * them, and always before the target is blamed. One that the target refuses is told once, as a mistake of the profile, and
 * is left out from then on. Where the fault may as well be the tracker's the field stays, and the checks judge.
 */

import { type Answer, NoAnswer } from '../client/call.js'
import { Withheld } from '../client/judge.js'
import type { OperationId } from '../contract/index.js'
import { createCheck } from './check.js'
import { thingFields } from './proven-things.js'
import { userFields } from './proven-users.js'
import { type FieldTrial, isGiven, leaveOut, type Verdict } from './trial.js'
import type { Mistake, Run } from './types.js'
import { Contradiction, Skip } from './verdicts.js'

export interface Proving {
  /** Before a check about these operations. */
  before(operations: readonly OperationId[]): Promise<void>
  /** After a check that failed, or could not do without what the target refused. Whether anything was found to be mistaken. */
  afterFailure(operations: readonly OperationId[], needed: ReadonlySet<string>): Promise<boolean>
  readonly mistakes: readonly Mistake[]
}

const trials: readonly FieldTrial[] = [...userFields, ...thingFields]

export function createProving(run: Run): Proving {
  const tried = new Set<FieldTrial>()
  const mistakes: Mistake[] = []

  /** Whether anything was left out. */
  async function tryAll(fields: readonly FieldTrial[]): Promise<boolean> {
    let isLess = false
    for (const trial of fields) {
      if (tried.has(trial) || !run.allows(trial.level) || !isGiven(run.profile, trial) || run.cancelled)
        continue
      tried.add(trial)
      const refusal = await verdictOf(trial)
      if (refusal === null) continue
      isLess = true
      if (refusal === 'in part') continue
      const { answer, words = saidIn(answer) } = refusal
      mistakes.push({ field: trial.field, words: run.client.redact.text(words), exchange: answer.exchange })
      run.assume(leaveOut(run.profile, trial.field))
    }
    return isLess
  }

  async function verdictOf(trial: FieldTrial): Promise<Verdict> {
    const before = run.profile
    try {
      return await trial.try(createCheck(run).check)
    } catch (error) {
      if (error instanceof NoAnswer) {
        // Whether it was done is not known; the checks meet the same silence, and say so.
        if (!run.cancelled && error.kind !== 'throttled') await run.own.startAfresh()
        return null
      }
      if (error instanceof Skip || error instanceof Withheld || error instanceof Contradiction) return null
      throw error
    } finally {
      run.assume(before)
    }
  }

  const about = (trial: FieldTrial, operations: readonly OperationId[], of = trial.of) =>
    of.some((operation) => operations.includes(operation))

  return {
    mistakes,
    async before(operations) {
      await tryAll(trials.filter((trial) => !trial.late && about(trial, operations)))
    },
    async afterFailure(operations, needed) {
      const isAsked = ({ field }: FieldTrial) =>
        [...needed].some((one) => field === one || field.startsWith(`${one}.`) || one.startsWith(`${field}.`))
      const isMeant = (trial: FieldTrial) =>
        about(trial, operations) || about(trial, operations, trial.inDoubtOf ?? []) || isAsked(trial)
      return tryAll(trials.filter(isMeant))
    },
  }
}

const MOST_WORDS = 200

/** `400 "No such option"` */
function saidIn({ status, json }: Answer): string {
  const message = (json as { message?: unknown } | null | undefined)?.message
  return typeof message === 'string'
    ? `${status} ${JSON.stringify(message.slice(0, MOST_WORDS))}`
    : `${status}`
}
