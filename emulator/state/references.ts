/** Whether the records of a state belong together. */
import {
  type AnyRecord,
  type Collation,
  type CollectionName,
  collectionNames,
  references,
  referencesOf,
  rowOf,
  type State,
} from './collections.js'

/** Each text is another one. */
const same = (text: string) => text
export const exact: Collation = { username: same, customField: same }

/** Throws at the first record that refers to nothing, or that repeats what must be unique. */
export function checkReferences(state: State, collation: Collation): void {
  for (const name of collectionNames) unique(state, name, rowOf(name).identity, String)
  checkNames(state, collation)
  const ids = new Map<CollectionName, Set<unknown>>()
  for (const name of collectionNames)
    for (const member of referencesOf(rowOf(name))) {
      const { collection } = references[member]
      const known = ids.get(collection) ?? new Set(state[collection].map(({ id }) => id))
      ids.set(collection, known)
      for (const row of state[name] as readonly AnyRecord[])
        if (!known.has(row[member]) && !(rowOf(name).refersToAll === member && row[member] === 0))
          throw new TypeError(`Not a tracker's state: ${name}: ${member} ${row[member]} does not exist`)
    }
  for (const name of ['users', 'customFields'] as const) {
    const counter = rowOf(name).counter ?? 'user'
    const beyond = state[name].find(({ id }) => id > state.lastIds[counter])
    if (beyond)
      throw new TypeError(
        `Not a tracker's state: lastIds.${counter} is ${state.lastIds[counter]}, and ${beyond.id} is in use`,
      )
  }
}

/** Throws at the first name or secret that is there twice, by this comparison. */
export function checkNames(state: State, collation: Collation): void {
  for (const name of collectionNames) {
    const { unique: rule } = rowOf(name)
    if (rule) {
      const by = rule.collation ? collation[rule.collation] : same
      unique(state, name, [rule.member], (value) => by(String(value)), rule.hidden)
    }
  }
}

function unique(
  state: State,
  name: CollectionName,
  members: readonly string[],
  textOf: (value: unknown) => string,
  hidden = false,
): void {
  const seen = new Set<string>()
  const one = members.length === 1 ? members[0] : undefined
  for (const row of state[name] as readonly AnyRecord[]) {
    const key = one === undefined ? members.map((member) => textOf(row[member])).join(', ') : textOf(row[one])
    if (seen.has(key)) {
      const what = listed(members.map((member) => member.replace(/_id$/, '')))
      const value = hidden ? `of one ${name.replace(/s$/, '')}` : `"${key}"`
      throw new TypeError(`Not a tracker's state: ${name}: the ${what} ${value} is there twice`)
    }
    seen.add(key)
  }
}

/** `user, project and type` */
const listed = (words: readonly string[]) =>
  [words.slice(0, -1).join(', '), words.at(-1)].filter((part) => part !== '').join(' and ')
