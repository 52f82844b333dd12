/** Section 7: requests that are well-formed and out of the ordinary get a documented status, whichever it is. */

import { isObject } from '../../client/look.js'
import { documentedStatuses, type OperationId } from '../../contract/index.js'
import { type Row, requirementOf, type Variant } from '../../suite/engine.js'
import { missing } from '../../suite/existing.js'
import { oncePerRun } from '../../suite/once.js'
import { pluginBody, pluginOf } from '../../suite/plugins.js'
import { group } from '../../suite/requirement.js'
import { needDestructive } from '../../suite/shared.js'
import type { Subject } from '../../suite/subjects.js'
import type { Check } from '../../suite/types.js'

type Odd = (t: Check, subject: Subject) => readonly Variant[] | Promise<readonly Variant[]>
type Bodies = readonly (readonly [what: string, body: unknown])[]

const withBodies = (bodies: Bodies, path?: Variant['call']['path']): Variant[] =>
  bodies.map(([what, body]) => ({ what, call: { body, ...(path && { path }) } }))

/** Shared by all operations, since users cannot be deleted. */
const oddUsers = oncePerRun(async (t: Check) => [
  ['a user that is disabled', await t.run.own.user({ enabled: false })] as const,
  // Disabled as well, since one that stays protected could not be closed any more.
  [
    'a user that is disabled and protected',
    await t.run.own.user({ enabled: false, protected: true }),
  ] as const,
])

const onOddUsers = async (t: Check, body?: object): Promise<Variant[]> =>
  (await oddUsers(t)).map(([what, { username }]) => ({
    what,
    call: { path: { user_id: username }, ...(body && { body }) },
  }))

const ofNewUser = async (t: Check) => ({ user_id: (await t.run.own.user()).username })

const fields: Odd = async (t, { operation }) => {
  const { name } = await t.run.own.field()
  const body = (definition: object) => t.run.own.fieldBody(definition)
  const projects = [String(missing.id(t))]
  return withBodies([
    ...(name === null ? [] : [['the name of another field', body({ name })] as const]),
    ['a type that is none', body({ type: `${t.run.tag}-type` })],
    ['a project that is not there', { ...body({ display_report: true }), projects }],
    ...(operation === 'updateCustomField'
      ? ([
          ['no member at all', {}],
          ['an empty definition', { custom_field: {} }],
        ] as const)
      : []),
  ])
}

const odd: Partial<Record<OperationId, Odd>> = {
  async createUser(t) {
    const { email } = await t.run.own.sharedUser()
    const invalid = t.profile.password?.invalid
    const bodies: readonly (readonly [string, object])[] = [
      ["another user's e-mail address", { email }],
      ['a real name of null', { realname: null }],
      ['a real name of 5,000 characters', { realname: 'k'.repeat(5000) }],
      ['a username of 300 characters', { username: t.run.own.name().padEnd(300, 'z') }],
      ['a password of 2,000 characters', { password: 'Kit-7f3a!'.repeat(222) }],
      ...(invalid === undefined
        ? []
        : [['a password that the rules forbid', { password: invalid }] as const]),
      ['an access level that is none', { access_level: 987_654_321 }],
    ]
    return withBodies(bodies.map(([what, overrides]) => [what, t.run.own.userBody(overrides)]))
  },
  async updateUser(t) {
    const { email } = await t.run.own.sharedUser()
    const { id, username } = await t.run.own.user()
    const domain = t.profile.emailDomain ?? 'example.org'
    const bodies: Bodies = [
      ['no field at all', {}],
      ['an access level beyond 32 bits', { access_level: 3_000_000_000 }],
      ['an e-mail address of hundreds of characters', { email: `${'k'.repeat(400)}@${domain}` }],
      ["another user's e-mail address", { email }],
      ['a real name of null', { realname: null }],
      ['an access level that is none', { access_level: 987_654_321 }],
      ['a negative access level', { access_level: -5 }],
      ['a password of another user', { password: t.run.own.password }],
      // Whoever has lost the name is closed by the id.
      ...(id === null ? [] : [['an empty username', { username: '' }] as const]),
    ]
    const others = await onOddUsers(t, { realname: `Kit Person of ${t.run.tag}` })
    return [...withBodies(bodies, { user_id: username }), ...others]
  },
  getUser: (t) => onOddUsers(t),
  getUserEditPage: (t) => onOddUsers(t),
  async addUserToProjects(t) {
    const access_level = t.need('projectAccessLevel')
    const [first = ''] = t.need('projects')
    const body = (...project_ids: string[]) => ({ project_ids, access_level })
    return [
      ...withBodies([
        ['a project that is not there', body(String(missing.id(t)))],
        ['no project at all', body()],
      ]),
      ...withBodies([['one project twice', body(first, first)]], await ofNewUser(t)),
      ...(await onOddUsers(t, body(first))),
    ]
  },
  async resetUser(t) {
    needDestructive(t)
    const body = { password: t.run.own.password }
    return [...(await onOddUsers(t)), ...withBodies([['a replacement password', body]], await ofNewUser(t))]
  },
  createCustomField: fields,
  updateCustomField: fields,
  manageColumns(t) {
    const { columns, ...reference } = t.need('columns')
    needDestructive(t)
    const { project } = reference
    const bodies: readonly (readonly [string, object])[] = [
      ['a type that is none', { type: `${t.run.tag}-type` }],
      ['a project that is not there', { project: { id: String(missing.id(t)) } }],
      ['columns that are no list', { columns: 'id' }],
      ['a column that is a number', { columns: [7] }],
      ['no column in the list', { columns: [] }],
      ['a column that stands twice', { columns: [...columns, ...columns.slice(0, 1)] }],
      ['a project that is a text', { project: isObject(project) ? String(project.id) : project }],
      ['a column that is none', { columns: [...columns].reverse().concat(`${t.run.tag}_column`) }],
    ]
    return withBodies(bodies.map(([what, body]) => [what, { ...reference, ...body }]))
  },
  updatePlugin(t) {
    needDestructive(t)
    const bodies: readonly (readonly [string, object])[] = [
      ['a priority that is text', { priority: 'high' }],
      ['a priority between two', { priority: 2.5 }],
      ['a priority that is a list', { priority: [1] }],
      ['a protection that is text', { protected: 'perhaps' }],
      ['a protection of null', { protected: null }],
    ]
    const plain = bodies.map(([what, body]) => [what, pluginBody(t, body)] as const)
    return withBodies([...plain, ['no member at all', {}]])
  },
  async uninstallPlugin(t, { operation, call }) {
    needDestructive(t)
    const plugin = pluginOf(t)
    await plugin.update({ protected: true })
    const answer = await t.send({ operation, ...call })
    t.expect(answer, documentedStatuses, 'a plugin that is protected')
    // With whatever status that is refused, it must not stay so.
    await plugin.update()
    return []
  },
}

const common = { section: '7', level: 'must', safety: 'write' } as const satisfies Partial<Row>

export const oddRequests = group({ rank: 340 }, [
  requirementOf({
    ...common,
    id: 'input.out-of-the-ordinary',
    statement:
      'What is taken, null, disabled, protected, not there or already done is answered with a status that the document lists.',
    operations: Object.keys(odd) as OperationId[],
    allowed: documentedStatuses,
    fresh: true,
    async change(subject, t) {
      if (subject.operation.endsWith('Plugin')) needDestructive(t)
      return (await odd[subject.operation]?.(t, subject)) ?? []
    },
  }),
])
