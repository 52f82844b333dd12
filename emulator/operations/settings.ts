/** Operation 26: configuration values of the extension. */
import { settingsBody } from '../../conformance/contract/bodies.js'
import type { Decisions } from '../decisions/index.js'
import { needGate } from '../request/access.js'
import type { AdmittedCall } from '../request/call.js'
import { refuseBy, refuseFor } from '../request/errors.js'
import { isObject, kind } from '../request/json.js'
import { define, written } from '../request/operation.js'
import type { ExtensionSetting } from '../state/store.js'

type Value = ExtensionSetting['value']

export const updateSettings = define({
  gate: (c) => needGate(c, 'ext-settings-permission', 'change settings'),
  accept(c) {
    const list = settingsBody.safeParse(c.body)
    if (!list.success) refuseFor('ext-settings-not-array', [c.decisions['ext-settings-not-array'], 'body'])
    if (list.data.length === 0) refuseBy(c, 'ext-settings-empty', { refused: ['empty-field', 'body'] })
    const values = new Map<string, Value>()
    for (const element of list.data) {
      const { option, value } = readElement(c, element)
      if (values.has(option)) refuseDuplicate(c, option, option)
      values.set(option, checkedValue(c, option, value))
    }
    return values
  },
  run(c, _, values) {
    const { extensionSettings } = c.store.db
    for (const [option, value] of values) {
      const setting = extensionSettings.find('option', option)
      if (setting) extensionSettings.change(setting, { value })
    }
    const configs = extensionSettings.rows.map(({ option, value }) => ({ option, value }))
    return written('Settings updated', 'configs', configs)
  },
})

type Form = Decisions['ext-settings-element']

const nameMember = { 'option-value': 'option', 'name-value': 'name', 'key-value': 'key' } as const

export const settingElement = (form: Form, option: string, value: Value): object =>
  form === 'pairs' ? { [option]: value } : { [nameMember[form]]: option, value }

function readElement(c: AdmittedCall, element: unknown): { option: string; value: Value } {
  const form = c.decisions['ext-settings-element']
  const invalid = (detail: string) => refuseFor('ext-settings-element', ['invalid-value', 'body'], detail)
  if (!isObject(element)) return invalid('An element is an object')
  const members = element as Record<string, Value>
  if (form === 'pairs') {
    const [pair, ...more] = Object.entries(members)
    if (!pair || more.length > 0) return invalid('An element has one member')
    return { option: pair[0], value: pair[1] }
  }
  const { [nameMember[form]]: option, value = null } = members
  if (typeof option === 'string' && option !== '') return { option, value }
  return refuseFor('ext-settings-element', ['empty-field', nameMember[form]])
}

/** If a list names a setting twice, the last value counts, unless the decision refuses duplicates. */
export function refuseDuplicate(c: AdmittedCall, option: string, member: string): void {
  const cases = { 'duplicates-refused': ['invalid-value', member] } as const
  refuseBy(c, 'settings-atomic', `${option} is there twice`, cases)
}

/** The value to store: null removes an override. */
function checkedValue(c: AdmittedCall, option: string, value: Value): Value {
  const setting = c.store.db.extensionSettings.find('option', option)
  if (!setting) refuseFor('ext-settings-unknown', [c.decisions['ext-settings-unknown'], option])
  // A file-only setting may still be removed from the database.
  if (setting.file_only && value !== null)
    refuseBy(c, 'ext-settings-readonly', {
      invalid: ['option-file-only', option],
      'access-denied': ['access-denied', option],
    })
  const wanted = kind(setting.default)
  if (kind(value) !== wanted)
    refuseBy(c, 'ext-settings-value', `${option} is ${wanted}`, { typed: ['invalid-value', option] })
  return value === null ? setting.default : value
}
