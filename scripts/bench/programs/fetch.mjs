/** getUser by `tracker.fetch`, and the same JSON by a Hono app with the same 26 routes. `fetch.mjs DIST HONO ROUNDS` */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { alternate } from './alternate.mjs'

const [dist, folder, rounds] = process.argv.slice(2)
const { Hono } = createRequire(join(folder, 'package.json'))('hono')
const { createTracker } = await import(pathToFileURL(join(dist, 'emulator/index.js')).href)
const { main } = await import(pathToFileURL(join(dist, 'conformance/cli/main.js')).href)

const tracker = await createTracker()
const root = `${new URL(tracker.baseUrl).pathname}/plugins/Ext`
const url = `${tracker.baseUrl}/plugins/Ext/users/nina`
const headers = { authorization: `Bearer ${tracker.tokens.administrator}` }
const body = await (await tracker.fetch(new Request(url, { headers }))).json()

let openapi = ''
const out = (text) => {
  openapi += text
}
await main(['contract', 'openapi'], { out, err: out, env: {}, paint: (_, text) => text })
const { paths } = JSON.parse(openapi)

const app = new Hono()
for (const [path, methods] of Object.entries(paths))
  for (const method of Object.keys(methods))
    app.on(method.toUpperCase(), root + path.replace(/\{(\w+)\}/g, ':$1'), (c) => c.json(body))
if (JSON.stringify(await (await app.request(url, { headers })).json()) !== JSON.stringify(body))
  throw new Error('Hono answers something else')

console.log(
  JSON.stringify(
    await alternate(
      Number(rounds),
      20_000,
      { work: () => tracker.fetch(new Request(url, { headers })) },
      { work: () => app.request(url, { headers }) },
    ),
  ),
)
