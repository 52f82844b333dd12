/** Finds the source of a value in a success body. */
import { isSecretName } from '../../client/secret-names.js'
import { getOrInsert, memoised } from '../../contract/memoised.js'
import { at } from '../../contract/templates.js'
import { isObject } from '../../oracle/json.js'
import { leavesOf } from '../trace/compare.js'

type Json = unknown

export interface Sample {
  /** The target's value at this place; undefined where it has none. */
  readonly value: Json
  readonly source: Json
}

export function listPaths(value: Json, path = ''): string[] {
  if (Array.isArray(value)) return [path]
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, member]) =>
    listPaths(member, path === '' ? key : `${path}.${key}`),
  )
}

/** `lacking`: the sources of answers that have no such member. The source of an optional member explains its absence, too. */
export function leafTemplate(samples: readonly Sample[], name: string, lacking: readonly Json[] = []): Json {
  const [first] = samples
  if (!first) return null
  const constant = samples.every(({ value }) => value === first.value)
  // A file must not contain the target's secrets, so the emulator's are used. A constant word is only the kind of a secret.
  const isKind = constant && samples.length > 1 && /^[a-z]{1,12}$/i.test(String(first.value))
  const isSecret = isSecretName(name) || (!constant && /^SECRET\.\d/.test(String(first.value)))
  if (isSecret && typeof first.value === 'string' && !isKind) return { $from: 'value.token', $else: '' }
  const kind = typeof first.value
  const path = leafPath(samples, name, lacking)
  const blank = { string: '', number: 0, boolean: first.value }[kind as 'string'] ?? null
  if (path !== null)
    return {
      $from: path,
      ...(lacking.length === 0 && { $else: constant ? first.value : blank }),
      $as: /string|number/.test(kind) && samples.every(({ value }) => typeof value === kind) ? kind : 'any',
    }
  const isWord = typeof first.value !== 'string' || (first.value.length < 40 && samples.length > 1)
  return constant && isWord ? first.value : blank
}

const isAlike = (one: string, other: string) => stems(one) === stems(other) || joined(one) === joined(other)
const joined = (name: string) => name.replace(/_/g, '').toLowerCase()

/** The first letters of each word of a name, sorted, so that the order of the words does not matter. */
const stems = (name: string) =>
  name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => !['is', 'has', ''].includes(word))
    .map((word) => word.slice(0, 5))
    .sort()
    .join()

const order = ['subject', 'value', 'item', 'caller', 'body', 'path', 'rest', 'lists', 'all']

/** The paths of a source at which each value is found, by its text. */
const pathsByText = memoised((source: Json) => {
  const found = new Map<string, string[]>()
  for (const [pointer, value] of leavesOf(source))
    if (value !== null)
      getOrInsert(found, String(value), (): string[] => []).push(pointer.slice(1).replaceAll('/', '.'))
  return found
})

/** The path at which the source has the target's value in most samples; null where there is none. */
function leafPath(samples: readonly Sample[], name: string, lacking: readonly Json[]): string | null {
  const [first] = samples
  if (!first) return null
  const hits = new Map<string, number>()
  for (const { value, source } of samples)
    for (const path of pathsByText(source).get(String(value)) ?? []) hits.set(path, (hits.get(path) ?? 0) + 1)
  const alike = (path: string) => isAlike(path.split('.').at(-1) ?? '', name)
  // In a few samples the simulator's state may differ from the target's. A path of the same name needs fewer.
  const fitting = [...hits]
    .filter(([path, count]) => count >= (alike(path) ? 0.4 : 0.7) * samples.length)
    .map(([path]) => path)
  const distinct = new Set(samples.map(({ value }) => String(value))).size
  // Flags and small numbers match many places by chance: only a similar name, or a value that varies, confirms the path.
  const weak =
    typeof first.value === 'boolean' ||
    (typeof first.value === 'number' && first.value < 100) ||
    String(first.value).length < 3
  const sure = fitting.filter((path) => !weak || distinct > 1 || alike(path))
  const isThere = (path: string) =>
    lacking.filter((source) => ![undefined, null, ''].includes(at(source, path) as null))
  const rank = (path: string) =>
    (isThere(path).length > 0.1 * lacking.length ? 100 : 0) +
    (alike(path) ? 0 : 10) +
    order.indexOf(path.split('.')[0] ?? '')
  return sure.sort((a, b) => rank(a) - rank(b) || a.length - b.length)[0] ?? null
}
