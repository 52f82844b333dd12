#!/usr/bin/env node
/**
 * Lists the packages inside the build with their licences, from the lock file. Exits with 1 on a licence that is not on
 * the list below, if `inlinedDependencies` in package.json names a version that is not in the lock file, and if the kit
 * has a dependency, which its users would install. Needs no network, unlike `npm run audit`, which finds known
 * vulnerabilities.
 */
import { readFileSync } from 'node:fs'

/** Licences that only require that their text is kept. */
const permissive = 'MIT, MIT-0, ISC, BSD-2-Clause, BSD-3-Clause, 0BSD, Apache-2.0, BlueOak-1.0.0'.split(', ')

/** Whether a licence is allowed: `A OR B` needs one of them, `A AND B` both. */
const isAllowed = (licence) =>
  licence
    .replace(/[()]/g, '')
    .split(/ OR /i)
    .some((choice) => choice.split(/ AND /i).every((one) => permissive.includes(one.trim())))

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const { inlinedDependencies = {}, dependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'))

const troubles = Object.keys(dependencies).map((name) => `${name} is a dependency; the build should hold it`)
const licences = new Map()
for (const [name, version] of Object.entries(inlinedDependencies)) {
  const [, entry] =
    Object.entries(packages).find(
      ([path, one]) => path.endsWith(`node_modules/${name}`) && one.version === version,
    ) ?? []
  const licence = entry?.license ?? 'none'
  licences.set(licence, (licences.get(licence) ?? 0) + 1)
  if (!entry) troubles.push(`${name}@${version} is inside, but not in the lock file`)
  else if (!isAllowed(licence))
    troubles.push(`${name}@${version} has the licence ${licence}, which is not on the list`)
}
const counts = [...licences].map(([licence, count]) => `${licence} ${count}`)
console.log(`${Object.keys(inlinedDependencies).length} packages inside: ${counts.join(', ')}`)
for (const trouble of troubles) console.error(trouble)
process.exitCode = troubles.length > 0 ? 1 : 0
