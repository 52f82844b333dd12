/** The program in GitHub Actions, which reads commands in its output and shows its summary. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runWith } from '../../fixtures/program.js'
import { served, withStatus } from '../../fixtures/served.js'

/** The status that the target gives in place of each 200 of a list. */
let listed = 200
const { tracker, profileFile, file } = await served(({ url }, right) =>
  right.status === 200 && /\/(plugins|custom_fields)$/.test(new URL(url).pathname)
    ? withStatus(listed, right)
    : right,
)
const summary = (name: string) => readFileSync(file(name), 'utf8')

const inActions = (name: string, ...args: string[]) =>
  runWith({ env: { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: file(name) } }, ...args)
const checkArgs = (...args: string[]) => [
  ...['check', '--profile', profileFile, '--safety', 'read', '--only', 'listPlugins,listCustomFields'],
  ...args,
]

/** As the runner reads it: what stands between a stop and its word is text. */
function commandsIn(output: string): string[] {
  const commands: string[] = []
  let word: string | null = null
  for (const line of output.split('\n')) {
    if (word !== null) {
      if (line === `::${word}::`) word = null
    } else if (line.startsWith('::stop-commands::')) word = line.slice('::stop-commands::'.length)
    else if (line.trimStart().startsWith('::')) commands.push(line)
  }
  expect(word).toBeNull()
  return commands
}

test('a deviation is an error beside the step, and the summary of the step holds the report', async () => {
  listed = 202
  writeFileSync(file('deviates.md'), 'What an earlier program wrote.\n')
  const { code, out, err } = await inActions('deviates.md', ...checkArgs('--out', file('deviates')))
  expect({ code, err }).toMatchObject({ code: 1 })
  expect(commandsIn(out).join('\n')).toMatch(
    /^::error title=must status \(listCustomFields%2C listPlugins\)::.*answered 202/m,
  )
  const own = readFileSync(file('deviates', 'summary.md'), 'utf8')
  expect(summary('deviates.md')).toBe(`What an earlier program wrote.\n${own}`)
  for (const secret of Object.values(tracker.tokens)) expect(out + own).not.toContain(secret)
})

test('a run that conforms has no error, and without the variable there are no commands', async () => {
  listed = 200
  const { code, out } = await inActions('conforms.md', ...checkArgs())
  expect(code).toBe(0)
  expect(commandsIn(out).filter((line) => line.startsWith('::error'))).toEqual([])
  expect(summary('conforms.md')).toContain('conforms')
  listed = 202
  const plain = await runWith({ env: { GITHUB_STEP_SUMMARY: file('none.md') } }, ...checkArgs())
  expect(plain.code).toBe(1)
  expect(plain.out).not.toContain('::')
  expect(existsSync(file('none.md'))).toBe(false)
})

test('a summary that cannot be written does not cost the verdict', async () => {
  listed = 200
  const { code, err } = await inActions('no/such/directory.md', ...checkArgs())
  expect(code).toBe(0)
  expect(err).toContain('cannot be written: there is no such file or directory (ENOENT)')
})
