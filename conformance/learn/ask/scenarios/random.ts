/** Sequences of calls that nobody wrote down: drawn by the seed, on things of their own. */
import { type OperationId, type Profile, type Safety, safetyLevels } from '../../../contract/index.js'
import type { Request, Scenario, Script } from '../script.js'

const effects: Partial<Record<OperationId, Safety>> = {
  createUser: 'write',
  updateUser: 'write',
  addUserToProjects: 'write',
  createCustomField: 'write',
  updateCustomField: 'write',
  deleteCustomField: 'write',
  resetUser: 'destructive',
  impersonateUser: 'destructive',
  updateUserSettings: 'destructive',
  manageColumns: 'destructive',
}

const operations: readonly OperationId[] = [
  'getAccountPage',
  'getTokensPage',
  'getUserSettingsPage',
  'getUserCreatePage',
  'getUser',
  'getUserEditPage',
  'listCustomFields',
  'getCustomFieldCreatePage',
  'getCustomFieldUpdatePage',
  'listPlugins',
  ...(Object.keys(effects) as OperationId[]),
]

/** As many sequences of about twenty calls. */
export function randomScenarios(count: number, safety: Safety): Scenario[] {
  const allowed = operations.filter(
    (id) => safetyLevels.indexOf(effects[id] ?? 'read') <= safetyLevels.indexOf(safety),
  )
  return Array.from({ length: count }, (_, index) => ({
    id: `random-${index + 1}`,
    safety,
    run: async (s: Script) => {
      const writes = safety !== 'read'
      const users = writes ? [await s.user(), await s.user()] : []
      const fields = writes ? [await s.field()] : []
      if (s.profile.user) users.push(s.profile.user.username)
      for (let turn = 0; turn < 20; turn++) {
        const operation = s.pick(allowed)
        await s.send(operation, requestFor(s, operation, users, fields))
      }
    },
  }))
}

function requestFor(
  s: Script,
  operation: OperationId,
  users: readonly string[],
  fields: readonly string[],
): Request {
  const { profile } = s
  const restricted = profile.tokens.restricted !== undefined
  // What would change a person's account is sent for its own users alone.
  const own = users.filter((name) => name !== profile.user?.username)
  const reads = operation.startsWith('get')
  const user_id = s.random() < 0.12 ? s.name() : s.pick(reads ? users : own)
  const field_id = s.random() < 0.15 || fields.length === 0 ? '987654321' : s.pick(fields)
  const path = operation.includes('CustomField') ? { field_id } : { user_id: user_id ?? s.name() }
  const effect = effects[operation] ?? 'read'
  const as = restricted && effect === 'read' && s.random() < 0.25 ? { as: 'restricted' as const } : {}
  const base: Request = { ...as, ...(needsPath.has(operation) ? { path } : {}) }
  const body = bodyFor(s, operation, profile)
  return body === undefined ? base : { ...base, body }
}

const needsPath = new Set<OperationId>([
  'getUser',
  'getUserEditPage',
  'updateUser',
  'addUserToProjects',
  'resetUser',
  'impersonateUser',
  'updateCustomField',
  'deleteCustomField',
  'getCustomFieldUpdatePage',
])

function bodyFor(s: Script, operation: OperationId, profile: Profile): unknown {
  switch (operation) {
    case 'createUser':
      return spoilt(s, s.userBody())
    case 'updateUser': {
      const { realname, email, enabled } = s.userBody() as Record<string, unknown>
      return spoilt(
        s,
        s.pick([{ realname }, { email }, { enabled }, { realname, email }, { protected: false, realname }]),
      )
    }
    case 'addUserToProjects': {
      const ids = profile.projects ?? ['1']
      return spoilt(s, {
        project_ids: ids.filter(() => s.random() < 0.6),
        access_level: profile.projectAccessLevel ?? 'reporter',
      })
    }
    case 'createCustomField':
      return { custom_field: spoilt(s, s.fieldBody().custom_field) }
    case 'updateCustomField':
      return {
        custom_field: spoilt(
          s,
          s.pick<Record<string, unknown>>([
            { name: s.name() },
            { display_report: true },
            { display_update: false },
            {},
          ]),
        ),
      }
    case 'updateUserSettings':
      return profile.userSetting ? spoilt(s, { configs: [profile.userSetting] }) : { configs: [] }
    case 'manageColumns': {
      const { columns, ...reference } = profile.columns ?? { columns: [] }
      return spoilt(
        s,
        s.random() < 0.5 ? reference : { ...reference, columns: columns.filter(() => s.random() < 0.7) },
      )
    }
    default:
      return undefined
  }
}

/** Now and then with one member left out, null, of another type, or one too many. */
function spoilt(s: Script, body: Record<string, unknown>): Record<string, unknown> {
  if (s.random() < 0.65) return body
  const names = Object.keys(body).filter((name) => name !== 'username')
  const name = s.pick(names.length === 0 ? ['realname'] : names)
  const { [name]: _, ...rest } = body
  switch (Math.floor(s.random() * 5)) {
    case 0:
      return rest
    case 1:
      return { ...body, [name]: null }
    case 2:
      return { ...body, [name]: typeof body[name] === 'string' ? 17 : 'seventeen' }
    case 3:
      return { ...body, [name]: typeof body[name] === 'string' ? '' : body[name] }
    default:
      return { ...body, surplus: true }
  }
}
