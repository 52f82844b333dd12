/**
 * Where answers show a value: learnt on the target, from things that differ in that value, or from one that had one
 * value and then another. No name of a member plays a part.
 */
import { pointersTo, valueAt } from '../target/look.js'

export type Value = boolean | string

/** What answers show of a thing at one time, and the value that it had then. */
export interface Sight {
  readonly shown: unknown
  readonly value: Value
}

export interface Place {
  readonly pointer: string
  /** How long each list on the way is: in one of another length something else may stand there. */
  readonly lengths: string
}

const forms: Readonly<Record<string, readonly unknown[]>> = {
  true: [true, 1, '1', 'true', 'yes', 'on'],
  false: [false, 0, '0', 'false', 'no', 'off'],
}

const isForm = (seen: unknown, value: Value) =>
  typeof value === 'boolean' ? forms[String(value)]?.includes(seen) === true : seen === value

function lengthsTo(json: unknown, pointer: string): string {
  const names = pointer.split('/')
  return names
    .map((_, index) => valueAt(json, names.slice(0, index + 1).join('/')))
    .map((value) => (Array.isArray(value) ? value.length : ''))
    .join('/')
}

/**
 * The places at which each sight shows its own value; none where all have the same. `bystander` is what answers show of
 * another thing meanwhile: what changes there as well is not about this one.
 */
export function learnPlaces(sights: readonly Sight[], bystander: readonly unknown[] = []): Place[] {
  const [first] = sights
  if (first === undefined || sights.every(({ value }) => value === first.value)) return []
  return pointersTo(first.shown, (seen) => isForm(seen, first.value))
    .map((pointer) => ({ pointer, lengths: lengthsTo(first.shown, pointer) }))
    .filter((place) => sights.every(({ shown, value }) => isForm(seenAt(place, shown), value)))
    .filter(
      ({ pointer }) => new Set(bystander.map((shown) => JSON.stringify(valueAt(shown, pointer)))).size < 2,
    )
}

const seenAt = ({ pointer, lengths }: Place, shown: unknown) =>
  lengthsTo(shown, pointer) === lengths ? valueAt(shown, pointer) : undefined

/** Whether the value is shown at one of the places; null where none of them tells. */
export function isShownAt(places: readonly Place[], { shown, value }: Sight): boolean | null {
  const seen = places.map((place) => seenAt(place, shown))
  if (seen.some((one) => isForm(one, value))) return true
  const isOther = (one: unknown) =>
    typeof value === 'boolean' ? isForm(one, !value) : typeof one === 'string' && one !== ''
  return seen.some(isOther) ? false : null
}

/** The texts that stand at the places. */
export const textsAt = (places: readonly Place[], shown: unknown): string[] =>
  places.map((place) => seenAt(place, shown)).filter((seen) => typeof seen === 'string')
