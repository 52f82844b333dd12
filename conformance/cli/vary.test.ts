import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { createTracker, type Decisions } from '../../emulator/index.js'
import { temporaryFolder } from '../../fixtures/folder.js'
import { writtenIo } from '../../fixtures/io.js'
import { isLong } from '../../fixtures/long.js'
import { main } from './main.js'

const directory = temporaryFolder()

const entry = pathToFileURL(resolve('dist/emulator/index.js')).href

/** A command that makes a tracker and fails where the expression is false. */
async function command(name: string, options: string, passes: string): Promise<string> {
  const file = join(directory, `${name}.mjs`)
  await writeFile(
    file,
    `import { createTracker } from '${entry}'
const { decisions } = await createTracker(${options})
if (!(${passes})) throw new Error('the client cannot stand this')
`,
  )
  return `"${process.execPath}" "${file}"`
}

async function vary(...argv: readonly string[]) {
  const { io, text } = writtenIo({ env: { PATH: process.env.PATH } })
  return { code: await main(['vary', ...argv], io), ...text }
}

// A few decisions, so that few programs are started.
const few = ['--only', 'lists,trailing-slash']

/** The first that draws so. */
async function numberThat(draws: (decisions: Decisions) => boolean): Promise<number> {
  let seed = 0
  while (!draws((await createTracker({ vary: seed })).decisions)) seed += 1
  return seed
}

test('it names the two decisions that fail together, with their words', async () => {
  const seed = await numberThat((d) => d['cf-list-order'] !== 'name' && d['trailing-slash'] !== 'same')
  const both = `decisions['cf-list-order'] === 'name' || decisions['trailing-slash'] === 'same'`
  const { code, out } = await vary(
    '--run',
    await command('both', '{ vary: {} }', both),
    '--seed',
    String(seed),
    ...few,
  )
  expect(code).toBe(1)
  expect(out).toContain('2 of them are enough')
  expect(out).toContain('cf-list-order: In which order are custom fields listed?')
  expect(out).toMatch(/fails with {3}(id|sequence): \S/)
  expect(out).toMatch(/the default {2}name: \S/)
  expect(out).toContain('trailing-slash: Is a path with a slash at its end the same path?')
  expect(out).toContain('the client cannot stand this')
  expect(out).toMatch(
    /^Alone: {2}createTracker\(\{ decisions: \{ 'trailing-slash': 'not-found', 'cf-list-order': '\w+' \} \}\)$/m,
  )
})

// It starts some thirty programs.
test.runIf(isLong)('success bodies are drawn only where they are asked for', async () => {
  const body = await command('body', '{ vary: {} }', `decisions['write-success-body'] === 'entity'`)
  expect(await vary('--run', body, '--tries', '2')).toMatchObject({
    code: 0,
    out: expect.stringContaining('passes under the defaults and under 2 seeds'),
  })
  const wild = await vary('--run', body, '--wild', '--keep', 'rules,statuses,rights,requests')
  expect(wild.code).toBe(1)
  expect(wild.out).toContain('One of them is enough')
  expect((await vary('--run', body, '--wild', '--keep', 'bodies', '--tries', '1')).code).toBe(0)
})

test.each([
  [
    /makes no tracker that varies; give createTracker\(\) the option vary: \{\}/,
    async () => ['--run', await command('fixed', '', 'true')],
  ],
  [
    /fails under the defaults already; make it pass first\. It ends with: .*cannot stand/,
    async () => ['--run', await command('broken', '{ vary: {} }', 'false')],
  ],
])('%s', async (message, argv) => {
  const { code, err } = await vary(...(await argv()))
  expect(code).toBe(2)
  expect(err.split('\n').at(-2)).toMatch(message)
})

test.runIf(isLong)('a command that fails now and then is not blamed on a decision', async () => {
  const counted = join(directory, 'count')
  await writeFile(counted, '0')
  const file = join(directory, 'flaky.mjs')
  await writeFile(
    file,
    `import { readFileSync, writeFileSync } from 'node:fs'
import { createTracker } from '${entry}'
await createTracker({ vary: {} })
const run = Number(readFileSync(${JSON.stringify(counted)}, 'utf8')) + 1
writeFileSync(${JSON.stringify(counted)}, String(run))
if (run === 3) throw new Error('chance')
`,
  )
  const { code, err } = await vary('--run', `"${process.execPath}" "${file}"`)
  expect(code).toBe(3)
  expect(err).toContain('fails by chance')
})
