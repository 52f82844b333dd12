/** Operations 10, 12 and 13: impersonation, assignment to projects, and reset. */
import { projectAssignmentBody } from '../../conformance/contract/bodies.js'
import { letters } from '../random.js'
import {
  has,
  impersonationNeeds,
  isLastAdministrator,
  levelValue,
  mayImpersonate,
  needLevel,
  needUserManager,
  projectLevel,
} from '../request/access.js'
import { written } from '../request/answers.js'
import { SESSION_COOKIE } from '../request/auth.js'
import { readBody } from '../request/body.js'
import type { AdmittedCall } from '../request/call.js'
import { refuse } from '../request/errors.js'
import { positiveId } from '../request/ids.js'
import { define } from '../request/operation.js'
import { refuseProject } from '../request/projects.js'
import { levelNumbers, levels } from '../state/levels.js'
import type { Project, Token, User } from '../state/store.js'
import { endSessions, madeUpPassword, mails, notify } from '../users/effects.js'
import { findUser } from '../users/find.js'
import { userRecord } from '../users/record.js'
import { LOCKED_AFTER, needLevelOver } from '../users/rights.js'

export const impersonateUser = define({
  gate(c) {
    if (!mayImpersonate(c.caller, c.decisions))
      refuse('access-denied', {
        detail: `To impersonate users ${impersonationNeeds(c.decisions)}; ${c.caller.username} has ${c.caller.access_level}`,
        decision: 'impersonate-permission',
      })
    if (c.session.kind !== 'api' && c.decisions['impersonate-chain-end'] === 'nested-refused')
      refuse('access-denied', {
        detail: 'The session is an impersonated one',
        decision: 'impersonate-chain-end',
      })
  },
  find: findUser,
  guard(c, user) {
    if (user.id === c.caller.id) {
      const options = { detail: 'Nobody impersonates oneself', decision: 'impersonate-self' } as const
      if (c.decisions['impersonate-self'] === 'invalid')
        refuse('invalid-value', { with: ['user_id'], ...options })
      refuse('access-denied', options)
    }
    if (!user.enabled) {
      const how = c.decisions['impersonate-disabled']
      const options = {
        detail: `The account ${user.username} is disabled`,
        decision: 'impersonate-disabled',
      } as const
      if (how === 'not-found') refuse('user-not-found-by-name', { with: [user.username], ...options })
      if (how === 'invalid') refuse('invalid-value', { with: ['user_id'], ...options })
      refuse('access-denied', options)
    }
    if (user.access_level > c.caller.access_level && c.decisions['impersonate-higher'] === 'refused') {
      const detail = `${user.username} has level ${user.access_level}, ${c.caller.username} has ${c.caller.access_level}`
      refuse('access-denied', { detail, decision: 'impersonate-higher' })
    }
    if (user.protected && c.decisions['impersonate-protected'] === 'refused') {
      const detail = `The account ${user.username} is protected`
      refuse('protected-account', { detail, decision: 'impersonate-protected' })
    }
  },
  run(c, user) {
    const effect = c.decisions['impersonate-effect']
    let token: string | undefined
    if (effect === 'token-switches') {
      c.store.db.tokens.change(c.session, { acting_as: user.id })
    } else if (effect !== 'token') {
      const cookie = startSession(c, user, 'cookie')
      c.answerHeaders.push(['set-cookie', `${SESSION_COOKIE}=${cookie}; Path=/; HttpOnly; SameSite=Lax`])
    }
    if (effect === 'token' || effect === 'cookie-and-token') token = startSession(c, user, 'bearer')
    return written(`Impersonating ${user.username}`, 'user', {
      ...userRecord(c, user, ['id', 'name', 'access_level']),
      impersonated_by: c.caller.username,
      ...(token === undefined ? {} : { token }),
    })
  },
})

/** A tracker that runs for days must not grow by sessions that nobody ends. */
const SESSION_LIMIT = 1000

/** The oldest of all sessions ends once there are too many. */
function startSession(c: AdmittedCall, user: User, kind: 'cookie' | 'bearer'): string {
  const id = c.store.nextId('token')
  const secret = letters(32, id)
  const { tokens } = c.store.db
  tokens.insert({
    id,
    user_id: user.id,
    name: `impersonated by ${c.caller.username}`,
    secret,
    kind,
    created_at: c.now().toISOString(),
    used_at: null,
  })
  const sessions = tokens.rows.filter((token) => token.kind !== 'api')
  if (sessions.length > SESSION_LIMIT) tokens.remove(sessions[0] as Token)
  return secret
}

interface Assignment {
  readonly projects: readonly Project[]
  readonly level: number
}

export const addUserToProjects = define<User, Assignment>({
  valuesFirst: true,
  find: findUser,
  accept(c, user) {
    const missing = c.decisions['projadd-missing-fields']
    const body = readBody(c, projectAssignmentBody, { missing, given: withStringIds(c) })
    if (body.access_level === '')
      refuse(missing, { with: ['access_level'], decision: 'projadd-missing-fields' })
    const empty = c.decisions['projadd-empty-list']
    if (body.project_ids.length === 0 && empty !== 'accepted')
      refuse(empty, { with: ['project_ids'], decision: 'projadd-empty-list' })
    const level = readLevel(c, body.access_level, user)
    const projects = findProjects(c, body.project_ids)
    if (c.decisions['projadd-target-kind'] === 'enabled-only') {
      const decision = 'projadd-target-kind'
      if (!user.enabled)
        refuse('invalid-value', { with: ['user_id'], detail: 'The user is disabled', decision })
      const off = projects.find(({ enabled }) => !enabled)
      if (off) refuse('invalid-value', { with: ['project_ids'], detail: `${off.name} is disabled`, decision })
    }
    return { projects, level }
  },
  permit(c, user, { projects, level }) {
    const allowed = projects.filter((project) => mayAssign(c, project, level))
    const skips = c.decisions['projadd-mixed-rights'] === 'skipped' && allowed.length > 0
    if (projects.length === 0) needLevel(c, levels.manager, 'add users to projects', 'projadd-permission')
    if (allowed.length < projects.length && !skips) {
      const detail = `${c.caller.username} may not give level ${level} in each of the projects`
      refuse('access-denied', { detail, decision: 'projadd-permission' })
    }
    const decision = 'projadd-existing'
    const present = projects.find(({ id }) => c.store.db.memberships.find('pair', `${user.id}/${id}`))
    if (present && c.decisions[decision] === 'refused')
      refuse('invalid-value', {
        with: ['project_ids'],
        detail: `${user.username} is in ${present.name} already`,
        decision,
      })
  },
  run(c, user, { projects, level }) {
    const { memberships } = c.store.db
    for (const project of projects.filter((candidate) => mayAssign(c, candidate, level))) {
      const present = memberships.find('pair', `${user.id}/${project.id}`)
      if (!present) memberships.insert({ user_id: user.id, project_id: project.id, access_level: level })
      else if (c.decisions['projadd-existing'] === 'overwritten')
        memberships.change(present, { access_level: level })
    }
    const assigned = memberships.having('user', user.id)
    return written(
      `User ${user.id} added to projects`,
      'projects',
      assigned.map(({ project_id, access_level }) => ({
        id: project_id,
        access_level: levelValue(c, access_level),
      })),
    )
  },
})

function mayAssign(c: AdmittedCall, project: Project, level: number): boolean {
  if (c.decisions['projadd-permission'] === 'user-manager')
    return has(c.caller, c.decisions['create-permission']) && level <= c.caller.access_level
  const own = projectLevel(c, c.caller, project)
  return own >= levels.manager && level <= own
}

/** Answers show ids and levels as numbers, so clients send them back as such. */
function withStringIds(c: AdmittedCall): unknown {
  const { body } = c
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const text = (value: unknown) => {
    if (typeof value !== 'number') return value
    if (c.decisions['projadd-integers'] === 'refused')
      refuse('invalid-value', {
        with: ['project_ids'],
        detail: 'A number is no string',
        decision: 'projadd-integers',
      })
    return String(value)
  }
  const given: Record<string, unknown> = { ...body }
  if (Array.isArray(given.project_ids)) given.project_ids = given.project_ids.map(text)
  if ('access_level' in given) given.access_level = text(given.access_level)
  return given
}

function readLevel(c: AdmittedCall, given: string, user: User): number {
  const form = c.decisions['projadd-level-form']
  const invalid = c.decisions['projadd-level-invalid']
  if (given === '-1' && invalid === 'minus-one-is-own') return user.access_level
  const name = form === 'any-case' ? given.toLowerCase() : given
  const named = form === 'digits' ? undefined : Object.entries(levels).find(([known]) => known === name)?.[1]
  const number = form !== 'names' && /^\d{1,3}$/.test(given) ? Number(given) : undefined
  const level = named ?? number
  if (level !== undefined && levelNumbers.includes(level)) return level
  const decision = 'projadd-level-invalid'
  if (invalid === 'lacks-level') refuse('user-lacks-level', { detail: `"${given}" is no level`, decision })
  refuse('invalid-value', { with: ['access_level'], detail: `"${given}" is no level`, decision })
}

function findProjects(c: AdmittedCall, ids: readonly string[]): Project[] {
  const found = new Set<Project>()
  const bad = ids.find((text) => positiveId(text) === null)
  if (bad !== undefined && c.decisions['projadd-bad-id'] === 'invalid')
    refuse('invalid-value', {
      with: ['project_ids'],
      detail: `"${bad}" is no id`,
      decision: 'projadd-bad-id',
    })
  for (const text of ids) {
    const id = positiveId(text)
    const project = id === null ? undefined : c.store.db.projects.find('id', id)
    if (project) found.add(project)
    else
      refuseProject(text, c.decisions['projadd-unknown-project'], 'projadd-unknown-project', ids.length === 1)
  }
  if (ids.length > 0 && found.size === 0) refuse('project-not-found', { with: [ids[0] ?? ''] })
  return [...found]
}

export const resetUser = define({
  gate: needUserManager,
  find: findUser,
  guard(c, user) {
    const how = c.decisions['reset-protected']
    const stays = how === 'refused' || (how === 'unlocks-if-locked' && user.failed_logins < LOCKED_AFTER)
    if (user.protected && stays) {
      const detail = `The account ${user.username} is protected`
      refuse('protected-account', { detail, decision: 'reset-protected' })
    }
    needLevelOver(c, user)
    if (user.id === c.caller.id) refuseUnless(c, 'reset-self', 'allowed', 'Nobody resets the own account')
    if (!user.enabled)
      refuseUnless(c, 'reset-disabled', 'without-mail', `The account ${user.username} is disabled`)
  },
  accept(c, user) {
    const last = c.decisions['reset-last-admin']
    if (isLastAdministrator(c, user) && last !== 'allowed')
      refuse('last-administrator', { status: last === 'forbidden' ? 403 : 400, decision: 'reset-last-admin' })
    const linkless = mails(c) && user.email === '' && !user.protected
    if (
      linkless &&
      c.decisions['reset-no-email'] === 'refused' &&
      c.decisions['reset-effect'] !== 'counter-only'
    )
      refuse('email-needed-for-reset', { decision: 'reset-no-email' })
  },
  run(c, user) {
    const effect = c.decisions['reset-effect']
    const { users } = c.store.db
    if (user.protected || effect === 'counter-only') {
      users.change(user, { failed_logins: 0 })
      return written('Account unlocked', 'user', { id: user.id, name: user.username, action: 'unlock' })
    }
    const byMail = mails(c) && user.email !== ''
    const updated = users.change(user, {
      password: byMail ? madeUpPassword(c, user.id) : '',
      // With mail the counter stays: a lock ends with the link.
      ...(byMail ? {} : { failed_logins: 0 }),
    })
    if (effect === 'tokens-revoked') endSessions(c, updated, true)
    if (byMail && user.enabled) notify(c, updated, 'password-reset')
    return written('Account reset', 'user', { id: user.id, name: user.username, action: 'reset' })
  },
})

function refuseUnless(
  c: AdmittedCall,
  decision: 'reset-self' | 'reset-disabled',
  fine: 'allowed' | 'without-mail',
  detail: string,
): void {
  const how = c.decisions[decision]
  if (how === fine) return
  if (how === 'invalid') refuse('invalid-value', { with: ['user_id'], detail, decision })
  refuse('access-denied', { detail, decision })
}
