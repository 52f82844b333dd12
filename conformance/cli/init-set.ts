/** `--set path=value`: sets any field of a profile, by its dotted path. */
import { isObject } from '../client/look.js'
import { parsedProfile, troubleWith, unknownField } from '../client/profile.js'
import type { Profile } from '../contract/index.js'
import { UsageError } from '../contract/trouble.js'

/** A profile that is still incomplete. */
export type Draft = Omit<Partial<Profile>, 'tokens' | 'user'> & {
  readonly tokens: Partial<Profile['tokens']>
  readonly user?: Partial<NonNullable<Profile['user']>> | undefined
}

/** The draft with one field set. The text is read as JSON, or else as plain text, or else as a list with commas. */
export function assign(draft: Draft, path: string, text: string): Draft {
  if (path === 'baseUrl') return { ...draft, baseUrl: baseUrlOf(text) }
  const troubles: string[] = []
  for (const value of readings(path.startsWith('tokens.') ? tokenOf(text, path) : text)) {
    const placed = place(draft, path.split('.'), value)
    const wrong = troubleOf(placed, path)
    if (wrong === null) return placed as Draft
    troubles.push(wrong)
  }
  throw new UsageError(troubles[0])
}

/** The REST root in the form of the profile. */
export function baseUrlOf(text: string): string {
  const given = text.trim().replace(/\/+$/, '')
  const trouble = troubleWith(given)
  if (trouble !== null) throw new UsageError(`the base URL ${trouble}`)
  return given
}

function tokenOf(text: string, path: string): string {
  const given = text.trim()
  if (!/^[\x21-\x7e]+$/.test(given))
    throw new UsageError(
      `${path} must be the token alone, without "Bearer", spaces and special characters; was it copied whole?`,
    )
  return given
}

/** The possible meanings of the text, the likeliest first. */
function* readings(text: string): Generator<unknown> {
  try {
    yield JSON.parse(text)
  } catch {
    // The text is not JSON, so it may be plain text.
  }
  yield text
  if (!/^[^[\]{}"]+$/.test(text)) return
  const items = text.split(',').map((item) => item.trim())
  yield items
  yield items.map((item) => (item === '' ? item : Number(item)))
}

/** The schema's error about the value at a path; other fields may still be missing. */
function troubleOf(placed: unknown, path: string): string | null {
  const { mistakes } = parsedProfile(placed)
  if (mistakes.some(({ field, isUnknown }) => isUnknown && path.startsWith(field))) return unknownField(path)
  return mistakes.find(({ field }) => `${field}.`.startsWith(`${path}.`))?.words ?? null
}

function place(object: object, [name = '', ...rest]: readonly string[], value: unknown): object {
  const inner = (object as Record<string, unknown>)[name]
  const placed = rest.length === 0 ? value : place(isObject(inner) ? inner : {}, rest, value)
  return Object.defineProperty({ ...object }, name, { value: placed, enumerable: true })
}
