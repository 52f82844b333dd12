/** What a check sees of a run, and the verdicts that it can give. */
import type { OperationId, Profile, Safety } from '../contract/index.js'
import { documentedStatuses } from '../contract/index.js'
import type { Answer, Call, Exchange } from '../target/call.js'
import type { Run } from './run.js'

export interface Failure {
  readonly operation: OperationId
  readonly message: string
  readonly exchange: Exchange | null
}

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

export interface Observation {
  readonly decision: string
  readonly operation: OperationId
  readonly value: string
}

/** Ends a check without a verdict; the reason is reported. */
export class Skip extends Error {}

/** Ends a check with a failure, where what it was only to prepare contradicts what the target did before. */
export class Contradiction extends Error {
  constructor(
    message: string,
    readonly answer: Answer,
  ) {
    super(message)
  }
}

/** As a skip, where the target's behaviour is what stood in the way. */
export class Inconclusive extends Skip {}

/** The dotted names of profile fields, as reasons of a skip give them. */
const profileFields = {
  'tokens.restricted': (profile: Profile) => profile.tokens.restricted,
  'tokens.password': (profile: Profile) => profile.tokens.password,
  'tokens.disabled': (profile: Profile) => profile.tokens.disabled,
  passwordAccount: (profile: Profile) => profile.passwordAccount,
  user: (profile: Profile) => profile.user,
  accessLevel: (profile: Profile) => profile.accessLevel,
  projectAccessLevel: (profile: Profile) => profile.projectAccessLevel,
  projects: (profile: Profile) => (profile.projects?.length ? profile.projects : undefined),
  'customField.type': (profile: Profile) => profile.customField?.type,
  'customField.nameLimit': (profile: Profile) => profile.customField?.nameLimit,
  plugin: (profile: Profile) => profile.plugin,
  'plugin.priority': (profile: Profile) => profile.plugin?.priority,
  recipients: (profile: Profile) => (profile.recipients?.length ? profile.recipients : undefined),
  columns: (profile: Profile) => profile.columns,
  userSetting: (profile: Profile) => profile.userSetting,
  settings: (profile: Profile) => (profile.settings?.length ? profile.settings : undefined),
  'password.invalid': (profile: Profile) => profile.password?.invalid,
} as const

type ProfileFields = typeof profileFields
export type ProfileField = keyof ProfileFields

export interface Check {
  readonly profile: Profile
  readonly run: Run
  /** Whether the run may do what needs this level. */
  allows(level: Safety): boolean
  send(call: Call): Promise<Answer>
  /** Passes when the status is one of those allowed; otherwise records a failure and goes on. Returns the verdict. */
  expect(answer: Answer, allowed: number | readonly number[], rule: string, operation?: OperationId): boolean
  /** As `expect`, for what is seen otherwise than in a status. */
  verify(holds: boolean, message: string, answer: Answer, operation?: OperationId): boolean
  /** The verdict on many answers at once, all of them right. */
  pass(): void
  /** The profile's field, or a skip that names it. */
  need<F extends ProfileField>(field: F): NonNullable<ReturnType<ProfileFields[F]>>
  skip(reason: string): never
  inconclusive(reason: string): never
  /** What the target does where the document leaves it open. */
  observe(decision: string, operation: OperationId, value: string | number): void
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

  function verify(holds: boolean, message: string, answer: Answer, operation = answer.operation): boolean {
    verdicts += 1
    if (!holds)
      failures.push({ operation, message: run.client.redact.text(message), exchange: answer.exchange })
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
