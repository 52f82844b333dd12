/** Kills a real npx, of which the program is the grandchild. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { chmod, mkdir, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../fixtures/folder.js'
import { isLong } from '../../fixtures/long.js'

const project = temporaryFolder()
beforeAll(async () => {
  writeFileSync(join(project, 'package.json'), '{}')
  await mkdir(join(project, 'node_modules', '.bin'), { recursive: true })
  const program = resolve('dist/conformance/cli/main.js')
  // As npm makes it when it installs the package.
  await chmod(program, 0o755)
  await symlink(program, join(project, 'node_modules', '.bin', 'tracker-kit'))
})

const isServed = (url: string) => fetch(url).then(Boolean, () => false)

/** Linux alone tells the program that npx is gone where the shell between them stays. */
const signals =
  isLong && process.platform === 'linux' ? (['SIGTERM', 'SIGKILL'] as const) : (['SIGTERM'] as const)

test.each(signals)('a server ends with the npx that started it: %s', async (signal) => {
  const npx = spawn('npx', ['--no', 'tracker-kit', 'serve', '--port', '0'], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  npx.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
  })
  const url = await vi.waitUntil(() => /^Base URL +(\S+)$/m.exec(said)?.[1], 60_000)
  expect(await isServed(url)).toBe(true)
  npx.kill(signal)
  // The program holds its output open for as long as it runs.
  await once(npx, 'close')
  expect(await isServed(url)).toBe(false)
})

test.each([
  ['its input ends', (program: ChildProcess) => program.stdin?.end()],
  ['SIGTERM arrives, and its input stays open', (program: ChildProcess) => program.kill()],
])('with --end-with-stdin a server ends when %s', async (_, end) => {
  const args = [resolve('dist/conformance/cli/main.js'), 'serve', '--port', '0', '--end-with-stdin']
  const program = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(program, 'exit')
  await once(program.stdout, 'data')
  end(program)
  expect(await ended).toEqual([0, null])
})
