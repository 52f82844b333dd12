/** The program in GitHub Actions, which reads commands in its output and shows its summary. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runWith } from '../../fixtures/program.js'
import { served, withStatus } from '../../fixtures/served.js'

/** The status that the target gives in place of each 200 of a list. */
let listed = 200
const { profileFile, file } = await served(({ url }, right) =>
  right.status === 200 && /\/(plugins|custom_fields)$/.test(new URL(url).pathname)
    ? withStatus(listed, right)
    : right,
)

const inActions = (name: string, ...args: string[]) =>
  runWith({ env: { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: file(name) } }, ...args)
const checkArgs = (...args: string[]) => [
  ...['check', '--profile', profileFile, '--safety', 'read', '--only', 'listPlugins,listCustomFields'],
  ...args,
]

/** As the runner reads it: what stands between a stop and its word is text. */
const commandsIn = (output: string) =>
  output.replace(/^::stop-commands::(.*)\n[\s\S]*?\n::\1::$/gm, '').match(/^ *::.*$/gm) ?? []

test('a deviation is an error beside the step, and the summary of the step holds the report', async () => {
  listed = 202
  writeFileSync(file('deviates.md'), 'What an earlier program wrote.\n')
  const { code, out } = await inActions('deviates.md', ...checkArgs('--out', file('deviates')))
  expect(code).toBe(1)
  expect(commandsIn(out)).toEqual([
    expect.stringMatching(/^::error title=must status \(listCustomFields%2C listPlugins\)::.*answered 202/),
  ])
  const own = readFileSync(file('deviates', 'summary.md'), 'utf8')
  expect(readFileSync(file('deviates.md'), 'utf8')).toBe(`What an earlier program wrote.\n${own}`)
})

test('a summary that cannot be written does not cost the verdict', async () => {
  listed = 200
  const { code, out, err } = await inActions('no/such/directory.md', ...checkArgs())
  expect({ code, out }).toMatchObject({ code: 0, out: expect.not.stringContaining('::error') })
  expect(err).toContain('cannot be written: there is no such file or directory (ENOENT)')
})
