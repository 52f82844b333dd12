/** Rules for what no decision explains: from calls of which the simulator's own outcome and the target's answer are known. */
import { isDeepStrictEqual } from 'node:util'
import { holds } from '../../contract/templates.js'
import { isObject } from '../../target/look.js'
import { namesIn } from '../ask/script.js'
import type { Pair } from '../copy/copy.js'
import { isDeviation } from './direct.js'
import { deep, type LiteralAnswer, replacedIds, templates } from './template.js'

export interface Rule {
  readonly operation?: string
  readonly outcome: string
  readonly when: readonly string[]
  readonly answer: LiteralAnswer | null
}

interface Example {
  readonly operation: string
  readonly outcome: string
  readonly features: ReadonlySet<string>
  /** Those of its features that calls of the same operation have too which the target does. */
  readonly usual: ReadonlySet<string>
  /** `own`, where the simulator answers so by itself; else the target's answer as JSON. */
  readonly label: string
}

const OWN = 'own'
/** Paths that lead to no operation. */
const NOWHERE = ''

/** Operations that share their bodies: what one of them says to a member, the other says too. */
export const siblings = [
  ['createUser', 'updateUser'],
  ['createCustomField', 'updateCustomField'],
] as const

/** What is in a member of the body, as opposed to what is not. */
export const ofMembers = /^(?!(subject|body|authorization|caller|header|query|about):)(?!.*:(missing|given)$)/

/** What is true of a request to whatever operation. */
const anywhere = /^(subject|body|authorization|caller|header):/

export function inducedRules(pairs: readonly Pair[], asIs: boolean): Rule[] {
  const always = codesAreStatuses(pairs)
  const answers = pairs.filter(({ recorded }) => recorded.seen.status >= 400)
  const write = templates(answers, always)
  const usual = usualFeatures(pairs)
  const examples = pairs.flatMap((pair) => exampleOf(pair, usual, write, asIs))
  const defaults: Rule[] = []
  const ofOperations: Rule[] = []
  const toNothing = new Map(
    examples.flatMap(({ operation, features, label }) =>
      features.has('body:empty') ? [[operation, label] as const] : [],
    ),
  )
  /** What an operation says to an empty body it may say to a member that it passes over, and the other takes. */
  const isOfNothing = ({ operation, label }: Example) => label !== OWN && toNothing.get(operation) === label
  const rules: Rule[] = []
  for (const [outcome, all] of grouped(examples, ({ outcome: one }) => one)) {
    const refusals = all.filter(({ label }) => !isDone(label))
    const usual = outcome === 'ok' || refusals.length === 0 ? OWN : majority(refusals)
    const types = ofTypes(outcome, all)
    const least = outcome === 'unauthenticated' ? 1 : 2
    const shared = listFor(outcome, types.left, usual, { among: (one) => anywhere.test(one), least })
    rules.push(...types.rules, ...shared.rules)
    const groups = grouped(shared.left, aboutOf)
    // One answer for all operations, where most of them share it, and it is about no member of its own.
    const isGeneral = (label: string) =>
      new Set(refusals.flatMap((one) => (one.label === label ? [aboutOf(one)] : []))).size > 1 ||
      new Set(refusals.map(aboutOf)).size < 2
    if (usual !== OWN && isGeneral(usual)) defaults.push({ outcome, when: [], answer: answerOf(usual) })
    // What most are told may repeat what only some requests have.
    const plain = refusals.filter(
      ({ label, operation }) =>
        !hasPlaces(label) && refusals.some((one) => one.label === label && one.operation !== operation),
    )
    if (hasPlaces(usual) && plain.length > 0 && isGeneral(majority(plain)))
      defaults.push({ outcome, when: [], answer: answerOf(majority(plain)) })
    for (const [about, some] of groups) {
      const when = about === '' || groups.size < 2 ? [] : [about]
      const told = some.filter(({ label }) => !isDone(label))
      const most = when.length === 0 || told.length === 0 ? usual : majority(told, usual)
      if (most !== usual || (when.length > 0 && most !== OWN && !isGeneral(most)))
        defaults.unshift({ outcome, when, answer: answerOf(most) })
      const found = byOperation(outcome, some, most, isOfNothing)
      const narrowed = (one: Rule): Rule => ({ ...one, when: [...new Set([...when, ...one.when])] })
      rules.push(...found.rules.map(narrowed))
      ofOperations.push(...found.defaults.map(narrowed))
    }
  }
  // What is about a member goes before what is about none, and an operation's own before what all say.
  const isNarrow = ({ when }: Rule) => when.some((one) => one.startsWith('about:'))
  const others = [...ofOperations, ...defaults]
  return [
    ...rules,
    ...mostlyOfTypes(examples),
    ...others.filter(isNarrow),
    ...others.filter((rule) => !isNarrow(rule)),
  ]
}

/** What operations say that are alike, and then each of them by itself. */
function byOperation(
  outcome: string,
  examples: readonly Example[],
  usual: string,
  isOfNothing: (example: Example) => boolean,
): { rules: Rule[]; defaults: Rule[] } {
  const rules: Rule[] = []
  const defaults: Rule[] = []
  let left = examples
  for (const family of siblings) {
    const own = left.filter(
      (example) => (family as readonly string[]).includes(example.operation) && !isOfNothing(example),
    )
    const both = ofSiblings(outcome, own, usual, family)
    rules.push(...both.rules)
    left = left.filter((example) => !own.includes(example) || both.left.includes(example))
  }
  for (const [operation, some] of grouped(left, ({ operation: one }) => one)) {
    if (operation === NOWHERE) continue
    // What is refused now and then is not done in every other case.
    const refused = some.filter(({ label }) => !isDone(label))
    const known = refused.length > 0 ? refused : some
    const fallback =
      outcome === 'ok' && some.some(({ label }) => label === OWN) ? OWN : majority(known, usual)
    const own = listFor(outcome, some, fallback)
    rules.push(...own.rules.map((rule) => ({ operation, ...rule })))
    if (fallback !== usual)
      defaults.push({ operation, outcome, when: askedBy(some, fallback), answer: answerOf(fallback) })
  }
  return { rules, defaults }
}

/** What is peculiar to a member of the body is so for both, though only one of them was asked, unless more explains it of that one. */
function ofSiblings(
  outcome: string,
  examples: readonly Example[],
  usual: string,
  family: readonly string[],
): { rules: Rule[]; left: readonly Example[] } {
  const rules: Rule[] = []
  let left = examples
  for (;;) {
    const both = bestCondition(left, usual, { among: (feature) => ofMembers.test(feature), least: 1 })
    if (!both) return { rules, left }
    const own = family
      .map((operation) =>
        bestCondition(
          left.filter((one) => one.operation === operation),
          usual,
        ),
      )
      .find((one) => one && one.label === both.label && one.covered.length > both.covered.length + 2)
    const { when, covered, label } = own ?? both
    const except = own ? [] : exceptions(left, both)
    const [first] = covered
    for (const operation of own && first ? [first.operation] : family)
      rules.push({ operation, outcome, when: [...when, ...except], answer: answerOf(label) })
    left = left.filter((example) => !covered.includes(example))
  }
}

/** The member that a refusal is about, as a feature; empty where it is about none. */
const aboutOf = ({ features }: Example) => [...features].find((one) => one.startsWith('about:')) ?? ''

const hasPlaces = (label: string) => /\{[\w.|]+\}/.test(label)

/** What several operations say alike of one type in the place of another, whatever else they say most often. */
function ofTypes(outcome: string, examples: readonly Example[]): List {
  const rules: Omit<Rule, 'operation'>[] = []
  let left = examples
  for (const feature of new Set(examples.flatMap(({ features }) => [...features]))) {
    if (!isOfType(feature)) continue
    const covered = left.filter(({ features }) => features.has(feature))
    const [first] = covered
    if (!first || first.label === OWN || isDone(first.label)) continue
    if (new Set(covered.map(({ operation }) => operation)).size < 2) continue
    if (covered.some(({ label }) => label !== first.label)) continue
    rules.push({ outcome, when: [feature], answer: answerOf(first.label) })
    left = left.filter((example) => !covered.includes(example))
  }
  return { rules, left }
}

/** The same where a few say something else: after all that is peculiar to an operation. */
function mostlyOfTypes(examples: readonly Example[]): Rule[] {
  const rules: Rule[] = []
  for (const [outcome, some] of grouped(examples, ({ outcome: one }) => one))
    for (const feature of new Set(some.flatMap(({ features }) => [...features]))) {
      const covered = some.filter(({ features }) => isOfType(feature) && features.has(feature))
      const label = majority(covered)
      const alike = covered.filter((one) => one.label === label)
      if (label === OWN || isDone(label) || alike.length < 0.7 * covered.length) continue
      if (new Set(alike.map(({ operation }) => operation)).size < 2) continue
      rules.push({ outcome, when: [feature], answer: answerOf(label) })
    }
  return rules
}

const isOfType = (feature: string) => /^body:(\w+-for-\w+|list|string|number|null)$/.test(feature)

/** What callers without rights alone were refused, and for that, says nothing of the others. */
function askedBy(examples: readonly Example[], label: string): string[] {
  if (!isForbidden(label)) return []
  const others = examples.filter((one) => one.label === label && one.features.has('caller:other'))
  return others.length === examples.filter((one) => one.label === label).length ? ['caller:other'] : []
}

interface List {
  readonly rules: readonly Omit<Rule, 'operation'>[]
  /** Calls that no rule speaks of. */
  readonly left: readonly Example[]
}

/** A decision list for the answers other than the usual one. */
function listFor(outcome: string, examples: readonly Example[], fallback: string, limits?: Limits): List {
  const rules: Omit<Rule, 'operation'>[] = []
  let left = examples
  for (;;) {
    const best = bestCondition(left, fallback, limits)
    if (!best) return { rules, left }
    const { when, covered, label } = best
    rules.push({ outcome, when: [...when, ...exceptions(left, best)], answer: answerOf(label) })
    left = left.filter((example) => !covered.includes(example))
  }
}

const exceptions = (left: readonly Example[], { when, covered, label }: Condition) =>
  isDone(label) ? refusedFor(left, covered, when) : []

/** What all that were refused have of the same member, and none of those has that were done in spite of the emulator. */
function refusedFor(
  examples: readonly Example[],
  done: readonly Example[],
  when: readonly string[],
): readonly string[] {
  const member = when.find((one) => ofMembers.test(one))?.replace(/[:=].*/, '')
  if (member === undefined) return []
  const own = (feature: string) => feature.startsWith(`${member}:`) && isSpecific(feature)
  const [first, ...others] = examples.filter(
    ({ label, features }) => !isDone(label) && [...features].some(own),
  )
  const shared = [...(first?.features ?? [])].filter(
    (feature) =>
      own(feature) &&
      others.every(({ features }) => features.has(feature)) &&
      done.every(({ features }) => !features.has(feature)),
  )
  return shared.slice(0, 2).map((feature) => `!${feature}`)
}

interface Limits {
  /** Of which features a condition may speak. */
  readonly among: (feature: string) => boolean
  /** Of so many operations at least. */
  readonly least: number
}

interface Condition {
  readonly when: readonly string[]
  readonly label: string
  readonly covered: readonly Example[]
}

/** The feature, or the two, that most calls share which all have the same answer, other than the usual one. */
function bestCondition(
  examples: readonly Example[],
  fallback: string,
  limits?: Limits,
): Condition | undefined {
  const odd = examples.filter(({ label }) => label !== fallback)
  const usable = (features: ReadonlySet<string>) => [...features].filter(limits?.among ?? (() => true))
  const found: { best?: Condition; score: number } = { score: Number.NEGATIVE_INFINITY }
  const consider = (given: readonly string[]) => {
    const covered = examples.filter(({ features }) => holds(given, features))
    const [first] = covered
    if (!first || first.label === fallback || covered.some(({ label }) => label !== first.label)) return
    const { label, usual } = first
    // What only callers without rights were refused says nothing of the others.
    const rightless = isForbidden(label) && covered.every(({ features }) => features.has('caller:other'))
    const when = rightless ? [...new Set(['caller:other', ...given])] : given
    // To do what the emulator would refuse takes more than that it is about some member.
    if (isDone(label) && !when.some(isSpecific)) return
    if (limits && new Set(covered.map(({ operation }) => operation)).size < limits.least) return
    const rights = when.includes('caller:other') && isForbidden(label) ? 0.2 : 0
    const cost = when.map((one) => 0.01 + (!isDone(label) && usual.has(one) ? 0.9 : vagueness(one)))
    const score = covered.length + rights - cost.reduce((sum, one) => sum + one, 0)
    if (score > found.score) Object.assign(found, { best: { when, label, covered }, score })
  }
  for (const one of new Set(odd.flatMap(({ features }) => usable(features)))) consider([one])
  if (!limits) for (const when of lists(examples, fallback)) consider(when)
  if (found.best) return found.best
  for (const { features } of odd) {
    const list = usable(features)
    for (const [index, one] of list.entries())
      for (const other of list.slice(index + 1)) consider([one, other])
  }
  if (found.best || limits) return found.best
  // Nothing short tells them apart: the whole of what is known of the call.
  for (const { features } of odd) consider([...features])
  return found.best
}

/** Of what is one word of a list, that it is none of those that are taken: where two others are refused alike. */
function lists(examples: readonly Example[], fallback: string): string[][] {
  const taken = new Set<string>()
  const refused = new Map<string, string[]>()
  for (const { features, label } of examples)
    for (const feature of features) {
      if (!feature.startsWith('type=')) continue
      if (label === fallback || isDone(label)) taken.add(feature)
      else refused.set(label, [...(refused.get(label) ?? []), feature])
    }
  return [...refused.values()]
    .filter((words) => new Set(words.filter((word) => !taken.has(word))).size > 1)
    .map(() => ['type:string', ...[...taken].sort().map((word) => `!${word}`)])
}

/** Who asks tells more of such an answer than what was asked. */
const isForbidden = (label: string) => label !== OWN && JSON.parse(label).status === 403

const isDone = (label: string) => label !== OWN && JSON.parse(label).status === 200

const unspecific = /^(about|caller):|^body:object$|:(given|string|boolean|small|signs)$/

/** Whether it tells more of a request than that it is about some member. */
export const isSpecific = (feature: string) => !unspecific.test(feature)

/** What is true of most requests explains little. */
const vagueness = (feature: string) => {
  // That something has another type tells less than of which member it is.
  if (/^body:(not-as-documented|\w+-for-)/.test(feature)) return 0.15
  if (/^(!|(about|authorization):|body:(?!object))/.test(feature)) return 0
  if (/^(caller:administrator|body:object|subject:(number|text))|:(given|string|small)$/.test(feature))
    return 0.9
  // Of limits that all fit, the one that refuses least.
  const [, kind, limit = '0'] = /(longer|shorter)-than-(\d+)$/.exec(feature) ?? []
  // One word of a list says nothing of the others.
  if (kind === undefined) return feature.includes('=') ? 0.5 : 0.1
  return kind === 'longer' ? 0.2 - Number(limit) / 1e6 : 0.2 + Number(limit) / 1e6
}

/** By operation, what is true of calls that the target does. */
function usualFeatures(pairs: readonly Pair[]): Map<string, Set<string>> {
  const usual = new Map<string, Set<string>>()
  for (const { recorded, replayed } of pairs) {
    if (recorded.seen.status !== 200) continue
    const { operation } = recorded.step
    const found = usual.get(operation) ?? new Set()
    usual.set(operation, found)
    for (const feature of replayed.cause?.features ?? []) found.add(feature)
  }
  return usual
}

function exampleOf(
  pair: Pair,
  usual: ReadonlyMap<string, ReadonlySet<string>>,
  write: (pair: Pair) => LiteralAnswer,
  asIs: boolean,
): Example[] {
  const { recorded, replayed } = pair
  const { cause } = replayed
  const { step, seen } = recorded
  if (!cause || step.suffix === '/') return []
  if (!asIs && isDeviation(step, seen)) return []
  // What the simulator did not make, it cannot be asked about.
  if (namesIn(step).some((name) => replayed.bound[name] === undefined)) return []
  // Sessions and tokens are lost on one side, and not on the other, by what came before.
  const written = cause.features.some((one) => /^authorization:(?!none|unknown|other-scheme)/.test(one))
  if (cause.outcome === 'unauthenticated' && seen.status !== 401 && !written) return []
  if (cause.outcome !== 'unauthenticated' && seen.status === 401 && step.authorization === undefined)
    return []
  // Nor does anything come of what it does not have; a password that nobody asks for is not wrong.
  const isAskedFor = !cause.features.includes('password_current:missing')
  const missing =
    /not-found|not-registered|unauthenticated/.test(cause.outcome) ||
    (/password-mismatch/.test(cause.outcome) && isAskedFor)
  if (seen.status === 200 && missing && !cause.features.some((one) => one.startsWith('authorization:')))
    return []
  const base = {
    operation: step.suffix === undefined ? step.operation : NOWHERE,
    outcome: cause.outcome,
    features: new Set(cause.features),
    usual: usual.get(step.operation) ?? new Set<string>(),
  }
  if (seen.status === 200)
    return [{ ...base, label: cause.outcome === 'ok' ? OWN : JSON.stringify({ ...EMPTY, status: 200 }) }]
  if (seen.status < 400) return []
  if (!isObject(seen.json) || typeof seen.json.message !== 'string')
    return asIs ? [{ ...base, label: JSON.stringify({ ...EMPTY, status: seen.status }) }] : []
  return [{ ...base, label: isOwn(pair) ? OWN : JSON.stringify(write(pair)) }]
}

/** Whether the simulator says the same by itself. */
function isOwn({ recorded: { seen, bound }, replayed }: Pair): boolean {
  const own = replayed.cause?.own
  const theirs = deep(seen.json, (text) => replacedIds(text, bound, replayed.bound))
  return own?.status === seen.status && isDeepStrictEqual(own.json, theirs)
}

const EMPTY: LiteralAnswer = { status: 200, code: null, message: '', localized: null, members: {} }

function codesAreStatuses(pairs: readonly Pair[]): boolean {
  const errors = pairs
    .map(({ recorded }) => recorded.seen)
    .filter(({ status, json }) => status >= 400 && isObject(json) && typeof json.code === 'number')
  return errors.length > 5 && errors.every(({ status, json }) => (json as { code: number }).code === status)
}

const answerOf = (label: string): LiteralAnswer | null =>
  label === OWN ? null : (JSON.parse(label) as LiteralAnswer)

/** Where two come as often, the one that is usual elsewhere. */
function majority(examples: readonly Example[], usual = OWN): string {
  const counts = new Map<string, number>()
  for (const { label } of examples)
    counts.set(label, (counts.get(label) ?? 0) + (label === usual ? 1.02 : label === OWN ? 1.01 : 1))
  return [...counts].sort(([a, x], [b, y]) => y - x || a.localeCompare(b))[0]?.[0] ?? OWN
}

function grouped<T>(items: readonly T[], by: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(by(item), [...(groups.get(by(item)) ?? []), item])
  return groups
}
