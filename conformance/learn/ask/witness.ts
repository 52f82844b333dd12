/** Checks whether a target still answers as it did at first: it repeats a few reads from time to time. */
import type { Call } from '../../client/call.js'
import type { Driver } from '../../drive/driver.js'
import { brief } from '../../oracle/json.js'
import { agreement } from '../trace/compare.js'
import type { Seen } from '../trace/recorded.js'

/**
 * Remembers the first answers to up to three reads. The returned function repeats the reads, and describes a difference
 * that two reads in a row have shown; null if there is none.
 */
export async function witnessOf({ client, profile, sends }: Driver): Promise<() => Promise<string | null>> {
  const { guard, send } = client
  const known = profile.user?.username ?? (await guard.nameOf('administrator'))
  const record = (user_id: string): Call => ({ operation: 'getUser', path: { user_id } })
  const all: (readonly [what: string, call: Call])[] = [
    ...(known === null ? [] : [['a user that is there', record(known)] as const]),
    ['a user that nobody has', record(`${guard.ledger.tag}nobody`)],
    ['a request without a token', { operation: 'getAccountPage', authorization: null }],
  ]
  const reads: { readonly what: string; readonly call: Call; readonly before: Seen }[] = []
  for (const [what, call] of all)
    if (sends(call.operation)) reads.push({ what, call, before: await send(call) })

  const isAlike = (before: Seen, now: Seen): boolean => {
    const { status, code } = agreement(before, now)
    const isNamed = ({ json }: Seen) => JSON.stringify(json).includes(JSON.stringify(known))
    return status && code !== false && (now.status >= 400 || isNamed(before) === isNamed(now))
  }
  const otherwise = async ({ what, call, before }: (typeof reads)[number]): Promise<string | null> => {
    const now = await send(call)
    if (isSenseless(before) || isSenseless(now) || isAlike(before, now)) return null
    return `${call.operation} for ${what} answered ${told(before)} at first and ${told(now)} later`
  }
  return async () => {
    for (const read of reads) {
      const again = (await otherwise(read)) && (await otherwise(read))
      if (again !== null) return again
    }
    return null
  }
}

/** Such answers are not compared, because several of them in a row end the run anyway. */
const isSenseless = ({ status, json }: Seen) => status >= 500 || json === undefined

const told = ({ status, json }: Seen) => `${status} ${brief(json)}`
