/**
 * Whether what answers show is as it was, without a name of any member: what differs between two reads before is noise, and
 * the rest is compared with a read afterwards.
 */
import type { Answer } from '../target/call.js'
import { isMoment } from '../target/survey.js'

/** What stands at each place of an answer. The records of a list share their places, in whatever order they stand. */
type Facts = ReadonlyMap<string, string>

/** Of an answer that is no success the status alone: its words may be others each time. */
export function factsOf(answers: readonly Answer[]): Facts {
  const facts = new Map<string, string[]>()
  const add = (place: string, value: unknown) => {
    const all = facts.get(place) ?? []
    all.push(isMoment(value) ? 'a moment' : (JSON.stringify(value) ?? 'nothing'))
    facts.set(place, all)
  }
  const walk = (value: unknown, place: string) => {
    if (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null))
      for (const item of value) walk(item, `${place}/*`)
    else if (
      typeof value === 'object' &&
      value !== null &&
      Object.keys(value).length > 0 &&
      !Array.isArray(value)
    )
      for (const [name, item] of Object.entries(value)) walk(item, `${place}/${name}`)
    else add(place, value)
  }
  for (const { operation, status, json } of answers) {
    add(`the status of ${operation}`, status)
    if (status === 200) walk(json, `${operation} `)
  }
  return new Map([...facts].map(([place, values]) => [place, values.sort().join()]))
}

/** The first place that two reads showed alike, and a third one shows otherwise; null where there is none. */
export function changedPlace(first: Facts, second: Facts, later: Facts): string | null {
  const places = new Set([...first.keys(), ...later.keys()])
  for (const place of places)
    if (first.get(place) === second.get(place) && second.get(place) !== later.get(place)) return place
  return null
}
