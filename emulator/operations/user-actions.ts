/** Operations 10 and 12: a caller acts as another user, or adds a user to projects. */
import { projectAssignmentBody } from '../../conformance/contract/bodies.js'
import { letters } from '../random.js'
import { has, levelValue, needImpersonator, needLevel, projectLevel } from '../request/access.js'
import { SESSION_COOKIE } from '../request/auth.js'
import { readBody } from '../request/body.js'
import type { AdmittedCall } from '../request/call.js'
import { refuse, refuseBy, refuseFor, unknownProject } from '../request/errors.js'
import { isObject, positiveId } from '../request/json.js'
import { define, written } from '../request/operation.js'
import { levelNumbers, levels } from '../state/levels.js'
import type { Project, Token, User } from '../state/store.js'
import { findUser, userRecord } from '../users/user.js'

export const impersonateUser = define({
  gate(c) {
    needImpersonator(c.caller, c.decisions, 'impersonate users')
    if (c.session.kind !== 'api')
      refuseBy(c, 'impersonate-chain-end', 'The session is an impersonated one', {
        'nested-refused': 'access-denied',
      })
  },
  find: findUser,
  guard(c, user) {
    const { username, access_level } = c.caller
    const invalid = ['invalid-value', 'user_id'] as const
    if (user.id === c.caller.id)
      refuseBy(c, 'impersonate-self', 'Nobody impersonates oneself', { invalid, forbidden: 'access-denied' })
    if (!user.enabled)
      refuseBy(c, 'impersonate-disabled', `The account ${user.username} is disabled`, {
        'not-found': ['user-not-found-by-name', user.username],
        invalid,
        forbidden: 'access-denied',
      })
    if (user.access_level > access_level) {
      const detail = `${user.username} has level ${user.access_level}, ${username} has ${access_level}`
      refuseBy(c, 'impersonate-higher', detail, { refused: 'access-denied' })
    }
    if (user.protected)
      refuseBy(c, 'impersonate-protected', `The account ${user.username} is protected`, {
        refused: 'protected-account',
      })
  },
  run(c, user) {
    const effect = c.decisions['impersonate-effect']
    if (effect === 'token-switches') c.store.db.tokens.change(c.session, { acting_as: user.id })
    if (effect === 'cookie' || effect === 'cookie-and-token') {
      const cookie = startSession(c, user, 'cookie')
      c.answerHeaders.push(['set-cookie', `${SESSION_COOKIE}=${cookie}; Path=/; HttpOnly; SameSite=Lax`])
    }
    const isTold = effect === 'token' || effect === 'cookie-and-token'
    return written(`Impersonating ${user.username}`, 'user', {
      ...userRecord(c, user, ['id', 'name', 'access_level']),
      impersonated_by: c.caller.username,
      ...(isTold ? { token: startSession(c, user, 'bearer') } : {}),
    })
  },
})

/** Limits the sessions on a tracker that runs for days, since nobody may end them. */
const SESSION_LIMIT = 1000

function startSession(c: AdmittedCall, user: User, kind: 'cookie' | 'bearer'): string {
  const id = c.store.nextId('tokens')
  const secret = letters(32, id)
  const { tokens } = c.store.db
  tokens.add({
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

export const addUserToProjects = define({
  valuesFirst: true,
  find: findUser,
  accept(c, user) {
    const missing = c.decisions['projadd-missing-fields']
    const body = readBody(c, projectAssignmentBody, { missing, given: bodyWithStringIds(c) })
    if (body.access_level === '') refuseFor('projadd-missing-fields', [missing, 'access_level'])
    if (body.project_ids.length === 0)
      refuseBy(c, 'projadd-empty-list', {
        'empty-field': ['empty-field', 'project_ids'],
        'invalid-value': ['invalid-value', 'project_ids'],
      })
    const level = readLevel(c, body.access_level, user)
    const projects = findProjects(c, body.project_ids)
    const refuseDisabled = (member: string, what: string) =>
      refuseBy(c, 'projadd-target-kind', `${what} is disabled`, { 'enabled-only': ['invalid-value', member] })
    if (!user.enabled) refuseDisabled('user_id', 'The user')
    const off = projects.find(({ enabled }) => !enabled)
    if (off) refuseDisabled('project_ids', off.name)
    return { projects, level }
  },
  permit(c, user, { projects, level }) {
    const allowed = projects.filter((project) => mayAssign(c, project, level))
    const skips = c.decisions['projadd-mixed-rights'] === 'skipped' && allowed.length > 0
    if (projects.length === 0) needLevel(c, levels.manager, 'add users to projects', 'projadd-permission')
    if (allowed.length < projects.length && !skips) {
      const detail = `${c.caller.username} may not give level ${level} in each of the projects`
      refuseFor('projadd-permission', 'access-denied', detail)
    }
    const present = projects.find(({ id }) => c.store.db.memberships.find('pair', `${user.id}/${id}`))
    if (present)
      refuseBy(c, 'projadd-existing', `${user.username} is in ${present.name} already`, {
        refused: ['invalid-value', 'project_ids'],
      })
  },
  run(c, user, { projects, level }) {
    const { memberships } = c.store.db
    for (const project of projects.filter((candidate) => mayAssign(c, candidate, level))) {
      const present = memberships.find('pair', `${user.id}/${project.id}`)
      if (!present) memberships.add({ user_id: user.id, project_id: project.id, access_level: level })
      else if (c.decisions['projadd-existing'] === 'overwritten')
        memberships.change(present, { access_level: level })
    }
    const assigned = memberships.having('user', user.id).map(({ project_id, access_level }) => {
      return { id: project_id, access_level: levelValue(c, access_level) }
    })
    return written(`User ${user.id} added to projects`, 'projects', assigned)
  },
})

function mayAssign(c: AdmittedCall, project: Project, level: number): boolean {
  if (c.decisions['projadd-permission'] === 'user-manager')
    return has(c.caller, c.decisions['create-permission']) && level <= c.caller.access_level
  const own = projectLevel(c, c.caller, project)
  return own >= levels.manager && level <= own
}

/** Clients may send ids and levels as numbers, since answers show them so. */
function bodyWithStringIds(c: AdmittedCall): unknown {
  const { body } = c
  if (!isObject(body)) return body
  const text = (value: unknown) => {
    if (typeof value !== 'number') return value
    refuseBy(c, 'projadd-integers', 'A number is no string', { refused: ['invalid-value', 'project_ids'] })
    return String(value)
  }
  const given = { ...body }
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
  refuseBy(c, 'projadd-level-invalid', `"${given}" is no level`, {
    'lacks-level': 'user-lacks-level',
    'invalid-value': ['invalid-value', 'access_level'],
    'minus-one-is-own': ['invalid-value', 'access_level'],
  })
}

function findProjects(c: AdmittedCall, ids: readonly string[]): Project[] {
  const found = new Set<Project>()
  const bad = ids.find((text) => positiveId(text) === 0)
  if (bad !== undefined)
    refuseBy(c, 'projadd-bad-id', `Not an id: ${bad}`, { invalid: ['invalid-value', 'project_ids'] })
  for (const text of ids) {
    const project = c.store.db.projects.find('id', positiveId(text))
    if (project) found.add(project)
    else refuseBy(c, 'projadd-unknown-project', unknownProject('projects', text))
    // A single unknown project is refused, never left out.
    if (!project && ids.length === 1) refuseFor('projadd-unknown-project', ['project-not-found', text])
  }
  if (ids.length > 0 && found.size === 0) refuse('project-not-found', { with: [ids[0] ?? ''] })
  return [...found]
}
