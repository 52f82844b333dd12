import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { createTracker } from '../../emulator/index.js'
import { temporaryFiles } from '../../fixtures/folder.js'
import { runWith } from '../../fixtures/program.js'

const { write } = temporaryFiles()

let count = 0
/** A command that makes a tracker, and then does so. */
function command(options: string, then: string): string {
  const entry = pathToFileURL(resolve('dist/emulator/index.js')).href
  const program = `import { createTracker } from '${entry}'\nconst { decisions } = await createTracker(${options})\n`
  return `"${process.execPath}" "${write(`${++count}.mjs`, program + then)}"`
}
/** A client that fails where the expression is false. */
const client = (passes: string, options = '{ vary: {} }') =>
  command(options, `if (!(${passes})) throw new Error('the client cannot stand this')\n`)

const vary = (...argv: readonly string[]) => runWith({ env: { PATH: process.env.PATH } }, 'vary', ...argv)

/** The first that draws neither default. */
async function seedOfBoth(): Promise<string> {
  for (let seed = 0; ; seed += 1) {
    const { decisions } = await createTracker({ vary: seed })
    if (decisions['cf-list-order'] !== 'name' && decisions['trailing-slash'] !== 'same') return String(seed)
  }
}

test('it names the two decisions that fail together, with their words', async () => {
  const both = client(`decisions['cf-list-order'] === 'name' || decisions['trailing-slash'] === 'same'`)
  // A few decisions, so that few programs are started.
  const few = ['--seed', await seedOfBoth(), '--only', 'lists,trailing-slash']
  const { code, out } = await vary('--run', both, ...few)
  expect(code).toBe(1)
  expect(out).toContain('2 decisions together make it fail')
  expect(out).toContain('cf-list-order: In which order does the tracker list custom fields?')
  expect(out).toMatch(/fails with {3}(id|sequence): \S/)
  expect(out).toMatch(/the default {2}name: \S/)
  expect(out).toContain('the client cannot stand this')
  expect(out).toMatch(/^In code: {4}createTracker\(\{ decisions: \{ .*'trailing-slash': 'not-found'.*\}\)$/m)
  expect(out).toMatch(/^To pin it: {2}createTracker\(\{ vary: \{}, decisions: \{ .*'trailing-slash': 'same'/m)
})

test('a client that stands all is told so, without the seeds that change nothing', async () => {
  const { code, out, err } = await vary('--run', client('true'), '--tries', '6', '--only', 'trailing-slash')
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('would change no decision') })
  const [, used = '', idle = ''] = /under seeds? ([\d, ]+); seeds? ([\d, ]+) would/.exec(out) ?? []
  expect(`${used}, ${idle}`.split(', ').toSorted()).toEqual(['1', '2', '3', '4', '5', '6'])
  expect(err.match(/: passed$/gm)).toHaveLength(1 + used.split(', ').length)
})

test.each([
  ['true', '', /starts no tracker that reads TRACKER_KIT_VARY; give createTracker\(\) the option vary: \{\}/],
  ['false', '{ vary: {} }', /fails under the defaults already; make it pass first\. .*cannot stand/],
] as const)(
  'a client that passes: %s, of createTracker(%s), is an error of use',
  async (passes, options, message) => {
    const { code, err } = await vary('--run', client(passes, options))
    expect({ code, line: err.split('\n').at(-2) }).toEqual({ code: 2, line: expect.stringMatching(message) })
  },
)
