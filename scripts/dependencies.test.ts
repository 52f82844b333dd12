/**
 * The packages inside the build, from the lock file: each has a licence that only requires that its text is kept, and the
 * version that `inlinedDependencies` in package.json names. The kit has no dependency, which its users would install.
 * Needs no network, unlike `npm run audit`, which finds known vulnerabilities.
 */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const permissive = 'MIT, MIT-0, ISC, BSD-2-Clause, BSD-3-Clause, 0BSD, Apache-2.0, BlueOak-1.0.0'.split(', ')

type Packages = Readonly<Record<string, { readonly version?: string; readonly license?: string }>>
const [lock, manifest] = ['package-lock.json', 'package.json'].map((name) =>
  JSON.parse(readFileSync(name, 'utf8')),
)
const locked = Object.entries(lock.packages as Packages)
const inlined = Object.entries(manifest.inlinedDependencies as Readonly<Record<string, string>>)

test('the kit has no dependency of its own, since the build holds some packages', () => {
  expect(manifest).not.toHaveProperty('dependencies')
  expect(inlined).not.toEqual([])
})

test.each(inlined)('%s %s is in the lock file, and may be inside the build', (name, version) => {
  const entry = locked.find(([path, one]) => path.endsWith(`node_modules/${name}`) && one.version === version)
  expect(permissive).toContain(entry?.[1].license)
})
