import { expect, test } from 'vitest'
import type { OperationId } from '../../conformance/contract/index.js'
import type { CallOptions } from '../../fixtures/client.js'
import { call, startEach, tracker } from '../../fixtures/each.js'

startEach()

const nina = { path: { user_id: 'nina' } }

const update = (body: object) => ({ ...nina, body })
const setting = { body: { configs: [{ option: 'x', value: 3 }] } }
const sized = { body: { custom_field: { name: 'x', size: 3 } } }
const basic = { as: null, headers: { authorization: 'Basic x' } }
const untyped = { body: {}, headers: { 'content-type': null } }

test.each<[OperationId, CallOptions, kind: string, field: string | null, section: string]>([
  ['createUser', untyped, 'content-type', null, '1'],
  ['createUser', { raw: '{' }, 'body', null, '1'],
  ['resetUser', { ...nina, body: {} }, 'body', null, '4'],
  ['updateSettings', {}, 'type', 'body', '4.2'],
  ['updateUserSettings', setting, 'type', 'configs[0].value', '2.3'],
  ['updateUser', update({ email: 'nina' }), 'type', 'email', '2.1'],
  ['updateUser', update({ realname: 'N', real_name: 'N' }), 'unknown-member', 'real_name', '2.1'],
  ['createCustomField', sized, 'unknown-member', 'custom_field.size', '2.5'],
  ['deleteCustomField', { path: { field_id: 'x' } }, 'parameter', 'field_id', '2'],
  ['listPlugins', basic, 'credentials', null, '5'],
  ['listPlugins', { as: null }, 'credentials', null, '5'],
])(
  'a request that the document does not allow is recorded: %s %j',
  async (operation, options, kind, field, section) => {
    await call(operation, options)
    const expected = { sequence: 1, operation, kind, field, section }
    expect(tracker.violations).toEqual([expect.objectContaining(expected)])
  },
)

test("a path or a method that is nobody's is recorded", async () => {
  for (const path of ['/user', '/users'])
    await tracker.fetch(new Request(`${tracker.baseUrl}/plugins/Ext${path}`))
  expect(tracker.violations).toMatchObject([
    { kind: 'path', operation: null, message: 'No operation has this path' },
    { kind: 'path', operation: null, message: 'The path takes POST, not GET' },
  ])
  await tracker.fetch(new Request('http://tracker.test/elsewhere'))
  expect(tracker.violations).toHaveLength(2)
})

test('the violations tell no values, and a reset takes them away', async () => {
  await call('updateUser', { ...nina, body: { email: 'Hidden-Word-1', password: 17 } })
  expect(tracker.violations).toHaveLength(2)
  expect(JSON.stringify(tracker.violations)).not.toContain('Hidden-Word-1')
  await tracker.reset()
  expect(tracker.violations).toEqual([])
})

const utf8 = { 'content-type': 'application/json; charset=utf-8' }
test.each<[OperationId, CallOptions]>([
  ['createUser', { body: { username: 'x', email: 'x@example.org', access_level: 25, enabled: true } }],
  ['createUser', { body: { username: 'x' }, headers: utf8 }],
  ['manageColumns', { body: { project: { id: 1 }, columns: ['id'] } }],
  ['updateSettings', { body: [{ anything: { at: 'all' } }] }],
  ['getUser', { path: { user_id: 'no such user' }, query: '?select=id' }],
])('a request that the document allows is no violation: %s %j', async (operation, options) => {
  await call(operation, options)
  expect(tracker.violations).toEqual([])
})

test('an impersonated session needs no Authorization header', async () => {
  const { headers } = await call('impersonateUser', nina)
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
  expect((await call('getAccountPage', { as: null, headers: { cookie } })).status).toBe(200)
  expect(tracker.violations).toEqual([])
})
