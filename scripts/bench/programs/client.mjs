/** getUser at a served tracker, one after the other: by the suite's client, and by node:http. `client.mjs DIST COUNT` */
import http from 'node:http'
import { join } from 'node:path'

const [dist, text] = process.argv.slice(2)
const count = Number(text)
const { createTracker } = await import(join(dist, 'emulator/index.js'))
// No entry has it, so it is that of `npm run bench` itself.
const { createClient } = await import('../../../.self-test/conformance/client/client.js')

const tracker = await createTracker()
const server = await tracker.listen()
const client = createClient(tracker.profileFor(server.url), { safety: 'read', timeout: 10_000, rate: 0 })
const agent = new http.Agent({ keepAlive: true })
const headers = { authorization: `Bearer ${tracker.tokens.administrator}` }
const plain = () =>
  new Promise((resolve, reject) => {
    http
      .get(`${server.url}/plugins/Ext/users/nina`, { agent, headers }, (response) => {
        response.resume()
        response.on('end', resolve)
      })
      .on('error', reject)
  })
const suite = () => client.send({ operation: 'getUser', path: { user_id: 'nina' } })

async function perSecond(work) {
  for (let n = 0; n < count / 5; n++) await work()
  const start = performance.now()
  for (let n = 0; n < count; n++) await work()
  return count / ((performance.now() - start) / 1000)
}

console.log(JSON.stringify({ plain: await perSecond(plain), suite: await perSecond(suite) }))
agent.destroy()
client.close()
await server.close()
