/** The users that existed before a trace, as far as trace and profile show them. */
import { type IdNames, idAround, objects } from '../../client/look.js'
import { SUCCESS } from '../../contract/index.js'
import { folded, groupBy, type JsonObject } from '../../oracle/json.js'
import { leavesOf } from '../../oracle/leaves.js'
import { isText } from '../../oracle/places.js'
import { isServed, membersOf, type Request } from '../../oracle/request.js'
import { callersOf } from '../trace/recorded.js'
import type { Mirror } from '../trace/trace.js'

export interface Person {
  /** The label under which this user sends requests; null for a user that only others ask about. */
  readonly label: string | null
  readonly id: number | null
  readonly username: string | null
  /** What a page shows of each attribute; values at unknown places are stored under the names of their members. */
  readonly record: JsonObject
  readonly password?: string
}

const hasAccount = /^(somebody|unknown|administrator|restricted|password|disabled)\b/
/** Callers with their own credentials, the user of the profile, and others that existed when a request named them. */
export function peopleOf(mirror: Mirror): Person[] {
  const { world, knowledge } = mirror
  const callerOf = callersOf(world.requests)
  const byCaller = groupBy(world.requests, (request) => callerOf(request) ?? '')
  const others = [...byCaller.keys()].filter((caller) => hasAccount.test(caller))
  const labels = new Set([...knowledge.callers, ...others])
  const callers = [...labels].map((label) => callerFrom(label, byCaller.get(label) ?? [], mirror))
  return [...callers, ...strangersIn(mirror, callers)]
}

/** Users that existed when a request named them, and that the trace has not created. */
function strangersIn(mirror: Mirror, callers: readonly Person[]): Person[] {
  const { world, knowledge, idNames } = mirror
  const found: (Person & { readonly text: string })[] = []
  // A tracker may ignore the case of a name.
  const made = new Set(world.of('user').flatMap(({ names, id }) => [...[...names].map(folded), id]))
  const isKnown = (address: string) =>
    [...callers, ...found].some(({ username, id }) => username === address || String(id) === address) ||
    made.has(folded(address))
  const add = (username: string | null, id: number | null, text = '', address = username) =>
    found.push({ label: null, id, username, text, record: recordOf(username, mirror, address) })
  const { user } = knowledge
  if (user && !isKnown(user.username)) add(user.username, user.id)
  for (const { kind, isRead, address = '', status, answer, exchange } of world.requests) {
    if (kind !== 'user' || status !== SUCCESS || address === 'me' || isKnown(address)) continue
    // The answer to a change may be about something else.
    const shown = isRead ? userIn(answer, idNames) : undefined
    // Digits are an id, with zeros before it too, unless the answer shows them as a name.
    const isNumber = /^\d+$/.test(address) && shown?.username !== address
    if (isNumber && isKnown(String(Number(address)))) continue
    // The id may be that of a user whom the trace has created.
    if (isNumber && shown && made.has(folded(shown.username))) continue
    // If the answers for a name and for a number are the same, both belong to one user.
    const same = isNumber ? found.find(({ text, id }) => id === null && text === exchange.text) : undefined
    if (same) Object.assign(same, { id: Number(address) })
    else if (isNumber) add(shown?.username ?? null, Number(address), exchange.text, address)
    else add(address, idAround(answer, address, 'user', idNames.user)?.id ?? null, exchange.text)
  }
  return found
}

/** `own`: the requests of this caller. */
function callerFrom(label: string, own: readonly Request[], mirror: Mirror): Person {
  const { knowledge, reveal, idNames } = mirror
  const [role = ''] = label.split(':')
  const page = own.find((one) => one.op === 'getAccountPage' && isServed(one))
  // An ordinary caller that asks for its own record is refused where the name belongs to another user.
  const refused = own.flatMap(({ op, address, status }) =>
    op === 'getUser' && address !== undefined && status >= 400 ? [address] : [],
  )
  const { id = null, username = null, record = {} } = userIn(page?.answer, idNames, refused) ?? {}
  // Ordinary users may change their own account.
  const ownAddresses = [String(id), folded(username)]
  const isServedAsOne = own.some(
    ({ gate, status, address }) =>
      gate === 'gated' && status === SUCCESS && !ownAddresses.includes(folded(address)),
  )
  const isAdministrator = role === 'administrator' || (isServedAsOne && /^(somebody|unknown)$/.test(role))
  const promised = label === 'password' ? knowledge.passwordAccount?.current : undefined
  const change = own.find(({ op, status }) => op === 'changeOwnPassword' && status === SUCCESS)
  const password = promised ?? (change && membersOf(change).password_current)
  return {
    ...{ label, id, username },
    record: {
      ...record,
      ...recordOf(username, mirror),
      ...(isAdministrator && { access_level: 90 }),
      ...(role === 'disabled' && { enabled: false }),
    },
    ...(typeof password === 'string' && { password: reveal(password) }),
  }
}

/** What the first page of a user shows of each attribute whose place is known. */
function recordOf(name: string | null, { world, places, idNames }: Mirror, address = name): JsonObject {
  const page = world.requests.find(
    (one) => one.address === address && one.kind === 'user' && one.isRead && isServed(one),
  )
  if (name === null || !page) return {}
  const leaves = leavesOf(page.answer, new Set([name]))
  const own = places.filter(({ view, wrong }) => view.split(' ')[0] === page.op && wrong.length === 0)
  const shown = own.flatMap(({ attribute, path, right }): [string, unknown][] => {
    const leaf = leaves.get(path)
    if (leaf === undefined) return []
    if (isText(attribute)) return [[attribute, leaf]]
    const same = right.find((sight) => JSON.stringify(sight.leaves.get(path)) === JSON.stringify(leaf))
    const value = same?.facts.get(attribute)?.possible?.[0]
    return value === undefined ? [] : [[attribute, value]]
  })
  return { ...userIn(page.answer, idNames)?.record, ...Object.fromEntries(shown) }
}

/** Projects and levels have names as well, so the keys that only a user has come first. */
const nameKeys = [/^(user_?name|login(_?name)?)$/i, /^name$/i]

/** The first record with a user's name, and the id and name of that user; null where there is none. */
function userIn(json: unknown, idNames: IdNames, not: readonly string[] = []) {
  for (const nameKey of nameKeys)
    for (const record of objects(json)) {
      const isName = ([key, value]: [string, unknown]) => nameKey.test(key) && typeof value === 'string'
      const [, username] = Object.entries(record).find(isName) ?? []
      if (typeof username === 'string' && !not.includes(username))
        return { id: idAround(json, username, 'user', idNames.user)?.id ?? null, username, record }
    }
  return null
}
