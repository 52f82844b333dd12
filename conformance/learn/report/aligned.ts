/** Pairs the calls of two traces that are the same request about the same thing, even where the trackers gave other ids. */
import { groupBy } from '../../oracle/json.js'
import type { Recorded } from '../trace/recorded.js'

export function aligned(
  left: readonly Recorded[],
  right: readonly Recorded[],
): (readonly [Recorded, Recorded])[] {
  const waiting = groupBy(keyed(right), ([key]) => key)
  return keyed(left).flatMap(([key, recorded]) => {
    const other = waiting.get(key)?.shift()
    return other ? [[recorded, other[1]] as const] : []
  })
}

/** A key for each call: what the client sent, with each id that the tracker gave replaced by the number of its creation. */
function keyed(calls: readonly Recorded[]): [string, Recorded][] {
  const made = new Map<string, string>()
  let count = 0
  return calls.map((recorded) => {
    const { operation, caller, authorization, address = '', query, text, makes } = recorded
    const kind = operation.includes('CustomField') ? 'customField' : 'user'
    const about = made.get(`${kind} ${address}`) ?? address
    if (makes && makes.id !== null) made.set(`${makes.kind} ${makes.id}`, `{{${makes.kind} ${count}}}`)
    if (makes) count += 1
    return [JSON.stringify([operation, caller, authorization, about, query, text]), recorded]
  })
}
