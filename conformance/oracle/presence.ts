/** What is there, and what is not: the address of a request, and what the trace shows of it. */
import { type Held, openIf, violatedIf } from './held.js'
import { folded, scalars } from './json.js'
import { isId, isReserved, NO_ID, saysNothing } from './names.js'
import type { Kind } from './operations.js'
import type { Request } from './request.js'
import { groupOf, knownValue, type Sight, type Thing } from './things.js'
import type { World } from './world.js'

export const isNumbered = (kind: Kind | undefined): boolean => kind === 'field' || kind === 'recipient'

/** Whether no thing of any tracker can have this address. */
export function isNobody(address: string, kind: Kind, world: World): boolean {
  const { user, plugin } = world.knowledge
  if (address === NO_ID || isFar(address, kind, world)) return true
  if (isNumbered(kind)) return false
  // The known id fits into 32 bits, so the ids of this tracker are small, unless an answer has shown this one.
  if (kind === 'user' && /^\d{10,19}$/.test(address))
    return user !== undefined && user.id < 2 ** 31 && Number(address) > 2 ** 32 && !wasShown(address, world)
  const name = plugin?.name ?? ''
  const isBeginning = address.length > 2 && address !== name && name.startsWith(address)
  return isReserved(address) || (kind === 'plugin' && isBeginning)
}

/** Whether an id is a thousand times as large as any known one, and no answer has shown it. */
function isFar(address: string, kind: Kind, world: World): boolean {
  if (!/^[1-9]\d{4,8}$/.test(address)) return false
  const own = world.things.flatMap((one) => (groupOf(one) === kind ? (one.id ?? []) : []))
  const ids = [...own, ...(kind === 'field' ? world.listedTexts : [])].filter(isId).map(Number)
  return ids.length > 0 && Number(address) > 1000 * Math.max(...ids) && !wasShown(address, world)
}

const wasShown = (id: string, { requests, things }: World): boolean =>
  things.some((one) => one.id === id) ||
  requests.some(({ answer }) => scalars(answer).some((one) => String(one) === id))

/** Whether no parser reads an integer in the text. */
export const isNoInteger = (address: string): boolean => /^[^\d+\s.-]/.test(address) && address.length < 100

const isBeginning = (text: string, whole: string) => text.length > 2 && whole.startsWith(text)
/** Whether the address is the real name of a user, the beginning of a name or more than a name, or no whole id. */
export function isOtherText({ address = '', answer, kind: asked }: Request, { things }: World): boolean {
  // A tracker may find users by their e-mail addresses, too.
  if (things.some((one) => knownValue(one, 'email') === address)) return false
  const isText = (one: Thing) =>
    one.kind === 'user' &&
    one.facts.get('realname')?.possible?.includes(address) === true &&
    folded(one.name) !== folded(address)
  const shown = new Set(scalars(answer).map(folded))
  // The address may be the name of another user.
  const isShown = ({ name }: Thing) => shown.has(folded(name)) && !shown.has(folded(address))
  const isNear = ({ kind, name, id }: Thing) =>
    address === `-${id}` ||
    (asked === 'user' && address === `${id}.5`) ||
    (kind === 'user' && address !== name && (isBeginning(address, name) || isBeginning(name, address)))
  return things
    .filter((one) => groupOf(one) === asked)
    .some((one) => (isText(one) && !/^\d/.test(address)) || (isNear(one) && isShown(one)))
}

/** The address of a thing that is there, or of one that certainly is not. */
export function presence({ kind, address = '', subject, isConcurrent }: Request, world: World): Held {
  if (!kind) return 'satisfied'
  const absence = world.absent.get(`${kind} ${address}`)
  if (absence?.isRefused) return 'satisfied'
  if (isNobody(address, kind, world)) return 'violated'
  // A new field may have the id of a deleted one.
  const isNew = ({ id, isGone, born }: Thing) => id === undefined && !isGone && born > (subject?.ended ?? 0)
  const mayBeAnother = kind === 'field' && subject?.isGone && world.of('field').some(isNew)
  if (subject) return subject.isUnsure || mayBeAnother || isConcurrent ? 'open' : violatedIf(subject.isGone)
  // The next thing of this kind may get this id, and a number in a record may be the id of its thing.
  const isShown = ({ thing, leaves }: Sight) =>
    groupOf(thing) === kind && [...leaves.values()].some((one) => String(one) === address)
  const isUnused = (at: number) => at > (world.of(kind).at(-1)?.born ?? 0) && !world.sights.some(isShown)
  const isFree = absence && (!/^\d/.test(address) || isUnused(absence.n))
  if ((isFree && !isConcurrent) || (!isNumbered(kind) && saysNothing(address))) return 'violated'
  return openIf(!isNumbered(kind) || isId(address))
}

/** Whether an address could be taken for that of something, or for none at all. */
export function mayAddress(request: Request, world: World): boolean {
  const { kind, subject, address = '' } = request
  if (!kind || subject || (isNumbered(kind) && isNoInteger(address))) return false
  if (!isNumbered(kind) && (world.absent.has(`${kind} ${address}`) || saysNothing(address))) return false
  return !isNobody(address, kind, world) || !/^[a-z\d]+$/i.test(address)
}
