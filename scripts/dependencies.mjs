#!/usr/bin/env node
/**
 * Lists what users of the kit install: the packages inside the build, its dependencies, and those of its optional
 * peers, with size, licences and install scripts from the lock file. Exits with 1 on a licence that the lists below do
 * not contain, on an install script of a required package, and if `inlinedDependencies` in package.json names a version
 * that is not in the lock file. Needs no network, unlike `npm run audit`, which finds known vulnerabilities.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Licences that only require that their text is kept. */
const permissive = [
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
]
/** MPL-2.0 requires publishing changes of its files; nobody changes those of a test runner. */
const ofPeers = [...permissive, 'MPL-2.0']

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const own = packages['']
const isOptional = ({ peerDependenciesMeta = {} }, name) => peerDependenciesMeta[name]?.optional === true
const required = (entry) =>
  Object.keys(entry.peerDependencies ?? {}).filter((name) => !isOptional(entry, name))

/** The path where Node finds a package that `from` imports; undefined if it is not installed. */
function pathOf(name, from) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    if (packages[path]) return path
    if (at === '') return undefined
  }
}

function collect(names, from, optional, found) {
  for (const name of names) {
    const path = pathOf(name, from)
    const before = path && found.get(path)
    // A package that is optional for one may be required by another.
    if (!path || (before && (optional || !before.optional))) continue
    const entry = packages[path]
    found.set(path, { ...entry, path, optional, name: `${name}@${entry.version}` })
    collect([...Object.keys(entry.dependencies ?? {}), ...required(entry)], path, optional, found)
    collect(Object.keys(entry.optionalDependencies ?? {}), path, true, found)
  }
  return found
}

function sizeOf(directory) {
  if (!existsSync(directory)) return 0
  return readdirSync(directory, { withFileTypes: true }).reduce((bytes, entry) => {
    const path = join(directory, entry.name)
    // Nested packages are counted separately.
    if (entry.isDirectory()) return bytes + (entry.name === 'node_modules' ? 0 : sizeOf(path))
    return bytes + (entry.isFile() ? statSync(path).size : 0)
  }, 0)
}

/** Whether a licence is allowed: `A OR B` needs one of them, `A AND B` both. */
const isAllowed = (licence, list) =>
  licence
    .replace(/[()]/g, '')
    .split(/ OR /i)
    .some((choice) => choice.split(/ AND /i).every((one) => list.includes(one.trim())))

const troubles = []

function report(title, all, list) {
  const installed = all.filter(({ path }) => existsSync(path))
  const bytes = new Map(installed.map((one) => [one, sizeOf(one.path)]))
  const total = [...bytes.values()].reduce((sum, one) => sum + one, 0)
  console.log(`${title}: ${installed.length} packages, ${(total / 1e6).toFixed(1)} MB on this machine`)
  const licences = new Map()
  for (const { license = 'none' } of all) licences.set(license, (licences.get(license) ?? 0) + 1)
  console.log(`  licences     ${[...licences].map(([name, count]) => `${name} ${count}`).join(', ')}`)
  const largest = [...bytes].sort(([, a], [, b]) => b - a).slice(0, 3)
  console.log(
    `  largest      ${largest.map(([{ name }, size]) => `${name} ${(size / 1e6).toFixed(1)} MB`).join(', ')}`,
  )
  const scripted = all.filter(({ hasInstallScript }) => hasInstallScript)
  const shown = scripted.map(({ name, optional }) => `${name}${optional ? ', which may be missing' : ''}`)
  console.log(`  at install   ${shown.join('; ') || 'nothing runs'}\n`)
  for (const { name, license = 'none' } of all)
    if (!isAllowed(license, list))
      troubles.push(`${name} has the licence ${license}, which is not on the list`)
  for (const { name, optional } of scripted)
    if (!optional) troubles.push(`${name} runs a script at its installation`)
  if (installed.length === 0) troubles.push(`${title} are not installed; run npm ci first`)
}

const { inlinedDependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'))
const inside = Object.entries(inlinedDependencies).map(([name, version]) => {
  const found = Object.entries(packages).find(
    ([path, entry]) => path.endsWith(`node_modules/${name}`) && entry.version === version,
  )
  if (!found) troubles.push(`${name}@${version} is inside, but not in the lock file`)
  const [path = '', entry = {}] = found ?? []
  // A bundled package is not installed, so its install script does not run.
  return { ...entry, path, hasInstallScript: false, name: `${name}@${version}` }
})
const dependencies = collect(Object.keys(own.dependencies ?? {}), '', false, new Map())
const peers = collect(required(own), '', false, new Map())
collect(Object.keys(own.peerDependencies ?? {}), '', true, peers)
if (inside.length > 0) report('Inside, as far as the kit uses them', inside, permissive)
if (dependencies.size > 0) report('Dependencies', [...dependencies.values()], permissive)
report(
  'Peers',
  [...peers.values()].filter(({ path }) => !dependencies.has(path)),
  ofPeers,
)
for (const trouble of troubles) console.error(trouble)
process.exitCode = troubles.length > 0 ? 1 : 0
