/** Bodies with one defect each, on things of the run, and right ones in other spellings. Reads in between show what they changed. */
import type { OperationId } from '../../contract/index.js'
import { bodies as families } from '../../oracle/bodies.js'
import { isObject, parsed } from '../../oracle/json.js'
import { knownValue } from '../../oracle/things.js'
import { type Defect, malformed, members, otherKinds } from '../defects.js'
import type { Ask, Driver, Given, Subjects } from '../driver.js'
import { discard, fieldBody, newField, ownDefault, removeField } from '../fields.js'
import { look } from '../reads.js'
import { realname, some, userBody } from '../users.js'
import { valid, WRONG_PASSWORD } from '../valid.js'
import { formerSetting } from './accounts.js'
import { FEW, glance, subjectsOf, watched, withPlugin } from './refusals.js'

/** Bodies that are no JSON, JSON of other kinds, and bodies without what they must have. */
export const certainBodies = (driver: Driver): Promise<void> =>
  bodies(driver, (one) => {
    const all = defectsOf(driver, one, true)
    const last = all.findLast(({ body }) => isObject(body))
    return withFewGuesses(one, [...malformed(one), ...all, ...withUnknown(last)], 1)
  })

/** Values that the document does not mention: the answer still has a documented form. */
export const silentBodies = (driver: Driver, { seed }: Given): Promise<void> =>
  bodies(driver, (one, isNarrow) => {
    const unknown = withUnknown({ body: one.body, isCertain: false })
    const all = [...someOf(defectsOf(driver, one, false), isNarrow, seed), ...unknown]
    return withFewGuesses(one, one.op === 'manageColumns' ? all.map(savingNothing) : all, 0)
  })

const defectsOf = (driver: Driver, one: Ask, wanted: boolean): Defect[] =>
  [...otherKinds(one), ...members(one, driver.knowledge)].filter(({ isCertain }) => isCertain === wanted)

const isFlag = (member: string) => Object.values(families).some((one) => one[member]?.type === 'boolean')

/** Every other of many values of members, and every eighth of flags; all of them where the run is about a few operations. */
const someOf = (list: readonly Defect[], isNarrow: boolean, first: number): readonly Defect[] =>
  isNarrow || list.length < FEW
    ? list
    : list.filter(({ member }, index) => !member || (index + first) % (isFlag(member) ? 8 : 2) === 0)

/** The same defect with an unknown member. */
const withUnknown = (defect: Defect | undefined): Defect[] =>
  isObject(defect?.body) ? [{ ...defect, body: { ...defect.body, kit_unknown_member: 1 } }] : []

/** At most `most` wrong passwords: a tracker may lock an account after a few. */
function withFewGuesses({ op }: Ask, all: readonly Defect[], most: number): readonly Defect[] {
  const isGuess = ({ raw, body = parsed(raw ?? '') }: Defect) =>
    isObject(body) && body.password_current === WRONG_PASSWORD && typeof body.password === 'string'
  const guesses = op === 'changeOwnPassword' ? all.filter(isGuess).slice(most) : []
  return all.filter((one) => !guesses.includes(one))
}

/** Leaves out the columns where another member is wrong, so that nothing is saved. */
function savingNothing(defect: Defect): Defect {
  if (!isObject(defect.body) || defect.member === 'columns') return defect
  const { columns: _, ...body } = defect.body
  return { ...defect, body }
}

/** How many of the last creations of users are watched, beside those with a wrong level: a read before and one after all. */
const WATCHED = 4

/** After how many refused or accepted requests a read follows. */
const LOOKS = { refused: 10, accepted: 5 }

async function bodies(driver: Driver, choose: (one: Ask, isNarrow: boolean) => readonly Defect[]) {
  const requests = valid(driver, await subjectsOf(driver))
  for (const { op, body } of requests)
    if (body !== undefined)
      await withPlugin(driver, op, () => bodiesOf(driver, op, choose({ op, body }, requests.length < FEW)))
}

async function bodiesOf(driver: Driver, op: OperationId, list: readonly Defect[]): Promise<void> {
  const names: string[] = []
  let looks = 0
  let due = 0
  for (const [index, defect] of list.entries()) {
    const things = await subjectsOf(driver)
    const one = valid(driver, things).find((it) => it.op === op)
    if (!one) break
    const sent = freshly(driver, defect, one, things)
    const isWatched = index >= list.length - WATCHED || defect.member === 'access_level'
    const at = isWatched ? await watched(driver, { op, ...sent }) : undefined
    const { made, status, isDone } = await driver.ask({ ...one, ...sent })
    if (at !== undefined && !isDone) names.push(at)
    if (made) await discard(driver, made)
    // A request with 401 or 404 hardly changes anything.
    else if (status !== 401 && status !== 404) due += 1 / LOOKS[isDone ? 'accepted' : 'refused']
    if (due === 0 || (due < 1 && index < list.length - 1)) continue
    due = 0
    looks += 1
    await glance(driver, op, things, looks)
  }
  for (const at of names) await driver.ask({ op: 'getUser', at })
}

/** Renews every member but the wrong one, so that a read shows a change that was refused but stored. */
function freshly(driver: Driver, { raw, body, member, isCertain }: Defect, { op }: Ask, { field }: Subjects) {
  if (raw !== undefined) return { raw, body: undefined }
  if (!isObject(body)) return { body }
  const { custom_field: definition } = body
  const part = isObject(definition) ? definition : body
  // If the name stays, the guard needs no read to prove whose field it is.
  const name = op === 'updateCustomField' && !isCertain ? field?.name : driver.word()
  const own: Readonly<Record<string, unknown>> = {
    ...(op === 'createUser' ? userBody(driver) : {}),
    ...(op === 'updateUser' ? { realname: realname(driver), ...(isCertain ? { enabled: false } : {}) } : {}),
    // The last update, with no wrong member, must not hide what a refused one has stored.
    ...(op === 'updatePlugin' && member ? otherPriority(driver) : {}),
    ...(part === definition ? { name, ...ownDefault(driver) } : {}),
  }
  const names =
    op === 'createUser' ? ['username', 'email', 'realname'].filter((one) => one in body) : Object.keys(own)
  const renewed = Object.fromEntries(names.filter((one) => one !== member).map((one) => [one, own[one]]))
  const wrong = member === 'name' || member === 'username' ? part[member] : undefined
  // A tracker may store the beginning of a long name, so it begins with a word of the run.
  if (member !== undefined && typeof wrong === 'string' && wrong.length > 200)
    renewed[member] = driver.word() + wrong
  return { body: { ...body, ...(part === body ? renewed : { custom_field: { ...part, ...renewed } }) } }
}

/** A priority that differs from the present one. */
function otherPriority({ profile: { plugin }, world }: Driver): { priority?: number } {
  if (!plugin?.priority) return {}
  const { min, max } = plugin.priority
  return { priority: knownValue(world.of('plugin')[0], 'priority') === min ? max : min }
}

/** Sends the same JSON with blanks between its parts, and with its letters as escapes. */
export async function spelling(driver: Driver): Promise<void> {
  const { userSetting, settings, columns } = driver.profile
  const spelt = (body: unknown) => escaped(JSON.stringify(body, null, 2))
  const [user] = await some(driver, 1)
  const { made } =
    driver.habits.form && driver.habits.canRemove.get('user')
      ? await driver.ask({ op: 'createUser', raw: spelt(userBody(driver, { access_level: undefined })) })
      : { made: undefined }
  await look(driver, made)
  await discard(driver, made)
  if (user) await driver.ask({ op: 'updateUser', at: user.name, raw: spelt({ realname: realname(driver) }) })
  await look(driver, user)
  const field = await newField(driver)
  if (field?.id !== undefined) {
    await driver.ask({ op: 'updateCustomField', at: field.id, raw: spelt(fieldBody(driver)) })
    await look(driver, field)
  }
  if (userSetting) {
    // A tracker may refuse an update that changes nothing.
    const former = formerSetting(driver)
    if (former) await driver.ask({ op: 'updateUserSettings', body: { configs: [former] } })
    await driver.ask({ op: 'updateUserSettings', raw: spelt({ configs: [userSetting] }) })
    await driver.ask({ op: 'getUserSettingsPage' })
  }
  if (settings) await driver.ask({ op: 'updateSettings', raw: spelt(settings) })
  if (columns) await driver.ask({ op: 'manageColumns', raw: spelt(columns) })
  await removeField(driver, field)
}

/** JSON whose strings have each letter as an escape. */
const escaped = (json: string) =>
  json.replace(/"(?:[^"\\]|\\.)*"/g, (text) =>
    text.replace(/(?<!\\)[a-z]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
  )
