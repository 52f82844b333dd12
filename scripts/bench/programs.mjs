/** Measurements in a process of their own, where nothing is warm. `programs.mjs NAME DIST [SIZE]` prints JSON. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const [name, dist, count] = process.argv.slice(2)
const { createTracker } = await import(join(dist, 'emulator/index.js'))
console.log(JSON.stringify(await { state, fetch, growth }[name]()))

/** Milliseconds of processor time so far, which are more reliable on a busy machine than the clock. */
function processorMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Milliseconds of a new tracker and its state. */
async function state() {
  let start = processorMs()
  const tracker = await createTracker()
  const first = processorMs() - start
  async function each(calls, work) {
    for (let n = 0; n < calls / 5; n++) await work()
    start = processorMs()
    for (let n = 0; n < calls; n++) await work()
    return (processorMs() - start) / calls
  }
  return {
    first,
    further: await each(500, () => createTracker()),
    reset: await each(1000, async () => {
      tracker.db.recipients.delete((query) => query.where({ id: 1 }))
      await tracker.reset()
    }),
    snapshot: await each(500, () => tracker.snapshot()),
  }
}

/** Microseconds of a getUser whose text is read, from the kit and from a Hono app with the same routes and answers. */
async function fetch() {
  const { Hono } = await import('hono')
  const main = join(dist, 'conformance/cli/main.js')
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'contract', 'openapi'])
  const tracker = await createTracker()
  const root = `${tracker.baseUrl}/plugins/Ext`
  const headers = { authorization: `Bearer ${tracker.tokens.administrator}` }
  const request = () => new Request(`${root}/users/nina`, { headers })
  const answer = await tracker.fetch(request())
  const answerHeaders = Object.fromEntries(answer.headers)
  const json = await answer.json()
  const app = new Hono().basePath(new URL(root).pathname)
  for (const [path, item] of Object.entries(JSON.parse(stdout).paths))
    for (const method of Object.keys(item))
      app.on(method.toUpperCase(), path.replace(/\{(\w+)\}/g, ':$1'), (c) => c.json(json, 200, answerHeaders))

  const least = { kit: Number.POSITIVE_INFINITY, hono: Number.POSITIVE_INFINITY }
  for (let round = 0; round < 12; round++) {
    const kind = round % 2 === 0 ? 'kit' : 'hono'
    const start = processorMs()
    for (let n = 0; n < 4000; n++) await (await (kind === 'kit' ? tracker : app).fetch(request())).text()
    least[kind] = Math.min(least[kind], (processorMs() - start) / 4)
  }
  return least
}

/** Microseconds of requests to a tracker with so many records of each kind. */
async function growth() {
  const size = Number(count)
  const list = (make) => Array.from({ length: size }, (_, index) => make(index))
  const { db, baseUrl, tokens, ...tracker } = await createTracker({
    seed: {
      users: list((index) => ({ username: `user-${index}` })),
      tokens: list((index) => ({ user_id: `user-${index}`, secret: `token-${index}` })),
      customFields: list((index) => ({ name: `Field ${index}` })),
      recipients: list((index) => ({ name: `Recipient ${index}` })),
    },
  })
  const user = db.users.find('username', `user-${size - 1}`).id
  const fields = db.customFields.rows
  const last = fields.at(-1).id
  let number = 0
  const named = () => ({ username: `n${++number}`, email: `${number}@x.org` })
  const field = () => ({ custom_field: { name: `New ${++number}`, type: 'string' } })

  async function send(method, path, body, token = tokens.administrator) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const init = { method, headers, body: JSON.stringify(body) }
    const response = await tracker.fetch(new Request(`${baseUrl}/plugins/Ext${path}`, init))
    if (response.status !== 200)
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response
  }
  /** The same number of calls runs before, so that all sizes are equally warm. */
  async function timed(work, calls = 3000) {
    let start = 0
    for (const _ of ['warm-up', 'measured']) {
      start = processorMs()
      for (let done = 0; done < calls; done++) await work()
    }
    return ((processorMs() - start) / calls) * 1000
  }
  const work = {
    'getUser by id': ['read', () => send('GET', `/users/${user}`)],
    'getUser by username': ['read', () => send('GET', `/users/user-${size - 1}`)],
    getAccountPage: ['read', () => send('GET', '/me/account', undefined, `token-${size - 1}`)],
    createUser: ['write', () => send('POST', '/users', named())],
    updateUser: ['write', () => send('PATCH', `/users/${user}`, named())],
    createCustomField: ['write', () => send('POST', '/custom_fields/create', field())],
    updateCustomField: ['write', () => send('PATCH', `/custom_fields/${last}`, field())],
  }
  const figures = []
  for (const [request, [kind, call]] of Object.entries(work))
    figures.push({ request, kind, us: await timed(call) })
  const calls = Math.ceil(20_000 / size)
  const us = await timed(async () => (await send('GET', '/custom_fields')).text(), calls)
  return [...figures, { request: 'listCustomFields, each record', kind: 'list', us: us / fields.length }]
}
