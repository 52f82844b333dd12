/**
 * Section 2: the members of each body. The table says of a value that it is right, that it is certainly wrong, or that
 * the document is silent. The stages judge by it, and the driver draws the values that it sends from it.
 */
import type { Held, Level } from './held.js'
import { openIf, violatedIf, worst } from './held.js'
import { isInteger, isObject, same } from './json.js'
import type { Knowledge } from './knowledge.js'
import { isNoName, NO_NAME, saysNothing } from './names.js'

/** What the judgement of a value may depend on. */
export interface Context {
  readonly knowledge: Knowledge
  /** Values of self-service settings that were accepted, by option. */
  readonly options: ReadonlyMap<string, ReadonlySet<unknown>>
}

export interface Member {
  readonly type: 'string' | 'integer' | 'boolean' | 'array' | 'object'
  readonly required?: true
  /** A value that was accepted proves itself only; otherwise it proves every text of its form. */
  readonly exact?: true
  holds(value: unknown, context: Context): Held
  /** Of a wrong value; `must` where absent. */
  level?(value: unknown): Level
  /** Values to send that are certainly wrong. */
  bad?(knowledge: Knowledge): readonly unknown[]
  /** Values to send; the document does not say whether they are right. */
  readonly silent?: readonly unknown[]
  /** Lists to send that name something absent, or one thing twice; the document does not mention them. */
  lists?(knowledge: Knowledge): readonly unknown[]
}

/** Whether a value has a documented type. */
export function isTyped(type: Member['type'], value: unknown): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return isInteger(value)
  return type === 'object' ? isObject(value) : typeof value === type
}

/** No tracker has as many projects. */
const NO_PROJECT = '999999999'

/** Whether a list has one setting twice. */
const namesTwice = (list: readonly unknown[]): boolean =>
  new Set(list.map((one) => isObject(one) && one.option)).size < list.length

/** Of every JSON type, and texts of unusual length. */
const otherTypes = [
  ...[null, true, 7, 1.5, -1, 1e21, [], ['a'], {}, { id: 1 }, '', 'x', '1', [null]],
  'x'.repeat(1200),
]
const optional = (type: Member['type'], more: Partial<Member> = {}) => ({
  type,
  holds: (value: unknown) => openIf(!isTyped(type, value)),
  silent: otherTypes,
  ...more,
})
const isText = (value: unknown) => typeof value === 'string'
const EXACT = { exact: true } as const
const REQUIRED = { required: true } as const

/** A tracker may read a number or a boolean as a text. An absent member, null or a structure is never a text. */
const requiredText = (value: unknown): Held => {
  if (value === undefined || value === null || typeof value === 'object') return 'violated'
  return openIf(!isText(value))
}

const tables = {
  user: {
    username: optional('string', { silent: [null, '', 7, {}, 'x'.repeat(300)] }),
    email: {
      type: 'string',
      holds(value) {
        if (typeof value !== 'string' || value.trim() === '') return 'open'
        return violatedIf(!value.includes('@') || !/[^@]/.test(value))
      },
      level: (value) => (String(value).includes('@') ? 'should' : 'must'),
      bad: () => ['no address', 'nobody.example.org', '@'],
      silent: [null, {}, '', `${'x'.repeat(270)}@example.org`, 7],
    },
    realname: optional('string'),
    password: optional('string', EXACT),
    access_level: optional('integer', EXACT),
    enabled: optional('boolean'),
    protected: optional('boolean'),
    language: optional('string', EXACT),
    timezone: optional('string', EXACT),
    client_preferred: optional('boolean'),
    avatar: optional('string', { ...EXACT, holds: () => 'open' }),
    notify_user: optional('boolean'),
    password_current: optional('string', { ...EXACT, holds: () => 'open' }),
  },
  password: {
    password_current: { type: 'string', ...REQUIRED, holds: requiredText, silent: [7, true] },
    password: {
      ...{ type: 'string', ...REQUIRED, ...EXACT, silent: [7, true] },
      holds: (value, { knowledge: { password } }) =>
        password?.invalid !== undefined && value === password.invalid ? 'violated' : requiredText(value),
      bad: ({ password }) => (password?.invalid === undefined ? [] : [password.invalid]),
    },
  },
  configs: {
    configs: {
      ...{ type: 'array', ...REQUIRED, ...EXACT },
      holds: (value, context) =>
        Array.isArray(value) && value.length > 0
          ? worst([...value.map((one) => setting(one, context)), openIf(namesTwice(value))])
          : 'violated',
      bad: wrongSettings,
      lists: ({ userSetting: known }) => (known ? [7, true].map((value) => [{ ...known, value }]) : []),
    },
  },
  assignment: {
    project_ids: {
      ...{ type: 'array', ...REQUIRED, ...EXACT },
      holds: (value) => {
        if (Array.isArray(value)) return openIf(!value.every(isText))
        return value === true ? 'violated' : requiredText(value) === 'violated' ? 'violated' : 'open'
      },
      silent: [[1], [''], ['x'], [null], ['-1'], ['1.5'], 'x', 7],
      lists: ({ projects: [first] = [] }) => [[NO_PROJECT], ...(first ? [[first, first]] : [])],
    },
    access_level: {
      ...{ type: 'string', ...REQUIRED, ...EXACT, holds: requiredText },
      silent: [25, '', 'no level', '-1', 1.5, true],
    },
  },
  field: {
    custom_field: { type: 'object', ...REQUIRED, holds: (value) => violatedIf(!isObject(value)) },
    projects: optional('array', {
      ...EXACT,
      silent: [null, 'x', {}, 7, [1], ['x'], [''], [null]],
      lists: () => [[NO_PROJECT]],
    }),
  },
  definition: {
    name: optional('string', { holds: (value) => openIf(!isText(value) || value === '') }),
    type: optional('string', { ...EXACT, silent: [...otherTypes, NO_NAME] }),
    possible_values: optional('string', EXACT),
    default_value: optional('string'),
    display_report: optional('boolean'),
    display_update: optional('boolean'),
  },
  plugin: {
    protected: optional('boolean'),
    priority: optional('integer', { holds: inRange, bad: outside }),
  },
  columns: {
    project: {
      ...{ type: 'object', ...EXACT },
      holds: (value, { knowledge: { columns } }) => openIf(!same(value, columns?.project)),
      silent: [null, 7, 'x', [], {}, { id: null }, { id: 'x' }, true, { id: '999999' }],
    },
    type: optional('string', EXACT),
    columns: {
      ...{ type: 'array', ...EXACT },
      // One column may have to be there, or to come first.
      holds: (value, { knowledge: { columns } }) => openIf(!same(value, columns?.columns)),
      silent: [null, 7, 'x', {}, [], [7], [null], ['no_such_column'], [''], ['id', 'id']],
    },
  },
  settings: {},
} satisfies Readonly<Record<string, Readonly<Record<string, Member>>>>

/** The names of the tables. */
export type Family = keyof typeof tables
export const bodies: Readonly<Record<Family, Readonly<Record<string, Member>>>> = tables

export const requiresMembers = (family: Family): boolean =>
  Object.values(bodies[family]).some(({ required }) => required)

export const memberOf = (family: Family, name: string): Member | undefined =>
  Object.hasOwn(bodies[family], name) ? bodies[family][name] : undefined

function inRange(value: unknown, { knowledge: { plugin } }: Context): Held {
  if (!isInteger(value) || !plugin?.priority) return 'open'
  return violatedIf(value < plugin.priority.min || value > plugin.priority.max)
}

function outside({ plugin }: Knowledge): readonly unknown[] {
  return plugin?.priority ? [plugin.priority.max + 1, plugin.priority.min - 1, -1000, 100_000] : []
}

/** One setting of a list: an unsupported or malformed one makes the whole list wrong. */
function setting(one: unknown, { knowledge, options }: Context): Held {
  if (!isObject(one) || typeof one.option !== 'string') return 'violated'
  if (one.value === undefined || one.value === null || typeof one.value === 'object') return 'violated'
  if (isNoName(one.option) || saysNothing(one.option) || distorted(knowledge).includes(one.option))
    return 'violated'
  return openIf(!options.get(one.option)?.has(one.value))
}

/** The known setting with one character more or less; no blanks, which a tracker may cut. */
function distorted({ userSetting }: Knowledge): readonly string[] {
  if (!userSetting) return []
  const { option } = userSetting
  return [`${option}x`, `${option}; x`, option.slice(0, -1)]
}

function wrongSettings(knowledge: Knowledge): readonly unknown[] {
  const unknown = { option: NO_NAME, value: '1' }
  const nameless = [{ value: '1' }, { option: '', value: '1' }, { option: '__proto__', value: '1' }]
  const elements = [unknown, ...nameless, null, 'x', 7]
  const shapes = [null, {}, 'x', 7, [], ...elements.map((one) => [one])]
  const { userSetting: known } = knowledge
  if (!known) return shapes
  const { option, value } = known
  const misnamed = [...distorted(knowledge), 'toString', 'constructor', 7, null].map((name) => ({
    option: name,
    value,
  }))
  const valueless = [{ option }, { option, value: null }, { option, value: {} }]
  const behind = [unknown, { option }, { option: 7, value: '1' }].map((one) => [known, one])
  const single = [...misnamed, ...valueless].map((one) => [one])
  return [...shapes, known, ...single, ...behind, [unknown, known]]
}

/** Texts that are hard to store: a tracker may refuse each of them, but must not fail. */
export const hostile: readonly string[] = [
  ...[`it's "quoted" \\ back`, "x'; DROP TABLE users; --", '__proto__', 'constructor', 'smile 😀 behind'],
  ...['nul \u0000 inside', 'line\nbreak', 'x'.repeat(1200), 'y'.repeat(270), 'right \u202e to left'],
  ...['<b>bold</b> & co', '100% of 5%d', 'Zoë Ångström Łuk', '日本語 text', 'one, two', '  blanks around  '],
  ...['a  b', '', '0', 'null', '{"a":1}', '../../etc/passwd', '%'],
]
