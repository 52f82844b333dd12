import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTracker, type State } from '../../emulator/index.js'
import { writtenIo } from '../../fixtures/io.js'
import { start as startProgram } from '../../fixtures/program.js'
import { profileSchema } from '../contract/index.js'
import { main } from './main.js'

let directory: string
let running: { stop(): Promise<unknown> }[]

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tracker-kit-'))
  running = []
})
afterEach(async () => {
  await Promise.all(running.map((one) => one.stop()))
  rmSync(directory, { recursive: true, force: true })
})

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** `tracker-kit serve` in this process. Resolves once it has told its tokens, or has ended. */
async function begin(...argv: string[]) {
  const ending = new AbortController()
  let told = () => {}
  const telling = new Promise<void>((resolve) => {
    told = resolve
  })
  const { io, text } = writtenIo({ signal: ending.signal })
  const out = (chunk: string) => {
    io.out(chunk)
    told()
  }
  const ended = main(['serve', ...argv], { ...io, out }).then((code): Ended => ({ code, ...text }))
  await Promise.race([telling, ended])
  const stop = () => {
    ending.abort()
    return ended
  }
  running.push({ stop })
  const after = (label: string) => new RegExp(`^ *${label} +(\\S+)$`, 'm').exec(text.out)?.[1] ?? ''
  const decisions = async (): Promise<Record<string, unknown>> =>
    (await fetch(`${after('Inspector')}decisions`)).json()
  return { text, ended, stop, decisions, url: after('Base URL'), inspector: after('Inspector'), token: after }
}

type Begun = Pick<Awaited<ReturnType<typeof begin>>, 'url' | 'token'>
const serve = (...argv: string[]) => begin('--port', '0', ...argv)

function call({ url, token }: Begun, path: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${token('administrator')}`, 'content-type': 'application/json' }
  return fetch(`${url}/plugins/Ext${path}`, { ...init, headers })
}
const createUser = (begun: Begun, username: string) =>
  call(begun, '/users', { method: 'POST', body: JSON.stringify({ username }) })

function file(name: string, content: unknown): string {
  const path = join(directory, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

describe('what it tells', () => {
  test('the token of each user of a seed, of the first twenty', async () => {
    const users = Array.from({ length: 22 }, (_, index) => ({ username: `user${index}` }))
    const { text, token, stop } = await serve('--seed', file('seed.json', { users }))
    expect(token('user0')).toBe('token-of-user0')
    expect(token('user19')).toBe('token-of-user19')
    expect(text.out).toContain('  and of 2 other users\n')
    expect((await stop()).code).toBe(0)
  })

  test('base URL, inspector and tokens, all of which work', async () => {
    const begun = await serve()
    const { url, inspector, token } = begun
    const { tokens } = await createTracker()
    for (const [role, secret] of Object.entries(tokens)) expect([role, token(role)]).toEqual([role, secret])
    expect((await fetch(inspector)).status).toBe(200)
    expect(inspector).toBe(`${new URL(url).origin}/__tracker/`)
    expect((await call(begun, '/plugins')).status).toBe(200)
    expect(await begun.stop()).toMatchObject({ code: 0, err: '' })
    await expect(fetch(inspector)).rejects.toThrow()
  })

  test('a ready curl line', async () => {
    const { text } = await serve('--ext', "It's")
    const [, header = '', url = ''] = /^curl -H '([^']+)' '([^']+)'$/m.exec(text.out) ?? []
    const [name = '', value = ''] = header.split(': ')
    const response = await fetch(url, { headers: { [name]: value } })
    expect(response.status).toBe(200)
  })

  test('with --verbose each request, without its query', async () => {
    const begun = await serve('--verbose')
    await call(begun, '/users/nina?select=id')
    await call(begun, '/users/nobody')
    expect(begun.text.err).toMatch(
      /^GET \/api\/rest\/plugins\/Ext\/users\/nina 200 [\d.]+ ms\nGET \/api\/rest\/plugins\/Ext\/users\/nobody 404 [\d.]+ ms\n$/,
    )
  })
})

describe('flags', () => {
  test('--host', async () => {
    const begun = await serve('--host', 'localhost')
    expect(new URL(begun.url).hostname).toBe('localhost')
    expect((await call(begun, '/plugins')).status).toBe(200)
  })

  test('--ext', async () => {
    const { url, token, text } = await serve('--ext', 'Admin')
    const headers = { authorization: `Bearer ${token('administrator')}` }
    expect((await fetch(`${url}/plugins/Admin/plugins`, { headers })).status).toBe(200)
    expect((await fetch(`${url}/plugins/Ext/plugins`, { headers })).status).toBe(404)
    expect(text.out).toMatch(/^Extension {2}Admin$/m)
  })

  test('--decisions', async () => {
    const decisions = file('decisions.json', { 'wrong-method': 'not-found' })
    const begun = await serve('--decisions', decisions)
    expect((await call(begun, '/plugins', { method: 'PUT' })).status).toBe(404)
  })

  test.each([
    ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00.000Z', '2026-01-31T11:00:00.000Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000Z', '2026-01-31T01:00:00.000Z'],
  ])('--now %s', async (start, instant, later) => {
    const { inspector } = await serve('--now', start)
    const clock = `${inspector}clock`
    expect(await (await fetch(clock)).json()).toEqual({ now: instant })
    await fetch(clock, { method: 'POST', body: JSON.stringify({ advance: '1h' }) })
    expect(await (await fetch(clock)).json()).toEqual({ now: later })
  })

  test.each(['7', '{"seed":7,"only":["transport"]}'])('--vary %s', async (given) => {
    const begun = await serve('--vary', given)
    expect(begun.text.out).toMatch(/^Vary {7}7$/m)
    expect((await call(begun, '/plugins')).headers.get('x-tracker-vary')).toBe('7')
  })

  test('--open opens the inspector', async () => {
    const opened = join(directory, 'opened')
    for (const name of ['xdg-open', 'open']) {
      writeFileSync(join(directory, name), `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`, { mode: 0o755 })
    }
    const { PATH = '' } = process.env
    vi.stubEnv('PATH', `${directory}:${PATH}`)
    const { inspector } = await serve('--open')
    await vi.waitFor(() => expect(readFileSync(opened, 'utf8')).toBe(inspector), 20_000)
    vi.stubEnv('PATH', directory)
    rmSync(join(directory, 'xdg-open'))
    rmSync(join(directory, 'open'))
    const { text } = await serve('--open')
    await vi.waitFor(() => expect(text.err).toMatch(/^tracker-kit serve: no browser was opened: /), 20_000)
    vi.unstubAllEnvs()
  })

  test('--seed with a part of a state', async () => {
    const begun = await serve('--seed', file('seed.json', { users: [{ username: 'otto' }] }))
    expect((await call(begun, '/users/otto')).status).toBe(200)
    expect((await call(begun, '/users/nina')).status).toBe(200)
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

  test('--profile-out', async () => {
    const path = join(directory, 'profile.json')
    const { url } = await serve('--profile-out', path)
    const profile = profileSchema.parse(read(path))
    expect(profile.baseUrl).toBe(url)
    const headers = { authorization: `Bearer ${profile.tokens.administrator}` }
    expect((await fetch(`${url}/plugins/${profile.ext}/plugins`, { headers })).status).toBe(200)
  })

  test('--profile-out is not written where nothing answers', async () => {
    const { url } = await serve()
    const path = join(directory, 'profile.json')
    const { ended } = await begin('--port', new URL(url).port, '--profile-out', path)
    expect(await ended).toMatchObject({ code: 2 })
    expect(existsSync(path)).toBe(false)
  })
})

describe('--state', () => {
  const path = () => join(directory, 'state.json')
  const usernames = () => (read(path()) as State).users.map(({ username }) => username)

  test('is saved at the end and found at the next start', async () => {
    const first = await serve('--state', path())
    expect(first.text.out).not.toContain('State')
    await createUser(first, 'otto')
    expect(await first.stop()).toMatchObject({ code: 0, err: '' })
    expect(readdirSync(directory)).toEqual(['state.json'])
    const second = await serve('--state', path())
    expect(second.text.out).toContain(`State      ${path()}`)
    expect((await call(second, '/users/otto')).status).toBe(200)
  })

  test('tells the tokens of the saved state', async () => {
    const tracker = await createTracker({ seed: { tokens: [{ id: 1, secret: 'from-the-file' }] } })
    const begun = await serve('--state', file('state.json', tracker.snapshot()))
    expect(begun.token('administrator')).toBe('from-the-file')
    expect((await call(begun, '/plugins')).status).toBe(200)
  })

  test('is saved after each change while it runs', async () => {
    const begun = await serve('--state', path())
    expect(existsSync(path())).toBe(false)
    await createUser(begun, 'otto')
    await vi.waitFor(() => expect(usernames()).toContain('otto'), 10_000)
    await fetch(`${begun.inspector}reset`, { method: 'POST' })
    await vi.waitFor(() => expect(usernames()).not.toContain('otto'), 10_000)
  })

  test('is saved after a change that was not answered', async () => {
    const begun = await serve('--state', path())
    const fault = { operation: 'createUser', transport: 'drop', phase: 'after' }
    await fetch(`${begun.inspector}faults`, { method: 'POST', body: JSON.stringify(fault) })
    await vi.waitFor(() => expect(existsSync(path())).toBe(true), 10_000)
    await expect(createUser(begun, 'otto')).rejects.toThrow('fetch failed')
    await vi.waitFor(() => expect(usernames()).toContain('otto'), 10_000)
  })

  test('says in one line that it cannot be saved, goes on, and ends with 2', async () => {
    const begun = await serve('--state', path())
    rmSync(directory, { recursive: true })
    await createUser(begun, 'otto')
    const line = `tracker-kit serve: --state ${path()} cannot be written: there is no such file or directory (ENOENT)\n`
    await vi.waitFor(() => expect(begun.text.err).toBe(line), 10_000)
    expect((await call(begun, '/users/otto')).status).toBe(200)
    expect(await begun.stop()).toMatchObject({ code: 2, err: line + line })
  })

  test('loads after a kill at any moment', async () => {
    const { tokens } = await createTracker()
    for (const moment of [0, 1, 5, 20]) {
      const program = startProgram(['serve', '--port', '0', '--state', path()])
      const [, url = ''] = /Base URL +(\S+)/.exec(await program.says('curl')) ?? []
      const begun = { url, token: () => tokens.administrator }
      const kept = `kept-${moment}`
      await createUser(begun, kept)
      await vi.waitFor(() => expect(usernames()).toContain(kept), 10_000)
      const more = Array.from({ length: 50 }, (_, index) => createUser(begun, `more-${moment}-${index}`))
      await more[moment]
      program.signal('SIGKILL')
      await Promise.allSettled(more)
      expect((await program.ended).code).toBe(null)
      await expect(createTracker({ seed: read(path()) })).resolves.toBeDefined()
      expect(usernames()).toContain(kept)
    }
  }, 60_000)
})

describe('an error of use is one line and exit code 2', () => {
  test.each<[RegExp, () => string[]]>([
    [/serve: unknown flag --prot; did you mean --port\?$/, () => ['--prot', '1']],
    [/serve: --seed needs a value$/, () => ['--seed']],
    [/serve: takes flags only, not "8787"/, () => ['8787']],
    [/--port takes an integer from 0 to 65535, not "65536"$/, () => ['--port', '65536']],
    [/this machine has no address 192\.0\.2\.1; /, () => ['--host', '192.0.2.1']],
    [/--ext takes one path segment, not "a\/b"$/, () => ['--ext', 'a/b']],
    [
      /serve: --vary: must be a whole number from 0 to 4294967295, or an object, not "x"$/,
      () => ['--vary', 'x'],
    ],
    [/serve: .*did you mean "lists"\?$/, () => ['--vary', '{"seed":1,"only":["list"]}']],
    [/--open needs the inspector; /, () => ['--no-control', '--open']],
    [/--seed smal: .*did you mean "small"\?$/, () => ['--seed', 'smal']],
    [/--seed \.\/none\.json: .* cannot be read: .*\(ENOENT\)$/, () => ['--seed', './none.json']],
    [
      /--seed .*s\.json: seed\.users\[0\]: no field is called "usrname"; did you mean "username"\?$/,
      () => ['--seed', file('s.json', { users: [{ usrname: 'x' }] })],
    ],
    [/--decisions \/none\.json cannot be read: .*\(ENOENT\)$/, () => ['--decisions', '/none.json']],
    [/d\.json is not JSON: .+$/, () => ['--decisions', file('d.json', '{\n"a":\n')]],
    [/d\.json must hold a JSON object$/, () => ['--decisions', file('d.json', [])]],
    [
      /d\.json: no decision is called "wrong-metod"; did you mean "wrong-method"\?$/,
      () => ['--decisions', file('d.json', { 'wrong-metod': 'not-found' })],
    ],
    [
      /d\.json: The decision "wrong-method" is "teapot"; it must be one of .+$/,
      () => ['--decisions', file('d.json', { 'wrong-method': 'teapot' })],
    ],
    [/--state .*st\.json is not JSON: .+$/, () => ['--state', file('st.json', '{"schema":')]],
    [/st\.json: Not a tracker's state: .+$/, () => ['--state', file('st.json', {})]],
    [
      /st\.json: Not a tracker's state: .+$/,
      () => ['--state', file('st.json', { schema: 'tracker-kit/state@1' })],
    ],
    [/--state \/none\/st\.json cannot be written: .*\(ENOENT\)$/, () => ['--state', '/none/st.json']],
    [
      /--profile-out \/none\/p\.json cannot be written: .*\(ENOENT\)$/,
      () => ['--profile-out', '/none/p.json'],
    ],
  ])('%s', async (message, argv) => {
    const args = argv()
    const { ended } = await begin(...(args.includes('--port') ? args : ['--port', '0', ...args]))
    const { code, out, err } = await ended
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^tracker-kit serve: [^\n]+\n$/)
    expect(err.trimEnd()).toMatch(message)
  })

  test('a port in use', async () => {
    const { port } = new URL((await serve()).url)
    const { ended } = await begin('--port', port)
    expect(await ended).toEqual({
      code: 2,
      out: '',
      err: `tracker-kit serve: Cannot listen: port ${port} on 127.0.0.1 is in use; choose another one, or 0 for any free port (--port)\n`,
    })
  })

  test('a broken state file is left as it is', async () => {
    const path = file('state.json', '{"schema":')
    const { ended } = await serve('--state', path)
    expect((await ended).code).toBe(2)
    expect(readFileSync(path, 'utf8')).toBe('{"schema":')
  })
})

test('a signal that came before ends it at once, with everything saved', async () => {
  const path = join(directory, 'state.json')
  const { io } = writtenIo({ signal: AbortSignal.abort() })
  expect(await main(['serve', '--port', '0', '--state', path], io)).toBe(0)
  expect(read(path)).toMatchObject({ schema: 'tracker-kit/state@1' })
})
