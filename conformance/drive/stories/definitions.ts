/** Custom fields over time. The run keeps few at a time, since a tracker may have a limit. */
import { knownValue, type Thing } from '../../oracle/things.js'
import { padded, special } from '../defects.js'
import type { Driver } from '../driver.js'
import {
  change,
  fieldBody,
  hasChoices,
  newField,
  offeredTypes,
  ownDefault,
  removeField,
  someField,
} from '../fields.js'
import { listFields, look } from '../reads.js'

/** Every combination of flags, with and without projects. Two fields exist at a time, so that a change of one may affect the other. */
export async function definitions(driver: Driver): Promise<void> {
  const first = await someField(driver)
  if (!first) return
  await look(driver, first)
  // A list in pages shows other fields in another order.
  for (const order of ['asc', 'desc'])
    await driver.ask({ op: 'listCustomFields', query: `sort_by=name&sort_order=${order}` })
  if (!(await removeField(driver, first, true))) return edit(driver, [first, undefined], [], true)
  const { projects = [] } = driver.profile
  const [one, two] = projects
  // Finds out with one field whether a field with projects can be deleted.
  if (one !== undefined) await removeField(driver, await newField(driver, {}, [one]))
  const lists = [undefined, one === undefined ? [] : [one], two === undefined ? [] : [two], projects]
  for (const [index, bits] of [2, 1, 3, 0].entries()) {
    const flags = { display_report: (bits & 2) > 0, display_update: (bits & 1) > 0 }
    const a = await newField(driver, { ...flags, ...(index > 0 ? ownDefault(driver) : {}) }, lists[index])
    if (!a) continue
    await look(driver, a)
    const b = await newField(driver, { ...flags, ...ownDefault(driver) }, index > 0 ? lists[index] : [])
    await look(driver, b, a)
    if (index === 0) await edit(driver, [a, b], projects.slice(0, 1), true)
    if (b && index < 2) await edit(driver, [b, a], projects.slice(0, 2).toReversed())
    for (const field of [b, a]) await removeField(driver, field, index === 1)
  }
  // The deletion of a field keeps one whose name begins with its own.
  const again = await newField(driver, { name: first.name })
  const near = await newField(driver, { name: `${first.name} b` })
  await removeField(driver, again, true)
  await removeField(driver, near)
}

/** Learns whether an update has to repeat the type. */
async function learnRepeated(driver: Driver, field: Thing): Promise<void> {
  const type = driver.profile.customField?.type
  for (const repeated of [{}, ...(type === undefined ? [] : [{ type }])]) {
    driver.habits.repeated = repeated
    if (await change(driver, field, { name: driver.word() })) return
  }
}

/** `projects`: those to link. `isWhole`: also sends the changes that reveal little. */
async function edit(
  driver: Driver,
  [field, neighbour]: readonly [Thing, Thing | undefined],
  projects: readonly string[],
  isWhole = false,
): Promise<void> {
  if (driver.habits.repeated === undefined) await learnRepeated(driver, field)
  const is = (name: string) => knownValue(field, name) === true
  const [display_report, display_update] = [is('display_report'), is('display_update')]
  const put = (part: object, more?: object) => change(driver, field, { name: field.name, ...part }, more)
  await put({ name: driver.word() })
  if (!hasChoices(driver)) await put({ default_value: driver.word() })
  if (isWhole && !hasChoices(driver)) await put({ default_value: '0' })
  await put({ name: driver.word(), display_report: !display_report })
  await put({ display_update: !display_update })
  await put({ display_report, display_update })
  if (isWhole) await put({})
  if (projects.length > 0) await put({ name: driver.word() }, { projects })
  await look(driver, neighbour)
}

/** Types that the create page offers beside that of the profile, and possible values. */
export async function types(driver: Driver): Promise<void> {
  const wanted = driver.profile.customField?.type
  if (wanted === undefined) return
  for (const type of (await offeredTypes(driver)).slice(0, 2)) {
    const isList = /list|enum/.test(type)
    const more = () => (isList ? { type, possible_values: `one|${driver.word()}|three` } : { type })
    const first = await newField(driver, more())
    const second = await newField(driver, isList ? more() : {})
    await look(driver, first, second)
    // The values of both lists change, or the type of one field changes and changes back.
    await change(driver, first, { name: driver.word(), ...(isList ? more() : { type: wanted }) })
    await change(driver, isList ? second : first, { name: driver.word(), ...more() })
    await look(driver, first, second)
    for (const field of [first, second]) await removeField(driver, field)
  }
  // A tracker refuses an unknown type, and a refused update changes nothing.
  const field = await newField(driver)
  if (!field) return
  await look(driver, field)
  const unknown = () => ({ name: driver.word(), type: `kit_no_such_${driver.word()}` })
  await change(driver, field, unknown())
  await driver.ask({ op: 'createCustomField', body: fieldBody(driver, unknown()) })
  await listFields(driver)
  await removeField(driver, field)
}

/** Names as long as the limit, and longer ones. */
export async function limits(driver: Driver): Promise<void> {
  const limit = driver.profile.customField?.nameLimit
  if (limit === undefined) return
  const named = (length: number, filler = '') => ({ name: padded(driver.word() + filler, length) })
  const field = await newField(driver, named(limit))
  if (!field) return
  await look(driver, field)
  await change(driver, field, named(limit))
  for (const long of [() => named(limit + 1), () => named(limit * 7, 'é')]) {
    await change(driver, field, long())
    const { made } = await driver.ask({ op: 'createCustomField', body: fieldBody(driver, long()) })
    await listFields(driver)
    await removeField(driver, made)
  }
  await removeField(driver, field)
}

/** Signs in names and default values, by a creation and by an update. */
export async function texts(driver: Driver): Promise<void> {
  const limit = driver.profile.customField?.nameLimit ?? 40
  const name = (text: string) => ({ name: `${driver.word()} ${text}`.slice(0, limit) })
  // A tracker may refuse a sign in a name that it keeps in a value.
  const value = (text: string) =>
    hasChoices(driver)
      ? name(text)
      : { name: driver.word(), default_value: `${driver.word()} ${text}`.slice(0, 200) }
  const field = await newField(driver)
  if (!field) return
  // The limits of names show what becomes of long texts.
  for (const [index, text] of special.filter(({ length }) => length < 100).entries()) {
    // The update and the creation have the text in the same member, so that one shows how the other keeps it.
    const part = index % 2 === 0 ? value : name
    await change(driver, field, part(text))
    const made = await newField(driver, part(text))
    await look(driver, made)
    await removeField(driver, made)
  }
  await removeField(driver, field)
}

/** Lists in several orders. */
export async function orderings(driver: Driver): Promise<void> {
  const fields = [await newField(driver), await newField(driver, { name: `a${driver.word()}` })]
  for (const order of ['name&sort_order=asc', 'name&sort_order=desc', 'name', 'id&sort_order=desc']) {
    await listFields(driver)
    await driver.ask({ op: 'listCustomFields', query: `sort_by=${order}` })
  }
  for (const field of fields) await removeField(driver, field)
}
