/** Commands on users and their projects: sections 2.1, 2.4 and 4.1. */

import fc from 'fast-check'
import { mentions } from '../../client/look.js'
import type { Check } from '../../suite/types.js'
import { updateNaming } from '../../suite/users.js'
import { Violation } from '../property.js'
import { at, type Command, command, type Model, require } from './model.js'

/** They stay on the target, disabled, so there are few of them. */
const MOST_USERS = 3
const anyUser = ({ users }: Model) => users.length > 0
/** What may be done to a disabled account, other than to enable it, is not shown. */
const enabledOf = ({ users, disabled }: Model) => users.filter((user) => !disabled.has(user))
const anyEnabled = (model: Model) => enabledOf(model).length > 0
const anyToEnable = (enabled: boolean) => (model: Model) =>
  model.users.some((user) => model.disabled.has(user) === enabled)

const create = () =>
  command(
    'createUser',
    ({ users }) => users.length < MOST_USERS,
    async (model, t) => {
      model.users.push(await t.run.own.user())
    },
  )

const createAgain = (place: number) =>
  command('createUser of a taken name', anyUser, async (model, t) => {
    const { username } = at(model.users, place)
    const body = t.run.own.userBody({ username })
    const answer = await t.send({ operation: 'createUser', body })
    require(answer, 400, 'creating a user with a taken username')
  })

const rename = (place: number) =>
  command('updateUser', anyEnabled, async (model, t) => {
    const user = at(enabledOf(model), place)
    const username = t.run.own.username()
    const answer = await updateNaming(t, user, { username }, { enabled: true })
    require(answer, model.renamed.has(user) ? [200, 400] : 200, 'changing a username')
    if (answer.status !== 200) return
    model.renamed.add(user)
    model.formerUsernames.push(user.username)
    t.run.own.renamed(user, username)
  })

const renameToTaken = (place: number) =>
  command(
    'updateUser to a taken name',
    ({ users }) => users.length > 1,
    async (model, t) => {
      const user = at(model.users, place)
      const path = { user_id: user.username }
      const body = { username: at(model.users, place + 1).username }
      const answer = await t.send({ operation: 'updateUser', path, body })
      require(answer, model.disabled.has(user) ? [400, 403] : 400, 'renaming a user to a taken username')
    },
  )

const enable = (place: number, enabled: boolean) =>
  // What is so already may not be asked for.
  command('updateUser enabled', anyToEnable(enabled), async (model, t) => {
    const user = at(
      model.users.filter((one) => model.disabled.has(one) === enabled),
      place,
    )
    require(await updateNaming(t, user, { enabled }), 200, `setting enabled to ${enabled}`)
    if (enabled) model.disabled.delete(user)
    else model.disabled.add(user)
  })

const read = (place: number, operation: 'getUser' | 'getUserEditPage', byId: boolean) =>
  command(operation, anyUser, async (model, t) => {
    const user = at(model.users, place)
    const user_id = byId && user.id !== null ? user.id : user.username
    const answer = await t.send({ operation, path: { user_id } })
    // Who may see disabled users is not shown.
    require(answer, model.disabled.has(user) ? [200, 403, 404] : 200, 'reading an existing user')
    const other = model.users.find(
      (one) => one !== user && mentions(answer.json, one.username) && !mentions(answer.json, user.username),
    )
    if (other) throw new Violation('the answer is about another user than the one asked for', answer)
  })

const useFormer = (place: number, operation: 'getUser' | 'getUserEditPage' | 'updateUser') =>
  command(
    `${operation} of a former name`,
    ({ formerUsernames }) => formerUsernames.length > 0,
    async (model, t) => {
      const path = { user_id: at(model.formerUsernames, place) }
      const body = operation === 'updateUser' ? { body: { realname: 'Nobody' } } : {}
      const answer = await t.send({ operation, path, ...body })
      require(answer, 404, 'a username that was given up')
    },
  )

/** Members that are added again may be refused, so each user is added once. */
const addToProjects = (place: number) =>
  command(
    'addUserToProjects',
    (model) => enabledOf(model).some((user) => !model.members.has(user)),
    async (model, t) => {
      const user = at(
        enabledOf(model).filter((one) => !model.members.has(one)),
        place,
      )
      const body = { project_ids: t.need('projects'), access_level: t.need('projectAccessLevel') }
      const path = { user_id: user.username }
      model.members.add(user)
      const answer = await t.send({ operation: 'addUserToProjects', path, body })
      require(answer, 200, 'adding a user to projects')
    },
  )

const reset = (place: number) =>
  command('resetUser', anyEnabled, async (model, t) => {
    const user = at(enabledOf(model), place)
    const path = { user_id: user.username }
    const answer = await t.send({ operation: 'resetUser', path })
    // A core that counts the resets in progress says 403 to one more.
    require(answer, model.reset.has(user) ? [200, 400, 403] : 200, 'resetting an enabled user')
    model.reset.add(user)
  })

/** Each kind that a run must have seen, twice, and what follows on a refusal or on the same once more. */
export const plainUserSequence = (): Command[] => [
  create(),
  create(),
  enable(0, true),
  enable(0, true),
  read(0, 'getUser', false),
  rename(0),
  read(0, 'getUser', true),
  renameToTaken(1),
  rename(1),
  rename(0),
  read(1, 'getUser', false),
  useFormer(0, 'getUser'),
]

export function userCommands({ profile, allows }: Check): fc.Arbitrary<Command>[] {
  const place = fc.nat(20)
  return [
    fc.constant(null).map(create),
    place.map(createAgain),
    place.map(rename),
    place.map(renameToTaken),
    fc.tuple(place, fc.boolean()).map(([n, enabled]) => enable(n, enabled)),
    fc
      .tuple(place, fc.constantFrom('getUser', 'getUserEditPage'), fc.boolean())
      .map(([n, operation, byId]) => read(n, operation, byId)),
    fc
      .tuple(place, fc.constantFrom('getUser', 'getUserEditPage', 'updateUser'))
      .map(([n, operation]) => useFormer(n, operation)),
    ...(profile.projects?.length && profile.projectAccessLevel ? [place.map(addToProjects)] : []),
    ...(allows('destructive') ? [place.map(reset)] : []),
  ]
}
