/** The 26 operations of the interface document, section 4, as data. */
import type { z } from 'zod'
import * as body from './bodies.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const types = {
  user_id: 'string',
  field_id: 'integer',
  recipient_id: 'integer',
  plugin_name: 'string',
} as const

const rows = [
  ['getAccountPage', 'GET', '/me/account', 'Account page of the authenticated user'],
  [
    'changeOwnPassword',
    'PATCH',
    '/me/password',
    'Changes the own password, after validating the current one',
  ],
  ['getTokensPage', 'GET', '/me/tokens', 'Tokens page of the authenticated user'],
  ['getUserSettingsPage', 'GET', '/user-settings', 'Self-service settings page'],
  ['updateUserSettings', 'PATCH', '/user-settings', 'Changes permitted self-service settings'],
  ['createUser', 'POST', '/users', 'Creates a user'],
  ['getUserCreatePage', 'GET', '/users/pages/create', 'Data of the user create page'],
  ['getUser', 'GET', '/users/{user_id}', 'Returns a user; `select` limits the returned fields'],
  ['updateUser', 'PATCH', '/users/{user_id}', 'Updates a user'],
  ['impersonateUser', 'PUT', '/users/{user_id}/impersonate', 'Starts an impersonated session for a user'],
  ['getUserEditPage', 'GET', '/users/{user_id}/pages/edit', 'Data of the user edit page'],
  ['addUserToProjects', 'POST', '/users/{user_id}/projects', 'Adds a user to projects with an access level'],
  ['resetUser', 'PUT', '/users/{user_id}/reset', 'Resets the account state of a user'],
  [
    'listCustomFields',
    'GET',
    '/custom_fields',
    'Lists custom fields visible to the caller; `sort_by` and `sort_order` select the ordering',
  ],
  ['createCustomField', 'POST', '/custom_fields/create', 'Creates a custom field and links it to projects'],
  ['getCustomFieldCreatePage', 'GET', '/custom_fields/pages/create', 'Data of the custom-field create page'],
  ['updateCustomField', 'PATCH', '/custom_fields/{field_id}', 'Updates a custom field'],
  ['deleteCustomField', 'DELETE', '/custom_fields/{field_id}', 'Deletes a custom field'],
  [
    'getCustomFieldUpdatePage',
    'GET',
    '/custom_fields/{field_id}/pages/update',
    'Data of the custom-field update page',
  ],
  ['deleteHelpdeskRecipient', 'DELETE', '/helpdesk/recipient/{recipient_id}', 'Deletes a helpdesk recipient'],
  ['manageColumns', 'POST', '/manage-columns', "Reads or saves the caller's issue-list columns of a project"],
  ['updatePlugin', 'PATCH', '/plugin/{plugin_name}', 'Changes protected flag and priority of a plugin'],
  ['installPlugin', 'POST', '/plugin/{plugin_name}/install', 'Installs a plugin'],
  ['uninstallPlugin', 'POST', '/plugin/{plugin_name}/uninstall', 'Uninstalls a plugin'],
  ['listPlugins', 'GET', '/plugins', 'Lists installed plugins with management metadata'],
  ['updateSettings', 'PATCH', '/settings', 'Updates extension configuration values'],
] as const satisfies readonly (readonly [id: string, method: Method, path: string, summary: string])[]

export type OperationId = (typeof rows)[number][0]

/** The bodies, with the sections that describe them. */
const bodies = {
  changeOwnPassword: [body.passwordBody, '2.2'],
  updateUserSettings: [body.userSettingsBody, '2.3'],
  createUser: [body.userBody, '2.1'],
  updateUser: [body.userBody, '2.1'],
  addUserToProjects: [body.projectAssignmentBody, '2.4'],
  createCustomField: [body.customFieldBody, '2.5'],
  updateCustomField: [body.customFieldBody, '2.5'],
  manageColumns: [body.columnsBody, '2.7'],
  updatePlugin: [body.pluginBody, '2.6'],
  updateSettings: [body.settingsBody, '4.2'],
} as const satisfies Bodies

type Bodies = Readonly<Partial<Record<OperationId, readonly [schema: z.ZodType, section: string]>>>

/** The type of each operation's body, for authors of clients. */
export type RequestBodies = { readonly [Id in keyof typeof bodies]: z.input<(typeof bodies)[Id][0]> }

export const operations = rows.map(([id, method, path, summary], index) => {
  const [schema, bodySection] = (bodies as Bodies)[id] ?? []
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof typeof types)
  return {
    ...{ id, method, summary },
    /** The operation's number in the document. */
    number: index + 1,
    /** The path below `{base_url}/plugins/{ext}`, with parameters in braces. */
    path: String(path),
    parameters: names.map((name) => ({ name, type: types[name] })),
    body: schema,
    /** The section that describes the body. */
    bodySection,
    // The document's table 4.1 ends with the user operations; 4.2 contains the others.
    section: index < 13 ? '4.1' : '4.2',
  }
})

export type Operation = Readonly<(typeof operations)[number]>

export const operationIds: readonly OperationId[] = operations.map(({ id }) => id)

const byId = new Map(operations.map((operation) => [operation.id, operation]))

export function operation(id: OperationId): Operation {
  const found = byId.get(id)
  if (!found) throw new RangeError(`No operation is called "${id}"`)
  return found
}

/** Fills the parameters of a path. Values are percent-encoded, so that any text is one segment. */
export function pathOf(
  id: OperationId,
  ext: string,
  parameters: Readonly<Record<string, string | number>> = {},
): string {
  const rest = operation(id).path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name]
    if (value === undefined) throw new RangeError(`${id} needs the path parameter "${name}"`)
    return encodeURIComponent(String(value))
  })
  return `/plugins/${encodeURIComponent(ext)}${rest}`
}
