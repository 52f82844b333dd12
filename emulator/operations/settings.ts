/** Operation 26: configuration values of the extension. */
import { settingsBody } from '../../conformance/contract/bodies.js'
import { needGate } from '../request/access.js'
import { written } from '../request/answers.js'
import type { AdmittedCall } from '../request/call.js'
import { refuse } from '../request/errors.js'
import { define } from '../request/operation.js'
import type { ExtensionSetting } from '../state/store.js'

type Value = ExtensionSetting['value']

export const updateSettings = define({
  gate: (c) => needGate(c, 'ext-settings-permission', 'change settings'),
  accept(c) {
    const list = settingsBody.safeParse(c.body)
    if (!list.success)
      refuse(c.decisions['ext-settings-not-array'], { with: ['body'], decision: 'ext-settings-not-array' })
    if (list.data.length === 0 && c.decisions['ext-settings-empty'] === 'refused')
      refuse('empty-field', { with: ['body'], decision: 'ext-settings-empty' })
    const values = new Map<string, Value>()
    for (const element of list.data) {
      const { option, value } = readElement(c, element)
      if (values.has(option) && c.decisions['settings-atomic'] === 'duplicates-refused')
        refuse('invalid-value', {
          with: [option],
          detail: `${option} is there twice`,
          decision: 'settings-atomic',
        })
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

/** Names and values in the form that this tracker's elements have. */
export function settingElement(
  form: AdmittedCall['decisions']['ext-settings-element'],
  option: string,
  value: Value,
): object {
  return form === 'pairs' ? { [option]: value } : { [nameMember[form]]: option, value }
}

const nameMember = { 'option-value': 'option', 'name-value': 'name', 'key-value': 'key' } as const

function readElement(c: AdmittedCall, element: unknown): { option: string; value: Value } {
  const form = c.decisions['ext-settings-element']
  const invalid = (detail: string) =>
    refuse('invalid-value', { with: ['body'], detail, decision: 'ext-settings-element' })
  if (typeof element !== 'object' || element === null || Array.isArray(element))
    invalid('An element is an object')
  const members = element as Record<string, Value>
  if (form === 'pairs') {
    const [[option, value] = [], ...more] = Object.entries(members)
    if (option === undefined || value === undefined || more.length > 0) invalid('An element has one member')
    else return { option, value }
  } else {
    const option = members[nameMember[form]]
    if (typeof option === 'string' && option !== '') return { option, value: members.value ?? null }
  }
  refuse('empty-field', {
    with: [form === 'pairs' ? 'option' : nameMember[form]],
    decision: 'ext-settings-element',
  })
}

/** The value to store: null takes an override away. */
function checkedValue(c: AdmittedCall, option: string, value: Value): Value {
  const setting = c.store.db.extensionSettings.find('option', option)
  if (!setting)
    refuse(c.decisions['ext-settings-unknown'], { with: [option], decision: 'ext-settings-unknown' })
  // What the database holds of it may be taken away.
  if (setting.file_only && value !== null) {
    const denied = c.decisions['ext-settings-readonly'] === 'access-denied'
    refuse(denied ? 'access-denied' : 'option-file-only', {
      with: [option],
      decision: 'ext-settings-readonly',
    })
  }
  const typed = c.decisions['ext-settings-value'] === 'typed'
  if (typed && kind(value) !== kind(setting.default))
    refuse('invalid-value', {
      with: [option],
      detail: `${option} is ${kind(setting.default)}`,
      decision: 'ext-settings-value',
    })
  return value === null ? setting.default : value
}

const kind = (value: Value) => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value)
