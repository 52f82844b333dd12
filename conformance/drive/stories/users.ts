/** Users over time: created with every combination of flags, then changed one member after the other, there and back. */
import { scalars } from '../../oracle/json.js'
import { knownValue, type Thing } from '../../oracle/things.js'
import { padded, special } from '../defects.js'
import type { Driver } from '../driver.js'
import { discard } from '../fields.js'
import { look, peek, wordListsIn } from '../reads.js'
import { email, lowestLevel, newUser, realname, some, update, username, usersOf } from '../users.js'
import { WRONG_PASSWORD } from '../valid.js'
import { assign } from './members.js'

/** In an order in which no flag correlates with the order of the creations. */
const flags = [5, 2, 4, 3, 7, 0, 6, 1].map((bits) => ({
  enabled: (bits & 4) > 0,
  protected: (bits & 2) > 0,
  client_preferred: (bits & 1) > 0,
}))

export async function creations(driver: Driver): Promise<void> {
  const first = await newUser(driver)
  if (!first) return
  await learnChoices(driver, first)
  // No member is marked as required, so each may be left out.
  const near = first.name.includes('@') ? {} : { username: `${first.name}b` }
  await newUser(driver, { access_level: undefined, enabled: undefined, ...near })
  await newUser(driver, { realname: undefined, protected: undefined })
  await look(driver, await newUser(driver, { email: undefined }))
  const { choices } = driver.habits
  const other = lowestLevel(driver)
  for (const [index, some] of flags.entries()) {
    const chosen = Object.entries(choices).map(([name, all]) => [name, all[(index + 1) % all.length]])
    const level = other !== undefined && index % 3 === 1 ? { access_level: other } : {}
    // A tracker may refuse a choice, but not a flag.
    const more = index < 2 ? { notify_user: false } : { ...level, ...Object.fromEntries(chosen) }
    await look(driver, await newUser(driver, { ...some, ...more }))
  }
}

/** Choices of a user: the form of their values, and values that most trackers accept. */
const forms = {
  language: {
    form: /^(english|german|french|spanish|en|de|fr|es|en[-_]US|de[-_]DE|fr[-_]FR)$/,
    usual: ['german', 'french'],
  },
  timezone: { form: /^(UTC|[A-Z][a-z]+\/[A-Z]\w+)$/, usual: ['Europe/Berlin', 'America/New_York'] },
}

/** Learns the choices that the create page offers, or else an update takes, and the levels beside that of the profile. */
async function learnChoices(driver: Driver, user: Thing): Promise<void> {
  const { habits, profile } = driver
  const { json } = await driver.ask({ op: 'getUserCreatePage' })
  const shown = [...new Set(scalars(json).map(String))]
  for (const [name, { form, usual }] of Object.entries(forms)) {
    let offered = shown.filter((one) => form.test(one)).slice(0, 3)
    if (offered.length < 2) {
      offered = []
      for (const value of usual) if (await update(driver, user, { [name]: value })) offered.push(value)
    }
    if (offered.length > 1) habits.choices = { ...habits.choices, [name]: offered }
  }
  habits.levels = choicesBeside(json, profile.accessLevel).filter((one) => Number.isInteger(one)) as number[]
  // The next one is the higher one as a rule: a level below that of the user may be no level of its own.
  const [next] = choicesBeside(json, profile.projectAccessLevel)
  habits.projectLevel = next === undefined ? undefined : String(next)
}

/** What follows the given value in the list that has it, and what comes before it: elements, or the same member of each. */
function choicesBeside(json: unknown, given: unknown): unknown[] {
  const isGiven = (one: unknown) => one !== undefined && String(one) === String(given)
  const turned = wordListsIn(json).flatMap((list) => {
    const at = list.findIndex(isGiven)
    return at < 0 ? [] : [...list.slice(at + 1), ...list.slice(0, at)]
  })
  return [...new Set(turned)].filter((one) => !isGiven(one) && /^(string|number)$/.test(typeof one))
}

/** Changes one user and looks at another. */
function changer(driver: Driver, all: readonly Thing[]) {
  let turn = 0
  return async (user: Thing, body: object): Promise<boolean> => {
    const isDone = await update(driver, user, body)
    const others = all.filter((one) => one !== user)
    turn += 1
    if (isDone && turn % 2 === 0) await peek(driver, others[turn % others.length], turn >> 1)
    return isDone
  }
}

/** Changes each flag and each text alone, there and back. */
export async function changes(driver: Driver): Promise<void> {
  const is = (user: Thing, name: string) => knownValue(user, name)
  const made = usersOf(driver)
  const whole = made.filter(({ facts }) => facts.has('client_preferred'))
  // The last users differ most in their flags.
  const all = (whole.length > 3 ? whole : made.length > 3 ? made : await some(driver, 4)).slice(-4)
  const change = changer(driver, all)
  for (const [index, user] of all.entries()) {
    if (is(user, 'protected') === true) await change(user, { protected: false })
    if (is(user, 'enabled') === false) await change(user, { enabled: true })
    if (index % 2 === 0) await change(user, { realname: realname(driver) })
    if (index % 3 === 0) await change(user, { email: email(driver) })
    // After a user was disabled, nobody knows what it prefers.
    if (user.facts.has('client_preferred'))
      for (const flag of index % 2 === 0 ? [true, false] : [true])
        await change(user, { client_preferred: is(user, 'client_preferred') === flag ? !flag : flag })
    if (index % 2 === 1)
      for (const [name, values] of Object.entries(driver.habits.choices))
        for (const value of values.slice(0, 2))
          if (value !== is(user, name)) await change(user, { [name]: value })
    if (index < 2 && driver.habits.canFree)
      for (const flag of [true, false]) await change(user, { protected: flag })
    if (index < 2) for (const flag of [false, true]) await change(user, { enabled: flag })
  }
}

/** Changes several members at once, and levels and names there and back. */
export async function further(driver: Driver): Promise<void> {
  const all = await some(driver, 3)
  const [a, b, c] = all
  if (!a || !b || !c) return
  const change = changer(driver, all)
  const { accessLevel } = driver.profile
  const other = driver.habits.levels.find((level) => level > 0 && level < 90)
  await change(a, { realname: realname(driver), email: email(driver), notify_user: false })
  for (const current of [WRONG_PASSWORD, driver.password])
    await change(a, { realname: realname(driver), password: driver.password, password_current: current })
  for (const level of other === undefined ? [] : [other, accessLevel]) {
    for (const one of [a, b]) await change(one, { access_level: level })
    // An update without a level keeps the level.
    await change(level === other ? a : b, { realname: realname(driver), notify_user: true })
  }
  if (accessLevel !== undefined && driver.habits.canFree)
    for (const flag of [true, false]) await change(a, { protected: flag, access_level: accessLevel })
  const [first, second] = [b.name, username(driver)]
  if (await change(b, { username: second })) {
    await driver.ask({ op: 'getUser', at: first })
    await change(b, { username: second })
    await driver.ask({ op: 'updateUser', at: first, body: { realname: realname(driver) } })
    await driver.ask({ op: 'getUser', at: first })
    await change(b, { username: first })
    await driver.ask({ op: 'getUser', at: second })
  }
  await change(c, { realname: knownValue(c, 'realname') })
  await change(c, { realname: realname(driver), enabled: false })
  // An update of a disabled user enables nobody.
  await change(c, { realname: realname(driver) })
  if (accessLevel !== undefined) await change(c, { access_level: other ?? accessLevel })
  await change(c, { enabled: true, ...(accessLevel === undefined ? {} : { access_level: accessLevel }) })
  await change(c, {})
}

/** Whether reads show anything of a user. Otherwise no read could prove later whose a doubtful name is. */
const areShown = ({ world }: Driver): boolean =>
  world.sights.some(({ thing, leaves }) => thing.kind === 'user' && leaves.size > 1)

/** Usernames that another user has, enabled or disabled. */
export async function taken(driver: Driver): Promise<void> {
  const [holder, other] = await some(driver, 2)
  if (!holder || !other) return
  const disabled = usersOf(driver).find((one) => knownValue(one, 'enabled') === false)
  for (const one of disabled ? [holder, disabled] : [holder]) {
    await newUser(driver, { username: one.name })
    await look(driver, one)
    await update(driver, other, { username: one.name, realname: realname(driver), email: email(driver) })
    await look(driver, one)
  }
  if (areShown(driver)) await newUser(driver, { username: holder.name.toUpperCase(), enabled: false })
  await look(driver, holder)
  await update(driver, other, { username: username(driver) })
}

/** Names with signs that a careless router or parser loses. */
export async function names(driver: Driver): Promise<void> {
  const word = driver.word()
  const ends = ['.dot', '-hy_us', 'Cap', '99', 'éø']
  for (const [index, name] of [...ends.map((end) => word + end), `7${word}`, padded(word, 44)].entries()) {
    if (/^\d/.test(name) && !areShown(driver)) continue
    // A name that begins with digits may be another user's id, so the run could not disable it later.
    const user = await newUser(driver, { username: name, ...(/^\d/.test(name) ? { enabled: false } : {}) })
    if (!user) continue
    await look(driver, user)
    await driver.ask({ op: 'updateUser', at: name, body: { realname: realname(driver) } })
    const isTelling = /_|[A-Z]/.test(name)
    if (isTelling || index % 2 === 0) await assign(driver, name)
    if (isTelling) await peek(driver, user)
    if (isTelling || index % 2 === 1) await driver.ask({ op: 'resetUser', at: name })
    await look(driver, user)
    if (/é/.test(name)) await newUser(driver, { username: name })
    await discard(driver, user)
  }
}

/** A real name may hold any sign, by an update and by a creation. */
export async function texts(driver: Driver): Promise<void> {
  const [user] = await some(driver, 1)
  if (!user) return
  for (const text of special) {
    await update(driver, user, { realname: `${realname(driver)} ${text}` })
    const made = await newUser(driver, { realname: `${realname(driver)} ${text}` })
    await look(driver, made)
    await discard(driver, made)
  }
}
