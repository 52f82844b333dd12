import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { served, withStatus } from '../../fixtures/served.js'
import type { Baseline } from '../report/baseline.js'

/** Statuses that the target gives in place of its own, by the end of the path. */
let wrong: Record<string, number> = {}
const target = await served(({ url }, right) => {
  const place = Object.keys(wrong).find((end) => new URL(url).pathname.endsWith(end))
  return withStatus((right.status === 200 && place && wrong[place]) || right.status, right)
})
const { file, write, reportIn } = target
const read = (name: string): Baseline => JSON.parse(readFileSync(file(name), 'utf8'))

const check = (...args: string[]) => target.check(...only, ...args)

const only = ['--safety', 'read', '--only', 'getTokensPage,listPlugins']

/** Of one run, in which the tokens were answered 201. */
let known: Baseline
beforeAll(async () => {
  wrong = { '/me/tokens': 201 }
  const { code, out } = await check('--write-baseline', file('known.json'))
  known = read('known.json')
  expect({ code, deviations: known.deviations.length }).toEqual({ code: 0, deviations: 1 })
  expect(out).toContain(`1 deviation written to ${file('known.json')}; give it a reason\n`)
})

test('what is known does not count in another run, and what passes now does', async () => {
  wrong = { '/me/tokens': 201 }
  const baseline = write('used.json', known)
  expect(await check('--baseline', baseline)).toMatchObject({ code: 0 })
  wrong = {}
  const out = expect.stringContaining('but the baseline is out of date: ')
  expect(await check('--baseline', baseline)).toMatchObject({ code: 1, out })
})

test('a baseline that is written again keeps the reasons and dates of known deviations', async () => {
  wrong = { '/me/tokens': 201, '/plugins': 202 }
  const [first] = known.deviations
  const agreed = { ...first, reason: 'agreed', expires: '2099-12-31' }
  const again = write('again.json', { ...known, deviations: [agreed] })
  expect((await check('--write-baseline', again)).code).toBe(0)
  expect(read('again.json').deviations).toMatchObject([
    { operation: 'getTokensPage', reason: 'agreed', expires: '2099-12-31' },
    { operation: 'listPlugins', reason: expect.stringContaining('say why') },
  ])
  const other = write('other.json', { name: 'a file of somebody else' })
  expect(await check('--write-baseline', other)).toMatchObject({
    code: 2,
    err: expect.stringContaining('other.json: field'),
  })
})

test('a baseline brings its seed and runs, and the flags of a later run go before them', async () => {
  wrong = {}
  await check('--seed', '7', '--runs', '30', '--write-baseline', file('seeded.json'))
  expect(read('seeded.json')).toMatchObject({ seed: 7, runs: 30 })
  const again = ['--baseline', file('seeded.json'), '--out', file('seeded')]
  const casesOf = async (...args: string[]) => {
    expect((await check(...again, ...args)).code).toBe(0)
    const { seed, runs } = reportIn('seeded')
    return { seed, runs }
  }
  expect(await casesOf()).toEqual({ seed: 7, runs: 30 })
  expect(await casesOf('--seed', '8')).toEqual({ seed: 8, runs: 30 })
  expect(await casesOf('--runs', '29')).toEqual({ seed: 7, runs: 29 })
})
