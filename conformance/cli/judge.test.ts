import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFiles } from '../../fixtures/folder.js'
import { run } from '../../fixtures/program.js'
import { type Report, reportSchema } from '../report/report.js'

const { file, write } = temporaryFiles()
const read = (name: string) => readFileSync(file(name), 'utf8')
const reportIn = (name: string): Report => reportSchema.parse(JSON.parse(read(join(name, 'report.json'))))

const root = 'https://tracker.example.org/api/rest/plugins/Ext'
/** As browsers write it, without the credentials. */
const entry = (url: string, status = 200, text = '{"users":[{"id":7}]}') => ({
  startedDateTime: '2026-11-24T10:00:00.000Z',
  time: 5,
  request: { method: 'GET', url, headers: [] as object[], bodySize: 0 },
  response: { status, headers: [], content: { size: text.length, mimeType: 'application/json', text } },
})
const har = (...entries: unknown[]) => ({ log: { version: '1.2', entries } })

test('where there is nothing to judge the exit code is 3, with what was left out and why', async () => {
  const judged = async (...entries: unknown[]) =>
    run('judge', write('nothing.har', har(...entries)), '--out', file('nothing'))
  const others = [`${root}/issues/1`, 'https://cdn.example.org/app.js'].map((url) => entry(url))
  const { code, out, err } = await judged(...others, null)
  expect({ code, out }).toEqual({ code: 3, out: '' })
  expect(err).toContain('(1 incomplete: without a request, 2 no operation of the interface)')
  expect(reportIn('nothing').summary.verdict).toBe('inconclusive')
  expect((await judged()).err).toContain('(no entries)')
})

test('lost bodies, unknown callers and the profile of another tracker are told', async () => {
  const stranger = entry(`${root}/users/7`)
  stranger.request.headers = [{ name: 'authorization', value: 'Bearer a-token-of-some-agent' }]
  const bare = { ...entry(`${root}/users/7`), response: { status: 200, headers: [], content: { size: 20 } } }
  const profile = write('elsewhere.json', { baseUrl: 'http://other.test/api/rest' })
  const recording = write('bare.har', har(bare, entry(`${root}/users/7`)))
  const { out } = await run('judge', recording, '--profile', profile)
  expect(out).toContain('1 answer has no body; ')
  expect(out).toContain('2 requests have no Authorization header, so judge cannot tell who the caller is')
  expect(out).toMatch(/^The recording is of https:.*api\/rest, and the profile is of http:\/\/other\.test/m)
  const address = ['--base-url', root.split('/plugins')[0] ?? '']
  const confirmed = await run('judge', write('other.har', har(stranger)), '--profile', profile, ...address)
  expect(confirmed.out).not.toContain('The recording is of')
  expect(confirmed.out).toContain('1 request has a token that the profile does not name; ')
})

test('an operation whose bodies are lost does not count as one that was never called', async () => {
  const change = { method: 'PATCH', url: `${root}/users/7`, headers: [], bodySize: 20 }
  const recording = write('bodiless.har', har({ ...entry(change.url), request: change }))
  const { out } = await run('judge', recording, '--only', 'updateUser')
  expect(out).toContain('the recording lacks bodies of this operation')
  expect(out).not.toContain('never called')
})

describe('of a browser', () => {
  const text = JSON.stringify({ code: 'none' })
  const users = [entry(`${root}/users/7`), entry(`${root}/users/8`, 404, text)]
  const recorded = JSON.stringify(har(...users, entry('https://cdn.example.org/app.js')))
  const recording = write('browser.har', `\uFEFF${recorded}`)

  test('a deviation is found, and told with its exchange', async () => {
    const { code, out } = await run('judge', recording, '--out', file('browser'))
    expect(code).toBe(1)
    expect(out).toContain('FAILED must error.body (getUser)')
    expect(out).toContain('#2 (GET /users/8 as unknown)')
    expect(out).toContain('recording            2 recorded requests of ')
    expect(out).toContain('left out 1 entry: 1 no operation of the interface')
    const names = ['junit.xml', 'report.html', 'report.json', 'report.sarif', 'summary.md', 'trace.har']
    expect(readdirSync(file('browser')).sort()).toEqual(names)
    const [failure] = reportIn('browser').failures
    const { entries } = JSON.parse(read('browser/trace.har')).log
    const witness = entries.find((one: { _n: number }) => one._n === failure?.witnesses[0])
    expect(witness?.request.url).toBe(`${root}/users/8`)
  })

  test('bodies in files beside it are read, and those that are not there are lost', async () => {
    const apart = (name: string, _file: string) => {
      const { response, ...rest } = entry(`${root}/users/8`, 404)
      const content = { size: 20, mimeType: 'x', _file }
      return write(name, har({ ...rest, response: { ...response, content } }))
    }
    write('body.json', text)
    expect((await run('judge', apart('attached.har', 'body.json'))).code).toBe(1)
    const missing = await run('judge', apart('missing.har', 'none.json'), '--only', 'error.body')
    expect(missing.code).toBe(3)
    expect((await run('judge', apart('outside.har', '../../body.json'))).code).toBe(1)
  })
})
