import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { answering } from '../../fixtures/answering.js'
import { writtenIo } from '../../fixtures/io.js'
import { legalTrackers } from '../../fixtures/legal/index.js'
import { runWith } from '../../fixtures/program.js'
import { served } from '../../fixtures/served.js'
import type { Profile } from '../contract/index.js'
import { UnreachableError, UsageError } from '../contract/trouble.js'
import { version } from '../contract/version.js'
import { init, type LoadPrompts, makeProfile } from './init.js'
import { Cancelled, type Prompts } from './init-fields.js'
import { type Given, type Io, runCommand } from './usage.js'

const { tracker, profile, file: fileOf } = await served()
const { baseUrl, tokens } = profile

let files = 0
const fresh = () => fileOf(`file-${++files}.json`)
const good = ['--base-url', baseUrl, '--token', tokens.administrator]
const env = { TRACKER_TOKEN: tokens.administrator }

/** The profile in a file, which begins with its schema. */
function written(file: string) {
  const { $schema, ...profile } = JSON.parse(readFileSync(file, 'utf8'))
  expect($schema).toBe(`https://unpkg.com/tracker-kit@${version}/dist/schemas/profile.json`)
  return profile
}

type Setting = Partial<Pick<Io, 'env' | 'signal'> & { readonly prompts: LoadPrompts; readonly file: string }>

/** `init` in this process, with the outcome that the program would have, and the file that it was to write. */
async function run(argv: readonly string[], { prompts = null, file = fresh(), ...rest }: Setting = {}) {
  const { io, text } = writtenIo({ env: {}, ...rest })
  try {
    const command = { ...init, run: (given: Given) => makeProfile(given, io, prompts) }
    const code = await runCommand('init', command, ['--out', file, ...argv], io)
    return { code, ...text, message: '', file }
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof UnreachableError)) throw error
    return { code: error instanceof UsageError ? 2 : 3, ...text, message: error.message, file }
  }
}

const secretsOf = ({ tokens, passwordAccount, password }: Profile) =>
  Object.values({ ...tokens, ...passwordAccount, ...password }).filter((secret) => secret !== undefined)

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
  test('a served tracker gives a profile with which check passes', async () => {
    const { restricted = '' } = tokens
    const given = ['--base-url', `${baseUrl}/`, '--username', 'nina', '--restricted-token', restricted]
    const { file, ...made } = await run(given, { env })
    expect(made).toMatchObject({ code: 0 })
    const user = { id: 10, username: 'nina' }
    expect(written(file)).toEqual({ baseUrl, safety: 'read', tokens: { restricted }, user })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(made.err).toContain(
      'so check skips what needs them: projects (addUserToProjects), tokens.disabled; ',
    )
    expect(made.out).toContain('The administrator token is not in this file')
    expect(made.out).toContain(`  npx tracker-kit check --profile ${file} --plan\n`)
    for (const secret of secretsOf(profile)) expect(made.out + made.err).not.toContain(secret)
    const checked = await runWith({ env }, 'check', '--profile', file, '--runs', '5', '--seed', '1')
    expect(checked).toMatchObject({ code: 0 })
    expect(checked.out).not.toContain('tokens.restricted')
  })

  test('every field of a profile can be given, and comes back, by GET requests alone', async () => {
    const before = tracker.journal.length
    const { code, out, err, file } = await run(flagsOf(profile))
    expect({ code, err }).toMatchObject({ code: 0 })
    expect(written(file)).toEqual(profile)
    for (const secret of secretsOf(profile)) expect(out + err).not.toContain(secret)
    expect(err).not.toContain('check skips')
    expect(new Set(tracker.journal.slice(before).map(({ method }) => method))).toEqual(new Set(['GET']))
    expect(out).toContain('The administrator token is in this file; ')
    expect(out).toContain('--safety destructive --plan')
  })

  test('no file is overwritten without --force, which leaves it to its owner alone', async () => {
    const file = fresh()
    writeFileSync(file, 'mine', { mode: 0o644 })
    const { message } = await run(good, { file })
    expect(message).toBe(`--out ${file} exists already; --force overwrites it`)
    expect(readFileSync(file, 'utf8')).toBe('mine')
    expect(await run([...good, '--force'], { file })).toMatchObject({ code: 0 })
    expect(written(file).baseUrl).toBe(baseUrl)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  const { administrator, restricted } = tracker.tokens
  /** What is wrong, in flags behind those that would be right. */
  const mistakes: readonly [RegExp, ...string[]][] = [
    [/an http or https URL, not "tracker\/api"/, '--base-url', 'tracker/api'],
    [/the REST root alone, without credentials/, '--base-url', 'http://me:hidden@tracker.test'],
    [/the token alone, without "Bearer"/, '--token', 'Bearer x'],
    [/listPlugins answers 403 to the administrator token: it lacks/, '--token', restricted],
    [/getAccountPage answers 401 to tokens\.restricted/, '--restricted-token', 'wrong'],
    [/the same user as tokens\.administrator/, '--restricted-token', administrator],
    [/user nobody answers 404: there is no such user/, '--username', 'nobody'],
    [/user former is disabled/, '--username', 'former'],
    [/are two users/, '--user-id', '5', '--username', 'nina'],
    [/user administrator is the owner of tokens\.administrator/, '--user-id', '1'],
    [/--set takes PATH=VALUE/, '--set', 'x'],
    [/unknown field "customfield\.typ"; did you mean customField\.type\?/, '--set', 'customfield.typ=x'],
    [/unknown field "__proto__\.x"/, '--set', '__proto__.x=9'],
    [/max": it is below min; swap them/, '--set', 'plugin={"name":"Snippets","priority":{"min":5,"max":1}}'],
  ]
  const unreachable: readonly [RegExp, ...string[]][] = [
    [/not reachable \(ECONNREFUSED\)/, '--base-url', 'http://127.0.0.1:1/x'],
    [/answers 404; did you mean http:\S+\/api\/rest\?$/, '--base-url', new URL(baseUrl).origin],
    [/did you mean the extension Ext\?/, '--ext', 'Exr'],
  ]
  test.each([
    [/needs --base-url and --token \(or TRACKER_TOKEN\)/, 2, []],
    [/needs --token \(or TRACKER_TOKEN\), as there is no terminal/, 2, good.slice(0, 2)],
    ...mistakes.map(([message, ...flags]) => [message, 2, [...good, ...flags]] as const),
    ...unreachable.map(([message, ...flags]) => [message, 3, [...good, ...flags]] as const),
  ] as const)('%s: one line, and nothing is written', async (message, code, argv) => {
    const answer = await run(argv)
    expect(answer).toMatchObject({ code, out: '' })
    expect(answer.message).toMatch(message)
    expect(answer.message).not.toContain('\n')
    expect(existsSync(answer.file)).toBe(false)
    for (const secret of [...secretsOf(profile), 'hidden'])
      expect(answer.err + answer.message).not.toContain(secret)
  })

  test('a restricted token that is not refused everything administrative is none', async () => {
    const { profile } = await served(({ url }, right) =>
      url.endsWith('/custom_fields/pages/create') ? Response.json([]) : right,
    )
    const argv = ['--base-url', profile.baseUrl, '--restricted-token', restricted]
    const message = expect.stringMatching(/answers 200 to the restricted token, where 403 is due; give/)
    expect(await run(argv, { env })).toMatchObject({ code: 2, message })
  })

  test('pages in the place of answers are no tracker', async () => {
    const url = await answering((_, response) => void response.end('<p>'))
    const message = expect.stringMatching(/answers 200 with something other than JSON; are the base URL/)
    expect(await run(['--base-url', url, '--token', 'x'])).toMatchObject({ code: 3, out: '', message })
  })

  test('an interruption ends a request that waits, and writes nothing', async () => {
    const ending = new AbortController()
    const { signal } = ending
    const url = await answering(() => ending.abort())
    const result = await run(['--base-url', url, '--token', 'x'], { signal })
    expect(result).toMatchObject({ code: 130, out: '', err: 'Cancelled; nothing was written\n' })
    expect(existsSync(result.file)).toBe(false)
  })
})

test.each(legalTrackers)('the legal tracker $name gives its whole profile', async ({ start: begin }) => {
  const legal = await begin()
  onTestFinished(legal.close)
  const { code, message, err, file } = await run(flagsOf(legal.profile as Profile))
  expect({ code, message, err }).toMatchObject({ code: 0 })
  expect(written(file)).toEqual(legal.profile)
})

describe('by questions', () => {
  /** Prompts that are answered from a list; what was asked and said is kept in order. */
  function scripted(answers: readonly (string | typeof Cancelled)[]) {
    const rest = [...answers]
    const said: string[] = []
    const answer = async (question: string) => {
      const next = rest.shift()
      said.push(`? ${question}`)
      if (next === undefined) throw new Error(`no answer is left for: ${question}`)
      if (typeof next !== 'string') throw new next()
      return next
    }
    const seen = (line: string) => void said.push(`+ ${line}`)
    const wrong = ({ message }: Error) => void said.push(`- ${message}`)
    const prompts: Prompts = { text: answer, secret: answer, choose: answer, seen, wrong }
    return { prompts: async () => prompts, said, rest }
  }

  test('a wrong answer is asked for again, and the right ones become the profile', async () => {
    const { administrator, restricted = '' } = profile.tokens
    const terminal = scripted([
      ...['tracker', new URL(baseUrl).origin, 'Ext', baseUrl, ''],
      ...['Bearer x', 'wrong', restricted, administrator],
      'read',
      ...[administrator, restricted],
      ...['nobody', 'nina'],
      ...['1,2', 'reporter'],
      ...[restricted, ''],
    ])
    const { code, out, file } = await run([], { prompts: terminal.prompts })
    expect({ code, left: terminal.rest }).toEqual({ code: 0, left: [] })
    expect(written(file)).toEqual({
      ...{ baseUrl, ext: 'Ext', safety: 'read', tokens: { administrator, restricted } },
      ...{ user: { id: 10, username: 'nina' }, projects: ['1', '2'], projectAccessLevel: 'reporter' },
    })
    expect(terminal.said.filter((line) => line.startsWith('- '))).toHaveLength(8)
    expect(terminal.said.join('\n')).not.toMatch(/\? .*(plugin|password|recipient)/i)
    for (const secret of secretsOf(profile)) expect(out + terminal.said.join()).not.toContain(secret)
  })

  test('the level destructive asks for what it uses, and flags are not asked for', async () => {
    const { tokens, passwordAccount } = profile
    const terminal = scripted([
      tokens.administrator,
      ...['', ''],
      ...['', '25', '', 'Bright-Copper-7', ''],
      ...['nonsense', '64', '2,3'],
      ...['Snippets', '2', '1', '5'],
      ...['1,2', tokens.password ?? '', passwordAccount?.current ?? '', '', passwordAccount?.next ?? ''],
      ...['redirect_delay', '5', '{"columns":"id"}', '{"columns":["id"]}', ''],
      tokens.disabled ?? '',
    ])
    const argv = ['--base-url', baseUrl, '--safety', 'destructive']
    const { code, file } = await run(argv, { prompts: terminal.prompts })
    expect({ code, left: terminal.rest, said: terminal.said }).toMatchObject({ code: 0, left: [] })
    expect(written(file)).toEqual({
      baseUrl,
      safety: 'destructive',
      tokens: expect.objectContaining({ password: tokens.password, disabled: tokens.disabled }),
      passwordAccount,
      accessLevel: 25,
      customField: { type: 'nonsense', nameLimit: 64, ids: [2, 3] },
      plugin: { name: 'Snippets', priority: { min: 2, max: 5 } },
      recipients: [1, 2],
      columns: { columns: ['id'] },
      userSetting: { option: 'redirect_delay', value: '5' },
      password: { valid: 'Bright-Copper-7' },
    })
  })

  test('Ctrl-C ends with 130 and writes nothing', async () => {
    const result = await run([], { prompts: scripted([baseUrl, 'Ext', Cancelled]).prompts })
    expect(result).toMatchObject({ code: 130, out: '', err: 'Cancelled; nothing was written\n' })
    expect(existsSync(result.file)).toBe(false)
  })
})
