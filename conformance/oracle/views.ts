/** Finds the things that an answer shows, and learns their ids from it. */
import type { OperationId } from '../contract/index.js'
import { ownMarks } from './callers.js'
import { impersonatesItself } from './conditions.js'
import { folded, groupBy, isObject, listsIn, scalars, withoutLists } from './json.js'
import { leavesOf, recordsOf } from './leaves.js'
import { isAddress, isId } from './names.js'
import { isNamesake, isProse } from './places.js'
import { membersOf, type Request } from './request.js'
import { groupOf, type Thing, type ThingKind } from './things.js'
import type { World } from './world.js'

type Kinds = Partial<Record<OperationId, ThingKind>>
const pages: Kinds = { getUser: 'user', getUserEditPage: 'user', getCustomFieldUpdatePage: 'field' }
const lists: Kinds = { listCustomFields: 'field', listPlugins: 'plugin' }

/** Callers whose views are compared. A tracker may show an ordinary user less of a thing. */
const readers = ['administrator', 'somebody', 'unknown']

/** Records what a served read shows of the known things. */
export function see(request: Request, world: World): void {
  const { op, role, caller, subject, kind, answer, isRead, status, isUnusual, isConcurrent } = request
  if (!isRead || status !== 200 || isUnusual || isConcurrent || answer === undefined) return
  if (op === 'getAccountPage') recognize(request, world)
  if (world.unsettled.has(caller)) return
  if (op === 'getUserSettingsPage' && subject) readSettings(request, subject, world)
  // No path names the settings and the columns of a caller.
  if (!kind && subject) keep(request, world, subject, op, answer)
  const target = op === 'getAccountPage' ? world.targetOf(caller) : undefined
  // Nobody may have changed a user since its last session began.
  const last = target && world.requests.findLast(({ n }) => n === target.log.at(-1))
  if (target && !target.isGone && last?.op === 'impersonateUser') keep(request, world, target, op, answer)
  if (!readers.includes(role)) return
  if (op.endsWith('CreatePage'))
    for (const one of scalars(answer))
      if (typeof one === 'number' || /[a-z]{2}/i.test(one)) world.offered.add(one)
  learnIds(request, world)
  if (pages[op]) seePage(request, world)
  if (lists[op]) seeList(request, world)
}

/** What stands beside the name of a setting as its `value`, or alone there, is its value as long as nobody has changed it. */
function readSettings({ answer, n }: Request, settings: Thing, world: World): void {
  const leaves = [...leavesOf(answer)].filter(([path]) => !path.includes('∋'))
  for (const option of world.options.keys()) {
    const beside = leaves.filter(([path, leaf]) => path.includes(`=${option}].`) && leaf !== option)
    const named = beside.filter(([path]) => isNamesake(path, 'value'))
    const own = leaves.filter(([path]) => path.endsWith(`.${option}`))
    const [place, ...more] = named.length > 0 ? named : [...beside, ...own]
    if (!place || more.length > 0 || settings.facts.has(`option:${option}`)) continue
    if ((typeof place[1] === 'string' && !isProse(place[1])) || typeof place[1] === 'number')
      world.establish(settings, `option:${option}`, { possible: [place[1]], n })
  }
}

/** A caller that sees its own account page again after an impersonation is itself again. */
function recognize({ caller, answer }: Request, world: World): void {
  // An id may begin with zeros.
  const shown = new Set(scalars(answer).flatMap((one) => [String(one), String(one).replace(/^0+(?=\d)/, '')]))
  // A session that a token of its own addresses leaves the caller who he is.
  const target = world.targetOf(caller)
  if (world.keepsCallers === undefined && target && [...target.names].some((name) => shown.has(name))) {
    world.keepsCallers = true
    world.unsettled.clear()
  }
  if (caller !== 'unknown' && !world.unsettled.has(caller)) world.ownTexts.set(caller, shown)
  const marks = ownMarks(caller, world.ownTexts)
  // Another user may share a language or a level with the caller, but not most of its marks.
  const isItself = marks.filter((mark) => shown.has(mark)).length * 2 > marks.length
  if (!world.unsettled.has(caller) || marks.length === 0) return
  if (isItself) world.unsettled.delete(caller)
  // A caller that impersonates itself may have ended the impersonation.
  const mayComeBack = (one: Request) => one.caller === caller && impersonatesItself(one, world)
  if (world.keepsCallers === undefined || !isItself)
    world.keepsCallers = isItself && !world.requests.some(mayComeBack)
}

/** Gives a request by an unknown id or spelling its subject if the answer names exactly one user of the trace. */
export function identify(request: Request, world: World): void {
  const { kind, subject, address = '', status, answer } = request
  if (kind !== 'user' || subject || status !== 200 || answer === undefined) return
  const shown = new Set(scalars(withoutLists(answer)).map(String))
  // A tracker may store capitals as small letters. A name in capitals may be the real name of another user.
  const isTelling = (name: string) => name.length > 5 || areBeside(name, address, answer)
  const isShown = ({ name, seen }: Thing) =>
    shown.has(name) || (seen === undefined && shown.has(name.toLowerCase()))
  const named = world.of('user').filter((one) => isShown(one) && isTelling(one.name))
  const [user] = named
  if (!user || named.length > 1 || user.isUnsure || (isId(address) && user.id !== undefined)) return
  // A record may name its neighbours, or the users that were changed last.
  const own = world.sights.findLast((one) => one.thing === user && one.op === request.op)?.leaves ?? []
  const [place] = [...own].find(([, leaf]) => folded(leaf) === folded(user.name)) ?? []
  const shownAt = place === undefined ? user.name : leavesOf(answer, user.names).get(place)
  if (folded(shownAt) !== folded(user.name)) return
  if (isId(address)) user.id = address
  request.subject = user
}

/** Whether an object of the answer holds both texts. */
function areBeside(name: string, id: string, json: unknown): boolean {
  if (typeof json !== 'object' || json === null) return false
  const values = Object.values(json)
  const texts = values.map(String)
  const isNamed = texts.includes(name) || texts.includes(name.toLowerCase())
  return (isNamed && texts.includes(id)) || values.some((value) => areBeside(name, id, value))
}

function seePage(request: Request, world: World): void {
  const { op, answer } = request
  // The id may have been learnt from this answer.
  const thing =
    world.subjectOf(request) ?? (isNamedIn(answer, request.address, world) && stranger(request, world))
  if (!thing || thing.isGone || (thing.kind !== pages[op] && thing.kind !== 'known')) return
  // A former name may be another member of it, such as its real name.
  if (thing.isUnsure && scalars(answer).some((one) => folded(one) === folded(thing.name)))
    thing.isUnsure = false
  if (!thing.isUnsure) keep(request, world, thing, op, answer)
}

/** A user from before the trace: answers show it unchanged until a request changes it. */
export function stranger({ kind, address, answer }: Request, world: World): Thing | undefined {
  if (kind !== 'user' || !isAddress(address)) return undefined
  // A tracker may find a user by another spelling or by an e-mail address, too. Then each page has both.
  const isShown = (one: Thing) =>
    !world.sights.some(({ thing }) => thing === one) || shows(one, address, world)
  const isSame = (one: Thing) =>
    [...one.names].some((name) => folded(name) === folded(address)) ||
    (one.kind === 'known' && bearsName(answer, one) && isShown(one))
  return world.things.some((one) => groupOf(one) === kind && isSame(one))
    ? undefined
    : world.add('known', address)
}

/** Whether an answer shows a name, or another name or the id of a thing that has or had it. */
export function isNamedIn(answer: unknown, name = '', { things }: World): boolean {
  const shown = new Set(scalars(answer).map(folded))
  const isIt = ({ names, id = name }: Thing) =>
    names.has(name) && [...names, id].some((one) => shown.has(folded(one)))
  return shown.has(folded(name)) || things.some(isIt)
}

/** Whether the last answer about a thing has a text in it. */
export function shows(one: Thing, text: string, { sights }: World): boolean {
  const sight = sights.findLast(({ thing }) => thing === one)
  return sight !== undefined && folded(sight.text).includes(folded(text))
}

function seeList(request: Request, world: World): void {
  const { op, answer } = request
  const kind = lists[op]
  const things = world.things.filter((one) => one.kind === kind && isRecognizable(one) && !one.isGone)
  for (const [thing, ...others] of groupBy(things, ({ name }) => folded(name)).values()) {
    // Names of fields may be given twice.
    if (!thing || others.length > 0) continue
    const record = ownRecord(answer, [thing.name]) ?? ownRecord(answer, thing.names)
    if (record !== undefined) keep(request, world, thing, op, record)
  }
}

/** The record that bears a name, preferably as its own: another thing may have the same text in another member. */
function ownRecord(answer: unknown, names: Iterable<string>): unknown {
  const records = recordsOf(answer, names)
  const wanted = new Set([...names].map(folded))
  const isName = ([key, value]: [string, unknown]) =>
    /(name|key|label|title)$/i.test(key) && wanted.has(folded(value))
  return records.find((one) => isObject(one) && Object.entries(one).some(isName)) ?? records[0]
}

/** Whether a name is long enough to be recognized; a short one may be part of any text. */
export const isRecognizable = ({ name, isUnsure }: Thing): boolean => !isUnsure && name.length > 3

function keep(request: Request, world: World, thing: Thing, form: string, json: unknown): void {
  const { n, op, role, caller, exchange } = request
  const view = role === 'administrator' ? form : `${form} as ${role === 'session' ? role : caller}`
  const keysOf = (kind: string) =>
    new Set([...thing.facts.keys()].flatMap((name) => (name.startsWith(kind) ? name.slice(kind.length) : [])))
  const leaves = leavesOf(json, thing.names, keysOf('option:'), keysOf('level:'), keysOf('project:'))
  const { lastChange } = world
  thing.seen = n
  const changed = world.lastChanged.get(groupOf(thing))
  const others = changed && changed !== thing ? { others: changed.facts } : {}
  const about = { n, lastChange, view, op, thing, ...others }
  world.sights.push({ ...about, leaves, facts: thing.facts, text: exchange.text })
}

const showing = /^(updateUser|resetUser|updateCustomField|addUserToProjects)$/

/** The answer to a change may show the thing. Only earlier facts are compared, since the answer may leave out the change. */
export function seeChange(request: Request, world: World): void {
  const { op, n, role, subject, answer, exchange, status, isUnusual, isConcurrent } = request
  if (!showing.test(op) || status !== 200 || isUnusual || isConcurrent || role !== 'administrator') return
  if (!subject || subject.isUnsure || subject.isGone || world.unsettled.has(request.caller)) return
  const { project_ids: ids } = membersOf(request)
  const isGiven = (name: string) =>
    Array.isArray(ids) && name.startsWith('project:') && ids.includes(name.slice('project:'.length))
  const facts = new Map(
    [...subject.facts].map(([name, fact]) => [
      name,
      fact.n === n || isGiven(name) ? { ...fact, possible: null } : fact,
    ]),
  )
  // The answer may be the list of all things, or have a list of changes in the record.
  const lists = bearsName(withoutLists(answer), subject) ? [] : listsIn(answer)
  const rows = lists.flatMap((list) => (list.length > 1 ? recordsOf(list, subject.names) : []))
  const leaves = leavesOf(rows.length === 0 ? answer : rows.length === 1 ? rows[0] : [], subject.names)
  const about = { n, lastChange: world.lastChange, view: `answer to ${op}`, op, thing: subject }
  if (leaves.size > 1) world.sights.push({ ...about, leaves, facts, text: exchange.text })
}

function bearsName(json: unknown, { names }: Thing): boolean {
  const shown = new Set(scalars(json).map(folded))
  return [...names].some((name) => shown.has(folded(name)))
}

/** Learns the id of a thing where the page at the id names the new thing, or equals the page at its name. */
function learnIds(request: Request, world: World): void {
  const { op, address = '', answer, subject, n, exchange } = request
  if (op === 'listCustomFields') learnCandidates(answer, world)
  // A tracker may give the id of a deleted field again, and a profile may be younger than the trace.
  if ((subject && !subject.isGone && subject.name !== '') || !isId(address)) return
  if (op === 'getCustomFieldUpdatePage') {
    // A page may be too small to name its field.
    const isOnly = ({ candidates: [first, ...more] }: Thing) =>
      first === address && more.length === 0 && scalars(answer).length < 2
    const isIt = (field: Thing) => bearsName(answer, field) || isOnly(field)
    const field = world.of('field').findLast((one) => isWithoutId(one) && isIt(one))
    if (field) world.giveId(field, address)
  }
  if (pages[op] !== 'user') return
  const isSame = (one: Request) =>
    one.op === op && one.n > world.lastChange && one.n < n && one.exchange.text === exchange.text
  const page = world.requests.findLast((one) => one.subject?.kind === 'user' && isSame(one))
  if (page?.subject && bearsName(answer, page.subject)) page.subject.id = address
}

const isWithoutId = ({ id, isGone }: Thing) => id === undefined && !isGone

/** Integers that the creation of a field told, or that the list has since then. */
function learnCandidates(answer: unknown, world: World): void {
  const before = new Set(world.listedTexts)
  const idsIn = (json: unknown) => scalars(json).map(String).filter(isId)
  const isNew = (id: string) => !before.has(id)
  world.listedTexts = scalars(answer).map(String)
  for (const field of world.of('field').filter(isWithoutId)) {
    const told = idsIn(world.requests.find(({ n }) => n === field.born)?.answer)
    const recorded = idsIn(recordsOf(answer, field.names)).filter(isNew)
    const listed = [...recorded, ...idsIn(answer).filter(isNew)]
    const likeliest = told.filter((id) => listed.includes(id))
    const both = told.filter((id) => recorded.includes(id))
    const isOnce = (id: string) => world.listedTexts.indexOf(id) === world.listedTexts.lastIndexOf(id)
    const [sure, ...others] = both.length > 1 ? both.filter(isOnce) : both
    // The creation told the only new integer of the record, or the only one that stands nowhere else.
    const isSure = sure !== undefined && others.length === 0
    const isTaken = ({ id, isGone, name }: Thing) => id === sure && !isGone && name !== ''
    if (isSure && !world.of('field').some(isTaken)) world.giveId(field, sure)
    if (field.candidates.length === 0)
      field.candidates = [...new Set([...likeliest, ...listed, ...told])].slice(0, 3)
  }
}
