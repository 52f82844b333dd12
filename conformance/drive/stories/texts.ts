/** Texts of users, and spellings of bodies. */
import { special } from '../defects.js'
import type { Driver } from '../driver.js'
import { discard, fieldBody, newField, removeField } from '../fields.js'
import { look } from '../reads.js'
import { newUser, realname, some, update, userBody } from '../users.js'
import { formerSetting } from './accounts.js'

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

/** Sends the same JSON with blanks between its parts, and with its letters as escapes. */
export async function spelling(driver: Driver): Promise<void> {
  const { userSetting, settings, columns } = driver.profile
  const spellings = [
    (body: unknown) => JSON.stringify(body, null, 2),
    (body: unknown) => escaped(JSON.stringify(body)),
  ]
  const former = formerSetting(driver)
  for (const spell of spellings) {
    const [user] = await some(driver, 1)
    const { made } =
      driver.habits.form && driver.habits.canRemove.get('user')
        ? await driver.ask({ op: 'createUser', raw: spell(userBody(driver, { access_level: undefined })) })
        : { made: undefined }
    await look(driver, made)
    await discard(driver, made)
    if (user)
      await driver.ask({ op: 'updateUser', at: user.name, raw: spell({ realname: realname(driver) }) })
    await look(driver, user)
    const field = await newField(driver)
    if (field?.id !== undefined) {
      await driver.ask({ op: 'updateCustomField', at: field.id, raw: spell(fieldBody(driver)) })
      await look(driver, field)
    }
    await removeField(driver, field)
    if (userSetting) {
      // A tracker may refuse an update that changes nothing.
      if (former) await driver.ask({ op: 'updateUserSettings', body: { configs: [former] } })
      await driver.ask({ op: 'updateUserSettings', raw: spell({ configs: [userSetting] }) })
      await driver.ask({ op: 'getUserSettingsPage' })
    }
    if (settings) await driver.ask({ op: 'updateSettings', raw: spell(settings) })
    if (columns) await driver.ask({ op: 'manageColumns', raw: spell(columns) })
  }
}

/** JSON whose strings have each letter as an escape. */
const escaped = (json: string) =>
  json.replace(/"(?:[^"\\]|\\.)*"/g, (text) =>
    text.replace(/(?<!\\)[a-z]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
  )
