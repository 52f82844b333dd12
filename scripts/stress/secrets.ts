/** Plants secrets, makes every part of the kit work with them, and searches for them where they must not be. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Profile } from '../../conformance/contract/index.js'
import { listen } from '../../emulator/http/listen.js'
import { createTracker, type State } from '../../emulator/index.js'
import { run } from '../../fixtures/program.js'
import { found, plantedRequests, plantedState } from './planted.js'
import { startServe } from './program.js'
import type { Result, Settings } from './subject.js'

const planes = [
  'health', 'journal', 'outbox', 'violations', 'coverage', 'decisions', 'clock', 'instances', 'faults',
  'openapi.json', '', 'inspector/overview', 'inspector/state', 'inspector/ledger', 'events',
] as const // biome-ignore format: a list of names

export async function secrets({ seed, count, tell }: Settings): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'tracker-kit-secrets-'))
  const { state, secrets: planted } = await plantedState()
  const stateFile = join(directory, 'state.json')
  await writeFile(stateFile, JSON.stringify(state))
  const program = await startServe('--state', stateFile, '--verbose')
  const echo = await startEcho(state)
  /** The texts to search, by the name of their place. */
  const places = new Map<string, string>()
  const told = async (name: string, ...args: string[]) => {
    const { out, err } = await run(...args)
    places.set(name, out + err)
    tell(`${name} done`)
  }
  try {
    const administrator = { authorization: `Bearer ${program.profile.tokens.administrator}` }
    const { requests, secrets: typed } = plantedRequests(program.profile)
    for (const [method, path, body = null, headers = administrator] of requests) {
      const type = { 'content-type': 'application/json' }
      await (await fetch(program.url + path, { method, headers: { ...type, ...headers }, body })).text()
    }
    for (const plane of planes)
      places.set(`/__tracker/${plane}`, await read(`${program.origin}/__tracker/${plane}`))

    const made = secretsIn((await program.control('state')) as State)
    await mkdir(join(directory, 'out'))
    const out = (name: string) => join(directory, 'out', name)
    const profile = join(directory, 'profile.json')
    const loud = join(directory, 'loud.json')
    const next = 'Planted-Secret-next-Xq7'
    const writeProfile = (file: string, { passwordAccount, ...rest }: Profile) =>
      writeFile(file, JSON.stringify({ ...rest, passwordAccount: { ...passwordAccount, next } }))
    // An earlier request changed the password of the account, to another planted secret.
    await writeProfile(profile, (await program.control('profile')) as Profile)
    await writeProfile(loud, echo.profile)
    const common = ['--seed', String(seed), '--safety', 'destructive']
    // The short run covers the operations with secrets, and the echo, whose output contains most of them.
    const whole = count > 1
    const most = 'createUser,changeOwnPassword,impersonateUser,getTokensPage,getAccountPage'
    const calls: readonly (readonly [name: string, ...args: string[]])[] = [
      ['learn', 'learn', '--profile', profile, ...common, '--as-is', '--out', out('learnt.json')],
      ['diff', 'diff', '--profile', profile, ...common, '--out', out('diff.html')],
      ['diff of one that echoes', 'diff', '--profile', loud, ...common, '--out', out('loud.html')],
      ['check', 'check', '--profile', profile, ...common, '--runs', String(count), '--out', out('check')],
      ['sweep', 'sweep', join(out('check'), 'ledger.jsonl'), '--profile', profile],
    ]
    for (const call of whole ? calls : []) await told(...call)
    const part = whole ? ['--runs', '5'] : ['--runs', String(count), '--only', most]
    const echoed = ['--profile', loud, ...common, ...part, '--out', out('loud')]
    await told('check of one that echoes', 'check', ...echoed)
    await told('check --plan', 'check', '--profile', profile, ...common, '--plan')
    for (const flag of ['--profile', '--state', '--decisions', '--targets', '--baseline']) {
      const broken = join(directory, `broken${flag}.json`)
      await writeFile(broken, `{"tokens": {"administrator": "${planted[0]}" "${planted[1]}"}}`)
      const command = ['--state', '--decisions'].includes(flag) ? 'serve' : 'check'
      await told(`${command} ${flag} of what is no JSON`, command, flag, broken)
    }
    const written = await readdir(join(directory, 'out'), { recursive: true, withFileTypes: true })
    for (const file of written.filter((entry) => entry.isFile()).map((one) => join(one.parentPath, one.name)))
      places.set(file, await readFile(file, 'utf8'))
    for (const plane of ['journal', 'violations', 'events'])
      places.set(`/__tracker/${plane} at the end`, await read(`${program.origin}/__tracker/${plane}`))
    places.set('standard error of serve', program.complaints)

    const last = secretsIn((await program.control('state')) as State)
    const known = [...planted, ...typed, ...made, ...last, ...secretsIn(echo.snapshot()), next]
    const all = [...new Set(known)].filter((one) => one.length >= 6)
    const troubles = [...places].flatMap(([name, text]) =>
      found(text, all).map((secret) => `${name.replace(directory, '')} holds ${secret}`),
    )
    const isEmpty = ([name, text]: [string, string]) => text === '' && !name.includes('ledger')
    return {
      figures: {
        'secrets looked for': all.length,
        'places searched': places.size,
        'traces searched': [...places].filter(([name, text]) => name.endsWith('trace.har') && text !== '')
          .length,
        'places with nothing in them': [...places].filter(isEmpty).length,
      },
      troubles: troubles.slice(0, 30),
    }
  } finally {
    await echo.close()
    await program.end('SIGTERM')
    await rm(directory, { recursive: true, force: true })
  }
}

const secretsIn = ({ users, tokens }: State) => [
  ...users.map(({ password }) => password),
  ...tokens.map(({ secret }) => secret),
]

/** The text of a page; of a stream, the first part. */
async function read(url: string): Promise<string> {
  const response = await fetch(url)
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text()
  const reader = response.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  await reader?.cancel()
  return new TextDecoder().decode(value)
}

/** A tracker that quotes the request in each refusal, like a careless one. */
async function startEcho(seed: State) {
  const tracker = await createTracker({ seed })
  const fetch = async (request: Request) => {
    const body = await request.clone().text()
    const [authorization, cookie] = ['authorization', 'cookie'].map((name) => request.headers.get(name) ?? '')
    const answer = await tracker.fetch(request)
    const headers = new Headers(answer.headers)
    headers.set('x-debug', encodeURI(`${authorization} ${cookie}`))
    const { ok, status } = answer
    if (ok) return new Response(answer.body, { status, headers })
    const message = `You sent ${authorization}, ${cookie} and ${body}: ${await answer.text()}`
    return Response.json({ message }, { status: status === 403 ? 418 : status, headers })
  }
  const { url, close } = await listen({ ...tracker, fetch }, { control: false })
  return { profile: tracker.profileFor(url), snapshot: tracker.snapshot, close }
}
