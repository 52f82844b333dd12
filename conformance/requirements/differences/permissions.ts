/** Section 5, permissions: the requests that an enabled user without any administrative permission sends. */

import { idOf, recordsWith } from '../../client/look.js'
import type { OperationId } from '../../contract/index.js'
import { type Row, requirementOf, type Variant } from '../../suite/engine.js'
import { ownUser } from '../../suite/existing.js'
import { needName } from '../../suite/identity.js'
import { group } from '../../suite/requirement.js'
import type { Subject } from '../../suite/subjects.js'
import type { Check } from '../../suite/types.js'

const BY_WHOM = 'by the user of tokens.restricted, who must have no administrative permission'

/** The subject, and forms of it that reach the operation by another way, where the permission may have been forgotten. */
async function asRestricted(subject: Subject, t: Check): Promise<readonly Variant[]> {
  t.need('tokens.restricted')
  const { operation, call } = subject
  const as = 'restricted'
  const form = (what: string, other: Variant['call'] = {}): Variant => ({
    what: `${what}, ${BY_WHOM}`,
    call: { ...other, as },
  })
  // Asked again, since some forget the question once it was answered.
  const plain = [form('a valid request'), form('a valid request for the second time')]
  // Nothing is asked for, which may be refused for that.
  if (operation === 'updateSettings')
    return [...plain, { ...form('an empty list of settings', { body: [] }), allowed: [403, 400] }]
  const [project] = t.profile.projects ?? []
  if (operation === 'createCustomField' && project !== undefined && subject.proven)
    return [
      ...plain,
      form('a field with a project', { body: { ...t.run.own.fieldBody(), projects: [project] } }),
    ]
  const id = call.path?.user_id === undefined ? null : (await ownUser(t))?.id
  return typeof id === 'number' ? [...plain, form('a user by its id', { path: { user_id: id } })] : plain
}

/** Once, since it may be answered. */
const onceAsRestricted: Row['change'] = (_, t) => {
  t.need('tokens.restricted')
  return [{ what: `a valid request, ${BY_WHOM}`, call: { as: 'restricted' } }]
}

/** Whether what the caller may not see exists may be hidden behind 404. */
const orHidden =
  (...statuses: readonly number[]) =>
  ({ call }: Subject) =>
    call.path === undefined ? statuses : [...statuses, 404]

const common = {
  level: 'must',
  section: '5',
  safety: 'read',
  allowed: [403],
  first: 'as-it-is',
  otherwise: [400, 404],
  change: asRestricted,
} as const satisfies Partial<Row>

/** The decision on who may ask for it. */
function gateOf(operation: OperationId): string {
  if (operation === 'getUser') return 'get-user-permission'
  return operation.includes('CustomField') ? 'cf-permission' : 'page-permissions'
}

const rows: readonly Row[] = [
  {
    ...common,
    id: 'permission.gated',
    statement:
      'Impersonation, reset, plugin management, custom-field management and settings update are answered 403 when the authenticated user lacks permission.',
    operations: [
      'impersonateUser',
      'resetUser',
      'createCustomField',
      'updateCustomField',
      'deleteCustomField',
      'updatePlugin',
      'installPlugin',
      'uninstallPlugin',
      'listPlugins',
      'updateSettings',
    ],
  },
  {
    ...common,
    id: 'permission.administrative',
    section: '1',
    statement: 'Creating and updating users, and adding them to projects, is for authorized administrators.',
    operations: ['createUser', 'updateUser', 'addUserToProjects'],
    allowed: orHidden(403),
  },
  {
    ...common,
    id: 'permission.valid-token',
    statement:
      'A user without administrative permission is answered with what was asked for or with 403, and not as if its token were invalid.',
    operations: [
      'getUserCreatePage',
      'getUser',
      'getUserEditPage',
      'listCustomFields',
      'getCustomFieldCreatePage',
      'getCustomFieldUpdatePage',
    ],
    allowed: orHidden(200, 403),
    otherwise: [],
    decision: gateOf,
    change: onceAsRestricted,
  },
  {
    ...common,
    id: 'permission.recipients',
    level: 'should',
    statement:
      'A user without administrative permission who deletes a helpdesk recipient is served or answered 403, and not in another way.',
    operations: ['deleteHelpdeskRecipient'],
    // Nowhere is it said that this deletion needs a permission, so the recipient may be gone.
    safety: 'destructive',
    allowed: orHidden(200, 403),
    decision: 'recipient-permission',
    change(subject, t) {
      t.need('recipients')
      if (!subject.proven) t.skip('the profile has no recipients left to delete')
      return onceAsRestricted(subject, t)
    },
  },
  {
    ...common,
    id: 'permission.self-impersonation',
    level: 'should',
    statement: 'Impersonation is refused without the permission, the own account included.',
    operations: ['impersonateUser'],
    allowed: [403, 400, 404],
    otherwise: [],
    async change(_, t) {
      t.need('tokens.restricted')
      const username = await needName(t, 'restricted')
      const page = await t.send({ operation: 'getAccountPage', as: 'restricted' })
      const [id] = recordsWith(page.json, username).map((record) => idOf(record, 'user'))
      return [username, ...(typeof id === 'number' ? [id] : [])].map((user_id) => ({
        what: `the own account, ${BY_WHOM}`,
        call: { as: 'restricted' as const, path: { user_id } },
      }))
    },
  },
]

export const permissions = group({ rank: 60 }, rows.map(requirementOf))
