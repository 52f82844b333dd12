/** A change that was accepted, and of which nothing shows: a read before it and one after it show the same. */
import { isTime } from './callers.js'
import { isChosen } from './effects.js'
import { withoutLinks } from './exchange.js'
import { did, type Sighting } from './finding.js'
import { brief, folded, isInteger, isObject, listsIn, same, scalars } from './json.js'
import { leavesOf } from './leaves.js'
import { respected } from './mapped-places.js'
import { isNamesake, isProse, only, recordOf } from './places.js'
import { isServed, membersOf, partOf, type Request } from './request.js'
import type { Leaf } from './things.js'
import type { World } from './world.js'

type Leaves = ReadonlyMap<string, Leaf>

/** What may show in the answer to a read. */
const shown: Readonly<Record<string, RegExp>> = {
  getUser: /^updateUser$/,
  getUserEditPage: /^updateUser$/,
  getCustomFieldUpdatePage: /^updateCustomField$/,
  listCustomFields: /^(update|delete)CustomField$/,
  listPlugins: /^updatePlugin$/,
  getUserSettingsPage: /^updateUserSettings$/,
}

/** Members that no tracker has a reason to ignore, nor to replace. */
const kept = [...respected].filter((name) => !isChosen(name)).concat('realname', 'username', 'name')

/** Compares two reads of one page between which a thing was changed once. */
export function* lostChanges(world: World): Generator<Sighting> {
  const { requests, impersonated, keepsCallers } = world
  const last = new Map<string, number>()
  const mayBeOthers = impersonated.length > 0 && !keepsCallers
  for (const [index, after] of requests.entries()) {
    const { op, address, caller, subject } = after
    if (!shown[op] || !isServed(after)) continue
    // Whose settings they are is not known where a caller may have become another.
    if (op === 'getUserSettingsPage' && mayBeOthers && !/^session:\d+$/.test(caller)) continue
    const key = `${op} ${subject?.serial ?? address} ${caller}`
    const from = last.get(key)
    last.set(key, index)
    const before = requests[from ?? -1]
    if (!before) continue
    const done = requests.slice(from, index).filter(isDone)
    for (const change of done) {
      if (!shown[op]?.test(change.op) || !isServed(change) || change.isConcurrent) continue
      if (!done.some((one) => one !== change && mayBeAbout(one, change)))
        yield* compared(before, change, after, world)
    }
  }
}

/** Whether a request may have changed something. */
const isDone = ({ status, isRead }: Request) => !isRead && (status < 400 || status >= 500)

/** Whether two changes may be about the same thing, perhaps under two addresses. */
const mayBeAbout = (one: Request, other: Request): boolean =>
  one.kind === other.kind &&
  (one.subject === other.subject || one.subject === undefined || other.subject === undefined)

function* compared(before: Request, change: Request, after: Request, world: World): Generator<Sighting> {
  const { op, n } = after
  const isDeletion = change.op === 'deleteCustomField'
  // Of a field that the trace has made, another rule judges the list.
  if (isDeletion && change.subject?.names.size) return
  // A text that has come to stand on the page is not lost.
  const hasCome = (value: unknown) =>
    after.exchange.text.includes(String(value)) && !before.exchange.text.includes(String(value))
  const given = givenBy(change).filter(([, value]) => typeof value !== 'string' || !hasCome(value))
  if (!isDeletion && given.length === 0) return
  const [earlier, later] = [recordIn(before, change), recordIn(after, change)]
  if (earlier === undefined) return
  const witnesses = [did(before.n, 'showed the same'), did(change.n, 'changed it')]
  const about = { op: change.op, n, witnesses }
  if (isDeletion) {
    const says = `the list has the deleted field ${change.address} as before`
    yield { ...about, isRight: !same(earlier, later), says }
    return
  }
  const names = new Set([change.address, ...(change.subject?.names ?? []), change.subject?.id])
  const [then, now]: [Leaves, Leaves] = [leavesOf(earlier), leavesOf(later ?? {})]
  if (!areAlmostSame([before, then], [after, now], scalars(change.body))) return
  const facts = world.sights.findLast((one) => one.n === before.n && one.thing === change.subject)?.facts
  for (const [member, value] of given) {
    const isFlag = typeof value === 'boolean'
    const isGiven = (leaf: Leaf | undefined) =>
      isFlag ? flagIn(leaf) === value : folded(leaf) === folded(value)
    const isOwn = ([path, leaf]: [string, Leaf]): boolean => {
      if (op === 'getUserSettingsPage')
        return (
          leaf !== member &&
          !isProse(leaf) &&
          !path.includes('[]') &&
          (path.endsWith(`.${member}`) || path.includes(`=${member}].`))
        )
      const fact = facts?.get(member)
      if (fact?.by && typeof value === 'string' && folded(leaf) === folded(only(fact))) return true
      const isBeside = ([at, one]: [string, Leaf]) =>
        recordOf(at) === recordOf(path) && names.has(String(one))
      const isTyped = isFlag ? flagIn(leaf) !== undefined : typeof leaf === typeof value
      return isTyped && isNamesake(path.slice(path.lastIndexOf('.')), member) && [...now].some(isBeside)
    }
    const [place, ...more] = [...now].filter(isOwn)
    if (!place || more.length > 0 || isGiven(then.get(place[0]))) continue
    // A tracker may cut a long text, and take an empty one for none.
    if (value === '' || String(value).startsWith(String(place[1]))) continue
    const isRight = [...now].some(([path, leaf]) => isGiven(leaf) && !isGiven(then.get(path)))
    const isReaders = !isRight && showsElsewhere(String(value), change, after, world)
    const says = `${op} shows ${member} ${brief(place[1])}, not ${brief(value)}`
    yield { ...about, ...(isReaders ? { op } : {}), isRight, says, place: place[0] }
  }
}

/** Whether another page shows a text after a change, and before the next one behind a read. */
function showsElsewhere(text: string, change: Request, { op, n }: Request, { requests }: World): boolean {
  const next = requests.find((one) => one.n > n && isDone(one))?.n ?? Number.POSITIVE_INFINITY
  const isNear = (one: Request) => one.isRead && one.op !== op && one.n > change.n && one.n < next
  return requests.some((one) => isNear(one) && scalars(one.answer).includes(text))
}

/** A flag, also as a word or a number; undefined where it is none. */
function flagIn(leaf: Leaf | undefined): boolean | undefined {
  const isSome = (words: RegExp) => words.test(folded(leaf))
  return isSome(/^(true|yes|y|on|1)$/) ? true : isSome(/^(false|no|n|off|0)$/) ? false : undefined
}

/** The answer about the thing of a change, or its record in a list; undefined where it is about another or several. */
function recordIn({ op, address, caller, subject, answer }: Request, change: Request): unknown {
  if (op === 'getUserSettingsPage') return change.caller === caller ? answer : undefined
  if (!op.startsWith('list'))
    return change.address === address || (subject && subject === change.subject) ? answer : undefined
  const rows = (listsIn(answer)[0] ?? []).filter(isObject)
  const isId = (key: string) =>
    rows.every((row) => isInteger(row[key])) && new Set(rows.map((row) => row[key])).size === rows.length
  const isIt = ([key, value]: [string, unknown]) =>
    String(value) === change.address && (op === 'listPlugins' || isId(key))
  const [row, ...more] = rows.filter((one) => Object.entries(one).some(isIt))
  return more.length > 0 ? undefined : row
}

function givenBy(change: Request): (readonly [string, unknown])[] {
  const { configs } = membersOf(change)
  const given = Array.isArray(configs)
    ? configs.filter(isObject).map((one) => [String(one.option), one.value] as const)
    : Object.entries(partOf(change) ?? {}).filter(([member]) => kept.includes(member))
  return given.filter(([, value]) => /^(boolean|number|string)$/.test(typeof value))
}

type Shown = readonly [request: Request, leaves: Leaves]
/** Whether two records differ only in times, counters, numbers of requests, links to themselves, and in what was given. */
function areAlmostSame([before, then]: Shown, [after, now]: Shown, given: readonly unknown[]): boolean {
  const isCounted = (a: unknown, b: unknown) => isInteger(a) && isInteger(b) && a > 1 && b > a
  const shapeOf = (leaf: unknown, { exchange }: Request) =>
    withoutLinks(String(leaf), [exchange]).replace(/[\da-f]*\d[\da-f]*/gi, '1')
  const areLike = (a: unknown, b: unknown) => String(b).length > 2 && shapeOf(a, before) === shapeOf(b, after)
  // What a whole list shows, its elements show, too.
  const paths = [...then.keys(), ...now.keys()].filter((path) => !path.includes('[]'))
  return paths.every((path) => {
    const [a, b] = [then.get(path), now.get(path)]
    return a === b || areLike(a, b) || isTime(String(b)) || isCounted(a, b) || given.includes(b)
  })
}
