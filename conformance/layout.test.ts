/**
 * The floors of the two halves, and which way the arrows between their files go: down, type imports included, and
 * never in a circle.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** From the ground up. A file stands on the floor that names it, or else the longest of the folders around it. */
const floors: readonly (readonly string[])[] = [
  // Both halves stand on it.
  ['conformance/contract'],

  ['emulator/random.ts', 'emulator/state', 'fixtures/seeds'],
  // Any step may ask what time it is, and what a test wants to go wrong.
  ['emulator/observe/subset.ts', 'emulator/arrange/clock.ts', 'emulator/arrange/faults.ts'],
  ['emulator/decisions'],
  ['emulator/request'],
  ['emulator/users', 'emulator/custom-fields', 'emulator/operations'],
  // The line that a call goes along: it is the operations that it leads to.
  ['emulator/request/serve.ts', 'emulator/request/explain.ts', 'emulator/twin'],
  // What is around the tracker itself, and the entries.
  ['emulator'],

  ['conformance/oracle'],
  ['conformance/client'],
  ['conformance/drive'],
  ['conformance/learn/trace'],
  ['conformance/learn/copy'],
  ['conformance/learn/fit'],
  ['conformance/learn/ask'],
  ['conformance/learn/report'],
  ['conformance/learn'],
  ['conformance/report'],
  ['conformance/register.ts'],
  ['conformance/cli', 'conformance/index.ts'],
]

/** The rest of the suite asks a tracker by its base URL, whether or not it is the emulator. */
const mayUseTheEmulator = ['conformance/cli/', 'conformance/learn/copy/']

/**
 * Formatted lines of source in a folder, without tests. Behind a bound that is above the aim stands the aim: whoever makes
 * the folder smaller lowers its bound.
 */
const budgets: Readonly<Record<string, number>> = {
  'conformance/contract': 2_699,
  'conformance/oracle': 5_230, // aim 2,000
  'conformance/drive': 2_970, // aim 2,500
  'conformance/client': 3_724, // aim 2,500
  'conformance/report': 2_200,
  'conformance/learn': 3_380,
  'conformance/cli': 3_231,
  emulator: 9_804,
  fixtures: 10_000,
  scripts: 2_498,
}

type Arrow = readonly [from: string, to: string]

const sources = new Set(['conformance', 'emulator', 'fixtures/seeds'].flatMap((folder) => sourcesIn(folder)))
const arrows = [...sources].flatMap(arrowsFrom)
const textOf = ([from, to]: Arrow) => `${from} -> ${to}`

test('each source stands on a floor, and imports are found', () => {
  expect([...sources].filter((file) => floorOf(file) === -1)).toEqual([])
  expect(arrows.length).toBeGreaterThan(sources.size)
})

test.each(Object.entries(budgets))('%s has at most %i lines', (folder, most) => {
  const lines = sourcesIn(folder, /\.(tsx?|mjs)$/).map(
    (file) => readFileSync(join(root, file), 'utf8').split('\n').length - 1,
  )
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(most)
})

test('arrows go down', () => {
  expect(arrows.filter(goesUp).map(textOf)).toEqual([])
})

test('no arrows make a circle', () => {
  let left = arrows
  // What comes from a file to which nothing leads, or leads to one from which nothing leads on, is in no circle.
  for (let count = left.length + 1; left.length < count; ) {
    count = left.length
    const [starts, ends] = [0, 1].map((side) => new Set(left.map((arrow) => arrow[side as 0 | 1])))
    left = left.filter(([from, to]) => ends?.has(from) && starts?.has(to))
  }
  expect(left.map(textOf)).toEqual([])
})

function goesUp([from, to]: Arrow): boolean {
  if (to.startsWith('conformance/contract/')) return floorOf(from) < floorOf(to)
  if (halfOf(from) !== halfOf(to)) return !mayUseTheEmulator.some((place) => from.startsWith(place))
  return floorOf(from) < floorOf(to)
}

function halfOf(file: string): string {
  return file.startsWith('conformance/') ? 'conformance' : 'emulator'
}

function floorOf(file: string): number {
  const holds = (place: string) => file === place || file.startsWith(`${place}/`)
  const place = floors
    .flat()
    .filter(holds)
    .sort((a, b) => b.length - a.length)[0]
  return floors.findIndex((places) => place !== undefined && places.includes(place))
}

function sourcesIn(folder: string, kinds = /\.tsx?$/): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => kinds.test(path) && !/\.(test|browser)\.tsx?$/.test(path))
    .map((path) => posix(join(folder, path)))
}

/** Each import, type import, export from and import(). */
function arrowsFrom(file: string): Arrow[] {
  const text = readFileSync(join(root, file), 'utf8')
  const found = [
    ...text.matchAll(/^(?:import|export)\b[^'"]*?\bfrom '(\.[^']+)'/gm),
    ...text.matchAll(/\bimport(?: |\()'(\.[^']+)'/g),
  ]
  const targets = found.map(([, specifier = '']) => targetOf(file, specifier))
  return [...new Set(targets)].map((target) => [file, target])
}

function targetOf(file: string, specifier: string): string {
  const path = posix(relative(root, resolve(root, dirname(file), specifier)))
  const target = ['.ts', '.tsx']
    .map((ending) => path.replace(/\.js$/, ending))
    .find((one) => sources.has(one))
  if (target === undefined) throw new Error(`${file} imports ${specifier}, which is no source of the package`)
  return target
}

function posix(path: string): string {
  return path.split(sep).join('/')
}
