import { expect, test } from 'vitest'
import { clientOf } from '../../fixtures/client.js'
import { temporaryFiles } from '../../fixtures/folder.js'
import { createTracker, type PartialSeed } from '../index.js'

test('a record that is there is changed, by its name or its id', async () => {
  const users: PartialSeed['users'] = [
    { username: 'nina', enabled: false },
    { id: 12, realname: 'Silvia' },
  ]
  const extensionSettings = [{ option: 'page_size', value: 10 }]
  const tracker = await createTracker({ seed: { users, extensionSettings } })
  const nina = { username: 'nina', enabled: false, realname: 'Nina Neumann' }
  expect(tracker.db.users.find('id', 10)).toMatchObject(nina)
  expect(tracker.db.users.find('id', 12)).toMatchObject({ username: 'silent', realname: 'Silvia' })
  expect(tracker.db.extensionSettings.find('option', 'page_size')).toMatchObject({ default: 50, value: 10 })
  expect(tracker.db.users.count()).toBe(12)
})

test('records are filled in, and refer to others by name, also to new ones, and to levels and types', async () => {
  const tracker = await createTracker({
    seed: {
      $schema: './seed.json',
      users: [{ username: 'x', access_level: 'developer' }],
      tokens: [{ user_id: 'x' }],
      projects: [{ name: 'Garden' }],
      memberships: [
        { user_id: 'x', project_id: 'Garden', access_level: 70 },
        { user_id: 'reporter', project_id: 2, access_level: 'viewer' },
      ],
      customFields: [{ name: 'Depth', type: 'enum', access_level_r: 'developer' }],
      customFieldLinks: [{ field_id: 'Depth', project_id: 'Garden' }],
      columnConfigurations: [{ user_id: 'x', columns: ['id'] }],
      userSettings: [{ user_id: 'x', option: 'language', value: 'german' }],
    },
  })
  const headers = { authorization: 'Bearer token-of-x' }
  const { json } = await clientOf(tracker)('getAccountPage', { as: null, headers })
  expect(json.user).toMatchObject({ id: 13, name: 'x', email: 'x@example.org', language: 'german' })
  expect(json.projects).toMatchObject([{ name: 'Garden', level: { id: 70 } }])
  expect(tracker.db.memberships.find('pair', '5/2')?.access_level).toBe(10)
  expect(tracker.db.customFieldLinks.find('pair', '16/5')).toBeDefined()
  expect(tracker.db.users.find('username', 'x')?.access_level).toBe(55)
  expect((await clientOf(tracker)('createUser', { body: { username: 'y' } })).json.user.id).toBe(14)
  expect(tracker.db.users.count()).toBe(14)
  expect(tracker.db.customFields.find('name', 'depth')).toMatchObject({ type: 3, access_level_r: 55 })
})

test('each user of it has a token, and those of the default state keep theirs', async () => {
  const users = [{ username: 'x' }, { username: 'nina', enabled: false }, { username: 'manager' }]
  const { db, profile } = await createTracker({ seed: { users } })
  const secrets = (id: number) =>
    db.tokens.rows.filter(({ user_id }) => user_id === id).map(({ secret }) => secret)
  expect(secrets(13)).toEqual(['token-of-x'])
  expect(secrets(10)).toEqual(['token-of-nina'])
  expect(secrets(3)).toEqual([expect.stringMatching(/^manager_/)])
  // The suite may use a user with a token that it does not have.
  expect(profile.user).toEqual({ id: 13, username: 'x' })
})

test('every collection takes records of a seed, and reset comes back to them', async () => {
  const seed: PartialSeed = {
    plugins: [{ basename: 'Weather', installed: true }],
    recipients: [{ name: 'garden' }, {}],
    notifications: [{ user_id: 'nina', kind: 'registration', to: 'nina@example.org' }],
  }
  const tracker = await createTracker({ seed })
  expect(tracker.db.plugins.find('basename', 'Weather')).toMatchObject({ installed: true, enabled: true })
  expect(tracker.db.recipients.find('id', 13)).toMatchObject({ email: 'garden@helpdesk.example.org' })
  expect(tracker.db.recipients.find('id', 14)?.name).toBe('Recipient 14')
  expect(tracker.outbox).toHaveLength(1)
  tracker.db.plugins.clear()
  await tracker.reset()
  expect(tracker.db.plugins.find('basename', 'Weather')).toBeDefined()
})

const x = { username: 'x' }
const token = { user_id: 'nina', secret: 'a' }
test.each<[PartialSeed | object | number, string]>([
  [{ user: [] }, 'seed: no collection is called "user"; did you mean "users"?'],
  [{ users: x }, 'seed.users: it must be a list of records'],
  [{ users: [{ usernme: 'x' }] }, 'seed.users[0]: no field is called "usernme"; did you mean "username"?'],
  [{ users: [{ ...x, access_level: 'odd' }] }, '[0]: no access_level is called "odd"; there are viewer, '],
  [{ users: [{ ...x, enabled: 'yes' }] }, 'seed.users[0]: enabled: must be true or false, not "yes"'],
  [{ memberships: [{ user_id: 1, project_id: 9 }] }, '[0]: project_id: there is no project 9'],
  [{ users: [{ id: 10, username: 'viewer' }] }, 'it has the id and the username of two different records'],
  [{ users: [{ username: 'NINA' }] }, 'users: the username "nina" is there twice'],
  [{ tokens: [token, token] }, 'tokens[0]: a later one has the same id or secret'],
  [3, 'The seed must be the name of a starting state'],
])('the seed %j is refused: %s', async (seed, message) => {
  await expect(createTracker({ seed: seed as PartialSeed })).rejects.toThrow(message)
})

const { write } = temporaryFiles()

test('a file holds a whole state', async () => {
  const saved = (await createTracker({ seed: { users: [{ username: 'x' }] } })).snapshot()
  const whole = await createTracker({ seed: write('whole.json', saved) })
  expect(whole.snapshot()).toEqual(saved)
})

test('a file that cannot be used is told in one line', async () => {
  const seed = write('broken.json', '{')
  await expect(createTracker({ seed })).rejects.toThrow('broken.json is not JSON: Expected property name')
  for (const [text, line] of [
    ['{\n  "users": [\n    { "username": otto }\n  ]\n}\n', 3],
    ['{\n  "users": [\n    { "username": "otto }\n  ]\n}\n', 3],
    ['{\n  "users": [\n    { "username": "otto" },\n  ]\n}\n', 4],
    ['{\n  "users": []\n}\n}\n', 4],
    ['{\n  "users": [', 2],
  ] as const)
    await expect(createTracker({ seed: write('lines.json', text) })).rejects.toThrow(
      `lines.json is not JSON in line ${line}: `,
    )
  await expect(createTracker({ seed: './no-such-file.json' })).rejects.toThrow(
    'The seed file ./no-such-file.json cannot be read: there is no such file or directory (ENOENT)',
  )
})
