/** Creates custom fields, and removes them again. */
import { scalars } from '../oracle/json.js'
import type { Thing } from '../oracle/things.js'
import type { Driver } from './driver.js'
import { identify, listFields, look, readField } from './reads.js'
import { retire, usable } from './users.js'

const choice = { possible_values: 'one|two|three' }
const definitions = [{}, choice, { ...choice, default_value: 'one' }]

/** A unique default value, where the type of the field allows any. */
export const ownDefault = (driver: Driver) => (hasChoices(driver) ? {} : { default_value: driver.word() })

export const hasChoices = ({ habits }: Driver): boolean => habits.definition?.possible_values !== undefined

export function fieldBody(driver: Driver, more: object = {}, projects?: readonly string[]) {
  const type = driver.profile.customField?.type
  const definition = {
    name: driver.word(),
    ...(type === undefined ? {} : { type }),
    ...driver.habits.definition,
    ...more,
  }
  return { custom_field: definition, ...(projects ? { projects } : {}) }
}

/** The body of an update, with the members that this target requires. */
function changeBody({ habits }: Driver, part: object, more: object = {}) {
  return { custom_field: { ...habits.definition, ...habits.repeated, ...part }, ...more }
}

/** Types that the create page offers beside that of the profile. */
export async function offeredTypes(driver: Driver): Promise<string[]> {
  const { status, json } = await driver.ask({ op: 'getCustomFieldCreatePage' })
  const common = 'string text numeric textarea list number enumeration enum email date'.split(' ')
  const shown = status === 200 ? [...new Set(scalars(json).map(String))] : []
  return shown.filter((type) => common.includes(type) && type !== driver.profile.customField?.type)
}

/** A new field with its id, or undefined where none can be created. The first one is deleted before the second is created. */
export async function newField(
  driver: Driver,
  more: object = {},
  projects?: readonly string[],
): Promise<Thing | undefined> {
  const { habits, client } = driver
  if (!client.allows('write') || habits.canRemove.get('field') === false) return undefined
  const known = habits.definition
  for (const definition of known ? [known] : definitions) {
    habits.definition = definition
    await listFields(driver)
    const { made } = await driver.ask({ op: 'createCustomField', body: fieldBody(driver, more, projects) })
    await identify(driver, made)
    if (known) return made
    if (!made) continue
    await look(driver, made)
    habits.canRemove.set('field', await removeField(driver, made))
    return habits.canRemove.get('field') ? newField(driver, more, projects) : made
  }
  return undefined
}

/** A new field; where fields cannot be deleted, the one that the run has. */
export async function someField(driver: Driver): Promise<Thing | undefined> {
  const made = await newField(driver)
  if (made || driver.habits.canRemove.get('field') !== false) return made
  return driver.world.of('field').find(({ born, isGone, isUnsure }) => born > 0 && !isGone && !isUnsure)
}

/** Deletes a field, and disables a user; without a thing, disables the users that are not usable. */
export async function discard(driver: Driver, made: Thing | undefined): Promise<void> {
  const others = usable(driver).filter((one) => one !== made)
  await (made?.kind === 'field' ? removeField(driver, made) : retire(driver, others))
}

/** Deletes a field and looks whether it is gone. */
export async function removeField(driver: Driver, field: Thing | undefined, isTried = false) {
  if (!field || field.isGone) return true
  await identify(driver, field)
  // A field under another name may have the likeliest id. The guard knows whether it belongs to the run.
  const at = field.id ?? field.candidates[0]
  if (at === undefined) return false
  let { status } = await driver.ask({ op: 'deleteCustomField', at })
  if (status === 400 || status === 403) {
    // A tracker may refuse to delete a field that has projects.
    const body = changeBody(driver, field.name === '' ? {} : { name: field.name }, { projects: [] })
    await driver.ask({ op: 'updateCustomField', at, body })
    status = (await driver.ask({ op: 'deleteCustomField', at })).status
  }
  await listFields(driver)
  if (isTried && status === 200) {
    await driver.ask({ op: 'updateCustomField', at, body: fieldBody(driver) })
    await driver.ask({ op: 'deleteCustomField', at })
    await listFields(driver)
  }
  const page = await driver.ask({ op: 'getCustomFieldUpdatePage', at })
  if (page.isSent ? page.status !== 404 : driver.world.listedTexts.includes(field.name)) {
    // Nothing is created in between, so that no other field takes the id.
    await driver.ask({ op: 'listCustomFields' })
    await driver.ask({ op: 'getCustomFieldUpdatePage', at })
    if (hadProjects(driver, field)) driver.habits.canRemove.set('link', false)
    return false
  }
  // The ledger is settled now, while the read that shows the absence is recent.
  await driver.sweep(({ kind, state }) => kind !== 'customField' || state !== 'gone')
  return true
}

const hadProjects = ({ trace }: Driver, { born, log }: Thing) =>
  trace.some(({ n, body }) => (n === born || log.includes(n)) && /"projects":\[[^\]]/.test(body ?? ''))

export async function change(driver: Driver, field: Thing | undefined, part: object, more: object = {}) {
  if (field?.id === undefined || field.isGone) return false
  const body = changeBody(driver, part, more)
  const { isDone } = await driver.ask({ op: 'updateCustomField', at: field.id, body })
  // The views alternate, and sometimes both are read; after a change of the links always.
  const turn = 'projects' in more ? 4 : field.log.length % 5
  if (turn % 2 === 0) await listFields(driver)
  if (turn !== 2) await readField(driver, field.id)
  return isDone
}
