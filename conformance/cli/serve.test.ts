import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createTracker, type State } from '../../emulator/index.js'
import { temporaryFiles } from '../../fixtures/folder.js'
import { writtenIo } from '../../fixtures/io.js'
import type { Ended } from '../../fixtures/program.js'
import { profileSchema } from '../contract/index.js'
import { main } from './main.js'

const { file, write } = temporaryFiles()

/** `tracker-kit serve` in this process. Resolves once it has told its tokens, or has ended. */
async function begin(...argv: string[]) {
  const ending = new AbortController()
  const { io, text } = writtenIo({ signal: ending.signal })
  const ended = main(['serve', ...argv], io).then((code): Ended => ({ code, ...text }))
  await Promise.race([vi.waitUntil(() => text.out !== '', 60_000), ended])
  const stop = () => {
    ending.abort()
    return ended
  }
  onTestFinished(async () => void (await stop()))
  const after = (label: string) => new RegExp(`^ *${label} +(\\S+)$`, 'm').exec(text.out)?.[1] ?? ''
  return { text, ended, stop, url: after('Base URL'), inspector: after('Inspector'), token: after }
}

type Begun = Pick<Awaited<ReturnType<typeof begin>>, 'url' | 'token'>
const serve = (...argv: string[]) => begin('--port', '0', ...argv)

function call({ url, token }: Begun, path: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${token('administrator')}`, 'content-type': 'application/json' }
  return fetch(`${url}/plugins/Ext${path}`, { ...init, headers })
}
const createUser = (begun: Begun, username: string) =>
  call(begun, '/users', { method: 'POST', body: JSON.stringify({ username }) })

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

test('it tells the token of each role, and of the first twenty users of a seed', async () => {
  const users = Array.from({ length: 23 }, (_, index) => ({ username: `user${index}` }))
  const { text, token, inspector, stop } = await serve('--seed', write('seed.json', { users }))
  const { tokens } = await createTracker()
  for (const [role, secret] of Object.entries(tokens)) expect([role, token(role)]).toEqual([role, secret])
  expect(token('user0')).toBe('token-of-user0')
  expect(token('user19')).toBe('token-of-user19')
  expect(text.out).toContain('  and of 3 other users\n')
  expect(await stop()).toMatchObject({ code: 0, err: '' })
  await expect(fetch(inspector)).rejects.toThrow()
})

describe('flags', () => {
  test('host, extension, decisions, seed and profile', async () => {
    const decisions = write('decisions.json', { 'wrong-method': 'not-found' })
    const seed = write('other-seed.json', { users: [{ username: 'otto' }] })
    const path = file('profile.json')
    const files = ['--decisions', decisions, '--seed', seed, '--profile-out', path]
    const { url, text } = await serve('--host', 'localhost', '--ext', 'Admin', ...files)
    expect(new URL(url).hostname).toBe('localhost')
    expect(text.out).toMatch(/^Extension {2}Admin$/m)
    const profile = profileSchema.parse(read(path))
    expect(profile).toMatchObject({ baseUrl: url, ext: 'Admin' })
    const headers = { authorization: `Bearer ${profile.tokens.administrator}` }
    const statusOf = async (path: string, method = 'GET') =>
      (await fetch(`${url}/plugins/${path}`, { method, headers })).status
    expect(await statusOf('Admin/users/otto')).toBe(200)
    expect(await statusOf('Ext/users/otto')).toBe(404)
    expect(await statusOf('Admin/plugins', 'PUT')).toBe(404)
  })

  test.each(['2026-01-31T02:00:00+02:00', '2026-01-31'])('--now %s', async (start) => {
    const { inspector } = await serve('--now', start)
    expect(await (await fetch(`${inspector}clock`)).json()).toEqual({ now: '2026-01-31T00:00:00.000Z' })
  })

  test.each(['7', '{"seed":7,"only":["transport"]}'])('--vary %s', async (given) => {
    const begun = await serve('--vary', given)
    expect(begun.text.out).toMatch(given === '7' ? /^Vary {7}7 \(wild\)$/m : /^Vary {7}7$/m)
    expect((await call(begun, '/plugins')).headers.get('x-tracker-vary')).toBe('7')
  })

  test('--no-control', async () => {
    const begun = await serve('--no-control')
    expect(begun.text.out).not.toContain('Inspector')
    expect((await call(begun, '/plugins')).status).toBe(200)
    const { origin } = new URL(begun.url)
    for (const path of ['/__tracker/', '/__tracker/state', '/i/one/__tracker/health']) {
      const response = await fetch(origin + path)
      expect([path, response.status]).toEqual([path, 404])
      expect(await response.json()).toEqual({ message: 'Nothing is here; the REST root is /api/rest' })
    }
    expect((await fetch(`${origin}/__tracker/reset`, { method: 'POST' })).status).toBe(404)
  })
})

describe('--state', () => {
  const usernames = (path: string) => (read(path) as State).users.map(({ username }) => username)
  /** The path of a state file in a folder of its own. */
  const inFolder = (name: string) => {
    mkdirSync(file(name))
    return file(name, 'state.json')
  }

  test('is saved at the end, and found with its tokens at the next start', async () => {
    const path = inFolder('saved')
    const first = await serve('--state', path)
    expect(first.text.out).not.toContain('State')
    await createUser(first, 'otto')
    expect(await first.stop()).toMatchObject({ code: 0, err: '' })
    expect(readdirSync(file('saved'))).toEqual(['state.json'])
    const second = await serve('--state', path)
    expect(second.text.out).toContain(`State      ${path}`)
    expect((await call(second, '/users/otto')).status).toBe(200)
    await second.stop()
    const tracker = await createTracker({ seed: { tokens: [{ id: 1, secret: 'from-the-file' }] } })
    const third = await serve('--state', write('saved/state.json', tracker.snapshot()))
    expect(third.token('administrator')).toBe('from-the-file')
  })

  test('is saved after each change while it runs, answered or not', async () => {
    const path = inFolder('changed')
    const begun = await serve('--state', path)
    expect(existsSync(path)).toBe(false)
    await createUser(begun, 'otto')
    await vi.waitFor(() => expect(usernames(path)).toContain('otto'), 10_000)
    await fetch(`${begun.inspector}reset`, { method: 'POST' })
    await vi.waitFor(() => expect(usernames(path)).not.toContain('otto'), 10_000)
    const fault = { operation: 'createUser', transport: 'drop', phase: 'after' }
    await fetch(`${begun.inspector}faults`, { method: 'POST', body: JSON.stringify(fault) })
    await expect(createUser(begun, 'otto')).rejects.toThrow('fetch failed')
    await vi.waitFor(() => expect(usernames(path)).toContain('otto'), 10_000)
  })

  test('says in one line that it cannot be saved, goes on, and ends with 2', async () => {
    const path = inFolder('gone')
    const begun = await serve('--state', path)
    rmSync(file('gone'), { recursive: true })
    await createUser(begun, 'otto')
    const line = `tracker-kit serve: --state ${path} cannot be written: there is no such file or directory (ENOENT)\n`
    await vi.waitFor(() => expect(begun.text.err).toBe(line), 10_000)
    expect((await call(begun, '/users/otto')).status).toBe(200)
    expect(await begun.stop()).toMatchObject({ code: 2, err: line + line })
  })
})

describe('an error of use is one line and exit code 2', () => {
  test('a port in use, for which no profile is written', async () => {
    const { port } = new URL((await serve()).url)
    const path = file('unwritten.json')
    const { ended } = await begin('--port', port, '--profile-out', path)
    const said = `Cannot listen: port ${port} on 127.0.0.1 is in use; choose another one, or 0 for any free port (--port)`
    expect(await ended).toEqual({ code: 2, out: '', err: `tracker-kit serve: ${said}\n` })
    expect(existsSync(path)).toBe(false)
  })

  test('a broken state file is left as it is', async () => {
    const path = write('broken.json', '{"schema":')
    const { ended } = await serve('--state', path)
    expect(await ended).toMatchObject({ code: 2, err: expect.stringMatching(/json is not JSON: .+\n$/) })
    expect(readFileSync(path, 'utf8')).toBe('{"schema":')
  })
})
