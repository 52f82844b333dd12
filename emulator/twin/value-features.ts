/** Features of a text or a list, the same for every member of a body. */
import { kind } from '../request/json.js'

export type Add = (...names: string[]) => void

/** Limits that trackers are known to have for the length of texts. */
const LENGTHS = [
  3, 8, 16, 20, 24, 30, 32, 40, 48, 50, 60, 64, 72, 80, 100, 120, 128, 150, 160, 191, 200, 250, 255, 500,
  1000, 1024, 2000, 65_535,
]

const isUpperCase = (text: string) => /[A-Z]/.test(text) && !/[a-z]/.test(text)

export function text(name: string, value: string, add: Add): void {
  if (value.trim() === '') add(value === '' ? `${name}:empty` : `${name}:blank`)
  else if (value !== value.trim()) add(`${name}:untrimmed`)
  for (const length of LENGTHS) if (value.length > length) add(`${name}:longer-than-${length}`)
  if (value.includes(',')) add(`${name}:comma`)
  if (/[<>]/.test(value)) add(`${name}:tag`)
  if (/\s/.test(value.trim())) add(`${name}:space`)
  if (/^\d/.test(value)) add(`${name}:digit-first`)
  if (/^\d+$/.test(value)) add(`${name}:digits`)
  if (/[^\w.@+-]/.test(value)) add(`${name}:signs`)
  if (/[^\x20-\x7e]/.test(value)) add(`${name}:not-ascii`)
  if (value.includes('@')) add(`${name}:at`)
  if (isUpperCase(value)) add(`${name}:upper-case`)
  if (!/password/.test(name)) return
  for (const length of [4, 6, 8, 10, 12])
    add(`${name}:${value.length < length ? 'shorter-than' : 'at-least'}-${length}`)
  if (!/\d/.test(value)) add(`${name}:no-digit`)
  if (!/[A-Z]/.test(value)) add(`${name}:no-capital`)
  if (!/[^\w]/.test(value)) add(`${name}:no-sign`)
}

export function list(name: string, items: readonly unknown[], add: Add): void {
  add(`${name}:list`)
  if (items.length === 0) add(`${name}:empty`)
  for (const item of items) add(`${name}.item:${kind(item)}`)
  const texts = items.filter((item): item is string => typeof item === 'string')
  if (texts.some(isUpperCase)) add(`${name}.item:upper-case`)
  if (new Set(texts).size < texts.length) add(`${name}:repeated`)
  else if (new Set(texts.map((item) => item.toLowerCase())).size < texts.length)
    add(`${name}:repeated-other-case`)
}

/** The name of the option in an item of a list of settings, in any form; empty if there is none. */
export function optionOf(item: Record<string, unknown>): string {
  const option = item.option ?? item.name ?? item.key ?? Object.keys(item).sort()[0]
  return option === undefined ? '' : String(option)
}
