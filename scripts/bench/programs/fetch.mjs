/** `fetch.mjs DIST`: microseconds of processor time for a getUser whose text is read */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Hono } from 'hono'
import { processorMs } from './time.mjs'

const [dist] = process.argv.slice(2)
const { createTracker } = await import(join(dist, 'emulator/index.js'))
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
console.log(JSON.stringify(least))
