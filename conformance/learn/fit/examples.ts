/** The target's answers to calls, in the terms of learnt rules. */
import { isDeepStrictEqual } from 'node:util'
import { groupBy, isObject } from '../../oracle/json.js'
import type { Pair } from '../copy/emulator.js'
import { type LiteralAnswer, templates } from './template.js'

/** `label`: `own`, where the simulator answers so by itself; else the target's answer as JSON. */
export type Example = ReturnType<typeof exampleOf>[number]

export const OWN = 'own'
/** Paths that lead to no operation. */
export const NOWHERE = ''

/** Examples of all calls from which something can be learnt. */
export function examplesOf(pairs: readonly Pair[]) {
  const answers = pairs.filter(({ recorded }) => recorded.seen.status >= 400)
  const write = templates(answers, codesAreStatuses(pairs))
  const usual = usualFeatures(pairs)
  return pairs.flatMap((pair) => exampleOf(pair, usual, write))
}

/** Whether the answer is a 403, which depends more on the caller than on the request. */
export const isForbidden = (label: string) => label !== OWN && JSON.parse(label).status === 403

export const isDone = (label: string) => label !== OWN && JSON.parse(label).status === 200

/** For each operation, the features of the calls that the target accepts. */
function usualFeatures(pairs: readonly Pair[]): Map<string, Set<string>> {
  const accepted = pairs.filter(({ recorded }) => recorded.seen.status === 200)
  const groups = groupBy(accepted, ({ recorded }) => recorded.operation)
  const featuresOf = ({ replayed }: Pair) => replayed.cause?.features ?? []
  return new Map([...groups].map(([operation, some]) => [operation, new Set(some.flatMap(featuresOf))]))
}

function exampleOf(pair: Pair, usual: Map<string, Set<string>>, write: (pair: Pair) => LiteralAnswer) {
  const { recorded, replayed } = pair
  const { cause } = replayed
  const { operation, suffix, authorization, seen } = recorded
  if (!cause || suffix === '/') return []
  // Earlier calls may have ended a session or token on one side only, so such a difference shows nothing.
  const written = cause.features.some((one) =>
    /^authorization:(?!none|unknown|refused|other-scheme)/.test(one),
  )
  if (cause.outcome === 'unauthenticated' && seen.status !== 401 && !written) return []
  if (cause.outcome !== 'unauthenticated' && seen.status === 401 && authorization === undefined) return []
  // A success shows nothing if the simulator lacks the thing or has another password; a missing password shows something.
  const isAskedFor = !cause.features.includes('password_current:missing')
  const missing =
    /not-found|not-registered|unauthenticated/.test(cause.outcome) ||
    (/password-mismatch/.test(cause.outcome) && isAskedFor)
  if (seen.status === 200 && missing && !cause.features.some((one) => one.startsWith('authorization:')))
    return []
  // Another refusal than the documented one shows that the target has the thing, unless it deviates.
  const isDenied = [401, 403, 404].includes(seen.status)
  if (/^(user|custom-field)-not-found/.test(cause.outcome) && !isDenied && !recorded.isWrong) return []
  const base = {
    operation: suffix === undefined ? operation : NOWHERE,
    outcome: cause.outcome,
    features: new Set(cause.features),
    /** Features of the calls of the same operation that the target accepts. */
    usual: usual.get(operation) ?? new Set<string>(),
  }
  const isRefusal = seen.status >= 400
  if (!isRefusal && seen.status !== 200) return []
  const isTold = isRefusal && isObject(seen.json) && typeof seen.json.message === 'string'
  if (isTold ? isOwn(pair) : cause.outcome === 'ok' && !isRefusal) return [{ ...base, label: OWN }]
  return [{ ...base, label: JSON.stringify(isTold ? write(pair) : { ...EMPTY, status: seen.status }) }]
}

/** Whether the simulator gives the same refusal without learnt rules. */
function isOwn({ recorded: { seen }, replayed }: Pair): boolean {
  const own = replayed.cause?.own
  return own?.status === seen.status && isDeepStrictEqual(own.json, seen.json)
}

const EMPTY: LiteralAnswer = { status: 200, code: null, message: '', members: {} }

function codesAreStatuses(pairs: readonly Pair[]): boolean {
  const errors = pairs
    .map(({ recorded }) => recorded.seen)
    .filter(({ status, json }) => status >= 400 && isObject(json) && typeof json.code === 'number')
  return errors.length > 5 && errors.every(({ status, json }) => (json as { code: number }).code === status)
}

export const answerOf = (label: string): LiteralAnswer | null =>
  label === OWN ? null : (JSON.parse(label) as LiteralAnswer)
