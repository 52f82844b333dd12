/** The action for GitHub: what its file says, and its script as the runner would start it. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { check } from '../conformance/cli/check.js'
import { served } from '../fixtures/served.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const main = join(root, 'dist', 'conformance', 'cli', 'main.js')
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>
  readonly runs: { readonly steps: readonly { id?: string; env?: Record<string, string>; run?: string }[] }
}
const path = join(root, '.github', 'actions', 'check', 'action.yml')
const action: Action = parse(await readFile(path, 'utf8'))

const scripts = action.runs.steps.flatMap(({ id = '', env = {}, run }) => (run ? [{ id, env, run }] : []))
const [script] = scripts
if (!script || scripts.length > 1) throw new Error('the action has other than one script')

const { tracker, profile, file: fileOf } = await served()
let directory: string
const file = (name: string) => join(directory, name)

beforeEach(async () => {
  directory = await mkdtemp(fileOf('step-'))
  // In place of npx: it notes how it was called, and starts the program that was built here, unless that is not wanted.
  const stub = `#!/usr/bin/env bash
printf '%s\\n' "$@" > "${file('called')}"
[[ -e "${file('only-note')}" ]] && exit
while [[ $1 != check ]]; do shift; done
exec "${process.execPath}" "${main}" "$@"
`
  await writeFile(file('npx'), stub, { mode: 0o755 })
})

interface Ended {
  readonly code?: number
  readonly stdout: string
  readonly stderr: string
}

/** The inputs as the runner puts them into the step's variables, and the shell as it starts it. */
async function runStep(inputs: Readonly<Record<string, string>>) {
  const env = Object.fromEntries(
    Object.entries(script?.env ?? {}).map(([name, expression]) => {
      const [, input = ''] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(expression) ?? []
      return [name, inputs[input] ?? action.inputs[input]?.default ?? '']
    }),
  )
  await writeFile(file('script.sh'), script?.run ?? '')
  await writeFile(file('outputs'), '')
  const step = {
    ...{ PATH: [directory, process.env.PATH].join(delimiter), GITHUB_ACTIONS: 'true', ...env },
    ...{ GITHUB_OUTPUT: file('outputs'), GITHUB_STEP_SUMMARY: file('summary.md') },
  }
  const args = ['--noprofile', '--norc', '-e', '-o', 'pipefail', file('script.sh')]
  const ended = promisify(execFile)('bash', args, { cwd: directory, env: step })
  const { code = 0, stdout, stderr }: Ended = await ended.catch((error: Ended) => error)
  const said = (await readFile(file('outputs'), 'utf8')).matchAll(/^(\w+)=(.*)$/gm)
  const outputs = Object.fromEntries([...said].map(([, name = '', value = '']) => [name, value]))
  const called = await readFile(file('called'), 'utf8').catch(() => '')
  return { code, output: stdout + stderr, outputs, called: called.split('\n').slice(0, -1) }
}

test('the example of the documents gives inputs that there are, and flags of the program', async () => {
  const text = await readFile(join(root, 'docs', 'check.md'), 'utf8')
  const [, example = ''] = /```yaml\n(- uses: .*?)```/s.exec(text) ?? []
  const [use] = parse(example)
  expect(use.uses).toContain('/.github/actions/check@')
  for (const name of Object.keys(use.with)) expect(Object.keys(action.inputs)).toContain(name)
  for (const [, flag] of use.with.args.matchAll(/--([\w-]+)/g))
    expect(Object.keys(check.flags)).toContain(flag)
})

test('a tracker that conforms', async () => {
  await writeFile(file('profile with space.json'), JSON.stringify(profile))
  const { code, output, outputs, called } = await runStep({
    profile: 'profile with space.json',
    safety: 'read',
    args: ' --only\tlistPlugins\n--seed 7 ',
    version: '0.1.0',
  })
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('conforms') })
  expect(outputs).toEqual({ verdict: 'conforms', report: 'tracker-kit-report' })
  expect(called.slice(0, 4)).toEqual(['--yes', '--', 'tracker-kit@0.1.0', 'check'])
  expect(called.slice(-4)).toEqual(['--only', 'listPlugins', '--seed', '7'])
  expect(await readFile(file('tracker-kit-report/report.html'), 'utf8')).toContain(profile.baseUrl)
  expect(await readFile(file('summary.md'), 'utf8')).toContain('conforms')
})

test('the token goes to the program, and into no command line', async () => {
  const inputs = { 'base-url': profile.baseUrl, args: '--only listPlugins', out: 'here' }
  const token = tracker.tokens.administrator
  const { code, called, outputs, output } = await runStep({ ...inputs, token })
  expect({ code, output }).toMatchObject({ code: 0 })
  expect(called.join(' ')).not.toContain(token)
  expect(output).not.toContain(token)
  expect(outputs.report).toBe('here')
  expect((await runStep(inputs)).code).toBe(2)
})

test('a tracker that does not answer fails the step and says so', async () => {
  const { code, outputs, output } = await runStep({ 'base-url': 'http://127.0.0.1:9/api/rest', token: 'x' })
  expect(code).toBe(3)
  expect(outputs.verdict).toBe('inconclusive')
  expect(output).toContain('::error title=tracker-kit::')
})

test('code in an input is not run', async () => {
  await writeFile(file('only-note'), '')
  const harm = `touch ${file('harm')}`
  for (const name of Object.keys(action.inputs))
    for (const code of [`$(${harm})`, `\`${harm}\``, `; ${harm}`, `"; ${harm}; "`, `'; ${harm}; '`]) {
      await runStep({ args: '--only listPlugins', [name]: code })
      await expect(readFile(file('harm')), `${name}: ${code}`).rejects.toThrow(/ENOENT/)
    }
})

test('an output path cannot forge outputs', async () => {
  const { code, outputs, called } = await runStep({ out: 'here\nverdict=conforms' })
  expect(code).toBe(2)
  expect(outputs).toEqual({})
  expect(called).toEqual([])
})
