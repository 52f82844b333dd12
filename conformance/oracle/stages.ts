/**
 * The conditions under which the document demands a refusal, and the statuses that it allows then. A stage that is only
 * ever `open` names a choice that the document leaves to the tracker. To add a statement, add a row.
 */

import { repeatsNames } from '../contract/repeated.js'
import { requiresMembers } from './bodies.js'
import {
  hasNoName,
  holderOf,
  impersonatesItself,
  isIncomplete,
  isNearLimit,
  isReady,
  isStranger,
  isUnknownCaller,
  mayAdminister,
  mayBeItself,
  mayBeTaken,
  mayHide,
  members,
  namesOthers,
  unproven,
  wasServed,
} from './conditions.js'
import { openIf, violatedIf, worst } from './held.js'
import { isInteger, isObject, scalars } from './json.js'
import { isPlainName } from './names.js'
import { addressing, aspects, bodied, every, gated, numbered, reading } from './operations.js'
import { isNoInteger, isNumbered, isOtherText, mayAddress, presence } from './presence.js'
import { membersOf } from './request.js'
import { must, type Stage, should } from './statement.js'
import { knownValue } from './things.js'
import { isUnusual } from './values.js'
import { isNamedIn } from './views.js'

/** A choice that the document leaves open. */
const silent = (id: string, section: string, ...statuses: readonly number[]) =>
  ({ ...must(id, section, [], ...statuses), isSilent: true }) as const

export const stages: readonly Stage[] = [
  {
    ...must('authentication', '5', every, 401),
    statement: 'When authentication is missing or invalid, the answer is 401.',
    holds: (request, world) =>
      isUnknownCaller(request, world) || request.role === 'session'
        ? 'open'
        : violatedIf(isStranger(request)),
  },
  {
    ...silent('authentication.revoked', '8', 401),
    statement: 'A change of the password may end the tokens.',
    holds: ({ role }, { passwordChanges }) => openIf(role === 'password' && passwordChanges > 0),
  },
  {
    ...should('authentication.disabled', '5', reading, 401, 403),
    statement: 'The token of a disabled user is refused.',
    holds: ({ role, isRead, caller }, { doubted }) =>
      role !== 'disabled' ? 'satisfied' : isRead && !doubted.has(caller) ? 'violated' : 'open',
  },
  {
    ...must('permission', '5', gated, 403),
    statement: 'When the caller lacks permission for an administrative operation, the answer is 403.',
    holds(request, world) {
      if (request.gate !== 'gated') return 'satisfied'
      if (isUnknownCaller(request, world)) return openIf(!wasServed(request, world))
      if (request.role !== 'restricted') return 'satisfied'
      return mayBeItself(request, world) ? 'open' : 'violated'
    },
  },
  {
    ...silent('permission.open', '5', 403),
    statement: 'The document does not say who may read pages, or who may delete a recipient.',
    holds(request, world) {
      const { op, role, gate } = request
      if (isUnknownCaller(request, world) || role === 'session')
        return openIf(!wasServed(request, world) || (gate === 'open' && !mayAdminister(request, world)))
      // A tracker may forbid impersonation to everybody. After one that was served, it allows it.
      if (role === 'administrator') return openIf(op === 'impersonateUser' && !wasServed(request, world))
      if (op === 'changeOwnPassword' && role === 'password') return 'satisfied'
      return openIf(gate !== 'own' || op === 'changeOwnPassword' || op === 'manageColumns')
    },
  },
  {
    ...silent('hidden', '4.1', 403, 404),
    statement: 'A tracker may hide a thing from a caller, and a disabled user from everybody.',
    holds: (request, world) => openIf(mayHide(request, world)),
  },
  {
    ...must('refused-not-done', '7', ['createUser'], 404),
    statement: 'A refused creation creates no user.',
    holds: ({ kind, address = '' }, world) =>
      violatedIf(kind === 'user' && world.absent.get(`user ${address}`)?.isRefused === true),
    because: ({ address = '' }, world) => world.absent.get(`user ${address}`),
  },
  {
    ...must('not-found', '7', addressing, 404),
    statement: 'When a resource does not exist, the answer is 404.',
    holds: presence,
    because({ kind, address = '', subject, isRead, answer }, world) {
      const absence = world.absent.get(`${kind} ${address}`)
      // A read of a name blames the refused request that may have created it. Nothing is created with a given id.
      const isOwnFault = !isRead || /^\d+$/.test(address)
      const isMute =
        isObject(answer) && (isRead ? !isNamedIn(answer, address, world) : scalars(answer).length === 0)
      if (subject?.ended || isMute || (absence?.isTried && isOwnFault))
        return { n: subject?.ended ?? absence?.n }
      return absence
    },
  },
  {
    ...should('not-found.text', '2.1', ['getUser', 'getUserEditPage', 'getCustomFieldUpdatePage'], 404),
    statement: 'Only an id addresses a thing, and only an id or a username addresses a user.',
    holds: (request, world) => violatedIf(request.isRead && !request.subject && isOtherText(request, world)),
  },
  {
    ...must('no-integer', '2.5', numbered, 400, 404),
    statement: 'Where an integer identifies a thing, no other text identifies one.',
    holds: ({ kind, address = '' }) => violatedIf(isNumbered(kind) && isNoInteger(address)),
  },
  {
    ...silent('address', '2.1', 400, 403, 404),
    statement: 'The document does not say which other texts address a thing.',
    isEarly: true,
    holds: (request, world) => openIf(mayAddress(request, world)),
  },
  {
    ...must('body.json', '7', bodied, 400),
    statement: 'A body that is not JSON is an invalid request.',
    isEarly: true,
    holds: ({ op, isJson }) => violatedIf(aspects[op].family !== undefined && !isJson),
  },
  {
    ...must('body.object', '7', bodied, 400),
    statement: 'If a body has required parts, its JSON type is the documented one.',
    isEarly: true,
    holds({ op, body, isJson, isAbsent }) {
      const { family } = aspects[op]
      if (!family || !isJson) return 'satisfied'
      // The schema of the settings shows an empty list, which an absent body may stand for.
      if (family === 'settings') return isAbsent ? 'open' : violatedIf(!Array.isArray(body))
      if (isObject(body)) return 'satisfied'
      return requiresMembers(family) ? 'violated' : 'open'
    },
  },
  {
    ...must('body.members', '7', bodied, 400),
    statement: 'A body without a required member, or with a wrong value, is an invalid request.',
    isEarly: true,
    holds: (request, world) => worst(members(request, world).map(({ held }) => held)),
    levelOf: (request, world) =>
      members(request, world).some(({ held, level }) => held === 'violated' && level === 'must')
        ? 'must'
        : 'should',
    detail: (request, world) =>
      `${members(request, world)
        .flatMap(({ member, held }) => (held === 'violated' ? member : []))
        .join(' and ')} in its body is wrong or absent`,
  },
  {
    ...must('settings.names', '4.2', ['updateSettings'], 400),
    statement: 'The tracker validates the names of settings.',
    holds: ({ op, body }) =>
      violatedIf(op === 'updateSettings' && Array.isArray(body) && body.some(hasNoName)),
  },
  {
    ...should('settings.elements', '4.2', ['updateSettings'], 400),
    statement: 'A setting has a name, so null or a number is not a setting.',
    holds: ({ op, body }) =>
      violatedIf(
        op === 'updateSettings' && Array.isArray(body) && body.some((one) => one === null || isInteger(one)),
      ),
  },
  {
    ...must('users.unique', '2.1', ['createUser', 'updateUser'], 400),
    statement: 'A username is unique.',
    holds(request, world) {
      const holder = holderOf(request, world)
      if (!holder) return 'satisfied'
      // An unknown id or address may be that of the holder.
      const mayBeItself = request.op === 'updateUser' && !request.subject && !isPlainName(request.address)
      return holder.isUnsure || mayBeItself ? 'open' : 'violated'
    },
    because: (request, world) => ({ n: holderOf(request, world)?.born }),
  },
  {
    ...must('password.current', '2.2', ['changeOwnPassword'], 400, 401, 403),
    statement: 'The current password is validated before the new one is applied.',
    holds(request, world) {
      const { password_current: current } = membersOf(request)
      if (request.op !== 'changeOwnPassword' || current === undefined || current === null) return 'satisfied'
      // A caller without an account has no current password.
      if (isStranger(request)) return 'satisfied'
      const isKnown =
        typeof current === 'string' && request.role === 'password' && world.password !== undefined
      return isKnown ? violatedIf(current !== world.password) : 'open'
    },
  },
  {
    ...silent('unproven', '8', 400),
    statement: 'Limits are not shown: a tracker may refuse a value that it has not accepted yet.',
    isEarly: true,
    holds: (request, world) => openIf(unproven(request, world).length > 0),
  },
  {
    ...silent('unusual.value', '9', 400, 403, 404),
    statement:
      'The document does not mention values of another kind, values that name unknown things, or users who impersonate themselves.',
    isEarly: true,
    holds: (request, world) =>
      openIf(
        namesOthers(request, world) ||
          impersonatesItself(request, world) ||
          unproven(request, world).some(isUnusual),
      ),
  },
  {
    ...silent('unusual.query', '9', 400, 403, 404),
    statement: 'The document does not mention other queries, or a body where it shows none.',
    isEarly: true,
    holds: ({ op, exchange, isAbsent }) =>
      openIf(exchange.query !== '' || (aspects[op].family === undefined && !isAbsent)),
  },
  {
    ...silent('unusual.repeated', '9', 400),
    statement: 'The document does not say what a body means that has a member twice.',
    isEarly: true,
    holds: ({ body, exchange }) => openIf(isObject(body) && repeatsNames(exchange.body ?? '', body)),
  },
  {
    ...silent('unusual.header', '9', 400, 403, 404),
    statement: 'The document does not mention other headers.',
    holds: ({ exchange }) => openIf(Object.keys(exchange.headers).length > 0),
  },
  {
    ...silent('incomplete', '2.1', 400),
    statement: 'A tracker may require more members for a creation, and at least one for an update.',
    isEarly: true,
    holds: (request, world) => openIf(isIncomplete(request, world)),
  },
  {
    ...silent('password.update', '2.1', 400, 401, 403),
    statement: 'A tracker may require the current password to change a password.',
    isLate: true,
    holds: (request) => openIf(request.op === 'updateUser' && Object.hasOwn(membersOf(request), 'password')),
  },
  {
    ...silent('taken', '9', 400),
    statement: 'A tracker may refuse a name or an address that another thing has or had.',
    isLate: true,
    holds: (request, world) => openIf(request.values.some((value) => mayBeTaken(value, request, world))),
  },
  {
    ...silent('limits', '8', 400, 403),
    statement: 'Limits are not shown: a tracker may limit the number of users, fields and wrong passwords.',
    isLate: true,
    holds: ({ op }, world) => openIf(isNearLimit(op, world)),
  },
  {
    ...silent('state', '3', 400, 403),
    statement: 'Transitions are not shown: the state of a thing may forbid a change.',
    holds: (request, world) => openIf(!isReady(request, world)),
  },
  {
    ...silent('state.absent', '3', 400, 404),
    statement:
      'A tracker may answer 404 for a plugin that is not installed, or a disabled user to impersonate.',
    holds({ op, subject }) {
      const is = (name: string) => knownValue(subject, name) === true
      if (op === 'impersonateUser') return openIf(subject !== undefined && !is('enabled'))
      return openIf(op !== 'installPlugin' && subject?.kind === 'plugin' && !is('installed'))
    },
  },
  {
    ...silent('concurrent', '9', 400, 403, 404),
    statement: 'Concurrent requests have no order: a tracker may refuse one because of the other.',
    holds: ({ isConcurrent }) => openIf(isConcurrent),
  },
]
