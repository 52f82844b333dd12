/** Checks whether a target still answers as it did at first: it repeats a few reads from time to time. */

import type { Call } from '../../client/call.js'
import type { Profile } from '../../contract/index.js'
import { codeOf } from '../trace/compare.js'
import type { Seen } from '../trace/recorded.js'
import { likeness } from '../trace/shape.js'

export interface Witness {
  /** Describes a difference that two reads in a row have shown; null if there is none. */
  disagreement(): Promise<string | null>
}

/** Remembers the first answers to up to three requests; `nobody` is a username that no user has. */
export async function witnessOf(
  send: (call: Call) => Promise<Seen>,
  { user }: Profile,
  nobody: string,
  own: string | undefined,
): Promise<Witness> {
  const known = user?.username ?? own
  const refusals: Call[] = [
    { operation: 'getUser', path: { user_id: nobody } },
    { operation: 'getAccountPage', authorization: null },
  ]
  const success: Call[] = known === undefined ? [] : [{ operation: 'getUser', path: { user_id: known } }]
  const first = new Map<Call, Seen>()
  for (const call of [...success, ...refusals]) first.set(call, await send(call))

  const otherwise = async (call: Call): Promise<string | null> => {
    const before = first.get(call)
    const now = await send(call)
    if (!before || isSenseless(before) || isSenseless(now) || isAlike(before, now, known)) return null
    const what =
      call.authorization === null
        ? 'a request without a token'
        : call.path?.user_id === nobody
          ? 'a user that nobody has'
          : 'a user that is there'
    return `${call.operation} for ${what} answered ${told(before)} at first and ${told(now)} later`
  }

  let turn = 0
  return {
    async disagreement() {
      turn += 1
      for (const call of [...success, ...refusals.filter((_, index) => index === turn % refusals.length)])
        if ((await otherwise(call)) !== null) {
          const again = await otherwise(call)
          if (again !== null) return again
        }
      return null
    },
  }
}

/** Such answers are not compared, because several of them in a row end the run anyway. */
const isSenseless = ({ status, json }: Seen) => status >= 500 || json === undefined

function isAlike(before: Seen, now: Seen, known: string | undefined): boolean {
  if (before.status !== now.status) return false
  if (now.status >= 400) return codeOf(before) === codeOf(now)
  const names = ({ json }: Seen) =>
    known !== undefined && JSON.stringify(json).includes(JSON.stringify(known))
  return likeness(before.json, now.json) > 0.7 && names(before) === names(now)
}

const told = (seen: Seen) => {
  const code = codeOf(seen)
  return code === undefined || seen.status < 400
    ? `${seen.status} ${clipped(seen.json)}`
    : `${seen.status} with code ${code}`
}

function clipped(json: unknown): string {
  const text = JSON.stringify(json)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
