/** Checks whether a target still answers as it did at first: it repeats a few reads from time to time. */
import type { Call } from '../../client/call.js'
import { mentions } from '../../client/look.js'
import type { Driver } from '../../drive/driver.js'
import { brief } from '../../oracle/json.js'
import { agreement } from '../trace/compare.js'
import type { Seen } from '../trace/recorded.js'

/** Remembers the answers to a few reads. The returned function repeats them, and describes a difference shown twice, or null. */
export async function witnessOf({ client, profile, sends }: Driver): Promise<() => Promise<string | null>> {
  const { guard, send } = client
  const known = profile.user?.username ?? (await guard.nameOf('administrator'))
  const record = (user_id: string): Call => ({ operation: 'getUser', path: { user_id } })
  const reads: { readonly what: string; readonly call: Call; readonly before: Seen }[] = []
  async function remember(what: string, call: Call): Promise<void> {
    const before = sends(call.operation) ? await send(call) : undefined
    if (before && before.status < 500 && before.json !== undefined) reads.push({ what, call, before })
  }
  if (known !== null) await remember('a user that is there', record(known))
  await remember('a user that nobody has', record(`${guard.ledger.tag}nobody`))
  await remember('a request without a token', { operation: 'getAccountPage', authorization: null })

  const isNamed = ({ json }: Seen) => mentions(json, String(known))
  const otherwise = async ({ what, call, before }: (typeof reads)[number]): Promise<string | null> => {
    const now = await send(call)
    const { status, code } = agreement(before, now)
    const isAlike = status && code !== false && (now.status >= 400 || isNamed(before) === isNamed(now))
    if (isAlike) return null
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

const told = ({ status, json }: Seen) => `${status} ${brief(json)}`
