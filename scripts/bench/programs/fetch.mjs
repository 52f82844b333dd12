/** `fetch.mjs DIST read|skip`: microseconds of processor time of a getUser, without and with the reading of its text */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Hono } from 'hono'
import { processorMs } from './time.mjs'

const [dist, reads] = process.argv.slice(2)
const { createTracker } = await import(join(dist, 'emulator/index.js'))
const main = join(dist, 'conformance/cli/main.js')
const openapi = await promisify(execFile)(process.execPath, [main, 'contract', 'openapi'])

const tracker = await createTracker()
const root = `${tracker.baseUrl}/plugins/Ext`
const headers = { authorization: `Bearer ${tracker.tokens.administrator}` }
const request = () => new Request(`${root}/users/nina`, { headers })

const answer = await tracker.fetch(request())
const answerHeaders = Object.fromEntries(answer.headers)
const json = await answer.json()
const app = new Hono().basePath(new URL(root).pathname)
for (const [path, item] of Object.entries(JSON.parse(openapi.stdout).paths))
  for (const method of Object.keys(item))
    app.on(method.toUpperCase(), path.replace(/\{(\w+)\}/g, ':$1'), (c) => c.json(json, 200, answerHeaders))

async function measured(fetch) {
  const start = processorMs()
  for (let n = 0; n < 4000; n++) {
    const response = await fetch(request())
    if (reads === 'read') await response.text()
  }
  return (processorMs() - start) / 4
}

const subjects = { kit: tracker.fetch, hono: app.fetch }
const best = { kit: Number.POSITIVE_INFINITY, hono: Number.POSITIVE_INFINITY }
for (let round = 0; round < 6; round++)
  for (const [name, fetch] of Object.entries(subjects))
    best[name] = Math.min(best[name], await measured(fetch))
console.log(JSON.stringify(best))
