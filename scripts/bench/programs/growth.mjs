/** Requests to a tracker with so many records of each kind. `growth.mjs DIST SIZE MILLISECONDS`, with --expose-gc */
import { join } from 'node:path'

const [dist, count, milliseconds] = process.argv.slice(2)
const { createTracker } = await import(join(dist, 'emulator/index.js'))
const size = Number(count)

const list = (make) => Array.from({ length: size }, (_, index) => make(index))
const users = () => list((index) => ({ username: `user-${index}`, realname: `User number ${index}` }))

const used = () => {
  gc()
  gc()
  return process.memoryUsage().heapUsed
}
// All that is loaded and compiled on first use, so that only the users are counted.
const one = async (tracker) =>
  (
    await tracker.fetch(
      new Request(`${tracker.baseUrl}/plugins/Ext/users/administrator`, {
        headers: { authorization: `Bearer ${tracker.tokens.administrator}` },
      }),
    )
  ).text()
await one(await createTracker({ seed: { users: [{ username: 'first' }] } }))
const before = used()
const start = performance.now()
let seeded = await createTracker({ seed: { users: users() } })
const seedMs = performance.now() - start
await one(seeded)
const bytes = (used() - before) / size
seeded = null

const tracker = await createTracker({
  seed: {
    users: users(),
    tokens: list((index) => ({ user_id: 1000 + index, secret: `token-${index}` })).map((token, index) => ({
      ...token,
      user_id: `user-${index}`,
    })),
    customFields: list((index) => ({ name: `Field ${index}` })),
    recipients: list((index) => ({ name: `Recipient ${index}` })),
  },
})
const last = {
  user: tracker.db.users.find('username', `user-${size - 1}`).id,
  field: tracker.db.customFields.rows.at(-1).id,
}
const recipients = tracker.db.recipients.rows.map(({ id }) => id)
const fields = tracker.db.customFields.rows.map(({ id }) => id)
const administrator = tracker.tokens.administrator
let number = 0

async function send(method, path, body, token = administrator) {
  const response = await tracker.fetch(
    new Request(`${tracker.baseUrl}/plugins/Ext${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }),
  )
  if (response.status !== 200)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response
}

const requests = [
  ['getUser by id', 'read', () => send('GET', `/users/${last.user}`)],
  ['getUser by username', 'read', () => send('GET', `/users/user-${size - 1}`)],
  [
    'getAccountPage by the last token',
    'read',
    () => send('GET', '/me/account', undefined, `token-${size - 1}`),
  ],
  ['getCustomFieldUpdatePage', 'read', () => send('GET', `/custom_fields/${last.field}/pages/update`)],
  [
    'createUser',
    'write',
    () => send('POST', '/users', { username: `new-${++number}`, email: `${number}@x.org` }),
  ],
  ['updateUser', 'write', () => send('PATCH', `/users/${last.user}`, { realname: `Number ${++number}` })],
  [
    'updateUser, another username',
    'write',
    () => send('PATCH', `/users/${last.user}`, { username: `u${++number}` }),
  ],
  [
    'createCustomField',
    'write',
    () =>
      send('POST', '/custom_fields/create', { custom_field: { name: `New ${++number}`, type: 'string' } }),
  ],
  [
    'updateCustomField',
    'write',
    () => send('PATCH', `/custom_fields/${last.field}`, { custom_field: { name: `Other ${++number}` } }),
  ],
  ['deleteHelpdeskRecipient', 'write', () => send('DELETE', `/helpdesk/recipient/${recipients.shift()}`), 40],
  ['deleteCustomField', 'write', () => send('DELETE', `/custom_fields/${fields.shift()}`), 40],
]

/** For so many milliseconds, or so many calls where there are no more; a fifth before, to warm up. */
async function timed(work, calls = Number.POSITIVE_INFINITY) {
  const loop = async (ms, most) => {
    const begin = performance.now()
    let done = 0
    for (; done < most && (performance.now() - begin < ms || done < 3); done++) await work()
    return ((performance.now() - begin) / done) * 1000
  }
  await loop(Number(milliseconds) / 2, calls)
  return loop(Number(milliseconds), calls)
}

const figures = []
for (const [name, kind, work, calls] of requests) figures.push({ name, kind, us: await timed(work, calls) })
const listed = await timed(async () => (await send('GET', '/custom_fields')).text())
figures.push({
  name: 'listCustomFields, each record',
  kind: 'list',
  us: listed / tracker.db.customFields.rows.length,
})
console.log(JSON.stringify({ seedMs, bytes, requests: figures }))
