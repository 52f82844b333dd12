/**
 * getUser by the global fetch through MSW: the tracker, and one handler with the same JSON. Copied into a project that has both.
 * `msw.mjs ROUNDS`
 */
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { createTracker } from 'tracker-kit'
import { handlers } from 'tracker-kit/msw'
import { alternate } from './alternate.mjs'

const tracker = await createTracker()
const url = `${tracker.baseUrl}/plugins/Ext/users/nina`
const headers = { authorization: `Bearer ${tracker.tokens.administrator}` }
const body = await (await tracker.fetch(new Request(url, { headers }))).json()
const server = setupServer()
server.listen()
const work = async () => (await fetch(url, { headers })).text()
const figures = await alternate(
  Number(process.argv[2]),
  1500,
  { prepare: () => server.resetHandlers(...handlers(tracker)), work },
  { prepare: () => server.resetHandlers(http.get(url, () => HttpResponse.json(body))), work },
)
server.close()
console.log(JSON.stringify(figures))
