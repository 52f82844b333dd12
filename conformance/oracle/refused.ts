/** What a refusal tells of the world. */
import { attributesGiven, namesOthers } from './conditions.js'
import { folded } from './json.js'
import { membersOf, type Request } from './request.js'
import { take } from './take.js'
import type { World } from './world.js'

/** A tracker may apply a list up to its wrong element, and store a definition before it checks the projects. */
function mayBeDoneInPart(request: Request, world: World): boolean {
  const { configs, project_ids: ids } = membersOf(request)
  if (request.op === 'updateCustomField') return namesOthers(request, world)
  return [configs, ids].some((list) => Array.isArray(list) && list.length > 1)
}

/** Takes over what a refusal shows: a refused creation has made no user, and a read with 404 shows an absence. */
export function refuse(request: Request, world: World): void {
  if (mayBeDoneInPart(request, world)) take(request, world, 'possible')
  const { op, n, status, subject, address, isRead, role, kind } = request
  const { username, password_current: current } = membersOf(request)
  if (
    op === 'changeOwnPassword' &&
    role === 'password' &&
    typeof current === 'string' &&
    current !== world.password
  )
    world.wrongPasswords += 1
  // Who did not find a thing has not changed it.
  if (subject && !isRead && status !== 404) {
    subject.log.push(n)
    const [given, ...more] = attributesGiven(request)
    if (given && more.length === 0) subject.refused.set(given[0], { n, value: given[1] })
  }
  const isFree = (name: string) =>
    world.absent.has(`user ${name}`) &&
    !world.of('user').some((one) => [...one.names].some((other) => folded(other) === folded(name)))
  if (op === 'createUser' && typeof username === 'string' && isFree(username))
    world.absent.set(`user ${username}`, { op, n, isRefused: true })
  const key = `${kind} ${address}`
  // If the user exists afterwards, this request has created it.
  if (status === 404 && !isRead && world.absent.has(key)) world.absent.set(key, { n, op, isTried: true })
  const isOfField = kind === 'field' && membersOf(request).projects === undefined
  const isTelling = isRead || op === 'installPlugin' || isOfField
  if (status === 404 && isTelling && role === 'administrator' && kind && !subject && address !== undefined)
    world.absent.set(key, { n })
}
