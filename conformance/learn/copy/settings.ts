/** The settings of the extension, as far as changes of them and the profile show them. */
import { ownSetting } from '../../../emulator/request/translate.js'
import { optionOf } from '../../../emulator/twin/features.js'
import { isObject, type JsonObject } from '../../oracle/json.js'

const isOfValue = (name: string) => /^(val|data|content|new|now|to$|is$|set$)/i.test(name)

/** The members for the name and the value of a setting in served changes; undefined where a decision has them, or two may be it. */
export function settingMembersIn(changes: readonly unknown[]): [name: string, value: string] | undefined {
  const elements = changes.flat().filter(isObject)
  const keys = new Set(elements.flatMap(Object.keys))
  if (keys.size !== 2 || /^(option|name|key),value$/.test([...keys].sort().join())) return undefined
  const areTexts = (key: string) => elements.every((one) => typeof one[key] === 'string')
  const [name, value] = [...keys].sort((a, b) => Number(isOfValue(a)) - Number(isOfValue(b)))
  if (name === undefined || value === undefined) return undefined
  return areTexts(name) ? [name, value] : areTexts(value) ? [value, name] : undefined
}

/** The settings that the profile promises, and those that served changes have changed. */
export function settingsOf(promised: readonly unknown[], changes: readonly unknown[]) {
  const settingMembers = settingMembersIn(changes)
  const elements = [...promised, ...changes].flat().filter(isObject)
  const rows = elements.map((given) => {
    const { value, ...item }: JsonObject = ownSetting(given, { settingMembers })
    const option = optionOf(item)
    return [option, { option, value: value ?? item[option] ?? '' }] as const
  })
  return new Map(rows.filter(([option]) => option !== '')).values()
}
