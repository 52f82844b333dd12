/** One run against one target: what its checks share. */

import { NoAnswer } from '../client/call.js'
import { createClient } from '../client/client.js'
import { Withheld } from '../client/judge.js'
import { createLedger } from '../client/ledger.js'
import { madeUpTag } from '../client/made-up.js'
import { changedOtherwise, lookAround } from '../client/survey.js'
import type { OperationId } from '../contract/index.js'
import { createBeside } from './beside.js'
import { createCheck, failureOf, toldApart } from './check.js'
import { createEchoes } from './echoes.js'
import { evidenceOf, wordsOfThings } from './evidence.js'
import { createOwn } from './own.js'
import { aboutOf } from './plan.js'
import { createProving } from './proven.js'
import { wordsIn } from './script.js'
import { createSeen } from './seen.js'
import { watchTokens } from './tokens.js'
import { createTrail } from './trail.js'
import type { CheckResult, Observation, Requirement, Run, RunOptions } from './types.js'
import { Contradiction, Inconclusive, Skip } from './verdicts.js'

/** After a first one that a silence ended. */
const MORE_ATTEMPTS = 2

/** Enough that it is more than one operation that fails. */
const SERVER_ERRORS = 20

export function createRun(options: RunOptions): Run {
  const { profile, safety } = options
  // Not from the seed: a second run with the same seed must not collide with what the first could not remove.
  const tag = madeUpTag()
  const seen = createSeen()
  /** Operations that were at fault in a check beside others. */
  const doubted = new Set<OperationId>()
  /** What failed beside others, though none of them has changed what it uses: whatever it did may keep it from failing again. */
  const failedBeside = new Map<string, CheckResult>()
  const observations = new Map<string, Observation>()
  let dead: string | null = null
  let cancelled = false
  /** Which request of the last attempt had no answer. */
  let placeOfSilence = 0

  const beside = createBeside(createLedger(options.ledgerFile, { tag, baseUrl: profile.baseUrl }))
  const { ledger } = beside
  const tokens = watchTokens()
  const wordOf = wordsOfThings(ledger)
  const trail = createTrail({ in: wordsIn(tag), ofId: wordOf })
  const client = createClient(profile, {
    safety,
    timeout: options.timeout,
    rate: options.rate,
    sockets: Math.max(8, options.concurrency ?? 1),
    ledger,
    onExchange: options.onExchange,
    onAnswer(answer, call) {
      tokens.onAnswer(answer, call)
      trail.note(answer, call)
      beside.note(call, answer)
      seen.note(answer)
      if (call.operation === 'deleteHelpdeskRecipient' && answer.status >= 200 && answer.status < 300)
        own.recipientDeleted(Number(call.path?.recipient_id))
      if (call.operation === 'deleteCustomField')
        own.deletionAnswered(Number(call.path?.field_id), answer.status)
    },
  })

  /** Whether it answers at all; with `rightly`, otherwise than with a server error. */
  async function alive({ rightly = false } = {}): Promise<boolean> {
    try {
      const { status } = await client.send({ operation: 'getAccountPage' })
      return !rightly || status < 500
    } catch {
      return false
    }
  }

  async function execute(requirement: Requirement, operation: OperationId): Promise<CheckResult> {
    // What was seen until then can be judged all the same.
    if (options.budget > 0 && client.requests >= options.budget && requirement.phase !== 'end')
      return inconclusive('target', `the budget of ${options.budget} requests is spent`)
    if (dead !== null) return inconclusive('target', dead)
    if (!run.allows(requirement.safety))
      return skipped(`needs --safety ${requirement.safety}, the run allows ${safety}`)
    const first = await fairly(requirement, operation)
    if (!(first instanceof NoAnswer) && !cancelled) await own.discard()
    if (first instanceof NoAnswer || first.outcome !== 'passed') own.forgetOtherUser()
    if (first instanceof NoAnswer) return silent(requirement, operation, first)
    if (client.serverErrors >= SERVER_ERRORS && !(await alive({ rightly: true })))
      dead = `the target answered ${client.serverErrors} times in a row with a server error, its account page too`
    // Afterwards an impersonation may be what has ended it.
    const ended = requirement.phase === undefined ? await tokens.ended(client) : null
    if (ended === null) return first
    dead = `the token of tokens.${ended} is not accepted any more, though it was before: 401; give one that lasts for the run`
    return inconclusive('target', dead)
  }

  /** Whatever another check or the target itself may be the cause of is left to be seen again alone. */
  async function executeBeside(
    requirement: Requirement,
    operation: OperationId,
  ): Promise<CheckResult | null> {
    if (dead !== null || !run.allows(requirement.safety)) return execute(requirement, operation)
    const { result, isMixed } = await beside.run((entries) =>
      trail.beside(async () => {
        const found = await attempt(requirement, operation)
        if (!(found instanceof NoAnswer) && !cancelled) await own.discard(entries)
        if (found instanceof NoAnswer || found.outcome !== 'passed') own.forgetOtherUser()
        return found
      }),
    )
    if (cancelled && !(result instanceof NoAnswer)) return result
    if (result instanceof NoAnswer || tokens.inDoubt || client.serverErrors >= SERVER_ERRORS) return null
    for (const failure of result.failures) doubted.add(failure.operation)
    if (result.outcome === 'failed' && !isMixed) failedBeside.set(`${requirement.id} ${operation}`, result)
    return isDoubtful(result) || isMixed ? null : result
  }

  /** Before the target is blamed, what the check had of the profile is tried by itself. */
  async function fairly(requirement: Requirement, operation: OperationId): Promise<CheckResult | NoAnswer> {
    const needed = new Set<string>()
    const suspect = own.mayLackField
    const first = await attempt(requirement, operation, needed)
    if (!isDoubtful(first) || requirement.phase !== undefined) return first
    const mistaken = await proving.afterFailure(aboutOf({ requirement, operation }), needed)
    const again = mistaken || (suspect && (await own.lacksField()))
    const found = again ? await attempt(requirement, operation) : first
    const before = failedBeside.get(`${requirement.id} ${operation}`)
    const last = before && isUnfounded(found) ? before : found
    if (last instanceof NoAnswer || last.outcome !== 'failed') return last
    const cause = await echoes.causeOf(last.failures)
    if (cause !== null) return inconclusive('prerequisite', cause)
    echoes.note(requirement.id, last.failures)
    return last
  }

  /** What to make of a check that got no answer to a request. */
  async function silent(
    requirement: Requirement,
    operation: OperationId,
    first: NoAnswer,
  ): Promise<CheckResult> {
    let last = first
    let place = placeOfSilence
    for (let more = 1; more <= MORE_ATTEMPTS; more++) {
      if (last.kind === 'throttled' || last.kind === 'too-large') return inconclusive('target', last.message)
      // More of them each time, so that what is lost at regular intervals is not lost in the same place.
      for (let asked = 0; asked < 2 * more; asked++)
        if (last.kind === 'unreachable' || !((await alive()) || (await alive()))) {
          dead = `the target stopped answering: ${last.message}`
          return inconclusive('target', dead)
        }
      // Whether what was asked for has been done is not known, so nothing of it is used again.
      await own.startAfresh()
      const next = await attempt(requirement, operation)
      if (!(next instanceof NoAnswer)) return next
      // The target lives, so the request itself may be what it cannot answer: only a second silence in the same place says so.
      if (next.operation === last.operation && next.kind === last.kind && placeOfSilence === place) {
        const message = `expected an answer, saw none twice: ${next.message}`
        return { outcome: 'failed', failures: [{ operation: next.operation, message, exchange: null }] }
      }
      last = next
      place = placeOfSilence
    }
    return inconclusive(
      'target',
      `the target leaves a request without an answer now and then: ${last.message}`,
    )
  }

  async function attempt(
    requirement: Requirement,
    operation: OperationId,
    asked?: Set<string>,
  ): Promise<CheckResult | NoAnswer> {
    const about = aboutOf({ requirement, operation })
    if (requirement.phase === undefined) await proving.before(about)
    const { check, failures, verdicts, needed } = createCheck(run)
    trail.begin()
    const before = client.requests
    let withheld: string | null = null
    try {
      if (about.includes('createUser')) await own.learnNames()
      if (about.includes('createCustomField')) await own.learnFields()
      await requirement.check(check, operation)
    } catch (error) {
      if (error instanceof NoAnswer) {
        placeOfSilence = client.requests - before
        return error
      }
      if (error instanceof Contradiction) {
        failures.push(failureOf(run, error.answer, error.message))
        return { outcome: 'failed', failures: toldApart(failures) }
      }
      if (error instanceof Withheld) {
        if (failures.length === 0 && verdicts() === 0) return skipped(error.message)
        withheld = error.message
      } else if (!(error instanceof Skip)) throw error
      if (error instanceof Skip && failures.length === 0) {
        return error instanceof Inconclusive
          ? inconclusive('prerequisite', error.message)
          : skipped(error.message)
      }
    } finally {
      for (const field of needed) asked?.add(field)
    }
    if (failures.length > 0) return { outcome: 'failed', failures: toldApart(failures) }
    if (withheld !== null) return { outcome: 'passed', reason: `in part: ${withheld}`, failures }
    if (verdicts() === 0) return skipped('nothing could be judged')
    return { outcome: 'passed', failures }
  }

  let current = profile
  const own = createOwn(client, profile, ledger, () => current, beside.place)

  const run: Run = {
    trail,
    evidenceFor: evidenceOf({
      trail,
      profile,
      redact: client.redact,
      tag,
      wordOf,
      password: () => own.password,
    }),
    get isMixed() {
      return beside.isMixed
    },
    mix: beside.mix,
    get profile() {
      return current
    },
    assume(other) {
      current = other
    },
    get mistakes() {
      return proving.mistakes
    },
    options,
    client,
    tag,
    own,
    ledger,
    async lookAround() {
      if (options.survey) await lookAround(client, profile)
    },
    changedOtherwise: async () => (options.survey ? changedOtherwise(client, profile) : []),
    sweep: (options) => own.sweep(options),
    swept: own.swept,
    allows: client.allows,
    observe(observation) {
      observations.set(JSON.stringify(observation), observation)
    },
    get observations() {
      return [...observations.values()]
    },
    samples: seen.samples,
    statuses: seen.statuses,
    isDoubted: (operation) => doubted.has(operation),
    succeeded: (operation) => seen.statuses(operation).has(200),
    cancel() {
      cancelled = true
    },
    get cancelled() {
      return cancelled
    },
    passwordAccount: profile.passwordAccount ? { ...profile.passwordAccount } : null,
    execute,
    get width() {
      // With a limit, each request is to be the most telling one that is left.
      const isLimited = options.rate > 0 || options.budget > 0
      return isLimited || client.throttled ? 1 : (options.concurrency ?? 1)
    },
    async prepare(operations) {
      await proving.before(operations)
      if (operations.includes('createUser')) await own.learnNames()
      if (operations.includes('createCustomField')) await own.learnFields()
    },
    executeBeside,
    statusTable: seen.table,
    close: () => client.close(),
  }
  const proving = createProving(run)
  const echoes = createEchoes(run)
  return run
}

/** What it needs could not be had. */
const isUnfounded = (result: CheckResult | NoAnswer): boolean =>
  !(result instanceof NoAnswer) && result.inconclusive === 'prerequisite'

/** Of such a check it may be the profile, or what an earlier one has left, that is at fault. */
const isDoubtful = (result: CheckResult | NoAnswer): result is CheckResult =>
  !(result instanceof NoAnswer) && (result.outcome === 'failed' || isUnfounded(result))

function skipped(reason: string): CheckResult {
  return { outcome: 'skipped', reason, failures: [] }
}

function inconclusive(kind: 'target' | 'prerequisite', reason: string): CheckResult {
  return { outcome: 'skipped', reason: `inconclusive: ${reason}`, inconclusive: kind, failures: [] }
}
