/** Members of a body: those that its schema does not know, what stands at a path, and those that have a value; and ids. */
import { z } from 'zod'

/** Their paths, for example `custom_field.nam`, in the order in which they stand. */
export function unknownMembers(schema: unknown, value: unknown, path = ''): string[] {
  if (schema instanceof z.ZodOptional) return unknownMembers(schema.unwrap(), value, path)
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((item) => unknownMembers(schema.element, item, path))
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null || Array.isArray(value))
    return []
  return Object.entries(value).flatMap(([key, member]) => {
    const known = Object.hasOwn(schema.shape, key) ? schema.shape[key] : undefined
    return known ? unknownMembers(known, member, `${path}${key}.`) : [`${path}${key}`]
  })
}

export function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    body,
  )
}

type WithoutUndefined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** The members that have a value. */
export const withoutUndefined = <T extends object>(members: T): WithoutUndefined<T> =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as WithoutUndefined<T>

/** Digits that are a positive id. */
export function positiveId(text: string): number | null {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0
  return id > 0 ? id : null
}
