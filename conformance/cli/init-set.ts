/** `--set path=value`: sets any field of a profile, by its dotted path. */
import { z } from 'zod'
import { fieldHint } from '../client/profile.js'
import { type Profile, profileSchema } from '../contract/index.js'
import { UsageError } from '../contract/trouble.js'

/** A profile that is still incomplete. */
export type Draft = Omit<Partial<Profile>, 'tokens' | 'user'> & {
  readonly tokens: Partial<Profile['tokens']>
  readonly user?: Partial<NonNullable<Profile['user']>>
}

/** The draft with one field set. The text is read as JSON, or else as plain text, or else as a list with commas. */
export function assign(draft: Draft, path: string, text: string): Draft {
  const names = path.split('.')
  const node = schemaAt(names)
  if (node === null) throw new UsageError(`the profile has no field "${path}"; ${fieldHint(path)}`)
  let trouble: string | null = null
  for (const value of readings(text, node)) {
    const wrong = troubleOf(draft, names, value)
    if (wrong === null) return place(draft, names, value) as Draft
    trouble ??= wrong
  }
  throw new UsageError(`field "${path}": ${trouble}`)
}

/** The value of a field; undefined if it is absent. */
export function fieldOf(draft: Draft, path: string): unknown {
  let value: unknown = draft
  for (const name of path.split('.'))
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
  return value
}

type Node = Readonly<Record<string, unknown>>

const root = z.toJSONSchema(profileSchema) as Node

function childrenOf(node: Node): Readonly<Record<string, Node>> {
  return (node.properties ?? {}) as Readonly<Record<string, Node>>
}

function schemaAt(names: readonly string[]): Node | null {
  let node = root
  for (const name of names) {
    const children = childrenOf(node)
    const child = Object.hasOwn(children, name) ? children[name] : undefined
    if (child === undefined) return null
    node = child
  }
  return node
}

/** The possible meanings of the text, the likeliest first. */
function* readings(text: string, node: Node): Generator<unknown> {
  try {
    yield JSON.parse(text)
  } catch {
    // The text is not JSON, so it may be plain text.
  }
  yield text
  const { type } = (node.items ?? {}) as Node
  if (node.type !== 'array' || !/^[^[\]{}"]+$/.test(text)) return
  const items = text.split(',').map((item) => item.trim())
  if (type === 'string') yield items
  if (type === 'integer') yield items.map((item) => (item === '' ? item : Number(item)))
}

/** The schema's error about the value at a path; other fields may still be missing. */
function troubleOf(draft: Draft, names: readonly string[], value: unknown): string | null {
  const { error } = profileSchema.safeParse(place(draft, names, value))
  const issue = error?.issues.find(({ path }) => names.every((name, index) => path[index] === name))
  if (!issue) return null
  if (issue.code === 'unrecognized_keys') return `it has no "${issue.keys[0]}"`
  const below = issue.path.slice(names.length).join('.')
  return below === '' ? issue.message : `${below}: ${issue.message}`
}

function place(object: object, [name = '', ...rest]: readonly string[], value: unknown): object {
  if (rest.length === 0) return { ...object, [name]: value }
  const inner = (object as Record<string, unknown>)[name]
  return { ...object, [name]: place(typeof inner === 'object' && inner !== null ? inner : {}, rest, value) }
}
