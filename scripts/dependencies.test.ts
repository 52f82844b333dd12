/**
 * The packages inside the build, from the lock file: each has a licence that is on the list below, and the version that
 * `inlinedDependencies` in package.json names. The kit has no dependency, which its users would install. Needs no
 * network, unlike `npm run audit`, which finds known vulnerabilities.
 */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Licences that only require that their text is kept. */
const permissive = 'MIT, MIT-0, ISC, BSD-2-Clause, BSD-3-Clause, 0BSD, Apache-2.0, BlueOak-1.0.0'.split(', ')

/** Whether a licence is allowed: `A OR B` needs one of them, `A AND B` both. */
const isAllowed = (licence: string) =>
  licence
    .replace(/[()]/g, '')
    .split(/ OR /i)
    .some((choice) => choice.split(/ AND /i).every((one) => permissive.includes(one.trim())))

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly license?: string | undefined }>
  >
}

interface Manifest {
  readonly inlinedDependencies: Readonly<Record<string, string>>
  readonly dependencies?: object
}

function troublesIn({ packages }: Lock, { inlinedDependencies, dependencies = {} }: Manifest): string[] {
  const inside = Object.entries(inlinedDependencies).flatMap(([name, version]) => {
    const [, entry] =
      Object.entries(packages).find(
        ([path, one]) => path.endsWith(`node_modules/${name}`) && one.version === version,
      ) ?? []
    if (!entry) return [`${name}@${version} is inside, but not in the lock file`]
    const licence = entry.license ?? 'none'
    return isAllowed(licence)
      ? []
      : [`${name}@${version} has the licence ${licence}, which is not on the list`]
  })
  const installed = Object.keys(dependencies)
  return [...installed.map((name) => `${name} is a dependency; the build should hold it`), ...inside]
}

test('the packages inside the build may be there', () => {
  const [lock, manifest] = ['package-lock.json', 'package.json'].map((file) =>
    JSON.parse(readFileSync(file, 'utf8')),
  ) as [Lock, Manifest]
  expect(Object.keys(manifest.inlinedDependencies)).not.toEqual([])
  expect(troublesIn(lock, manifest)).toEqual([])
})

/** What is said of a package with another one inside, `entry` of the lock file, and perhaps with a dependency. */
function judged(entry: object, inside = '4.0.0', dependencies: object = {}): string {
  const packages = {
    'node_modules/inside': { version: '4.0.0', license: 'MIT', ...entry },
    'node_modules/other': { version: '5.0.0', license: 'GPL-3.0' },
  }
  return troublesIn({ packages }, { inlinedDependencies: { inside }, dependencies }).join('\n')
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
  expect(judged(...packages)).toBe(said)
})
