/** What the program makes of a profile that the tracker refuses in part: reports that say so, and its exit code. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { run } from '../../fixtures/program.js'
import { served } from '../../fixtures/served.js'
import type { Profile } from '../contract/index.js'

const { profile, write, file, reportIn } = await served()

async function check(change: Partial<Profile>, only: string) {
  const flags = ['--profile', write('changed.json', { ...profile, ...change }), '--safety', 'destructive']
  const ended = await run('check', ...flags, '--runs', '1', '--only', only, '--out', file('out'))
  const read = (name: string) => readFileSync(file('out', name), 'utf8')
  return { ...ended, report: reportIn('out'), html: read('report.html'), summary: read('summary.md') }
}

const settings = [{ option: 'moon_phase', value: 5 }]

test('where nothing else is left to judge it ends with 2, and every report has the words of the tracker', async () => {
  const { code, out, report, html, summary } = await check({ settings }, 'settings.names')
  expect({ code, failures: report.failures }).toEqual({ code: 2, failures: [] })
  expect(report.profile).toEqual([
    {
      field: 'settings',
      words: expect.stringMatching(/^400 .*moon_phase/),
    },
  ])
  expect(report.requirements[0]?.reason).toMatch(/^the profile's settings is refused by the target/)
  expect(report.summary.because).toMatch(/^nothing could be judged; the profile's settings is refused: 400/)
  for (const text of [out, html, summary]) {
    expect(text).toContain('The profile is mistaken, which is not held against the tracker')
    expect(text).toMatch(/moon(_|&#95;)phase/)
  }
})

test('where something is left, that is what the exit code tells of, and no secret of a refused field is told', async () => {
  const { current = '', next = '' } = profile.passwordAccount ?? {}
  const change = { settings, passwordAccount: { current: next, next: current } }
  const { code, report, out, html, summary } = await check(
    change,
    'updateSettings,changeOwnPassword,listPlugins',
  )
  expect({ code, verdict: report.summary.verdict }).toEqual({ code: 0, verdict: 'conforms' })
  expect(report.profile.map(({ field }) => field).toSorted()).toEqual(['passwordAccount', 'settings'])
  for (const text of [out, html, summary, JSON.stringify(report)])
    for (const secret of [current, next]) expect(text).not.toContain(secret)
})
