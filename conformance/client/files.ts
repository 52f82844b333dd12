/** Files that the commands read. Errors begin with `what`, which names the file. */
import { readFileSync } from 'node:fs'
import { notJson, troubleOf, UsageError } from '../contract/trouble.js'

export function readText(what: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${what} cannot be read: ${troubleOf(error)}`)
  }
}

export const readJson = (what: string, file: string): unknown => jsonIn(readText(what, file), what)

export function jsonIn(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${what} ${notJson(text, error)}`)
  }
}

export function readJsonObject(what: string, file: string): Readonly<Record<string, unknown>> {
  const value = readJson(what, file)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${what} must hold a JSON object`)
  return value as Readonly<Record<string, unknown>>
}
