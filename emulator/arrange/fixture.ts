/** The present state as a starting state in TypeScript, to paste into a test. */
import { diffStates } from '../observe/diff.js'
import { rowOf, type ShownCollection, type State } from '../state/collections.js'
import { exact } from '../state/references.js'
import { draftOf, type Row } from './draft.js'
import { filled, keysOf, type PartialSeed, seeds, stateOfSeed } from './seed.js'

/** What differs from the default starting state; the whole state where a part cannot say it, as when a record is gone. */
export async function seedOf(state: State): Promise<PartialSeed | State> {
  const base = seeds.small as State
  const parts = Object.entries(diffStates(base, state)).map(([name, { added, changed, removed }]) => {
    const collection = name as ShownCollection
    const { identity } = rowOf(collection)
    const keys = keysOf(collection)
    const others = (row: Row) =>
      draftOf({ ...state, [collection]: state[collection].filter((one) => one !== row) })
    const short = (row: Row) => {
      const known = Object.fromEntries(keys.map((key) => [key, row[key]]))
      const whole = filled(others(row), collection, known)
      const said = ([key, value]: [string, unknown]) =>
        keys.includes(key) || JSON.stringify(whole[key]) !== JSON.stringify(value)
      return Object.fromEntries(Object.entries(row).filter(said))
    }
    const part = ({ after, fields }: { readonly after: Row; readonly fields: readonly string[] }) =>
      Object.fromEntries([...identity, ...fields].map((field) => [field, after[field]]))
    return { name, rows: [...changed.map(part), ...added.map(short)], removed }
  })
  if (parts.some(({ removed }) => removed.length > 0)) return state
  const seed = Object.fromEntries(parts.map(({ name, rows }) => [name, rows])) as PartialSeed
  // A name that two records have exchanged, for example, is more than a part can say.
  const same = await stateOfSeed(seed, exact).then(
    (again) => Object.keys(diffStates(again, state)).length === 0,
    () => false,
  )
  return same ? seed : state
}

export async function fixtureOf(state: State): Promise<string> {
  const seed = await seedOf(state)
  const [type, about] =
    'schema' in seed
      ? ['State', 'The whole state, since records of the default one are gone or replaced.']
      : ['PartialSeed', 'What differs from the default starting state.']
  return `import { createTracker, type ${type} } from 'tracker-kit'

/** ${about} */
const seed: ${type} = ${literal(seed)}

export const tracker = await createTracker({ seed })
`
}

const WIDTH = 100

/** A value as it stands in source code. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const deeper = `${indent}  `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const members = Array.isArray(value)
    ? value.map((member) => literal(member, deeper))
    : Object.entries(value).map(([key, member]) => `${name(key)}: ${literal(member, deeper)}`)
  if (members.length === 0) return `${open}${close}`
  const flat = members.join(', ')
  const fits = !flat.includes('\n') && indent.length + flat.length < WIDTH
  const nested = Object.values(value).some((member) => typeof member === 'object' && member !== null)
  if (fits && !nested) return Array.isArray(value) ? `[${flat}]` : `{ ${flat} }`
  return `${open}\n${members.map((member) => `${deeper}${member},\n`).join('')}${indent}${close}`
}

const name = (key: string) => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key))

const quoted = (text: string) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
