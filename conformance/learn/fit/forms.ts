/** The forms of success bodies, as templates whose values come from what the emulator knows of the same things. */
import { isObject } from '../../target/look.js'
import { leavesOf, likeness } from '../ask/shape.js'
import type { Pair } from '../copy/copy.js'

type Json = unknown

interface Sample {
  /** The target's value here; undefined where it has none. */
  readonly value: Json
  readonly source: Json
}

/**
 * A template for each operation whose success bodies the simulator does not have the shape of. Where fewer than a third
 * of its answers are odd, it is not another form, but what a single record shows or leaves out.
 */
export function inducedForms(pairs: readonly Pair[]): Record<string, Json> {
  const samples = new Map<string, Sample[]>()
  const odd = new Map<string, number>()
  for (const { recorded, replayed } of pairs) {
    const { step, seen, bound } = recorded
    if (
      seen.status !== 200 ||
      replayed.seen.status !== 200 ||
      replayed.cause?.source === undefined ||
      step.suffix !== undefined ||
      // What was selected is not all that there is.
      /select/.test(step.query ?? '')
    )
      continue
    if (seen.json === undefined) continue
    const value = renamed(seen.json, bound, replayed.bound)
    samples.set(step.operation, [
      ...(samples.get(step.operation) ?? []),
      { value, source: replayed.cause.source },
    ])
    if (likeness(seen.json, replayed.seen.json) < 1)
      odd.set(step.operation, (odd.get(step.operation) ?? 0) + 1)
  }
  return Object.fromEntries(
    [...samples]
      .filter(([operation, all]) => (odd.get(operation) ?? 0) > 0.3 * all.length)
      .map(([operation, all]) => [operation, template(all, '')]),
  )
}

/** With the simulator's ids in the place of the target's. */
function renamed(
  value: Json,
  theirs: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): Json {
  if (Array.isArray(value)) return value.map((item) => renamed(item, theirs, own))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renamed(item, theirs, own)]))
  const name = Object.keys(theirs).find((key) => theirs[key] === String(value) && !key.startsWith('token.'))
  const replaced = name === undefined ? undefined : own[name]
  if (replaced === undefined) return value
  return typeof value === 'number' ? Number(replaced) : replaced
}

function template(samples: readonly Sample[], name: string): Json {
  const present = samples.filter(({ value }) => value !== undefined && value !== null)
  if (present.length === 0) return null
  if (present.every(({ value }) => Array.isArray(value))) return listTemplate(present, name)
  if (present.every(({ value }) => isObject(value))) return objectTemplate(present)
  return leafTemplate(
    present.filter(({ value }) => typeof value !== 'object'),
    name,
  )
}

function objectTemplate(samples: readonly Sample[]): Json {
  const keys = new Set(samples.flatMap(({ value }) => Object.keys(value as object)))
  const members: Record<string, Json> = {}
  for (const key of keys) {
    const below = samples.map(({ value, source }) => ({
      value: (value as Record<string, Json>)[key],
      source,
    }))
    const given = below.filter(({ value }) => value !== undefined)
    if (given.length === below.length) members[key] = template(below, key)
    // Shown now and then: where the value is known, as long as there is one; else where it mostly is.
    else if (isSourced(template(given, key)) || given.length * 2 >= below.length)
      members[`${key}?`] = template(given, key)
  }
  return members
}

const isSourced = (value: Json) => isObject(value) && '$from' in value

function listTemplate(samples: readonly Sample[], name: string): Json {
  const filled = samples.filter(({ value }) => (value as Json[]).length > 0)
  if (filled.length === 0) return []
  const from = sourceList(filled)
  if (from !== null) {
    const items = filled.flatMap(({ value, source }) => {
      // Not every answer of the operation comes with the list.
      const found = at(source, from)
      const rows: readonly Json[] = Array.isArray(found) ? found : []
      return (value as Json[]).map((item, index) => ({
        value: item,
        source: { item: matching(item, rows) ?? rows[index] },
      }))
    })
    return { $from: from, $each: template(items, name) }
  }
  const items = filled.flatMap(({ value, source }) =>
    (value as Json[]).map((item) => ({ value: item, source })),
  )
  if (items.every(({ value }) => typeof value === 'string')) {
    const whole = leafPath(
      filled.map(({ value, source }) => ({ value: JSON.stringify(value), source })),
      name,
      true,
    )
    if (whole !== null) return { $from: whole, $else: [] }
  }
  return samples.some(({ value }) => (value as Json[]).length === 0) ? [] : [template(items, name)]
}

/** The list of the source whose rows are those of the target's list. */
function sourceList(samples: readonly Sample[]): string | null {
  const paths = new Set(samples.flatMap(({ source }) => listPaths(source)))
  let best: { path: string; hits: number } | null = null
  for (const path of paths) {
    let hits = 0
    let items = 0
    for (const { value, source } of samples) {
      const rows = at(source, path)
      if (!Array.isArray(rows)) continue
      for (const item of value as Json[]) {
        items += 1
        if (matching(item, rows) !== undefined) hits += 1
      }
    }
    if (items > 0 && hits * 2 > items && hits > (best?.hits ?? 0)) best = { path, hits }
  }
  return best?.path ?? null
}

/** The row that a value or record most likely shows. */
function matching(item: Json, rows: readonly Json[]): Json {
  if (!isObject(item))
    return rows.find(
      (row) =>
        row === item || (isObject(row) && Object.values(row).some((value) => String(value) === String(item))),
    )
  const telling = Object.values(item).filter(
    (value) => (typeof value === 'string' && value.length > 1) || (typeof value === 'number' && value > 1),
  )
  return rows.find((row) => isObject(row) && telling.some((value) => Object.values(row).includes(value)))
}

function listPaths(value: Json, path = ''): string[] {
  if (Array.isArray(value)) return [path]
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, member]) =>
    listPaths(member, path === '' ? key : `${path}.${key}`),
  )
}

function leafTemplate(samples: readonly Sample[], name: string): Json {
  const [first] = samples
  if (!first) return null
  // A secret is the emulator's own, and none of the target's gets into a file.
  if (/token|secret|password|session|cookie/i.test(name) && typeof first.value === 'string')
    return { $from: 'value.token', $else: '' }
  const constant = samples.every(({ value }) => value === first.value)
  const path = leafPath(samples, name, false) ?? (constant ? null : namesake(samples, name))
  const blank = { string: '', number: 0, boolean: first.value }[typeof first.value as 'string'] ?? null
  if (path !== null)
    return {
      $from: path,
      $else: constant ? first.value : blank,
      $as: typeof first.value === 'string' ? 'string' : typeof first.value === 'number' ? 'number' : 'any',
    }
  return constant && typeof first.value !== 'string'
    ? first.value
    : constant && String(first.value).length < 40 && samples.length > 1
      ? first.value
      : blank
}

/** An id that the target gave to what nobody asked it for again is its own: the subject's member of that name stands for it. */
function namesake(samples: readonly Sample[], name: string): string | null {
  if (!/^id$/i.test(name)) return null
  const there = samples.filter(({ source }) => typeof at(source, 'subject.id') === 'number')
  const numbers = samples.every(({ value }) => /^\d+$/.test(String(value)))
  return numbers && there.length >= 0.7 * samples.length ? 'subject.id' : null
}

const order = ['subject', 'value', 'item', 'caller', 'body', 'path', 'rest', 'lists']

/** Where the source has the same value in every sample. */
function leafPath(samples: readonly Sample[], name: string, lists: boolean): string | null {
  const [first, ...rest] = samples
  if (!first) return null
  const text = (value: Json) => (lists ? JSON.stringify(value) : String(value))
  const all = [first, ...rest]
  const pathsIn = ({ value, source }: Sample): string[] =>
    lists
      ? listPaths(source).filter((path) => text(at(source, path)) === value)
      : [...leavesOf(source)]
          .filter(([, one]) => one !== null && text(one) === text(value))
          .map(([pointer]) => pointer.slice(1).replaceAll('/', '.'))
  const hits = new Map<string, number>()
  for (const sample of all) for (const path of pathsIn(sample)) hits.set(path, (hits.get(path) ?? 0) + 1)
  // The simulator's state may have gone another way in a few of them.
  const fitting = [...hits].filter(([, count]) => count >= 0.7 * all.length).map(([path]) => path)
  const distinct = new Set(samples.map(({ value }) => text(value))).size
  // A flag or a small number is found anywhere: only its name, or that it changes likewise, tells that it is this one.
  const weak =
    typeof first.value === 'boolean' ||
    (typeof first.value === 'number' && first.value < 100) ||
    text(first.value).length < 3
  const alike = (path: string) => {
    const last = path.split('.').at(-1) ?? ''
    return last.replace(/_/g, '').toLowerCase() === name.replace(/_/g, '').toLowerCase()
  }
  const sure = fitting.filter((path) => !weak || distinct > 1 || alike(path))
  const rank = (path: string) => (alike(path) ? 0 : 10) + order.indexOf(path.split('.')[0] ?? '')
  return sure.sort((a, b) => rank(a) - rank(b) || a.length - b.length)[0] ?? null
}

function at(source: Json, path: string): Json {
  if (path === '') return source
  return path
    .split('.')
    .reduce<Json>(
      (value, name) =>
        typeof value === 'object' && value !== null ? (value as Record<string, Json>)[name] : undefined,
      source,
    )
}
