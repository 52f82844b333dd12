/** Estimates how much a call would show that the answers so far have not shown. */
import { operationIds } from '../../contract/index.js'
import type { Cause, Pair } from '../copy/copy.js'
import { isSpecific, ofMembers } from '../fit/conditions.js'
import type { Candidate, Rehearsal } from './rehearsal.js'

/** The news of calls: which of their tokens nobody has asked about, how many calls have them, how often they surprise. */
export function newsIn(rehearsals: readonly Rehearsal[], known: readonly Pair[]) {
  /** For each token, that is a fact about a call, the operations for which it was asked. */
  const seen = new Map<string, Set<string>>()
  /** For each operation and token, how many calls of the rehearsals have it. */
  const counts = new Map<string, number>()
  const tokens = new Map<Candidate, readonly string[]>()
  const having = new Map<string, Candidate[]>()
  /** For each kind of token, how often the simulator predicted the status of the first calls with it. */
  const luck = new Map<string, { right: number; wrong: number }>()
  const add = (operation: string, own: readonly string[]) => {
    for (const token of own) seen.set(token, (seen.get(token) ?? new Set()).add(operation))
  }
  for (const { recorded, replayed } of known) {
    const { operation } = recorded
    const own = tokensOf(replayed.cause).filter((token) => !seen.get(token)?.has(operation))
    add(operation, own)
    const isRight = recorded.seen.status === replayed.seen.status
    for (const kind of new Set(own.map((token) => kindOf(token, replayed.seen.status)))) {
      const { right, wrong } = luck.get(kind) ?? { right: 0, wrong: 0 }
      luck.set(kind, isRight ? { right: right + 1, wrong } : { right, wrong: wrong + 1 })
    }
  }
  for (const { calls } of rehearsals)
    for (const call of calls) {
      const own = tokensOf(call.cause)
      tokens.set(call, own)
      for (const token of own) {
        const key = `${call.step.operation} ${token}`
        counts.set(key, (counts.get(key) ?? 0) + 1)
        const others = having.get(token)
        if (others) others.push(call)
        else having.set(token, [call])
      }
    }
  const newsOf = (operation: string, token: string, status: number): number => {
    const where = seen.get(token)
    if (where?.has(operation)) return 0
    // An answer about such a token probably holds for all operations.
    const isShared = /^(subject|authorization|header|body|=unauth)/.test(token)
    const reach = (isShared ? operationIds : [operation])
      .filter((one) => !where?.has(one))
      .reduce((sum, one) => sum + (counts.get(`${one} ${token}`) ?? 0), 0)
    const shared = isShared ? 1 / (1 + (where?.size ?? 0)) : 1
    const { right, wrong } = luck.get(kindOf(token, status)) ?? { right: 0, wrong: 0 }
    const surprise = (wrong + 0.5) / (right + wrong + 1.5)
    return shared * surprise * weightFor(token) * Math.sqrt(reach)
  }
  return {
    /** Marks a call as asked, and returns the calls that are worth less because of it. */
    add(call: Candidate): Candidate[] {
      const { operation } = call.step
      const own = (tokens.get(call) ?? []).filter((token) => !seen.get(token)?.has(operation))
      add(operation, own)
      return own.flatMap((token) => having.get(token) ?? [])
    },
    of(call: Candidate): number {
      const all = (tokens.get(call) ?? [])
        .map((token) => newsOf(call.step.operation, token, call.seen.status))
        .sort((a, b) => b - a)
      // Only the newest token counts in full, because an answer seldom shows which of several new tokens caused it.
      return 3 * all.reduce((sum, one, index) => sum + one / (index + 1), 0)
    },
  }
}

const weightFor = (token: string) => (token.startsWith('=') ? 1 : isSpecific(token) ? 0.8 : 0.3)

/** The token without the name and value of its member, and whether the call succeeds. */
const kindOf = (token: string, status: number) =>
  `${status < 300} ${
    /^(=|subject|caller|authorization|body|header|query)/.test(token)
      ? token
      : token
          .replace(/^[^:=]+/, '*')
          .replace(/=.*/, '=')
          .replace(/@.*/, '')
  }`

/**
 * The tokens of a call: its outcome, its features, and which of two faults its answer reports. All limits of length are
 * one token, however many of them a text exceeds.
 */
function tokensOf(cause: Cause | null): string[] {
  if (!cause) return []
  const features = cause.features.map((feature) =>
    feature.replace(/(longer-than|shorter-than|at-least)-\d+$/, '$1'),
  )
  const faults = features.filter((feature) => /^(caller:other|body:(?!object|unknown))/.test(feature))
  const outcome = `=${cause.outcome}`
  // A success shows what a value does; a refusal for another reason does not.
  const end = cause.outcome === 'ok' ? '@done' : '@refused'
  const told = features.map((feature) =>
    isSpecific(feature) && ofMembers.test(feature) ? `${feature}${end}` : feature,
  )
  return [...new Set([outcome, ...told, ...faults.map((fault) => `${outcome} ${fault}`)])]
}
