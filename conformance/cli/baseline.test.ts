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
  const err = expect.stringContaining('other.json: field')
  expect(await check('--write-baseline', other)).toMatchObject({ code: 2, err })
})

test('a run that writes its baseline is judged by it, in every form', async () => {
  wrong = { '/plugins': 202 }
  const [reason, expires] = ['agreed', '2001-01-31']
  const places = ['--write-baseline', file('fixed.json'), '--out', file('fixed')]
  const ends = async (...args: string[]) => {
    const { code, out } = await check(...args, ...places)
    const [failures] = /failures="\d+"/.exec(readFileSync(file('fixed', 'junit.xml'), 'utf8')) ?? []
    return { code, out, failures, verdict: reportIn('fixed').summary.verdict }
  }
  const said = (text: string) => expect.stringContaining(text)
  const good = { code: 0, failures: 'failures="0"', verdict: 'conforms' }
  expect(await ends()).toMatchObject({ ...good, out: said('1 deviation written to') })
  const [entry] = read('fixed.json').deviations
  write('fixed.json', { ...read('fixed.json'), deviations: [{ ...entry, reason }] })
  expect(await ends()).toMatchObject({ ...good, out: expect.stringMatching(/1 deviation written to \S+\n$/) })
  write('fixed.json', { ...read('fixed.json'), deviations: [{ ...entry, reason, expires }] })
  const old = said('has expired on 2001-01-31; change or remove the `expires` of an expired entry; ')
  const again = await ends('--baseline', file('fixed.json'))
  expect(again).toMatchObject({ code: 1, failures: 'failures="1"', verdict: 'deviates' })
  expect(`${again.out}; `.replaceAll('\n', '; ')).toEqual(old)
  wrong = {}
  const none = { ...good, out: said('0 deviations written') }
  expect(await ends('--baseline', file('fixed.json'))).toMatchObject(none)
})

test('what a baseline knows does not count in later runs, which have its seed and runs unless flags give others', async () => {
  wrong = { '/me/tokens': 201 }
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
