/** What a check sees of a run, and the verdicts that it can give. */

import type { Answer } from '../client/call.js'
import { documentedStatuses } from '../contract/index.js'
import { type ProfileField, profileFields } from './profile-fields.js'
import type { Check, Failure, Run, Shown } from './types.js'
import { Inconclusive, Skip } from './verdicts.js'

/**
 * Failures that read the same are told apart by the operation that showed each of them; of those that it does not tell
 * apart the first is enough.
 */
export function toldApart(failures: readonly Failure[]): Failure[] {
  const alike = (one: Failure, other: Failure) =>
    one.operation === other.operation && one.message === other.message
  const seenBy = ({ operation, exchange }: Failure) => exchange?.operation ?? operation
  return failures
    .filter(
      (one, index) =>
        !failures.slice(0, index).some((other) => alike(one, other) && seenBy(one) === seenBy(other)),
    )
    .map((one) => {
      const several = failures.some((other) => alike(one, other) && seenBy(one) !== seenBy(other))
      return several ? { ...one, message: `${one.message} (seen in ${seenBy(one)})` } : one
    })
}

export function failureOf(
  run: Run,
  answer: Answer,
  message: string,
  operation = answer.operation,
  { shownBy, ...judged }: Shown = {},
): Failure {
  const text = run.client.redact.text(message)
  const evidence = run.evidenceFor(answer, shownBy)
  return { operation, message: text, exchange: answer.exchange, evidence, ...judged }
}

export interface CheckState {
  readonly check: Check
  readonly failures: Failure[]
  readonly verdicts: () => number
  /** The fields of the profile that it has asked for. */
  readonly needed: ReadonlySet<ProfileField>
}

export function createCheck(run: Run): CheckState {
  const failures: Failure[] = []
  const needed = new Set<ProfileField>()
  let verdicts = 0

  function verify(
    holds: boolean,
    message: string,
    answer: Answer,
    operation = answer.operation,
    judged: Shown = {},
  ): boolean {
    verdicts += 1
    run.trail.judged(answer)
    if (!holds) failures.push(failureOf(run, answer, message, operation, judged))
    return holds
  }

  const check: Check = {
    get profile() {
      return run.profile
    },
    run,
    allows: run.allows,
    send(call) {
      if (run.cancelled) throw new Skip('the run was cancelled')
      return run.client.send(call)
    },
    look(call) {
      if (run.cancelled) throw new Skip('the run was cancelled')
      return run.client.look(call)
    },
    expect(answer, allowed, rule, operation) {
      const statuses = typeof allowed === 'number' ? [allowed] : allowed
      const expected = statuses.join(' or ')
      const note = documentedStatuses.includes(answer.status)
        ? ''
        : ', a status that the document does not list'
      return verify(
        statuses.includes(answer.status),
        `${rule}: expected ${expected}, saw ${answer.status}${note}`,
        answer,
        operation,
        { expected, seen: String(answer.status) },
      )
    },
    verify,
    pass() {
      verdicts += 1
    },
    need(field) {
      needed.add(field)
      const mistake = run.mistakes.find((one) => one.field === field || field.startsWith(`${one.field}.`))
      if (mistake) throw new Skip(`the profile's ${mistake.field} is refused by the target: ${mistake.words}`)
      const value = profileFields[field](run.profile)
      if (value === undefined) throw new Skip(`the profile has no ${field}`)
      return value as never
    },
    skip(reason) {
      throw new Skip(reason)
    },
    inconclusive(reason) {
      throw new Inconclusive(reason)
    },
    observe(decision, operation, value) {
      run.observe({ decision, operation, value: String(value) })
    },
  }
  return { check, failures, verdicts: () => verdicts, needed }
}
