/** Random sequences of operations on one user and one field, with several wrong members at once, from the same tables. */
import fc from 'fast-check'
import type { OperationId } from '../../contract/index.js'
import { bodies, hostile } from '../../oracle/bodies.js'
import type { Finding } from '../../oracle/finding.js'
import { fromJson, groupBy, isObject, type JsonObject } from '../../oracle/json.js'
import { aspects } from '../../oracle/operations.js'
import { knownValue } from '../../oracle/things.js'
import { keyOf } from '../confirmed.js'
import type { Driver, Given, Subjects } from '../driver.js'
import { newField, ownDefault } from '../fields.js'
import { listFields, look, peek } from '../reads.js'
import { email, newUser, realname } from '../users.js'
import { valid } from '../valid.js'
import { subjectsOf } from './refusals.js'

const value = fc.oneof(
  fc.constantFrom(...hostile),
  fc.json(),
  fc.jsonValue({ maxDepth: 2 }).map((one) => fromJson(JSON.stringify(one))),
  fc.string({ maxLength: 40 }),
)
const index = fc.nat({ max: 99 })
const step = fc.record({
  which: index,
  changes: fc.array(index, { maxLength: 2 }),
  defects: fc.oneof(
    { arbitrary: fc.constant<[number, unknown][]>([]), weight: 2 },
    { arbitrary: fc.array(fc.tuple(index, value), { minLength: 1, maxLength: 2 }), weight: 1 },
  ),
})
type Step = ReturnType<typeof step.generate>['value']
const LENGTH = 8
const sequence = fc.array(step, { minLength: 1, maxLength: LENGTH, size: 'max' })

/** Members that no defect concerns, so that the run can go on using the thing. */
const kept = ['username', 'email', 'enabled', 'protected', 'access_level', 'password']
const operations = ['updateUser', 'addUserToProjects', 'resetUser', 'updateCustomField', 'manageColumns']

/** Other valid values of members. */
function otherValues(driver: Driver, op: OperationId, { user, field }: Subjects): JsonObject {
  const { projects = [], columns } = driver.profile
  const turned = (thing: Subjects['user'], ...names: string[]) => {
    const flags = names.map((name) => [name, knownValue(thing, name)] as const)
    const known = flags.filter(([, flag]) => typeof flag === 'boolean')
    return Object.fromEntries(known.map(([name, flag]) => [name, !flag]))
  }
  if (op === 'updateUser')
    return {
      ...{ realname: realname(driver), email: email(driver) },
      ...turned(user, 'client_preferred', 'enabled', ...(driver.habits.canFree ? ['protected'] : [])),
    }
  if (op === 'updateCustomField')
    return { ...ownDefault(driver), ...turned(field, 'display_report', 'display_update') }
  if (op === 'addUserToProjects') return { project_ids: projects }
  return op === 'manageColumns' && columns ? { columns: columns.columns.toReversed() } : {}
}

/** Sends the steps. */
async function play(driver: Driver, things: Subjects, steps: readonly Step[]): Promise<void> {
  for (const { which, changes, defects } of steps) {
    const requests = valid(driver, things).filter(({ op }) => operations.includes(op))
    const request = requests[which % Math.max(requests.length, 1)]
    if (!request) return
    const { op, body } = request
    const valids = Object.entries(otherValues(driver, op, things))
    const more = valids.filter((_, place) => changes.some((one) => one % valids.length === place))
    const { family = 'settings' } = aspects[op]
    const table = bodies[family === 'field' ? 'definition' : family]
    const names = Object.keys(table).filter((name) => !kept.includes(name))
    const wrong = defects.map(([one, bad]) => [names[one % names.length] ?? '', bad] as const)
    const changed = Object.fromEntries([...more, ...wrong])
    const definition = isObject(body) && body.custom_field
    const part = isObject(definition)
      ? // A name that stays needs no read to prove whose the field is.
        { custom_field: { ...definition, ...changed, name: things.field?.name } }
      : changed
    await driver.ask(isObject(body) ? { ...request, body: { ...body, ...part } } : request)
  }
}

/** `runs` steps, in sequences of at most `LENGTH`. */
export async function sequences(driver: Driver, { runs, seed }: Given): Promise<void> {
  let left = runs
  let things = await subjectsOf(driver)
  for (const steps of fc.sample(sequence, { numRuns: runs, seed })) {
    if (left <= 0) break
    if ([things.user, things.field].some((one) => one?.isUnsure || one?.isGone))
      things = await subjectsOf(driver)
    const from = driver.trace.length
    const turn = driver.sequences.length
    await play(driver, things, steps)
    await peek(driver, things.user, turn)
    if (turn % 3 === 1) await listFields(driver)
    left -= steps.length
    driver.sequences.push({ from, to: driver.trace.length, isShortest: false })
  }
}

const MOST_SHORTENED = 3
const MOST_ATTEMPTS = 25

/**
 * Looks for the shortest sequence that still yields a finding that no other story has shown, and sends it
 * once more with fresh things. Each attempt sends the steps to a live target, so their number is limited.
 */
export async function shorten(driver: Driver, given: Given): Promise<void> {
  for (const [key, shown] of onlyHere(driver).slice(0, MOST_SHORTENED)) {
    const shortest = await shortestOf(driver, given, key, shown)
    if (!shortest) continue
    const { user, field } = await subjectsOf(driver)
    const things = { user: (await newUser(driver)) ?? user, field: (await newField(driver)) ?? field }
    await look(driver, things.user, things.field)
    driver.story = 'shortest sequence'
    const from = driver.trace.length
    await play(driver, things, shortest)
    await look(driver, things.user, things.field)
    driver.sequences.push({ from, to: driver.trace.length, isShortest: true })
  }
}

/** The steps, or undefined where the finding does not come again. `shown`: which sequences have shown it. */
async function shortestOf(driver: Driver, { seed }: Given, key: string, shown: ReadonlySet<number>) {
  let attempts = 0
  let broken: unknown
  driver.story = 'sequences'
  const property = fc.asyncProperty(sequence, async (steps) => {
    attempts += 1
    if (attempts > MOST_ATTEMPTS || broken !== undefined) return true
    try {
      const from = driver.trace.length
      const things = await subjectsOf(driver)
      await play(driver, things, steps)
      await look(driver, things.user, things.field)
      return !driver.judgement().findings.some((one) => keyOf(one) === key && one.n > from)
    } catch (error) {
      // It is no answer of the target, so it must not count as a failure of the property.
      broken = error
      return true
    }
  })
  for (const at of shown) {
    const { counterexample } = await fc.check(property, { seed, path: String(at), numRuns: 1 })
    if (broken !== undefined) throw broken
    if (counterexample) return counterexample[0]
  }
  return undefined
}

/** Findings that only sequences show, by their key, with the indexes of these sequences. */
function onlyHere({ sequences, judgement }: Driver): [key: string, shown: ReadonlySet<number>][] {
  const indexOf = ({ n }: Finding) => sequences.findIndex(({ from, to }) => n > from && n <= to)
  return [...groupBy(judgement().findings, keyOf)]
    .map(([key, findings]): [string, Set<number>] => [key, new Set(findings.map(indexOf))])
    .filter(([, shown]) => !shown.has(-1))
}
