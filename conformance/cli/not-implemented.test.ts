/** A tracker that has not all of the operations: what the profile leaves out is neither asked nor judged. */
import { expect, test } from 'vitest'
import { isLong } from '../../fixtures/long.js'
import { run } from '../../fixtures/program.js'
import { served } from '../../fixtures/served.js'

let asked: string[] = []
const target = await served(({ method, url }, right) => {
  const path = new URL(url).pathname.replace(/^.*\/plugins\/Ext/, '')
  if (!/^\/(me\/account|plugins)$/.test(path) || method !== 'GET') return right
  asked.push(path)
  const status = path === '/plugins' ? 501 : 404
  return Response.json({ message: 'There is no such operation' }, { status })
})
const { profile, file, reportIn } = target
const notImplemented = ['getAccountPage', 'listPlugins']
const lacking = ['--profile', target.write('lacking.json', { ...profile, notImplemented })]

test('check says which operations the tracker may lack', async () => {
  const args = ['--profile', target.write('whole.json', profile), '--safety', 'read', '--runs', '1']
  const { out } = await run('check', ...args, '--only', 'getAccountPage,listPlugins,getTokensPage')
  expect(out).toContain('getAccountPage, listPlugins answered only 404, 405 or 501; if the tracker lacks')
})

test('check asks and judges nothing of them, and accuses nobody', async () => {
  asked = []
  const args = ['--safety', isLong ? 'write' : 'read', '--runs', '5', '--out', file('checked')]
  const { code, out } = await run('check', ...lacking, ...args)
  const silent = expect.not.stringContaining('answered only')
  expect({ code, out, asked }).toMatchObject({ code: 0, out: silent, asked: [] })
  const { requirements } = reportIn('checked')
  const operations = new Set<string>(requirements.flatMap(({ operations }) => operations))
  expect(operations.has('getUser')).toBe(true)
  expect(operations.has('getAccountPage') || operations.has('listPlugins')).toBe(false)
}, 60_000)

test('what cannot be removed is left and told once, and no clean-up is said to be open', async () => {
  const keeping = target.write('keeping.json', { ...profile, notImplemented: ['deleteCustomField'] })
  const args = ['--profile', keeping, '--safety', 'write', '--only', 'createCustomField', '--runs', '1']
  const { code, out, err } = await run('check', ...args, '--out', file('keeping'))
  expect({ code, err }).toMatchObject({ code: 0, err: expect.not.stringContaining('not finished') })
  const told = expect.stringContaining('the tracker has no deleteCustomField')
  expect(out.match(/^ {2}custom field .*$/gm)).toEqual([told])
})

test.runIf(isLong).each(['learn', 'diff'])('%s asks nothing of them', async (command) => {
  asked = []
  const args = [...lacking, '--safety', 'read', '--max-requests', '150', '--quiet']
  const { code } = await run(command, ...args)
  expect([0, 1]).toContain(code)
  expect(asked).toEqual([])
})

test('init needs none of them', async () => {
  const { baseUrl, tokens } = profile
  asked = []
  const args = ['--base-url', baseUrl, '--token', tokens.administrator, '--out', file('made.json')]
  const left = ['--set', 'notImplemented=["getAccountPage","listPlugins"]', '--username', 'nina']
  const { code, err } = await run('init', ...args, ...left)
  expect({ code, err, asked }).toMatchObject({ code: 0, asked: [] })
})
