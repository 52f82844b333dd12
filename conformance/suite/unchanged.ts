/**
 * Whether what answers show is as it was, without a name of any member: what differs between two looks before is noise, and
 * the rest is compared with a look afterwards.
 */
import type { Answer } from '../target/call.js'
import { isMoment } from '../target/survey.js'
import { walk } from './facts.js'
import type { Check, Shown } from './types.js'

type Changed = Shown & { readonly place: string }

/**
 * Looks twice, at first at what was seen since the last change, where it was. What is returned looks again: the first
 * place that is not as it was; null where there is none.
 */
export async function watch(
  t: Pick<Check, 'look' | 'send'>,
  look: (ask: Check['send']) => Promise<readonly Answer[]>,
): Promise<() => Promise<Changed | null>> {
  const first = placesIn(await look(t.look))
  const before = placesIn(await look(t.send))
  return async () => {
    const answers = await look(t.send)
    const after = placesIn(answers)
    const place = [...before.keys(), ...after.keys()].find(
      (one) => first.get(one) === before.get(one) && before.get(one) !== after.get(one),
    )
    if (place === undefined) return null
    const shownBy = answers.find(({ operation }) => place.includes(operation))
    return { place, expected: shortly(before.get(place)), seen: shortly(after.get(place)), shownBy }
  }
}

const shortly = (fact = 'nothing') => (fact.length > 200 ? `${fact.slice(0, 200)}…` : fact)

/**
 * What stands at each place. The records of a list share their places, in whatever order they stand. Of an answer that is
 * no success the status alone: its words may be others each time.
 */
function placesIn(answers: readonly Answer[]): ReadonlyMap<string, string> {
  const facts = new Map<string, string[]>()
  const add = (place: string, value: unknown) => {
    const all = facts.get(place) ?? []
    all.push(isMoment(value) ? 'a moment' : (JSON.stringify(value) ?? 'nothing'))
    facts.set(place, all)
  }
  for (const { operation, status, json } of answers) {
    add(`the status of ${operation}`, status)
    if (status !== 200) continue
    walk(json, {
      onScalar: (value, _, loose) => add(`${operation} ${loose}`, value),
      onPlainList: (list, loose) => add(`${operation} ${loose}`, list),
    })
  }
  return new Map([...facts].map(([place, values]) => [place, values.sort().join()]))
}
