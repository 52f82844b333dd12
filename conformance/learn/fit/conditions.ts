/** Finds what calls with the same answer have in common and other calls lack: the conditions of learnt rules. */
import { holds } from '../../contract/templates.js'
import { answerOf, type Example, isDone, isForbidden } from './examples.js'
import type { LiteralAnswer } from './template.js'

export interface Rule {
  readonly operation?: string
  readonly outcome?: string
  readonly when: readonly string[]
  readonly answer: LiteralAnswer | null
}

/** The first rule that fits a call gives its answer, else `fallback`, which needs no rule. `left`: calls without a rule. */
export function listFor(outcome: string, examples: readonly Example[], fallback: string, limits?: Limits) {
  const rules: Omit<Rule, 'operation'>[] = []
  let left = examples
  for (;;) {
    const best = bestCondition(left, fallback, limits)
    if (!best) return { rules, left }
    const { when, covered, label } = best
    rules.push({ outcome, when, answer: answerOf(label) })
    left = left.filter((example) => !covered.includes(example))
  }
}

interface Limits {
  /** The features that a condition may use. */
  readonly among: (feature: string) => boolean
  /** The number of operations that a condition must cover at least. */
  readonly least: number
}

type Condition = Readonly<{ when: readonly string[]; label: string; covered: readonly Example[] }>

/** The feature, or pair of features, that covers the most calls, if all of them got one answer other than the usual one. */
function bestCondition(examples: readonly Example[], fallback: string, limits?: Limits) {
  const odd = examples.filter(({ label }) => label !== fallback)
  const usable = (features: ReadonlySet<string>) => [...features].filter(limits?.among ?? (() => true))
  const found: { best?: Condition; score: number } = { score: Number.NEGATIVE_INFINITY }
  const consider = (given: readonly string[]) => {
    const covered = examples.filter(({ features }) => holds(given, features))
    const [first] = covered
    if (!first || first.label === fallback || covered.some(({ label }) => label !== first.label)) return
    const { label, usual } = first
    // A refusal that only callers without rights got does not show how others are answered.
    const rightless = isForbidden(label) && covered.every(({ features }) => features.has('caller:other'))
    // If all covered calls of several operations are about one member, the rule is limited to that member.
    const about = limits ? [...first.features].filter((one) => one.startsWith('about:')) : []
    const shared = about.filter((one) => covered.every(({ features }) => features.has(one)))
    const when = [...new Set([...(rightless ? ['caller:other'] : []), ...given, ...shared])]
    // A rule that accepts what the emulator would refuse needs a feature that says more than which member it is about.
    if (isDone(label) && !when.some(isSpecific)) return
    if (limits && new Set(covered.map(({ operation }) => operation)).size < limits.least) return
    const rights = when.includes('caller:other') && isForbidden(label) ? 0.2 : 0
    const cost = when.map((one) => 0.01 + (!isDone(label) && usual.has(one) ? 0.9 : vagueness(one)))
    const score = covered.length + rights - cost.reduce((sum, one) => sum + one, 0)
    if (score > found.score) Object.assign(found, { best: { when, label, covered }, score })
  }
  for (const one of new Set(odd.flatMap(({ features }) => usable(features)))) consider([one])
  if (found.best) return found.best
  for (const { features } of odd) {
    const list = usable(features)
    for (const [index, one] of list.entries())
      for (const other of list.slice(index + 1)) consider([one, other])
  }
  return found.best
}

const unspecific = /^(about|caller):|^(body|custom_field):object$|:(given|string|boolean|small|signs)$/

/** Whether a feature says more about a request than which member it is about. */
const isSpecific = (feature: string) => !unspecific.test(feature)

/** The cost of a feature in a condition: features that most requests have explain little and cost most. */
const vagueness = (feature: string) => {
  if (/^(!|about:|body:(deep|repeated)$)/.test(feature)) return 0
  if (!isSpecific(feature)) return 0.9
  // Of several limits that fit all calls, the one that refuses least costs least.
  const [, kind, limit = '0'] = /(longer|shorter)-than-(\d+)$/.exec(feature) ?? []
  // Most requests with a wrong value are not as documented.
  if (feature === 'body:not-as-documented') return 0.2
  // A tracker tends to treat all values of a wrong type alike.
  if (feature.startsWith('body:wrong-')) return 0.05
  // A single word of a list shows nothing about the other words, so it costs more.
  if (kind === undefined) return feature.includes('=') ? 0.5 : 0.1
  return kind === 'longer' ? 0.2 - Number(limit) / 1e6 : 0.2 + Number(limit) / 1e6
}
