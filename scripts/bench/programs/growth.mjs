/** Requests to a tracker with SIZE records of each kind. `growth.mjs DIST SIZE`, with --expose-gc */
import { join } from 'node:path'
import { processorMs } from './time.mjs'

const [dist, count] = process.argv.slice(2)
/** Enough time for requests that do not grow; others are stopped then. */
const LONGEST_MS = 2000
const { createTracker } = await import(join(dist, 'emulator/index.js'))
const size = Number(count)

const list = (make) => Array.from({ length: size }, (_, index) => make(index))
const users = () => list((index) => ({ username: `user-${index}`, realname: `User number ${index}` }))

const used = () => {
  gc()
  gc()
  return process.memoryUsage().heapUsed
}
// Loads and compiles the code first, so that only the users are counted.
const one = async (tracker) => (await clientOf(tracker)('GET', '/users/administrator')).text()
await one(await createTracker({ seed: { users: [{ username: 'first' }] } }))
const before = used()
const start = processorMs()
let seeded = await createTracker({ seed: { users: users() } })
const seedMs = processorMs() - start
await one(seeded)
const bytes = (used() - before) / size
seeded = null

const tracker = await createTracker({
  seed: {
    users: users(),
    tokens: list((index) => ({ user_id: `user-${index}`, secret: `token-${index}` })),
    customFields: list((index) => ({ name: `Field ${index}` })),
    recipients: list((index) => ({ name: `Recipient ${index}` })),
  },
})
const last = {
  user: tracker.db.users.find('username', `user-${size - 1}`).id,
  field: tracker.db.customFields.rows.at(-1).id,
}
const send = clientOf(tracker)
let number = 0

function clientOf({ fetch, baseUrl, tokens }) {
  return async (method, path, body, token = tokens.administrator) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const request = new Request(`${baseUrl}/plugins/Ext${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
    })
    const response = await fetch(request)
    if (response.status !== 200)
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response
  }
}

const field = (name) => ({ custom_field: { name: `${name} ${++number}`, type: 'string' } })
const requests = [
  ['getUser by id', 'read', () => send('GET', `/users/${last.user}`)],
  ['getUser by username', 'read', () => send('GET', `/users/user-${size - 1}`)],
  ['getAccountPage', 'read', () => send('GET', '/me/account', undefined, `token-${size - 1}`)],
  [
    'createUser',
    'write',
    () => send('POST', '/users', { username: `n${++number}`, email: `${number}@x.org` }),
  ],
  ['updateUser', 'write', () => send('PATCH', `/users/${last.user}`, { username: `u${++number}` })],
  ['createCustomField', 'write', () => send('POST', '/custom_fields/create', field('New'))],
  ['updateCustomField', 'write', () => send('PATCH', `/custom_fields/${last.field}`, field('Other'))],
  [
    'deleteCustomField, another created',
    'removal',
    async () => {
      await send('DELETE', `/custom_fields/${tracker.db.customFields.rows[0].id}`)
      await send('POST', '/custom_fields/create', field('New'))
    },
  ],
]

/** Microseconds of processor time per call. The same number of calls runs before, so that all sizes are equally warm. */
async function timed(work, calls) {
  const loop = async () => {
    const begin = processorMs()
    let done = 0
    for (; done < calls && processorMs() - begin < LONGEST_MS; done++) await work()
    return ((processorMs() - begin) / done) * 1000
  }
  await loop()
  return loop()
}

const figures = []
for (const [name, kind, work] of requests) figures.push({ name, kind, us: await timed(work, 3000) })
const listed = await timed(async () => (await send('GET', '/custom_fields')).text(), Math.ceil(20_000 / size))
figures.push({
  name: 'listCustomFields, each record',
  kind: 'list',
  us: listed / tracker.db.customFields.rows.length,
})
console.log(JSON.stringify({ seedMs, bytes, requests: figures }))
