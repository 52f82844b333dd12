/** Request bodies: for each operation a valid one, and the other values to try at each place of it. */
import type { OperationId } from '../../../contract/index.js'
import { isObject } from '../../../oracle/json.js'
import type { Request, Script } from '../script.js'

export const long = (length: number) => 'k'.repeat(length)

/** Bodies without valid content. */
export const empty: readonly Request[] = [
  { rawBody: '{' },
  { body: {} },
  { body: [] },
  {},
  { rawBody: 'null' },
  { body: 'text' },
]

/** A project and a word that no tracker has. */
export const NO_PROJECT = '987654'
export const NO_WORD = 'none-such'

/** A valid body for an operation; undefined where it takes none. */
export function plainBody(s: Script, op: OperationId): unknown {
  const { projects, projectAccessLevel, userSetting, columns, plugin, settings } = s.profile
  switch (op) {
    case 'changeOwnPassword':
      return { password_current: `not ${s.name()}`, password: s.password }
    case 'updateUserSettings':
      return { configs: [userSetting ?? { option: 'language', value: 'english' }] }
    case 'createUser':
      return s.userBody()
    case 'updateUser':
      return { realname: `Kit ${s.name()}` }
    case 'addUserToProjects':
      return { project_ids: projects?.slice(0, 1) ?? ['1'], access_level: projectAccessLevel ?? 'reporter' }
    case 'createCustomField':
    case 'updateCustomField':
      return s.fieldBody()
    case 'manageColumns':
      return columns ?? {}
    case 'updatePlugin':
      return { priority: plugin?.priority?.min ?? 3, protected: false }
    case 'updateSettings':
      return settings ?? []
    default:
      return undefined
  }
}

export const withBody = (s: Script, op: OperationId): Request => {
  const body = plainBody(s, op)
  return body === undefined ? {} : { body }
}

/** For each place in a body, the values to try there; undefined removes the member. */
export type Values = Readonly<Record<string, readonly unknown[]>>

/** Bodies with one of the values each: first the first value of each place, then the second of each place, and so on. */
export function bodiesWith(plain: () => unknown, values: Values): unknown[] {
  const places = Object.entries(values)
  const most = Math.max(...places.map(([, list]) => list.length))
  return Array.from({ length: most }, (_, turn) =>
    places.flatMap(([place, list]) =>
      turn < list.length ? [put(plain(), place.split('.'), list[turn])] : [],
    ),
  ).flat()
}

function put(value: unknown, [key = '', ...below]: readonly string[], given: unknown): unknown {
  const old = (value as Readonly<Record<string, unknown>> | undefined)?.[key]
  const own = below.length === 0 ? given : put(old, below, given)
  return Array.isArray(value)
    ? Object.assign([...value], { [key]: own })
    : { ...(value as object), [key]: own }
}

/** `taken`: the address of another user. */
export function userValues(s: Script, taken: { readonly email: string }): Values {
  const { emailDomain: domain = 'example.org', accessLevel } = s.profile
  return {
    email: [
      ...['no address', 12, taken.email, '', null, `${s.name()}@localhost`],
      ...[`${s.name()}!x@${domain}`, `${s.name()}@mailinator.com`],
    ],
    realname: ['', 5, `${s.name()}${long(100)}`, `  Kit   ${s.name()} `, `a <b> ${s.name()}`],
    access_level: [101, '25', 33, -1, accessLevel === undefined ? null : { id: accessLevel }],
    enabled: ['yes', 1, null],
    language: ['klingon', 'german'],
    timezone: ['Mars/Base'],
    avatar: ['initials:KT', long(70_000)],
    nickname: ['kit'],
    client_preferred: [true],
    notify_user: [true],
  }
}

export function assignmentValues({ profile }: Script): Values {
  const [first = '1', second = first] = profile.projects ?? []
  const level = profile.projectAccessLevel ?? 'reporter'
  return {
    project_ids: [
      ...[[first, second], [NO_PROJECT], [], undefined, second, [Number(second)], [second, NO_PROJECT]],
      ...[['abc'], ['0'], [second, second], [null], null, ['-3']],
    ],
    access_level: [
      ...[undefined, '', NO_WORD, '-1', level.toUpperCase(), 'Developer', '40', 25, 'administrator', null],
      ...['33', '25'],
    ],
    extra: [1],
  }
}

/** `taken`: the name of another field. */
export function fieldValues(s: Script, taken: string): Values {
  const [project = '1', second = project] = s.profile.projects ?? []
  return {
    'custom_field.type': [NO_WORD, 5, undefined, 'STRING', 'date', '', null, '0', 'list', '3', '99', 'enum'],
    'custom_field.name': [
      ...[taken, 12, '', null, `${s.name()},x`, taken.toUpperCase(), ` ${s.name()} `, `<b>${s.name()}</b>`],
      ...['   ', `${s.name()} é`],
    ],
    projects: [[project], [NO_PROJECT], [project, NO_PROJECT], [second], ['abc'], [1], [], 'x', null],
    'custom_field.display_report': ['yes', true],
    'custom_field.default_value': [long(256), long(120)],
    'custom_field.colour': ['red'],
    extra: [1],
    custom_field: ['text', {}],
    'custom_field.display_update': [null],
    'custom_field.possible_values': [5],
  }
}

export function pluginValues({ profile }: Script): Values {
  const { min, max } = profile.plugin?.priority ?? { min: 1, max: 5 }
  return {
    priority: [max, min - 1, max + 1, undefined, String(min), null, 3, 10, 0, 1, 4, 5, 6, 9, 11],
    protected: [undefined, 'yes', 0],
    extra: [1],
  }
}

export function settingValues(s: Script): Values {
  const [first] = s.profile.settings ?? []
  if (!isObject(first)) return { 0: ['text', null] }
  const [member = 'option'] = Object.keys(first)
  const { value, [member]: option } = first
  const others = ['option', 'name', 'key'].filter((other) => other !== member)
  const unknown = { ...first, [member]: s.name() }
  return {
    [`0.${member}`]: [s.name(), undefined],
    '0.value': [undefined, null, typeof value === 'string' ? 5 : 'text', [1]],
    1: [first, unknown],
    '0.extra': [1],
    0: [
      ...['text', null, { [String(option)]: value ?? 1 }],
      ...others.flatMap((other) => [
        { [other]: option, value },
        { ...first, [other]: option },
      ]),
    ],
  }
}

export function configValues(s: Script): Values {
  const setting = s.profile.userSetting ?? { option: '', value: '' }
  return {
    configs: [[], undefined, 'text', [setting, setting], null, ['text']],
    'configs.0.option': [s.name(), undefined],
    'configs.0.value': [undefined, 'not \u0001 a value', 5, null, true],
    'configs.0.extra': [1],
    extra: [1],
    'configs.0': [
      { option: 'refresh_delay', value: '5' },
      { option: 'language', value: 'klingon' },
      { option: 'email_on_new', value: '1' },
      { option: 'language', value: 'english' },
      { option: 'font_family', value: 'Lato' },
    ],
    'configs.1': [{ option: s.name(), value: 'x' }],
  }
}

export function columnValues(s: Script): Values {
  const { project, columns } = s.profile.columns ?? { columns: [] }
  const [id = '1'] = s.profile.projects ?? []
  const [one = 'id'] = columns
  const forms = typeof project === 'string' ? [{ id }, id] : [id, { id }]
  return {
    columns: [
      ...[[], [...columns, s.name()], [one, one], [s.name()], [one.toUpperCase()], one],
      ...[[one, one.toUpperCase()], ['eta'], null, [5]],
    ],
    type: [NO_WORD, 'print', 'view_issues', undefined, 'csv', null, 5],
    project: [{ id: NO_PROJECT }, ...forms, undefined, NO_PROJECT, null, 5, { id: Number(id) }, 'abc', {}],
    extra: [1],
  }
}

/** `current` and `next`: passwords of the account. */
export function passwordValues({ profile }: Script, current: string): Values {
  return {
    password_current: ['wrong one', undefined, null, ''],
    password: [undefined, profile.password?.invalid ?? long(1025), '', current, 5, null],
  }
}

/** Common limits of the length of texts. */
const limits = [32, 40, 48, 50, 60, 64, 80, 100, 128, 191, 255, 1000]

/** Finds between which two of these lengths the limit of a text lies. */
export async function longestOf(
  fits: (length: number) => Promise<boolean>,
  lengths: readonly number[] = limits,
): Promise<void> {
  let [low, high] = [-1, lengths.length]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (await fits(lengths[middle] ?? 0)) low = middle
    else high = middle
  }
}
