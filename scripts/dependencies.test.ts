import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

/**
 * Runs the script on a package with one dependency, which itself has `entry` as one, with an optional peer, and with
 * another package inside.
 */
function judged(entry: object, peer: object = { license: 'MIT' }, inside = '4.0.0', license = 'MIT') {
  const directory = mkdtempSync(join(tmpdir(), 'tracker-kit-'))
  const peers = { peerDependencies: { peer: '1' }, peerDependenciesMeta: { peer: { optional: true } } }
  const packages = {
    '': { dependencies: { one: '1' }, ...peers },
    'node_modules/one': { version: '1.0.0', license: 'MIT', dependencies: { two: '1' } },
    'node_modules/one/node_modules/two': { version: '2.0.0', license: 'ISC', ...entry },
    'node_modules/peer': { version: '3.0.0', ...peer },
    'node_modules/inside': { version: '4.0.0', license, dev: true },
    'node_modules/other': { version: '5.0.0', license: 'GPL-3.0', dev: true },
  }
  for (const path of Object.keys(packages)) mkdirSync(join(directory, path), { recursive: true })
  writeFileSync(join(directory, 'package-lock.json'), JSON.stringify({ packages }))
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ inlinedDependencies: { inside } }))
  const script = resolve('scripts', 'dependencies.mjs')
  const { status, stderr } = spawnSync(process.execPath, [script], { cwd: directory, encoding: 'utf8' })
  rmSync(directory, { recursive: true })
  return { status, stderr: stderr.trim() }
}

test.each<[string, Parameters<typeof judged>, string]>([
  ['nothing wrong', [{}], ''],
  ['a choice of licences', [{ license: '(GPL-3.0 OR MIT)' }, { license: 'MPL-2.0' }], ''],
  [
    'a licence',
    [{ license: 'MIT AND GPL-3.0' }],
    'two@2.0.0 has the licence MIT AND GPL-3.0, which is not on',
  ],
  ['no licence', [{ license: undefined }], 'two@2.0.0 has the licence none, which is not on the list'],
  ['an install script', [{ hasInstallScript: true }], 'two@2.0.0 runs a script at its installation'],
  ['a peer', [{}, { license: 'AGPL-3.0' }], 'peer@3.0.0 has the licence AGPL-3.0, which is not on the list'],
  [
    'the licence of a package inside',
    [{}, undefined, '4.0.0', 'GPL-3.0'],
    'inside@4.0.0 has the licence GPL-3.0',
  ],
  [
    'the version of a package inside',
    [{}, undefined, '3.0.0'],
    'inside@3.0.0 is inside, but not in the lock',
  ],
])('%s', (_, packages, said) => {
  const { status, stderr } = judged(...packages)
  if (said === '') expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  else expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(said) })
})
