/** What the program says of a base URL behind which there is no tracker. */
import type { RequestListener, Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { expect, test } from 'vitest'
import { answering, deserted } from '../../fixtures/answering.js'
import type { Profile } from '../contract/index.js'
import { UnreachableError, UsageError } from '../contract/trouble.js'
import { contact } from './contact.js'

const status =
  (code: number): RequestListener =>
  (_, response) =>
    void response.writeHead(code, { 'content-type': 'application/json' }).end('{"message":"no"}')
const page: RequestListener = (_, response) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>')
const login: RequestListener = (_, response) =>
  void response.writeHead(302, { location: '/login?return=secret' }).end()
const secure = createSecureServer() as unknown as Server
const empty: RequestListener = (_, response) => void response.end('{}')

test.each<[string, () => Promise<string>, RegExp]>([
  ['a web page', () => answering(page), /HTML pages, not with JSON; is it the REST root/],
  ['401', () => answering(status(401)), /401 to the administrator's token; is the token right/],
  ['404', () => answering(status(404)), /404 to everything; are the base URL and the extension "Ext" right/],
  ['a way to sign in', () => answering(login), /redirects everything \(302\) to \/login; give the URL/],
  ['http in place of https', async () => `https${(await answering(empty)).slice(4)}`, /does not speak https/],
  ['https in place of http', () => answering(secure), /is it https rather than http\?/],
  ['no server', deserted, /not reachable \(ECONNREFUSED\); is it running/],
])('%s is told as what it is', async (_, start, message) => {
  const profile = { baseUrl: await start(), tokens: { administrator: 'secret' } }
  const error = await contact({ profile, timeout: 5_000, rate: 0 }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UnreachableError)
  expect((error as Error).message).toMatch(message)
})

const json = (value: unknown, status = 200): [number, string] => [status, JSON.stringify(value)]

type Answer = (url: string, token: string) => [number, string]

/** What the profile is told where this is how the tracker answers. */
async function mistaken(answer: Answer, more: Partial<Profile>): Promise<unknown> {
  const baseUrl = await answering(({ url = '', headers }, response) => {
    const [status, text] = answer(url, headers.authorization ?? '')
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  })
  const profile = { baseUrl, tokens: { administrator: 'secret' }, ...more }
  const options = { profile, safety: 'destructive', timeout: 5_000, rate: 0 } as const
  return contact(options).catch((thrown: unknown) => thrown)
}

const administrator = 'secret'
const own = ([, token]: readonly string[]) => token === `Bearer ${administrator}`
const plugins = (installed: boolean) => json({ plugins: [{ name: 'Sample', installed }] })

test.each<[string, Answer, Partial<Profile>, RegExp | null]>([
  [
    'a token that no operation takes',
    (...asked) => (own(asked) ? json({}) : json({ message: 'Who?' }, 401)),
    { tokens: { administrator, restricted: 'other' } },
    /answers 401 to the token of tokens.restricted/,
  ],
  [
    'a token that one operation takes',
    (...asked) => (own(asked) || asked[0].endsWith('/custom_fields') ? json({}) : json({}, 401)),
    { tokens: { administrator, restricted: 'other' } },
    null,
  ],
  [
    "the administrator's token as that of another user",
    () => json({}),
    { tokens: { administrator, restricted: administrator } },
    /^tokens.restricted of the profile is the token of tokens.administrator/,
  ],
  [
    'a plugin that is installed already',
    () => plugins(true),
    { plugin: { name: 'Sample' } },
    /"Sample" of the profile is installed already/,
  ],
  ['a plugin that could be installed', () => plugins(false), { plugin: { name: 'Sample' } }, null],
  ['a tracker whose successes say nothing', () => [200, ''], {}, null],
])('of a profile with %s it is told where it is mistaken', async (_, answer, more, message) => {
  const error = await mistaken(answer, more)
  if (message === null) return expect(error).toBeUndefined()
  expect(error).toBeInstanceOf(UsageError)
  expect((error as Error).message).toMatch(message)
})
