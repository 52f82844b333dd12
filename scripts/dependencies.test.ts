import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFiles } from '../fixtures/folder.js'

const { file } = temporaryFiles()
let count = 0

/** Runs the script on a package with another one inside, `entry` of the lock file, and perhaps with a dependency. */
function judged(entry: object, inside = '4.0.0', dependencies: object = {}) {
  const directory = file(`package-${++count}`)
  mkdirSync(directory)
  const packages = {
    'node_modules/inside': { version: '4.0.0', license: 'MIT', ...entry },
    'node_modules/other': { version: '5.0.0', license: 'GPL-3.0' },
  }
  const manifest = { inlinedDependencies: { inside }, dependencies }
  writeFileSync(`${directory}/package-lock.json`, JSON.stringify({ packages }))
  writeFileSync(`${directory}/package.json`, JSON.stringify(manifest))
  const script = resolve('scripts', 'dependencies.mjs')
  const { status, stderr } = spawnSync(process.execPath, [script], { cwd: directory, encoding: 'utf8' })
  return { status, stderr: stderr.trim() }
}

const unlisted = (licence: string) => `inside@4.0.0 has the licence ${licence}, which is not on the list`
test.each<[string, Parameters<typeof judged>, string]>([
  ['nothing wrong', [{}], ''],
  ['a choice of licences', [{ license: '(GPL-3.0 OR MIT)' }], ''],
  ['a licence', [{ license: 'MIT AND GPL-3.0' }], unlisted('MIT AND GPL-3.0')],
  ['no licence', [{ license: undefined }], unlisted('none')],
  ['another version', [{}, '3.0.0'], 'inside@3.0.0 is inside, but not in the lock file'],
  ['a dependency', [{}, '4.0.0', { one: '1' }], 'one is a dependency; the build should hold it'],
])('%s', (_, packages, said) => {
  expect(judged(...packages)).toEqual({ status: said === '' ? 0 : 1, stderr: said })
})
