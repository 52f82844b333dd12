/** Requests that tell apart what no decision covers: the texts and numbers of refusals, selections, orders, and odd users. */
import type { Step } from '../../contract/decisions/index.js'
import { asking, assigning, field, nina, ownPassword, updating } from '../../contract/decisions/make.js'
import { deep } from '../../drive/defects.js'
import { NO_ID } from '../../oracle/names.js'

const ofField = { path: { field_id: 2 } }
const kiosk = { path: { user_id: 'kiosk' } }
const helpdesk = (sent: object) => asking('updatePlugin', { path: { plugin_name: 'Helpdesk' }, ...sent })
const configs = (list: unknown) => asking('updateUserSettings', { body: { configs: list } })

/** A tracker may tell a token that it does not know from none, and JSON of another kind from a text that is no JSON. */
const spellings: readonly Step[] = [
  ...['Bearer nobodys-token', 'Basic nobodys-credentials'].flatMap((authorization) => [
    asking('getUser', { ...nina, headers: { authorization } }),
    asking('listPlugins', { headers: { authorization } }),
  ]),
  ...['', 'null', '"text"', '{"a":', '{"a":1,"a":1}', '[]', deep].flatMap((raw) => [
    ...(['updateUser', 'addUserToProjects'] as const).map((op) => asking(op, { ...nina, raw })),
    asking('createCustomField', { raw }),
    asking('changeOwnPassword', { as: 'password', raw }),
    asking('updateUserSettings', { raw }),
    asking('updateSettings', { raw: raw === '[]' ? '{}' : raw }),
  ]),
]

/** For each name, a part of a body in which it has this value. */
const partsWith = (value: unknown, ...names: readonly string[]) => names.map((name) => ({ [name]: value }))

/** It may say which member is missing or of another type, in one form for all members. */
const wrongMembers: readonly Step[] = [
  // A tracker may refuse a request that changes nothing for that reason alone.
  ...[
    ...partsWith(null, 'username', 'enabled', 'access_level', 'language', 'avatar'),
    ...partsWith({}, 'password', 'password_current', 'timezone'),
    ...partsWith('Nowhere/None', 'language', 'timezone'),
    ...[{ access_level: 1e21 }, { protected: 'x' }, { email: '@' }],
    ...partsWith('x'.repeat(300), 'realname', 'email', 'language', 'timezone'),
  ].map((one) => updating({ realname: 'New', ...one })),
  ...[null, [], { name: {} }, { display_report: {} }, { type: {} }, { type: null }, { type: 'none' }].map(
    (custom_field) => asking('updateCustomField', { ...ofField, body: { custom_field } }),
  ),
  ...[null, [NO_ID]].map((projects) =>
    asking('updateCustomField', { ...ofField, body: { custom_field: { name: 'Other' }, projects } }),
  ),
  ...[null, []].map((custom_field) => asking('createCustomField', { body: { custom_field } })),
  ...[{ type: {} }, { default_value: null }].map((one) => field({ name: 'Other', ...one })),
  assigning({ project_ids: ['1', '2'] }),
  ...[{}, { access_level: 'reporter' }].map((body) => asking('addUserToProjects', { ...nina, body })),
  ...[null, {}].flatMap((one) => [assigning({ project_ids: one }), assigning({ access_level: one })]),
  ...[null, 7].map((element) => asking('updateSettings', { body: [element] })),
  asking('updateUserSettings', { body: {} }),
  ...[null, true, 'x', {}, [null], ['x'], [{ value: '5' }], [{ option: 'refresh_delay' }]].map(configs),
  ...[7, null, ''].map((option) => configs([{ option, value: '5' }])),
  ...[null, 7].map((value) => configs([{ option: 'refresh_delay', value }])),
  field({ name: 'Other' }, { projects: 'x' }),
  ...[...partsWith({}, 'columns'), ...partsWith(null, 'columns', 'type', 'project')].map((one) =>
    asking('manageColumns', { body: { project: { id: 1 }, type: 'view', ...one } }),
  ),
  asking('manageColumns', { body: { project: 'Nowhere', type: 'view' } }),
  ...[{ id: NO_ID }, 'Nowhere'].map((project) =>
    asking('manageColumns', { body: { project, type: 'no such type' } }),
  ),
  ...[null, { protected: 'x' }, { protected: null, priority: 3 }].map((body) => helpdesk({ body })),
  ...[null, {}, 1e21].map((priority) => helpdesk({ body: { protected: false, priority } })),
  helpdesk({ raw: '' }),
  ...[{}, { password: null }, { password: {} }, { password: 'Other-Word-2', password_current: {} }].map(
    (body) => ownPassword({ password_current: 'Sunny-Day-2024', ...body }),
  ),
  ...[null, {}].map((password) => ownPassword({ password_current: 'No-Such-Word-1', password })),
  ...[300, 1200].map((length) => field({ name: 'Long', default_value: 'x'.repeat(length) })),
]

const ofPlugin = (plugin_name: string) => [
  ...(['installPlugin', 'uninstallPlugin'] as const).map((op) => asking(op, { path: { plugin_name } })),
  asking('updatePlugin', { path: { plugin_name }, body: { protected: false } }),
]

/** It may tell a caller without permission which one is needed, and for which operation. */
const forbidden: readonly Step[] = [
  ...(['listPlugins', 'getCustomFieldCreatePage'] as const).map((op) => asking(op)),
  ...[[], [{ option: 'page_size', value: 9 }]].map((body) => asking('updateSettings', { body })),
  ...[asking('impersonateUser', nina), asking('resetUser', nina), assigning({})],
  ...(['getCustomFieldUpdatePage', 'deleteCustomField'] as const).map((op) => asking(op, ofField)),
  asking('updateCustomField', { ...ofField, body: { custom_field: { display_report: true } } }),
  ...[field({ name: 'Other' }), ...ofPlugin('Snippets')],
].map((step) => ({ ...step, as: 'restricted' }))

const selections: readonly Step[] = [
  ...['select=id,name', 'select=email', 'select=id,username,access_level', 'select[]=id&select[]=name'].map(
    (query) => asking('getUser', { ...nina, query: `?${query}` }),
  ),
  asking('getUser', { ...nina, headers: { 'x-select': 'id' } }),
  asking('getUser', { path: { user_id: 'No Body' } }),
  ...['sort_by=id', 'sort_by=name&sort_order=desc', 'sort_order=sideways', 'sort_by=name'].map((query) =>
    asking('listCustomFields', { query }),
  ),
  asking('listCustomFields', { headers: { 'x-sort-by': 'id', 'x-sort-order': 'desc' } }),
]

const oddUsers: readonly Step[] = [
  ...['silent', 'former', 'kiosk'].flatMap((user_id) => [
    asking('getUserEditPage', { path: { user_id } }),
    asking('getUser', { path: { user_id } }),
    assigning({}, { path: { user_id } }),
  ]),
  ...[{ protected: true }, { realname: 'New' }, { protected: false }].map((body) => updating(body, kiosk)),
]

const absentPlugin = ofPlugin('Nothing')
export const uncovered = [forbidden, selections, spellings, wrongMembers, absentPlugin, oddUsers].flat()
