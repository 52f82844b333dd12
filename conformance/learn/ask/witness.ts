/** Checks whether a target still answers as it did at first: it repeats a few reads from time to time. */

import type { Call } from '../../client/call.js'
import type { Profile } from '../../contract/index.js'
import { brief } from '../../oracle/json.js'
import { agreement } from '../trace/compare.js'
import type { Seen } from '../trace/recorded.js'
import { likeness } from '../trace/shape.js'

/**
 * Remembers the first answers to up to three reads; `nobody` is a username that no user has. The returned function repeats
 * the reads, and describes a difference that two reads in a row have shown; null if there is none.
 */
export async function witnessOf(
  send: (call: Call) => Promise<Seen>,
  { user }: Profile,
  nobody: string,
  own: string | undefined,
): Promise<() => Promise<string | null>> {
  const known = user?.username ?? own
  const record = (user_id: string): Call => ({ operation: 'getUser', path: { user_id } })
  const reads: (readonly [string, Call])[] = [
    ...(known === undefined ? [] : [['a user that is there', record(known)] as const]),
    ['a user that nobody has', record(nobody)],
    ['a request without a token', { operation: 'getAccountPage', authorization: null }],
  ]
  const first: Seen[] = []
  for (const [, call] of reads) first.push(await send(call))

  const otherwise = async (index: number, [what, call]: readonly [string, Call]): Promise<string | null> => {
    const [before, now] = [first[index], await send(call)]
    if (!before || isSenseless(before) || isSenseless(now) || isAlike(before, now, known)) return null
    return `${call.operation} for ${what} answered ${told(before)} at first and ${told(now)} later`
  }
  return async () => {
    for (const [index, read] of reads.entries()) {
      const again = (await otherwise(index, read)) && (await otherwise(index, read))
      if (again !== null) return again
    }
    return null
  }
}

/** Such answers are not compared, because several of them in a row end the run anyway. */
const isSenseless = ({ status, json }: Seen) => status >= 500 || json === undefined

function isAlike(before: Seen, now: Seen, known: string | undefined): boolean {
  const { status, code } = agreement(before, now)
  if (!status || now.status >= 400) return status && code !== false
  const isNamed = ({ json }: Seen) =>
    known !== undefined && JSON.stringify(json).includes(JSON.stringify(known))
  return likeness(before.json, now.json) > 0.7 && isNamed(before) === isNamed(now)
}

const told = ({ status, json }: Seen) => `${status} ${brief(json)}`
