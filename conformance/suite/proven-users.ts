/** How the fields of the profile that speak of users are tried, each with the rule that tells its mistake from a fault. */

import type { Answer } from '../client/call.js'
import { idAround, mentions, recordsWith } from '../client/look.js'
import type { Profile } from '../contract/index.js'
import { missing } from './existing.js'
import { onceFor, oncePerRun } from './once.js'
import { profileFields } from './profile-fields.js'
import { type FieldTrial, isAccepted, isRefused, leaveOut, type Verdict } from './trial.js'
import type { Check } from './types.js'
import { createUser, readUser } from './users.js'
import { Contradiction, Skip } from './verdicts.js'

const onUsers = ['createUser', 'updateUser', 'impersonateUser', 'addUserToProjects', 'resetUser'] as const
const pagesOfUsers = ['getUser', 'getUserEditPage'] as const

/** Whether a user is enabled, where a page has that in the user's own record. */
async function enabledIn(t: Check, username: string): Promise<{ answer: Answer; enabled: boolean } | null> {
  for (const operation of ['getUser', 'getUserEditPage'] as const) {
    const answer = await t.send({ operation, path: { user_id: username } })
    const shown = recordsWith(answer.json, username).map((record) => record.enabled)
    const [enabled] = shown.filter((one) => typeof one === 'boolean')
    if (enabled !== undefined) return { answer, enabled }
  }
  return null
}

/**
 * Nobody by one of the two is a mistake if somebody else can be read that way: whoever finds no user at all is at fault.
 * So is another id, if the user stands at that one, and a disabled account, if the administrator's is shown as enabled.
 */
async function user(t: Check): Promise<Verdict> {
  const { id, username } = t.profile.user ?? { id: 0, username: '' }
  const { nameOf } = t.run.client.guard
  const byName = await readUser(t, username)
  const byId = await readUser(t, id)
  for (const answer of [byName, byId]) {
    // Who is shown with that id, and not found by it, is there.
    const isOther =
      answer === byId && isAccepted(byName) && idAround(byName.json, username, 'user')?.id === id
    if (isRefused(answer, [404]) && !isOther && (await readsOthers(t))) return { answer }
  }
  if (!isAccepted(byName) || !isAccepted(byId)) return null
  const shown = idAround(byName.json, username, 'user')
  if (shown?.sure && shown.id !== id && !mentions(byId.json, username)) {
    const there = await readUser(t, shown.id)
    if (mentions(there.json, username))
      return { answer: byName, words: `${username} is the user ${shown.id}, and not ${id}` }
  }
  for (const as of ['administrator', 'restricted', 'password'] as const)
    if (t.profile.tokens[as] !== undefined && (await nameOf(as)) === username)
      return { answer: byName, words: `${username} is the owner of tokens.${as}` }
  const state = await enabledIn(t, username)
  if (state?.enabled !== false) return null
  const own = await nameOf('administrator')
  const others = own === null ? null : await enabledIn(t, own)
  return others?.enabled ? { answer: state.answer, words: `${username} is disabled` } : null
}

/** False where the administrator, or whoever stands on the account page, cannot be read either. */
async function readsOthers(t: Check): Promise<boolean> {
  const own = await t.run.client.guard.nameOf('administrator')
  if (own !== null) return isAccepted(await readUser(t, own))
  const asked = [...t.run.statuses('getUser').values()].reduce((sum, count) => sum + count, 0)
  // The two by which the user was looked for, and those for the names on the page.
  return asked <= 2 || t.run.succeeded('getUser')
}

const ofCreation = ['password.valid', 'accessLevel', 'emailDomain'] as const
type CreationField = (typeof ofCreation)[number]

/**
 * Users are created with all of them; where that is refused, without any, and then with each alone. A tracker that creates
 * no user without them either is at fault, or has another reason.
 */
const refusedAtCreation = onceFor(async (t: Check, fields: readonly CreationField[]) => {
  const refused = new Map<CreationField, Answer>()
  const whole = t.profile
  const given = fields.filter((field) => profileFields[field](whole) !== undefined)
  if (await canCreate(t)) return refused
  const without = (fields: readonly CreationField[]) => fields.reduce<Profile>(leaveOut, whole)
  t.run.assume(without(given))
  if (!(await canCreate(t))) return refused
  for (const field of given) {
    t.run.assume(without(given.filter((other) => other !== field)))
    const { answer } = await createUser(t)
    if (isRefused(answer)) refused.set(field, answer)
  }
  return refused
})

async function canCreate(t: Check): Promise<boolean> {
  try {
    await t.run.own.sharedUser()
    return true
  } catch (error) {
    if (error instanceof Skip || error instanceof Contradiction) return false
    throw error
  }
}

const atCreation = (field: CreationField): FieldTrial => ({
  field,
  level: 'write',
  of: onUsers,
  inDoubtOf: pagesOfUsers,
  async try(t) {
    const answer = (await refusedAtCreation(t, ofCreation)).get(field)
    if (answer === undefined) return null
    return field === 'accessLevel' && (await refusesEachLevel(t)) ? null : { answer }
  },
})

/** A tracker that refuses the level which its own new users have refuses the member, and not its value. */
async function refusesEachLevel(t: Check): Promise<boolean> {
  const { username } = await t.run.own.sharedUser()
  const levels = recordsWith((await readUser(t, username)).json, username).map(
    (record) => record.access_level,
  )
  const [level] = levels.filter((one) => Number.isInteger(one))
  return level !== undefined && !isAccepted((await createUser(t, { access_level: level })).answer)
}

/** Nobody can tell rules that are not enforced from a password that keeps them, unless another password is refused. */
async function invalidPassword(t: Check): Promise<Verdict> {
  if (!(await canCreate(t))) return null
  const { answer } = await createUser(t, { password: t.profile.password?.invalid })
  if (!isAccepted(answer)) return null
  for (const password of ['a', 'x'.repeat(4000)])
    if (
      password !== t.profile.password?.invalid &&
      isRefused((await createUser(t, { password })).answer, [400])
    )
      return { answer, words: 'it is accepted, and other passwords are not' }
  return null
}

interface Assignment {
  readonly field: 'projects' | 'projectAccessLevel'
  readonly answer: Answer
}
/** Words and numbers that trackers have for levels in a project. */
const levels = ['reporter', 'viewer', 'developer', '25', '10']

/**
 * A made-up user is added to all projects, and where that is refused, to each. Refused in one and not in another, it is
 * the project; refused in all and not with another level, it is the level. Otherwise it is the projects if they are answered
 * as one that there is not, and else nobody can tell.
 */
const refusedAssignment = oncePerRun(async (t: Check): Promise<Assignment | null> => {
  const { projects = [], projectAccessLevel: access_level = '' } = t.profile
  const { username, id } = await t.run.own.user()
  const add = (user_id: string, body: object) =>
    t.send({ operation: 'addUserToProjects', path: { user_id }, body: { access_level, ...body } })
  const whole = await add(username, { project_ids: projects })
  if (!isRefused(whole)) return null
  // What is taken for one address of a user and not for the other is not the profile's mistake.
  if (id !== null && isAccepted(await add(String(id), { project_ids: projects }))) return null
  const other = (await t.run.own.user()).username
  const each: Answer[] = []
  for (const project of projects) each.push(await add(other, { project_ids: [project] }))
  const refused = each.filter((answer) => isRefused(answer))
  const [answer] = refused
  if (answer === undefined) return null
  if (each.some(isAccepted)) return { field: 'projects', answer }
  for (const level of levels.filter((one) => one !== access_level))
    if (isAccepted(await add(other, { project_ids: projects.slice(0, 1), access_level: level })))
      return { field: 'projectAccessLevel', answer }
  const nowhere = await add(other, { project_ids: [String(missing.id(t))] })
  return nowhere.status === answer.status ? { field: 'projects', answer } : null
})

const inProjects = (field: Assignment['field']): FieldTrial => ({
  field,
  level: 'write',
  of: ['addUserToProjects'],
  with: ['projects', 'projectAccessLevel'],
  async try(t) {
    const refused = await refusedAssignment(t)
    return refused?.field === field ? { answer: refused.answer } : null
  },
})

/**
 * Let in it is a fault, unless its own user is shown as enabled. That it is taken for the owner of another token is a fault
 * as well.
 */
async function disabledToken(t: Check): Promise<Verdict> {
  const page = await t.send({ operation: 'getAccountPage', as: 'disabled' })
  if (!isAccepted(page)) return null
  const { nameOf } = t.run.client.guard
  const name = await nameOf('disabled')
  if (name === null || name === (await nameOf('administrator'))) return null
  const state = await enabledIn(t, name)
  return state?.enabled ? { answer: state.answer, words: `its user ${name} is enabled` } : null
}

export const userFields: readonly FieldTrial[] = [
  ...ofCreation.map(atCreation),
  { field: 'user', level: 'read', of: ['getUser', 'getUserEditPage', 'impersonateUser'], try: user },
  inProjects('projectAccessLevel'),
  inProjects('projects'),
  {
    field: 'password.invalid',
    level: 'write',
    of: ['createUser', 'updateUser', 'changeOwnPassword'],
    try: invalidPassword,
  },
  { field: 'tokens.disabled', level: 'read', of: [], late: true, try: disabledToken },
]
