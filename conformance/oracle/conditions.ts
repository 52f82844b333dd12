/** What the stages ask of a request and of the world. */
import type { OperationId } from '../contract/index.js'
import { bodies, memberOf } from './bodies.js'
import type { Held, Level } from './held.js'
import { folded, isObject, type JsonObject, same } from './json.js'
import { isDrawn, isNoName as isReservedName, saysNothing } from './names.js'
import { aspects, type Family, gated } from './operations.js'
import { isMembership, only } from './places.js'
import { isNobody } from './presence.js'
import { membersOf, partOf, type Request } from './request.js'
import { groupOf, isSet, knownValue, type Thing } from './things.js'
import { isPlainlyRight, isReference, unique, type Value } from './values.js'
import type { World } from './world.js'

const roles = ['administrator', 'restricted', 'password', 'disabled', 'none', 'stranger', 'session']
/** Whether the caller is unknown, or has been since an impersonation or a change of the user behind it. */
export const isUnknownCaller = ({ role, caller }: Request, { unsettled, doubted }: World): boolean =>
  !roles.includes(role) || unsettled.has(caller) || doubted.has(caller)
export const isStranger = ({ role }: Request): boolean => role === 'none' || role === 'stranger'
/** Whether an operation was served to this caller before, though its role is unknown. */
export const wasServed = ({ op, role, caller }: Request, { served, unsettled, doubted }: World): boolean =>
  role !== 'unknown' && served.has(`${op} ${caller}`) && !unsettled.has(caller) && !doubted.has(caller)

/** Whether an unknown caller was served an administrative operation. Without that it may be an ordinary user. */
export const mayAdminister = ({ caller }: Request, { served }: World): boolean =>
  gated.some((op) => served.has(`${op} ${caller}`))
export const impersonatesItself = ({ op, address = '', caller }: Request, { ownTexts }: World): boolean =>
  op === 'impersonateUser' && ownTexts.get(caller)?.has(address) !== false

/** Whether an ordinary user may have changed its own record. A tracker may allow that. */
export function mayBeItself({ op, address = '', subject, caller }: Request, world: World): boolean {
  if (op !== 'updateUser' || subject?.kind === 'user') return false
  const texts = world.ownTexts.get(caller)
  return texts ? texts.has(address) : !isNobody(address, 'user', world) && subject === undefined
}

/** Operations at which a tracker may hide a thing from an ordinary user. */
const hiding =
  /^(getUser|getUserEditPage|updateUser|addUserToProjects|getCustomFieldUpdatePage|manageColumns)$/
export function mayHide(request: Request, world: World): boolean {
  const { op, role, isRead, subject } = request
  if (role !== 'administrator' || isUnknownCaller(request, world)) return hiding.test(op)
  // A user was disabled, nothing has surely enabled it since, and no such read has shown a disabled user before.
  const enabled = subject?.facts.get('enabled')
  if (enabled === undefined || only(enabled) === true) return false
  // A tracker that hides disabled users from reads may not find them for a change either.
  const isHidden = ({ subject: other, isRead, status }: Request) =>
    isRead && status === 404 && only(other?.facts.get('enabled')) === false
  if (!isRead && !world.requests.some(isHidden)) return false
  return !world.sights.some(({ view, facts }) => view === op && only(facts.get('enabled')) === false)
}

export const unproven = ({ values, op }: Request, world: World): Value[] =>
  values.filter((value) => !isPlainlyRight(value) && !world.isProven(value, op))

type MemberHeld = Readonly<{ member: string; held: Held; level: Level }>

/** The members of a body one by one, with those of a field's definition. */
export function members({ op, body }: Request, world: World): MemberHeld[] {
  const { family } = aspects[op]
  if (!family || !isObject(body)) return []
  const of = (name: Family, part: JsonObject): MemberHeld[] => [
    ...Object.entries(bodies[name]).flatMap(([member, rule]): MemberHeld[] => {
      if (!Object.hasOwn(part, member))
        return rule.required ? [{ member, held: 'violated', level: 'must' }] : []
      const value = part[member]
      const own = rule.holds(value, world)
      const held = own === 'open' && world.isProven({ family: name, member, value }, op) ? 'satisfied' : own
      return [{ member, held, level: rule.level?.(value) ?? 'must' }]
    }),
    ...Object.keys(part).flatMap((member): MemberHeld[] =>
      memberOf(name, member) ? [] : [{ member, held: 'open', level: 'must' }],
    ),
  ]
  const { custom_field: definition } = body
  return [
    ...of(family, body),
    ...(family === 'field' && isObject(definition) ? of('definition', definition) : []),
  ]
}

/** Whether an extension setting bears a name that nothing has, as a text or as a member. */
export function hasNoName(setting: unknown): boolean {
  const isNoName = (text: string) => isReservedName(text) || saysNothing(text)
  if (!isObject(setting)) return typeof setting === 'string' && isNoName(setting)
  const [name] = Object.values(setting).filter((one) => typeof one === 'string')
  const keys = Object.keys(setting)
  return keys.some(isNoName) || (name !== undefined && isNoName(name) && keys.length > 1)
}

/** The user that has the username which the request gives to another. */
export function holderOf({ op, body, subject }: Request, world: World): Thing | undefined {
  const { username } = membersOf({ body })
  if (!/^(create|update)User$/.test(op) || typeof username !== 'string') return undefined
  const isIt = (one: Thing) => !one.isGone && one.name === username && one !== subject
  // The user of the profile exists. A user that was only addressed may not exist, even if the answer was 200.
  const isThere = (one: Thing) =>
    one.id !== undefined || world.sights.some(({ thing, text }) => thing === one && text.includes(one.name))
  const users = world.of('user').filter(isIt)
  return (
    users.find((one) => !one.isUnsure) ??
    users[0] ??
    world.of('known').find((one) => isIt(one) && isThere(one))
  )
}

/** Whether another thing may have, or have had, a name or an address that a request gives. */
export function mayBeTaken({ member, value }: Value, { subject }: Request, world: World): boolean {
  if (!unique.has(member) || typeof value !== 'string') return false
  const isShownFree = member === 'username' && world.absent.has(`user ${value}`)
  if (!world.taken.has(folded(value))) return !isShownFree && !isDrawn(value)
  const holders = world.things.filter((one) => knownValue(one, member) === value)
  return holders.length !== 1 || holders[0] !== subject
}

/** Whether the known state of the thing gives no reason to refuse a change. Section 3 leaves such reasons open. */
export function isReady(request: Request, world: World): boolean {
  const { op, subject, isRead } = request
  // A tracker may limit changes to one. After two there is no such limit.
  if (op === 'changeOwnPassword') return world.passwordChanges !== 1
  if (!subject || (isRead && op !== 'getUserEditPage')) return true
  const is = (name: string) => knownValue(subject, name)
  if (op === 'addUserToProjects' && isMember(request, subject, world)) return false
  // Without known projects the field may be linked to any.
  if (op === 'deleteCustomField' && (world.projects.length === 0 || isLinked(subject))) return false
  if (groupOf(subject) === 'user' && !isOpenToChange(op, subject, world)) return false
  if (isRead) return true
  // A tracker may compare the level in a project with the level of the user.
  if (op === 'addUserToProjects') return is('access_level') === world.knowledge.accessLevel
  // A tracker may send a mail at a reset.
  if (op === 'resetUser' && subject.kind === 'user' && !is('email')) return false
  if (op === 'resetUser' || op === 'impersonateUser')
    return is('enabled') !== undefined && mayRepeat(subject, op)
  if (op === 'installPlugin') return is('installed') === false
  if (subject.kind === 'plugin' && is('installed') !== true) return false
  if (op === 'uninstallPlugin') return is('protected') === false
  const given = attributesGiven(request)
  const unprotects = given.length === 1 && given[0]?.[0] === 'protected' && given[0][1] === false
  if (op === 'updatePlugin' && is('protected') !== false && !unprotects) return false
  const isOther = ([name, value]: Attribute) => name === 'type' && is(name) !== value
  if (subject.kind === 'field' && given.some(isOther)) return false
  const isRenamed = ([name]: Attribute) => renaming.has(name) && !mayRepeat(subject, name)
  const mayBeSo = ([name, value]: Attribute) => mayHave(subject, name, value)
  // A tracker may require the whole definition of a field.
  const isIdle = subject.kind === 'field' ? given.length > 0 && given.every(mayBeSo) : given.some(mayBeSo)
  return !isIdle && !given.some(isRenamed)
}
type Attribute = readonly [name: string, value: unknown]
/** What a change gives, by attribute of the thing. */
export function attributesGiven(request: Request): Attribute[] {
  const { configs, columns } = membersOf(request)
  if (Array.isArray(configs))
    return configs.filter(isObject).map(({ option, value }) => [`option:${option}`, value])
  if (columns !== undefined) return [['columns', columns]]
  return Object.entries(partOf(request) ?? {})
}
/** Whether a thing may have the value already. A refused value may be the current one. */
function mayHave({ facts, refused }: Thing, name: string, value: unknown): boolean {
  const fact = facts.get(name)
  if (fact?.possible) return fact.possible.includes(value)
  const before = refused.get(name)
  return !before || before.n < (fact?.n ?? 0) || same(before.value, value)
}
/**
 * Whether a user has no high level, and is enabled and not protected, as the user of the profile is at first. Where either became unknown, a served
 * update shows it for updates.
 */
function isOpenToChange(op: OperationId, user: Thing, { requests, knowledge }: World): boolean {
  const isPromised = user.id === String(knowledge.user?.id)
  const isUpdate = (one: Request) => one.op === 'updateUser' && one.subject === user && one.status === 200
  const updated = requests.findLast(isUpdate)?.n ?? 0
  // A tracker may forbid changes of users with the caller's level.
  const level = user.facts.get('access_level')
  const isLow = level === undefined || Number(only(level)) <= (knowledge.accessLevel ?? 0)
  if (!isLow && updated <= level.n) return false
  return Object.entries({ enabled: true, protected: false }).every(([name, free]) => {
    const fact = user.facts.get(name)
    if (isSet(fact)) return only(fact) === free
    if (fact === undefined && isPromised) return true
    return (fact === undefined || op === 'updateUser') && updated > (fact?.n ?? user.born)
  })
}
/** Members that a tracker may let change only once. */
const renaming = new Set(['username', 'email', 'name'])
/** A tracker may limit these changes to one. After two there is no such limit. The trace may not show the first one. */
function mayRepeat({ changes, born }: Thing, what: string): boolean {
  const count = changes.get(what) ?? 0
  return count > 1 || (count === 0 && born > 0)
}

/** Whether a user may be in one of the projects already: it may have come there with another project. */
function isMember(request: Request, subject: Thing, { sights }: World): boolean {
  const { project_ids: ids } = membersOf(request)
  const paths = [...(sights.findLast(({ thing }) => thing === subject)?.leaves.keys() ?? [])]
  const isShown = (id: unknown) => paths.some((path) => path.endsWith(`∋${id}`))
  return Array.isArray(ids) && ids.some((id) => subject.facts.has(`project:${id}`) || isShown(id))
}

/** Whether a read has shown a user, and in none of the projects. */
export const isSeenOutside = (request: Request, world: World): boolean =>
  request.subject?.seen !== undefined && !isMember(request, request.subject, world)

const isLinked = (thing: Thing): boolean =>
  [...thing.facts.keys()].some((name) => isMembership(name) && knownValue(thing, name) !== false)

/** Whether a body may lack members that the tracker requires: no accepted body had only members of this one. */
export function isIncomplete(request: Request, world: World): boolean {
  const { op } = request
  const part = partOf(request)
  if (!aspects[op].family || !part) return false
  const names = Object.keys(part)
  if (op === 'updateUser' && names.every((name) => idle.has(name))) return true
  if (!/^create|CustomField$|^manage|^updatePlugin/.test(op)) return names.length === 0
  if (op === 'updatePlugin' && names.includes('protected') && names.includes('priority')) return false
  const { columns } = op === 'manageColumns' ? world.knowledge : {}
  const enough = [...(world.enough.get(op) ?? []), ...(columns ? [Object.keys(columns)] : [])]
  // The type of columns has a default.
  const given = op === 'manageColumns' ? [...names, 'type'] : names
  return !enough.some((least) => least.every((name) => given.includes(name)))
}
/** Members that a tracker may not support. An update of these alone may be an empty one. */
const idle = new Set(['language', 'timezone', 'avatar', 'notify_user', 'password_current'])
/** Whether a request names something that the profile does not promise, so that it may not exist. */
export const namesOthers = ({ values, op }: Request, world: World): boolean =>
  values.some((value) => isReference(value) && !world.isPromised(value, op))

/** Whether a limit may be reached: a tracker has room for a few users and a few wrong passwords, and for as many fields as before. */
export function isNearLimit(op: OperationId, world: World): boolean {
  if (op === 'changeOwnPassword') return world.passwordChanges > 0 && world.wrongPasswords >= FEW_PASSWORDS
  if (op === 'createUser') return world.of('user').length > FEW_USERS
  if (op !== 'createCustomField') return false
  const fields = world.of('field').filter(({ born }) => born > 0)
  const countAt = (at: number) => fields.filter(({ born, ended = at }) => born < at && ended >= at).length
  const room = Math.max(0, ...fields.map(({ born }) => countAt(born)))
  return countAt(Number.POSITIVE_INFINITY) > room
}
const FEW_USERS = 25
const FEW_PASSWORDS = 3
