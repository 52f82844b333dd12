/** Learns rules for what no decision explains, from the simulator's own outcomes and the target's answers. */
import { operationIds } from '../../contract/index.js'
import { groupBy } from '../../oracle/json.js'
import type { Pair } from '../copy/emulator.js'
import { listFor, type Rule } from './conditions.js'
import { answerOf, type Example, examplesOf, isDone, isForbidden, NOWHERE, OWN } from './examples.js'

/** Matches features that a request of any operation can have. */
const anywhere = /^(subject|body|authorization|caller|header):/

export function inducedRules(pairs: readonly Pair[]): Rule[] {
  const examples = examplesOf(pairs)
  const defaults: Rule[] = []
  const ofOperations: Rule[] = []
  const rules: Rule[] = []
  const typed: Record<'sure' | 'weak', Rule[]> = { sure: [], weak: [] }
  for (const [outcome, all] of groupBy(examples, ({ outcome: one }) => one)) {
    const refusals = all.filter(({ label }) => !isDone(label))
    const usual = outcome === 'ok' || refusals.length === 0 ? OWN : majority(refusals)
    const least = outcome === 'unauthenticated' ? 1 : 2
    const shared = listFor(outcome, all, usual, { among: (one) => anywhere.test(one), least })
    rules.push(...shared.rules)
    const groups = groupBy(shared.left, aboutOf)
    // An answer is general if refusals about different members share it, or if all refusals are about the same member.
    const isGeneral = (label: string) =>
      new Set(refusals.flatMap((one) => (one.label === label ? [aboutOf(one)] : []))).size > 1 ||
      new Set(refusals.map(aboutOf)).size < 2
    const isTold = usual !== OWN && isGeneral(usual)
    if (isTold) defaults.push({ outcome, when: [], answer: answerOf(usual) })
    for (const [about, some] of groups) {
      const when = about === '' || (groups.size < 2 && (isTold || usual === OWN)) ? [] : [about]
      const told = some.filter(({ label }) => !isDone(label))
      const general = isTold ? usual : OWN
      const most = when.length === 0 ? general : told.length === 0 ? usual : majority(told, usual)
      if (when.length > 0 && !(most === usual && usual === OWN))
        defaults.unshift({ outcome, when, answer: answerOf(most) })
      const found = byOperation(outcome, some, most)
      const narrowed = (one: Rule): Rule => ({ ...one, when: [...new Set([...when, ...one.when])] })
      rules.push(...found.rules.map(narrowed))
      ofOperations.push(...found.defaults.map(narrowed))
    }
    typed.sure.push(...byType(outcome, refusals, 2))
    typed.weak.push(...byType(outcome, refusals, 1))
  }
  // Rules about one member come before others; among each, rules of one operation come before rules of all operations.
  const isNarrow = ({ when }: Rule) => when.some((one) => one.startsWith('about:'))
  const isWide = (one: Rule) => !isNarrow(one)
  const narrow = [...ofOperations, ...defaults].filter(isNarrow)
  const wide = [...ofOperations.filter(isWide), ...typed.weak, ...defaults.filter(isWide)]
  return [...rules, ...typed.sure, ...narrow, ...wide]
}

/** For each type that a member should have: the answer that most members share, of at least so many, holds for the others. */
function byType(outcome: string, refusals: readonly Example[], least: number): Rule[] {
  const typeOf = ({ features }: Example) => [...features].find((one) => one.startsWith('body:wrong-')) ?? ''
  const resourceOf = (operation: string) => operation.replace(/^(create|update)/, '')
  const wrong = refusals.filter((one) => typeOf(one) !== '' && aboutOf(one) !== '')
  const groups = groupBy(wrong, (one) => `${resourceOf(one.operation)} ${typeOf(one)}`)
  return [...groups].flatMap(([key, some]) => {
    const [resource, type = ''] = key.split(' ')
    // One member may have several refusals, so each counts once.
    const members = [...groupBy(some, aboutOf).values()].flatMap(([one]) => one ?? [])
    const label = majority(members)
    const count = members.filter((one) => essenceOf(one.label) === essenceOf(label)).length
    if (label === OWN || members.length < least || count * 3 < members.length * 2) return []
    const others = some.filter((one) => one.label !== label).map(aboutOf)
    const when = [type, ...new Set(others.map((one) => `!${one}`))]
    return operationIds
      .filter((operation) => resourceOf(operation) === resource)
      .map((operation) => ({ operation, outcome, when, answer: answerOf(label) }))
  })
}

/** An answer without its further members, such as a hash of the message. */
const essenceOf = (label: string) => JSON.stringify({ ...answerOf(label), members: {} })

/** The rules and the default of each operation. */
function byOperation(outcome: string, examples: readonly Example[], usual: string) {
  const rules: Rule[] = []
  const defaults: Rule[] = []
  for (const [operation, some] of groupBy(examples, ({ operation: one }) => one)) {
    if (operation === NOWHERE) continue
    // An operation that refuses some calls may not accept all others, so a refusal is its default.
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

/** The member that a refusal is about, as a feature; empty where it is about none. */
const aboutOf = ({ features }: Example) => [...features].find((one) => one.startsWith('about:')) ?? ''

/** The only kind of caller that got this 403, if there is one: the answer says nothing about other callers. */
function askedBy(examples: readonly Example[], label: string): string[] {
  if (!isForbidden(label)) return []
  const own = examples.filter((one) => one.label === label)
  return ['caller:other', 'caller:administrator'].filter((caller) =>
    own.every(({ features }) => features.has(caller)),
  )
}

/** The most frequent answer; among equally frequent ones, the usual one. */
function majority(examples: readonly Example[], usual = OWN): string {
  const counts = new Map<string, number>()
  for (const { label } of examples)
    counts.set(label, (counts.get(label) ?? 0) + (label === usual ? 1.02 : label === OWN ? 1.01 : 1))
  return [...counts].sort(([a, x], [b, y]) => y - x || a.localeCompare(b))[0]?.[0] ?? OWN
}
