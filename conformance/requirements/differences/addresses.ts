/** Section 7, status 404: each resource that a path names, when there is none. The path is the only difference. */
import { operation as contractOf, type OperationId } from '../../contract/index.js'
import { type Row, requirementOf, type Variant } from '../../suite/engine.js'
import { existingField, missing, ownUser } from '../../suite/existing.js'
import { group } from '../../suite/requirement.js'
import { needFields } from '../../suite/subjects.js'

const userOperations: readonly OperationId[] = [
  'getUser',
  'updateUser',
  'impersonateUser',
  'getUserEditPage',
  'addUserToProjects',
  'resetUser',
]
const fieldOperations: readonly OperationId[] = [
  'updateCustomField',
  'deleteCustomField',
  'getCustomFieldUpdatePage',
]

const at = (what: string, path: Record<string, string | number>, allowed?: readonly number[]): Variant => ({
  what: `${what} in the path`,
  call: { path },
  ...(allowed && { allowed }),
})

/** A tracker that finds something by what is near to its name, or its id, would do the rest to a real thing. */
const readsAlone = (operation: OperationId) => contractOf(operation).method === 'GET'

const common = { level: 'must', section: '7', safety: 'read', allowed: [404] } as const satisfies Partial<Row>
const NOTHING = [404, 400]

const rows: readonly Row[] = [
  {
    ...common,
    id: 'not-found.username',
    statement: 'A username that no account has is answered 404.',
    operations: userOperations,
    async change({ operation }, t) {
      needFields(t, operation)
      const unknown = at('an unknown username', { user_id: missing.username(t) })
      if (!readsAlone(operation)) return [unknown]
      const { user } = t.profile
      const numbered = { user_id: `${user?.id}${missing.username(t)}` }
      const username = (await ownUser(t))?.username
      const head = username?.slice(0, -1)
      return [
        unknown,
        ...(user ? [at('an unknown username that begins with the id of a user', numbered)] : []),
        // A username is compared whole. Of the run's own, which nobody else's are near.
        ...(username && head
          ? [
              at('a username without its last character', { user_id: head }),
              at('a username with a character too many', { user_id: `${username}x` }),
              // To a search these stand for any characters.
              at('a username with % for its last character', { user_id: `${head}%` }, NOTHING),
              at('a username with _ for its last character', { user_id: `${head}_` }, NOTHING),
            ]
          : []),
      ]
    },
  },
  {
    ...common,
    id: 'not-found.user-id',
    statement: 'A numeric user id that no account has is answered 404.',
    operations: userOperations,
    async change({ operation }, t) {
      needFields(t, operation)
      const unknown = at('an unknown user id', { user_id: missing.id(t) })
      const id = (await ownUser(t))?.id ?? t.profile.user?.id
      if (id === undefined || !readsAlone(operation)) return [unknown]
      return [
        unknown,
        at('the id of a user plus 2 to the power of 32', { user_id: 2 ** 32 + id }, NOTHING),
        at('the id of a user with a minus before it', { user_id: -id }, NOTHING),
        at('the id of a user with a fraction behind it', { user_id: `${id}.5` }, NOTHING),
      ]
    },
  },
  {
    ...common,
    id: 'not-found.user-by-other-text',
    level: 'should',
    section: '2.1',
    statement: 'Neither the e-mail address nor the display name of a user addresses it.',
    operations: ['getUser', 'getUserEditPage'],
    safety: 'write',
    allowed: NOTHING,
    async change(_, t) {
      const { username, email, realname } = await t.run.own.sharedUser()
      return [
        at('the e-mail address of a user', { user_id: email }),
        at('the display name of a user', { user_id: realname }),
      ].filter(({ call }) => call.path?.user_id !== username)
    },
  },
  {
    ...common,
    id: 'not-found.custom-field',
    statement: 'An integer that identifies no custom field is answered 404.',
    operations: fieldOperations,
    async change({ operation }, t) {
      // A name that a field has would be a second defect: a tracker may look for it before it looks for the id.
      const body = operation === 'updateCustomField' ? { body: t.run.own.fieldBody() } : {}
      const plain = at('an unknown field_id', { field_id: missing.id(t) })
      const unknown = { ...plain, call: { ...plain.call, ...body } }
      const { id, proven } = await existingField(t)
      // With so many digits that no field has it.
      const longer = `${id}`.padEnd(9, '7')
      if (!readsAlone(operation) || !proven) return [unknown]
      const negative = at('the id of a field as a negative number', { field_id: `-${id}` }, NOTHING)
      const more = at('the id of a field with more digits behind it', { field_id: longer })
      return [unknown, negative, ...(longer === String(id) ? [] : [more])]
    },
  },
  {
    ...common,
    id: 'not-found.custom-field-no-integer',
    section: '2.5',
    statement: 'A `field_id` that is no integer identifies nothing: 404, or 400 as an invalid request.',
    operations: fieldOperations,
    allowed: NOTHING,
    decision: 'cf-bad-id',
    async change({ operation }, t) {
      const letters = at('a field_id of letters', { field_id: 'abc' })
      const { name } = await existingField(t)
      if (!readsAlone(operation) || name === null) return [letters]
      return [letters, at('the name of a field for its field_id', { field_id: name })]
    },
  },
  {
    ...common,
    id: 'not-found.recipient',
    statement: 'An integer that identifies no helpdesk recipient is answered 404.',
    operations: ['deleteHelpdeskRecipient'],
    change: (_, t) => [at('an unknown recipient_id', { recipient_id: missing.id(t) })],
  },
  {
    ...common,
    id: 'not-found.recipient-no-integer',
    section: '2.8',
    statement: 'A `recipient_id` that is no integer identifies nothing: 404, or 400 as an invalid request.',
    operations: ['deleteHelpdeskRecipient'],
    allowed: NOTHING,
    decision: 'recipient-bad-id',
    change: () => [at('a recipient_id of letters', { recipient_id: 'abc' })],
  },
  {
    ...common,
    id: 'not-found.plugin',
    statement: 'A name that no plugin has is answered 404.',
    operations: ['updatePlugin', 'installPlugin', 'uninstallPlugin'],
    change({ operation, call: { path } }, t) {
      const unknown = at('an unknown plugin name', { plugin_name: missing.plugin(t) })
      const head = String(path?.plugin_name).slice(0, -1)
      // An update alone: a tracker that finds a plugin by this would do the rest to a real one.
      if (operation !== 'updatePlugin' || !t.profile.plugin || !t.allows('destructive') || head === '')
        return [unknown]
      return [unknown, at('a plugin name without its last character', { plugin_name: head }, NOTHING)]
    },
  },
]

export const addresses = group({ rank: 20 }, rows.map(requirementOf))
