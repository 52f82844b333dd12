/** Sections 2.3, 4.1 and 4.2: settings that there are not, or that stand in no list, of the caller and of the extension. */

import { type Row, requirementOf, type Variant } from '../../suite/engine.js'
import { group } from '../../suite/requirement.js'
import type { Check } from '../../suite/types.js'

const common = { level: 'must', safety: 'read', allowed: [400] } as const satisfies Partial<Row>
const ofCaller = { ...common, section: '4.1', operations: ['updateUserSettings'] } as const
const ofExtension = { ...common, section: '4.2', operations: ['updateSettings'] } as const

type Bodies = readonly (readonly [what: string, body: unknown])[]

const bodies = (all: Bodies): Variant[] => all.map(([what, body]) => ({ what, call: { body } }))
const configs = (all: Bodies): Variant[] => bodies(all.map(([what, list]) => [what, { configs: list }]))

const unknown = (t: Check) => `${t.run.tag}_no_such_setting`

const rows: readonly Row[] = [
  {
    ...ofCaller,
    id: 'account.settings-mixed',
    statement:
      'A list of settings is answered 400 for one that is unsupported or malformed, wherever it stands.',
    safety: 'destructive',
    change(_, t) {
      const setting = t.need('userSetting')
      const { option, value } = setting
      const unsupported = { option: unknown(t), value: '1' }
      return configs([
        ['an unsupported setting after a permitted one', [setting, unsupported]],
        ['an unsupported setting before a permitted one', [unsupported, setting]],
        ['a setting without a value after a permitted one', [setting, { option }]],
        ['a setting with null as its value after a permitted one', [setting, { option, value: null }]],
        ['a setting with an empty name after a permitted one', [setting, { option: '', value }]],
        ['a setting without a name after a permitted one', [setting, { value }]],
        ['one setting that is in no list', setting],
      ])
    },
  },
  {
    ...ofCaller,
    id: 'account.settings-unsupported',
    statement: 'A setting that the tracker does not support is answered 400.',
    change: (_, t) =>
      configs([
        ['an unsupported setting, of a made-up name', [{ option: unknown(t), value: '1' }]],
        ['an unsupported setting, with an empty name', [{ option: '', value: '1' }]],
      ]),
  },
  {
    ...ofCaller,
    id: 'account.settings-names-whole',
    statement: 'The name of a setting is compared whole, and with the settings that there are.',
    change(_, t) {
      const { userSetting } = t.allows('destructive') ? t.profile : {}
      const longer = userSetting && { ...userSetting, option: `${userSetting.option}_${t.run.tag}` }
      return configs([
        ...['constructor', '__proto__', 'toString'].map(
          (option) => [`a setting named ${option}`, [{ option, value: '1' }]] as const,
        ),
        ...(longer ? [['a setting whose name begins as that of another one', [longer]] as const] : []),
      ])
    },
  },
  {
    ...ofExtension,
    id: 'settings.names-validated',
    statement:
      'The names of extension settings are validated: one that the tracker does not know is answered 400.',
    change(_, t) {
      const settings = t.need('settings')
      const renamed = withName(settings[0], unknown(t))
      if (renamed === null) return t.skip("the profile's settings do not show where an element has its name")
      return bodies([
        ['an unknown setting', [renamed]],
        ['a setting with an empty name', [withName(settings[0], '')]],
        ...(t.allows('destructive')
          ? [['an unknown setting behind known ones', [...settings, renamed]] as const]
          : []),
      ])
    },
  },
  {
    ...ofExtension,
    id: 'settings.in-a-list',
    statement: 'Extension settings stand in a list: one that stands in none is answered 400.',
    safety: 'destructive',
    change(_, t) {
      const settings = t.need('settings')
      if (settings.length > 1 || withName(settings[0], 'kit') === null)
        t.skip('the profile has not one setting alone, in one of the usual forms')
      return bodies([['a setting in no list', settings[0]]])
    },
  },
  {
    ...ofExtension,
    id: 'settings.elements-validated',
    level: 'should',
    statement: 'What names no setting at all, as a number or null in the list of them, is answered 400.',
    change(_, t) {
      t.need('settings')
      return bodies([7, null].map((element) => [`the list [${element}] as settings`, [element]]))
    },
  },
]

/** The element under another name, in any of the usual forms; null when the form is not one of them. */
function withName(element: unknown, name: string): object | null {
  if (typeof element !== 'object' || element === null || Array.isArray(element)) return null
  const entries = Object.entries(element)
  const key = ['option', 'name', 'key', 'setting', 'id'].find(
    (candidate) => typeof Object.getOwnPropertyDescriptor(element, candidate)?.value === 'string',
  )
  if (key !== undefined && entries.length > 1) return { ...element, [key]: name }
  return entries.length === 1 ? { [name]: entries[0]?.[1] } : null
}

export const settings = group({ rank: 50 }, rows.map(requirementOf))
