import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { listen } from '../../emulator/http/listen.js'
import { createTracker, type Tracker, type TrackerServer } from '../../emulator/index.js'
import { temporaryFolder } from '../../fixtures/folder.js'
import { writtenIo } from '../../fixtures/io.js'
import { start as startBare } from '../../fixtures/legal/bare.js'
import { legalTrackers } from '../../fixtures/legal/index.js'
import { listening } from '../../fixtures/listening.js'
import { start } from '../../fixtures/program.js'
import type { Profile } from '../contract/index.js'
import { UnreachableError, UsageError } from '../contract/trouble.js'
import { version } from '../contract/version.js'
import { init, type LoadPrompts } from './init.js'
import { Cancelled, type Prompts } from './init-ask.js'

const directory = temporaryFolder()
let tracker: Tracker
let server: TrackerServer
let profile: Profile
const others: (() => Promise<void>)[] = []

beforeAll(async () => {
  tracker = await createTracker()
  server = await tracker.listen({ port: 0 })
  profile = tracker.profileFor(server.url)
})
afterAll(() => server.close())
afterEach(async () => {
  for (const close of others.splice(0)) await close()
})

let files = 0
const fresh = (end = '.json') => join(directory, `file-${++files}${end}`)

/** The profile in a file, which begins with its schema. */
function written(file: string) {
  const { $schema, ...profile } = JSON.parse(readFileSync(file, 'utf8'))
  expect($schema).toBe(`https://unpkg.com/tracker-kit@${version}/dist/schemas/profile.json`)
  return profile
}

/** `init` in this process, with the outcome that the program would have. */
async function run(
  argv: readonly string[],
  { env = {}, prompts = null, signal = new AbortController().signal }: Partial<Setting> = {},
) {
  const { io, text } = writtenIo({ env, signal })
  try {
    return { code: await init(argv, io, prompts), ...text, message: '' }
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof UnreachableError)) throw error
    return { code: error instanceof UsageError ? 2 : 3, ...text, message: error.message }
  }
}
interface Setting {
  readonly env: Record<string, string>
  readonly prompts: LoadPrompts
  readonly signal: AbortSignal
}

async function serving(answer: RequestListener): Promise<string> {
  const { origin, close } = await listening(createServer(answer))
  others.push(close)
  return origin
}

const secretsOf = ({ tokens, passwordAccount, password }: Profile) =>
  [
    ...Object.values(tokens),
    ...Object.values(passwordAccount ?? {}),
    password?.valid,
    password?.invalid,
  ].filter((secret) => secret !== undefined)

/** The flags that give every field of a profile. */
function flagsOf({ baseUrl, ext, safety, tokens, user, ...rest }: Profile): string[] {
  return [
    ...['--base-url', baseUrl, '--ext', ext ?? 'Ext', '--safety', safety ?? 'read'],
    ...['--token', tokens.administrator, '--restricted-token', tokens.restricted ?? ''],
    ...['--user-id', String(user?.id), '--username', user?.username ?? ''],
    ...['--set', `tokens.password=${tokens.password}`],
    ...(tokens.disabled === undefined ? [] : ['--set', `tokens.disabled=${tokens.disabled}`]),
    ...Object.entries(rest).flatMap(([path, value]) => ['--set', `${path}=${JSON.stringify(value)}`]),
  ]
}

describe('by flags', () => {
  test('a served tracker gives a profile with which check passes, and a workflow', async () => {
    const emulator = start(['serve', '--port', '0', '--profile-out', fresh()])
    const baseUrl = /Base URL\s+(\S+)/.exec(await emulator.says(/Base URL\s+\S+\n/))?.[1] ?? ''
    const file = fresh()
    const workflow = join(directory, 'workflows/new/tracker.yml')
    const env = { TRACKER_TOKEN: profile.tokens.administrator }
    const made = await start(
      [
        ...['init', '--base-url', `${baseUrl}/`, '--username', 'nina', '--out', file],
        ...['--restricted-token', profile.tokens.restricted ?? '', '--workflow', workflow],
      ],
      env,
    ).ended
    expect(made).toMatchObject({ code: 0 })
    expect(written(file)).toEqual({
      baseUrl,
      safety: 'read',
      tokens: { restricted: profile.tokens.restricted },
      user: { id: 10, username: 'nina' },
    })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(made.err).toContain(
      'not in the profile, so check skips what needs them: projects, tokens.disabled; ',
    )
    expect(made.out).toContain('The administrator token is not in this file')
    expect(made.out).toMatch(/^Next, .*:\n {2}npx tracker-kit check .* --plan\n {2}npx .* --out report\n$/ms)
    expect(made.out).toContain(`  npx tracker-kit check --profile ${file} --plan\n`)
    for (const secret of secretsOf(profile)) expect(made.out + made.err).not.toContain(secret)
    const yaml = readFileSync(workflow, 'utf8')
    expect(yaml).toContain(`--out report`)
    // Nothing here has installed it, so it is this version that is fetched.
    expect(yaml).toMatch(/npx --yes "\$TRACKER_KIT" check --profile \S+ \$\(.*\) --out report\n/)
    expect(yaml).toMatch(/TRACKER_KIT: \S+ vars\.TRACKER_KIT \|\| 'tracker-kit@\d+\.\d+\.\d+' \}\}\n/)
    expect(yaml).not.toContain('npm ci')
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the workflow's own syntax
    expect(yaml).toContain('TRACKER_TOKEN: ${{ secrets.TRACKER_TOKEN }}')
    for (const secret of secretsOf(profile)) expect(yaml).not.toContain(secret)

    const checked = await start(['check', '--profile', file, '--runs', '5', '--seed', '1'], env).ended
    emulator.signal('SIGTERM')
    await emulator.ended
    expect(checked).toMatchObject({ code: 0 })
    expect(checked.out).not.toContain('tokens.restricted')
  })

  test('every field of a profile can be given, and comes back', async () => {
    const file = fresh()
    const { code, out, err } = await run([...flagsOf(profile), '--out', file])
    expect({ code, err }).toMatchObject({ code: 0 })
    expect(written(file)).toEqual(profile)
    for (const secret of secretsOf(profile)) expect(out + err).not.toContain(secret)
    expect(err).toMatch(/^not tested, because no read shows them: emailDomain, .*passwordAccount; /m)
    expect(err.match(/^get\w+Page shows /gm)).toHaveLength(6)
    expect(err).not.toContain('check skips')
    expect(out).toContain('The administrator token is in this file; ')
    expect(out).toContain('--safety destructive --plan')
  })

  test('a value that no page shows is told, and a protected user is no ordinary one', async () => {
    const argv = ['--base-url', profile.baseUrl, '--token', profile.tokens.administrator]
    const told = await run([...argv, '--set', 'accessLevel=26', '--set', 'projects=1,99', '--out', fresh()])
    expect(told.err).toMatch(
      /^getUserCreatePage does not show accessLevel 26 \(it shows .*\); make sure that it is right$/m,
    )
    expect(told.err).toContain('getCustomFieldCreatePage does not show projects 99 (it shows 1, ')
    const kiosk = await run([...argv, '--username', 'kiosk', '--out', fresh()])
    expect(kiosk).toMatchObject({ code: 2, message: expect.stringContaining('kiosk is protected') })
  })

  describe('what pages show of fields that are left out is suggested', () => {
    const columns = { project: '1', type: 'view', columns: ['id', 'summary'] }

    /** A tracker that lists plugins which are only available, and has the columns on the page of the settings. */
    async function showing() {
      const shown = await createTracker({ decisions: { 'plugin-list-set': 'with-available' } })
      const fetch = async (request: Request) => {
        const answer = await shown.fetch(request)
        const isPage = request.method === 'GET' && request.url.endsWith('/user-settings')
        return isPage && answer.ok ? Response.json({ ...(await answer.json()), view: columns }) : answer
      }
      const served = await listen({ ...shown, fetch })
      others.push(() => served.close())
      const argv = ['--base-url', served.url, '--token', shown.tokens.administrator]
      return { shown, argv: [...argv, '--safety', 'destructive', '--out', fresh()] }
    }

    test('and nothing of it is in the profile, or asked for by more than GET', async () => {
      const { shown, argv } = await showing()
      const { err, code } = await run(argv)
      expect({ code, err }).toMatchObject({ code: 0 })
      expect(err).toMatch(
        /^listPlugins shows for plugin\.name: Reminders, Snippets, Timeline; .*--set plugin\.name=/m,
      )
      expect(err).toContain(`getUserSettingsPage shows for columns: ${JSON.stringify(columns)}; `)
      expect(err).toMatch(/^getCustomFieldCreatePage shows for projects: 1, /m)
      const { plugin, columns: saved, projects } = written(argv.at(-1) ?? '')
      expect([plugin, saved, projects]).toEqual([undefined, undefined, undefined])
      expect(new Set(shown.journal.map(({ method }) => method))).toEqual(new Set(['GET']))
      const given = await run([...argv, '--force', '--set', `columns=${JSON.stringify(columns)}`])
      expect(given.err).not.toContain('shows for columns')
    })

    test('at a terminal before the question, where an answer takes it', async () => {
      const { argv } = await showing()
      const asked: string[] = []
      const answer = async (question: string) => {
        asked.push(question)
        if (question.startsWith('The administrator')) return argv[3] ?? ''
        return question.startsWith('A plugin') ? 'Snippets' : ''
      }
      const prompts: Prompts = {
        ...{ text: answer, secret: answer, choose: answer },
        ...{ seen: (line) => void asked.push(line), wrong: () => undefined },
      }
      const { code } = await run([...argv.slice(0, 2), ...argv.slice(4)], { prompts: async () => prompts })
      expect(code).toBe(0)
      expect(asked.join('\n')).toMatch(/: Reminders, Snippets, Timeline; .*\nA plugin .* \(press Enter/)
      expect(asked.join('\n')).toContain(`shows for columns: ${JSON.stringify(columns)}; `)
      expect(written(argv.at(-1) ?? '').plugin).toEqual({ name: 'Snippets' })
    })
  })

  test('a plugin that a list shows to be available is told so', async () => {
    const shown = await createTracker({ decisions: { 'plugin-list-set': 'with-available' } })
    const served = await shown.listen()
    others.push(() => served.close())
    const argv = ['--base-url', served.url, '--token', shown.tokens.administrator]
    const { err } = await run([...argv, '--set', 'plugin.name=Snippets', '--out', fresh()])
    expect(err).toContain('listPlugins shows the plugin Snippets as available and not installed\n')
  })

  test('the level of a restricted token is told, since a manager may do what no read shows', async () => {
    const argv = ['--base-url', profile.baseUrl, '--token', profile.tokens.administrator]
    const { err } = await run([...argv, '--restricted-token', tracker.tokens.manager, '--out', fresh()])
    expect(err).toMatch(
      /restricted token \(of manager, access level 70 manager\) .*; make sure that it has no other/,
    )
  })

  test('a part of the name of a type is no type', async () => {
    const argv = ['--base-url', profile.baseUrl, '--token', profile.tokens.administrator]
    const said = async (type: string) =>
      (await run([...argv, '--set', `customField.type=${type}`, '--out', fresh()])).err
    expect(await said('text')).toContain('does not show customField.type text (it shows 0, string, ')
    expect(await said('textarea')).toContain('getCustomFieldCreatePage shows customField.type textarea\n')
    expect(await said('0')).toContain('getCustomFieldCreatePage shows customField.type 0\n')
  })

  test('an empty 401 is no proxy, one with a page may be', async () => {
    for (const [body, said] of [
      ['', 'as it must, with an empty body'],
      ['<p>Sign in</p>', 'is there a proxy'],
    ] as const) {
      const served = await listen({
        ...tracker,
        async fetch(request) {
          if (request.headers.has('authorization')) return tracker.fetch(request)
          return new Response(body, { status: 401 })
        },
      })
      const argv = ['--base-url', served.url, '--token', profile.tokens.administrator, '--out', fresh()]
      const { err } = await run(argv)
      await served.close()
      expect(err).toContain(said)
    }
  })

  test('nothing but GET requests is sent', async () => {
    const before = tracker.journal.length
    await run([...flagsOf(profile), '--out', fresh()])
    const sent = tracker.journal.slice(before)
    expect(sent.length).toBeGreaterThan(10)
    expect(new Set(sent.map(({ method }) => method))).toEqual(new Set(['GET']))
  })

  test('a token of the flags is in the file, and one of the environment is not', async () => {
    const { administrator } = profile.tokens
    const [given, taken] = [fresh(), fresh()]
    await run(['--base-url', profile.baseUrl, '--token', administrator, '--out', given])
    await run(['--base-url', profile.baseUrl, '--out', taken], { env: { TRACKER_TOKEN: administrator } })
    expect(written(given).tokens).toEqual({ administrator })
    expect(written(taken)).toEqual({ baseUrl: profile.baseUrl, safety: 'read' })
  })

  test('a profile without secrets is for the repository, and one with secrets is not', async () => {
    const [file, open, closed] = [fresh(), fresh('.yml'), fresh('.yml')]
    const env = { TRACKER_TOKEN: profile.tokens.administrator }
    const base = ['--base-url', profile.baseUrl, '--out', file]
    await run([...base, '--workflow', open], { env })
    await run([...base, '--force', '--workflow', closed])
    await run([...base, '--force', '--workflow', closed, '--token', env.TRACKER_TOKEN])
    expect(readFileSync(open, 'utf8')).not.toContain('TRACKER_PROFILE')
    expect(parseYaml(readFileSync(open, 'utf8')).on.workflow_dispatch).toBeNull()
    expect(readFileSync(closed, 'utf8')).toContain('"$TRACKER_PROFILE" >')
  })

  test('the workflow reads by itself, and does more only for somebody who starts it', async () => {
    const [file, workflow] = [fresh(), fresh('.yml')]
    const argv = ['--base-url', profile.baseUrl, '--safety', 'write', '--out', file, '--workflow', workflow]
    await run(argv, { env: { TRACKER_TOKEN: profile.tokens.administrator } })
    const { on, jobs } = parseYaml(readFileSync(workflow, 'utf8'))
    expect(on.schedule).toHaveLength(1)
    expect(on.workflow_dispatch.inputs.safety).toMatchObject({ default: 'read', options: ['read', 'write'] })
    const step = jobs.check.steps.find(({ run = '' }) => run.includes(' check '))
    expect(step.run).toMatch(/ --safety "\$SAFETY" .* --out report$/m)
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the workflow's own syntax
    expect(step.env.SAFETY).toBe("${{ inputs.safety || 'read' }}")
  })

  test('the workflow takes the baseline where there is one', async () => {
    const [file, workflow] = [fresh(), fresh('.yml')]
    const argv = ['--base-url', profile.baseUrl, '--out', file, '--workflow', workflow]
    await run(argv, { env: { TRACKER_TOKEN: profile.tokens.administrator } })
    const { jobs } = parseYaml(readFileSync(workflow, 'utf8'))
    const step = jobs.check.steps.find(({ run = '' }) => run.includes(' check '))
    const cwd = mkdtempSync(join(directory, 'workflow-'))
    const said = () =>
      execFileSync('bash', ['-e', '-c', `npx() { echo "$@"; }\n${step.run}`], { cwd, encoding: 'utf8' })
    expect(said()).toMatch(/ check --profile \S+ --out report\n$/)
    writeFileSync(join(cwd, 'known.json'), '{}')
    expect(said()).toMatch(/ check --profile \S+ --baseline known\.json --out report\n$/)
  })

  test('no file is overwritten without --force, which leaves it to its owner alone', async () => {
    const [file, workflow] = [fresh(), fresh('.yml')]
    const argv = ['--base-url', profile.baseUrl, '--token', profile.tokens.administrator]
    writeFileSync(workflow, 'mine')
    const first = await run([...argv, '--out', file, '--workflow', workflow])
    expect(first).toMatchObject({
      code: 2,
      message: `--workflow ${workflow} exists already; --force overwrites it`,
    })
    expect(existsSync(file)).toBe(false)
    writeFileSync(file, 'mine', { mode: 0o644 })
    const second = await run([...argv, '--out', file])
    expect(second).toMatchObject({
      code: 2,
      message: `--out ${file} exists already; --force overwrites it`,
    })
    expect([readFileSync(file, 'utf8'), readFileSync(workflow, 'utf8')]).toEqual(['mine', 'mine'])
    expect(await run([...argv, '--out', file, '--force'])).toMatchObject({ code: 0 })
    expect(written(file).baseUrl).toBe(profile.baseUrl)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test.runIf(process.platform === 'linux')('a folder that the system does not make is told', async () => {
    const { code, message } = await run([...good(), '--out', '/proc/x/y.json'])
    expect(code).toBe(2)
    expect(message).toMatch(/^--out \/proc\/x\/y\.json cannot be written: .*ENOENT/)
  })

  const good = () => ['--base-url', profile.baseUrl, '--token', profile.tokens.administrator]
  const token = (owner: string) => tracker.tokens[owner as keyof Tracker['tokens']]
  test.each<[RegExp, number, () => string[]]>([
    [/needs --base-url and --token \(or TRACKER_TOKEN\)/, 2, () => []],
    [/needs --token \(or TRACKER_TOKEN\), as there is no terminal/, 2, () => good().slice(0, 2)],
    [/an http or https URL, not "tracker\/api"/, 2, () => ['--base-url', 'tracker/api', '--token', 'x']],
    [
      /the REST root alone, without credentials/,
      2,
      () => ['--base-url', 'http://me:hidden@tracker.test', '--token', 'x'],
    ],
    [/the token alone, without "Bearer"/, 2, () => [...good(), '--token', 'Bearer x']],
    [/not reachable \(ECONNREFUSED\)/, 3, () => [...good(), '--base-url', 'http://127.0.0.1:1/x']],
    [
      /answers 404; did you mean http:\S+\/api\/rest\?$/,
      3,
      () => [...good(), '--base-url', new URL(profile.baseUrl).origin],
    ],
    [
      /did you mean http:\S+\/api\/rest\?$/,
      3,
      () => [...good(), '--base-url', `${profile.baseUrl}/plugins/Ext/users`],
    ],
    [/did you mean the extension Ext\?/, 3, () => [...good(), '--ext', 'Exr']],
    [/401 to the administrator's token/, 3, () => [...good(), '--token', 'wrong']],
    [
      /listPlugins answers 403 to the administrator token: it lacks/,
      2,
      () => [...good(), '--token', token('restricted')],
    ],
    [
      /the account page answers 401 to the restricted token/,
      2,
      () => [...good(), '--restricted-token', 'wrong'],
    ],
    [
      /the same user as tokens\.administrator/,
      2,
      () => [...good(), '--restricted-token', token('administrator')],
    ],
    [/there is no user nobody \(404\)/, 2, () => [...good(), '--username', 'nobody']],
    [/user former is disabled/, 2, () => [...good(), '--username', 'former']],
    [/are two users/, 2, () => [...good(), '--user-id', '5', '--username', 'nina']],
    [/user administrator is the owner of tokens\.administrator/, 2, () => [...good(), '--user-id', '1']],
    [/--user-id takes an integer, not "nina"/, 2, () => [...good(), '--user-id', 'nina']],
    [/--safety takes read, write, destructive/, 2, () => [...good(), '--safety', 'all']],
    [/--set takes PATH=VALUE/, 2, () => [...good(), '--set', 'x']],
    [
      /no field "customfield\.typ"; did you mean customField\.type\?/,
      2,
      () => [...good(), '--set', 'customfield.typ=x'],
    ],
    [/did you mean customField\.nameLimit\?/, 2, () => [...good(), '--set', 'nameLimit=9']],
    [/no field "__proto__\.x"/, 2, () => [...good(), '--set', '__proto__.x=9']],
    [/field "accessLevel": .*expected/, 2, () => [...good(), '--set', 'accessLevel=high']],
    [/field "plugin\.name"/, 2, () => [...good(), '--set', 'plugin.priority.min=1']],
    [
      /min 5 is above max 1/,
      2,
      () => [...good(), '--set', 'plugin={"name":"Snippets","priority":{"min":5,"max":1}}'],
    ],
    [
      /is installed; name one that is available/,
      2,
      () => [
        ...good(),
        '--set',
        `plugin.name=${tracker.db.plugins.all().find(({ installed }) => installed)?.name}`,
      ],
    ],
    [/custom field 987654 .* 404/, 2, () => [...good(), '--set', 'customField.ids=987654']],
    [
      /tokens\.password is of the same user as tokens\.restricted/,
      2,
      () => [
        ...good(),
        '--restricted-token',
        token('restricted'),
        '--set',
        `tokens.password=${token('restricted')}`,
      ],
    ],
    [/name the same file/, 2, () => [...good(), '--workflow', 'one.json', '--out', 'one.json']],
  ])('%s: one line, and nothing is written', async (message, code, argv) => {
    const file = fresh()
    const answer = await run(['--out', file, ...argv()])
    expect(answer).toMatchObject({ code, out: '' })
    expect(answer.message).toMatch(message)
    expect(answer.message).toMatch(/^[^\n]+$/)
    expect(existsSync(file)).toBe(false)
    for (const secret of [...secretsOf(profile), 'hidden'])
      expect(answer.err + answer.message).not.toContain(secret)
  })

  test('a restricted token that is not refused everything administrative is none', async () => {
    const fetch = (request: Request) => {
      const isPage = request.url.endsWith('/custom_fields/pages/create')
      return isPage ? Response.json([]) : tracker.fetch(request)
    }
    const lenient = await listen({ ...tracker, fetch: async (request: Request) => fetch(request) })
    const argv = ['--token', token('administrator'), '--restricted-token', token('restricted')]
    const result = await run(['--base-url', lenient.url, ...argv, '--out', fresh()])
    await lenient.close()
    expect(result.message).toMatch(
      /getCustomFieldCreatePage answers 200 to the restricted token, where 403 is due; give the token of a user/,
    )
    expect(result.code).toBe(2)
  })

  const page =
    (status: number, headers: Record<string, string> = {}): RequestListener =>
    (_, response) => {
      response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<html></html>')
    }
  test.each<[RegExp, RequestListener]>([
    [/answers 200 with something other than JSON; is the base URL the REST root\?/, page(200)],
    [/answers 404 with something other than JSON/, page(404)],
    [/answers 502; is the tracker behind it running\?/, page(502)],
    [
      /redirects \(301\) to \S+; give https:\/\/tracker\.test\/api\/rest as the base URL/,
      (request, response) => page(301, { location: `https://tracker.test${request.url}` })(request, response),
    ],
    [
      /redirects \(302\) to http:\S+\/login; is the base URL the REST root/,
      page(302, { location: '/login?back=secret' }),
    ],
  ])('%s', async (message, answer) => {
    const baseUrl = `${await serving(answer)}/api/rest`
    const result = await run(['--base-url', baseUrl, '--token', 'x', '--out', fresh()])
    expect(result).toMatchObject({ code: 3, out: '' })
    expect(result.message).toMatch(message)
  })

  test('an interruption ends a test that waits, and writes nothing', async () => {
    const ending = new AbortController()
    const baseUrl = await serving(() => ending.abort())
    const file = fresh()
    const result = await run(['--base-url', baseUrl, '--token', 'x', '--out', file], {
      signal: ending.signal,
    })
    expect(result).toMatchObject({ code: 130, out: '', err: 'Cancelled; nothing was written\n' })
    expect(existsSync(file)).toBe(false)
  })
})

describe.each(legalTrackers)('the legal tracker $name', ({ name, start: begin }) => {
  test('gives its whole profile', async () => {
    const legal = await begin()
    const file = fresh()
    try {
      const { code, message, err } = await run([...flagsOf(legal.profile as Profile), '--out', file])
      expect({ code, message, err }).toMatchObject({ code: 0 })
      expect(written(file)).toEqual(legal.profile)
    } finally {
      await legal.close()
    }
  })

  test('needs both forms of a user only where answers do not show them by their usual names', async () => {
    const legal = await begin()
    const { baseUrl, ext, tokens, user } = legal.profile as Profile
    const argv = ['--base-url', baseUrl, '--ext', ext ?? 'Ext', '--token', tokens.administrator]
    try {
      for (const form of [
        ['--user-id', String(user?.id)],
        ['--username', user?.username ?? ''],
      ]) {
        const file = fresh()
        const { code, message } = await run([...argv, ...form, '--out', file])
        // Bare shows nothing; formal has a name of its own for the username, and text for the id.
        if (name === 'bare' || (name === 'formal' && form[0] === '--user-id')) {
          expect(code).toBe(2)
          expect(message).toContain(form[0] === '--user-id' ? '(--username)' : '(--user-id)')
        } else {
          expect({ code, message }).toEqual({ code: 0, message: '' })
          expect(written(file).user).toEqual(user)
        }
      }
    } finally {
      await legal.close()
    }
  })
})

describe('by questions', () => {
  /** Prompts that are answered from a list; what was asked and said is kept in order. */
  function scripted(answers: readonly (string | typeof Cancelled)[]) {
    const rest = [...answers]
    const said: string[] = []
    const answer = (question: string) => {
      const next = rest.shift()
      said.push(`? ${question}`)
      if (next === undefined) throw new Error(`no answer is left for: ${question}`)
      if (typeof next !== 'string') throw new next()
      return Promise.resolve(next)
    }
    const prompts: Prompts = {
      text: async (question) => answer(question),
      secret: async (question) => answer(question),
      choose: async (question) => answer(question),
      seen: (line) => void said.push(`+ ${line}`),
      wrong: ({ message }) => void said.push(`- ${message}`),
    }
    return { prompts: () => Promise.resolve(prompts), said, rest }
  }
  const site = () => new URL(profile.baseUrl).origin

  test('a wrong answer is asked for again, and the right ones become the profile', async () => {
    const { administrator, restricted = '' } = profile.tokens
    const file = fresh()
    const terminal = scripted([
      ...['tracker', site(), 'Ext', profile.baseUrl, ''],
      ...['Bearer x', 'wrong', restricted, administrator],
      'read',
      ...[administrator, restricted],
      ...['nobody', 'nina'],
      ...['1,2', 'reporter'],
      ...[restricted, ''],
    ])
    const { code, out } = await run(['--out', file], { prompts: terminal.prompts })
    expect({ code, left: terminal.rest }).toEqual({ code: 0, left: [] })
    expect(written(file)).toEqual({
      baseUrl: profile.baseUrl,
      ext: 'Ext',
      safety: 'read',
      tokens: { administrator, restricted },
      user: { id: 10, username: 'nina' },
      projects: ['1', '2'],
      projectAccessLevel: 'reporter',
    })
    expect(terminal.said.filter((line) => line.startsWith('- '))).toHaveLength(8)
    expect(terminal.said.join('\n')).not.toMatch(/\? .*(plugin|password|recipient)/i)
    for (const secret of secretsOf(profile)) expect(out + terminal.said.join()).not.toContain(secret)
  })

  test('an extension that only the token shows to be wrong is asked for again', async () => {
    const { administrator } = profile.tokens
    const file = fresh()
    const terminal = scripted([
      ...[profile.baseUrl, 'Exr', administrator, profile.baseUrl, 'Ext'],
      ...['read', '', '', '', ''],
    ])
    const { code } = await run(['--out', file], { prompts: terminal.prompts })
    expect({ code, left: terminal.rest }).toEqual({ code: 0, left: [] })
    expect(terminal.said).toContainEqual(expect.stringMatching(/^- .*did you mean the extension Ext\?$/))
  })

  test('the level destructive asks for what it uses, and flags are not asked for', async () => {
    const { tokens, passwordAccount } = profile
    const file = fresh()
    const terminal = scripted([
      tokens.administrator,
      ...['', ''],
      ...['', '25', '', 'Bright-Copper-7', ''],
      ...['nonsense', '64', '2,3'],
      ...['MantisCoreFormatting', 'Snippets', '2', '1', '5'],
      ...['1,2', tokens.password ?? '', passwordAccount?.current ?? '', '', passwordAccount?.next ?? ''],
      ...['redirect_delay', '5', '{"columns":"id"}', '{"columns":["id"]}', ''],
      tokens.disabled ?? '',
    ])
    const argv = ['--base-url', profile.baseUrl, '--safety', 'destructive', '--out', file]
    const { code } = await run(argv, { prompts: terminal.prompts })
    expect({ code, left: terminal.rest, said: terminal.said }).toMatchObject({ code: 0, left: [] })
    expect(written(file)).toEqual({
      baseUrl: profile.baseUrl,
      safety: 'destructive',
      tokens: {
        administrator: tokens.administrator,
        password: tokens.password,
        disabled: tokens.disabled,
      },
      passwordAccount,
      accessLevel: 25,
      customField: { type: 'nonsense', nameLimit: 64, ids: [2, 3] },
      plugin: { name: 'Snippets', priority: { min: 2, max: 5 } },
      recipients: [1, 2],
      columns: { columns: ['id'] },
      userSetting: { option: 'redirect_delay', value: '5' },
      password: { valid: 'Bright-Copper-7' },
    })
    expect(terminal.said).toContainEqual(
      expect.stringMatching(/does not show customField\.type nonsense \(it shows 0, string, 1, numeric, /),
    )
  })

  test('a tracker whose answers show nothing is asked about the other form of a user', async () => {
    const bare = await startBare()
    const { baseUrl, ext = 'Ext', tokens, user } = bare.profile as Profile
    const file = fresh()
    const terminal = scripted([tokens.administrator, '', String(user?.id), user?.username ?? '', '', ''])
    const argv = ['--base-url', baseUrl, '--ext', ext, '--safety', 'read', '--out', file]
    try {
      const { code } = await run(argv, { prompts: terminal.prompts })
      expect({ code, left: terminal.rest }).toEqual({ code: 0, left: [] })
      expect(written(file).user).toEqual(user)
    } finally {
      await bare.close()
    }
  })

  test('Ctrl-C ends with 130 and writes nothing', async () => {
    const file = fresh()
    const terminal = scripted([profile.baseUrl, 'Ext', Cancelled])
    const result = await run(['--out', file], { prompts: terminal.prompts })
    expect(result).toMatchObject({ code: 130, out: '', err: 'Cancelled; nothing was written\n' })
    expect(existsSync(file)).toBe(false)
  })

  test('nothing is asked where all that is needed is given', async () => {
    const prompts = () => Promise.reject(new Error('the prompts are loaded'))
    const env = { TRACKER_TOKEN: profile.tokens.administrator }
    expect(await run(['--base-url', profile.baseUrl, '--out', fresh()], { env, prompts })).toMatchObject({
      code: 0,
    })
  })
})
