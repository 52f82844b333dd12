/** Users who were added to projects so that each project tells itself apart from the others. */
import { usernameOf } from './identity.js'
import { projectMember } from './links.js'
import { oncePerRun } from './once.js'
import type { Asked, Moment } from './series.js'
import type { Check, OwnUser } from './types.js'
import { updateUser, viewsShown } from './users.js'

/** Which users are added to each project: the first to all, the last but one to one alone, the last to none. */
const added = ['ABAAAB', 'AABABB', 'AAABBB', 'AABBBB', 'ABABBB'] as const

export interface MembershipSeries {
  readonly projects: readonly string[]
  readonly asked: readonly Asked[]
  /** Of each as soon as it was added. */
  readonly atOnce: readonly Moment[]
  /** When all have been added. */
  readonly additions: readonly Moment[]
  /** The pages of users who were there already. */
  readonly others: readonly Moment['shown'][]
  /** Of one of them, when nobody had been added. */
  readonly before: Moment['shown']
  /** After further additions to some of them. */
  readonly further: readonly Moment[]
  /** After updates of one that is in projects. */
  readonly updated: readonly Moment[]
}

export const membershipSeries = oncePerRun(async (t: Check): Promise<MembershipSeries> => {
  const projects = t.need('projects').slice(0, added.length)
  const access_level = t.need('projectAccessLevel')
  const asked: Asked[] = []
  const states = new Map<OwnUser, Moment>()
  const operation = 'addUserToProjects'

  const stateOf = ({ realname, email, username }: OwnUser, member: readonly string[]) => ({
    realname,
    email,
    username,
    enabled: true,
    ...(t.profile.accessLevel === undefined ? {} : { access_level: t.profile.accessLevel }),
    ...Object.fromEntries(projects.map((id) => [projectMember(id), member.includes(id)])),
  })

  async function add(
    user: OwnUser,
    project_ids: readonly string[],
    isMember: readonly string[] = project_ids,
  ) {
    const answer = await t.send({
      operation,
      path: { user_id: user.username },
      body: { project_ids, access_level },
    })
    const differs = project_ids.every((id) => states.get(user)?.state[projectMember(id)] !== true)
    asked.push({
      members: { projects: project_ids.length },
      differs: differs && project_ids.length > 0,
      answer,
    })
    if (answer.status === 200)
      states.set(user, { answer, given: ['project_ids'], state: stateOf(user, isMember), shown: {} })
    return answer.status
  }

  const look = async (of: readonly OwnUser[]): Promise<Moment[]> => {
    const found: Moment[] = []
    for (const user of of) {
      const moment = states.get(user)
      if (moment) found.push({ ...moment, shown: await viewsShown(t, user) })
    }
    return found
  }

  const others = await othersOf(t)
  const users: OwnUser[] = []
  for (const _ of added[0]) users.push(await t.run.own.user())
  const before = await viewsShown(t, users[0] as OwnUser)
  const atOnce: Moment[] = []
  // Neither in the order of time.
  const lastAdded = 2
  for (const index of [4, 0, 3, 1, lastAdded]) {
    const ids = projects.filter((_, place) => added[place]?.[index] === 'A')
    if (ids.length === 0) continue
    await add(users[index] as OwnUser, index === 0 ? ids.toReversed() : ids)
    if (index !== lastAdded) atOnce.push(...(await look([users[index] as OwnUser])))
  }
  const nobody = users.at(-1) as OwnUser
  const [last] = [...states.values()]
  if (last) states.set(nobody, { ...last, given: [], state: stateOf(nobody, []) })
  // With these two all have been added.
  const two = [users[lastAdded] as OwnUser, nobody]
  const seen = await look(two)
  atOnce.push(...seen)
  const additions = [...(await look(users.filter((user) => !two.includes(user)))), ...seen]

  const [both, ...some] = users.slice(0, 3) as [OwnUser, ...OwnUser[]]
  for (const user of some) {
    const isMember = (id: string) => states.get(user)?.state[projectMember(id)] === true
    const rest = projects.filter((id) => !isMember(id))
    if (rest.length > 0) await add(user, rest, projects)
  }
  // Whether a member may be added again is not shown, nor whether nothing may be asked for.
  await add(both, projects)
  await add(nobody, [])
  const further = await look([both, ...some, nobody])

  const updated: Moment[] = []
  const { accessLevel } = t.profile
  for (const members of [
    { realname: both.realname.replace('Kit', 'Only') },
    { email: `only.${both.email}` },
    { client_preferred: true },
    // As they are.
    { enabled: true, ...(accessLevel !== undefined && { access_level: accessLevel }) },
  ]) {
    const answer = await updateUser(t, both.username, members)
    const last = states.get(both)
    if (answer.status !== 200 || last === undefined) continue
    states.set(both, { ...last, answer, given: Object.keys(members) })
    updated.push(...(await look([both])))
  }
  return { projects, asked, others, before, atOnce, additions, further, updated }
})

async function othersOf(t: Check): Promise<Moment['shown'][]> {
  const { tokens, user } = t.profile
  const names = [
    user?.username,
    tokens.restricted && (await usernameOf(t, 'restricted')),
    tokens.password && (await usernameOf(t, 'password')),
  ]
  const found: Moment['shown'][] = []
  for (const username of names) if (username) found.push(await viewsShown(t, { username }))
  return found
}
