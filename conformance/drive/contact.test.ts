/** What the program says of a base URL behind which there is no tracker. */
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { afterEach, expect, test } from 'vitest'
import { type Listening, listening } from '../../fixtures/listening.js'
import type { Profile } from '../contract/index.js'
import { UnreachableError, UsageError } from '../contract/trouble.js'
import { contact } from './contact.js'

const servers: Listening[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function opened(server: Server): Promise<Listening> {
  const one = await listening(server)
  servers.push(one)
  return one
}

const answering = async (answer: RequestListener) => (await opened(createServer(answer))).origin

async function said(baseUrl: string): Promise<string> {
  const profile = { baseUrl, tokens: { administrator: 'secret' } }
  const error = await contact({ profile, timeout: 5_000, rate: 0 }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UnreachableError)
  return (error as Error).message
}

test('a web page', async () => {
  const url = await answering((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>')
  })
  expect(await said(url)).toMatch(/HTML pages, not with JSON; is it the REST root/)
})

test('a redirection to where people sign in', async () => {
  const url = await answering((_, response) => {
    response.writeHead(302, { location: '/login?return=secret' }).end()
  })
  expect(await said(url)).toMatch(/redirects everything \(302\) to \/login; give the URL/)
})

test('http where https is asked for', async () => {
  const url = await answering((_, response) => response.end('{}'))
  expect(await said(url.replace('http:', 'https:'))).toMatch(/does not speak https there/)
})

test('https where http is asked for', async () => {
  const { origin } = await opened(createSecureServer() as unknown as Server)
  expect(await said(origin)).toMatch(/is it https rather than http\?/)
})

test('no server', async () => {
  const { origin, close } = await listening(createServer())
  await close()
  expect(await said(origin)).toMatch(/not reachable \(ECONNREFUSED\); is it running/)
})

const json = (value: unknown, status = 200): [number, string] => [status, JSON.stringify(value)]

/** What the profile is told where this is how the tracker answers. */
async function mistaken(
  answer: (url: string, token: string) => [number, string],
  more: Partial<Profile>,
): Promise<unknown> {
  const baseUrl = await answering(({ url = '', headers }, response) => {
    const [status, text] = answer(url, headers.authorization ?? '')
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  })
  const profile = { baseUrl, tokens: { administrator: 'secret' }, ...more }
  return contact({ profile, safety: 'destructive', timeout: 5_000, rate: 0 }).catch(
    (thrown: unknown) => thrown,
  )
}

test('a token of a user that no operation takes', async () => {
  const error = await mistaken(
    (_, token) => (token === 'Bearer secret' ? json({}) : json({ message: 'Who?' }, 401)),
    { tokens: { administrator: 'secret', restricted: 'other' } },
  )
  expect(error).toBeInstanceOf(UsageError)
  expect((error as Error).message).toMatch(/answers 401 to the token of tokens.restricted/)
})

test("the administrator's token as that of another user", async () => {
  const error = await mistaken(() => json({}), { tokens: { administrator: 'secret', restricted: 'secret' } })
  expect(error).toBeInstanceOf(UsageError)
  expect((error as Error).message).toMatch(/^tokens.restricted of the profile is the administrator's token/)
})

test('the token of another user as that of a disabled one', async () => {
  const error = await mistaken(() => json({}), {
    tokens: { administrator: 'secret', restricted: 'other', disabled: 'other' },
  })
  expect(error).toBeInstanceOf(UsageError)
  expect((error as Error).message).toMatch(
    /^tokens.disabled of the profile is the token of tokens.restricted/,
  )
})

test('a token of a user that one operation takes is for the checks to judge', async () => {
  const error = await mistaken(
    (url, token) => (token === 'Bearer secret' || url.endsWith('/custom_fields') ? json({}) : json({}, 401)),
    { tokens: { administrator: 'secret', restricted: 'other' } },
  )
  expect(error).toBeUndefined()
})

test('a plugin that is installed already', async () => {
  const plugins = [{ name: 'Sample', installed: true }]
  const error = await mistaken(() => json({ plugins }), { plugin: { name: 'Sample' } })
  expect(error).toBeInstanceOf(UsageError)
  expect((error as Error).message).toMatch(/"Sample" of the profile is installed already/)
})

test('a plugin that is listed as one that could be installed', async () => {
  const plugins = [{ name: 'Sample', installed: false }]
  expect(await mistaken(() => json({ plugins }), { plugin: { name: 'Sample' } })).toBeUndefined()
})

test('a tracker whose successes say nothing is one', async () => {
  const url = await answering((_, response) => response.end())
  const profile = { baseUrl: url, tokens: { administrator: 'secret' } }
  await expect(contact({ profile, timeout: 5_000, rate: 0 })).resolves.toBeUndefined()
})
