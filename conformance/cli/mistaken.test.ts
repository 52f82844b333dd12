/** What the program makes of a profile that the tracker refuses in part: reports that say so, and its exit code. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { run } from '../../fixtures/program.js'
import { served } from '../../fixtures/served.js'

const { profile, write, file, reportIn } = await served()

test('where nothing else is left to judge it ends with 2, and every report has the words of the tracker', async () => {
  const wrong = write('wrong.json', { ...profile, settings: [{ option: 'moon_phase', value: 5 }] })
  const flags = ['--profile', wrong, '--safety', 'destructive', '--runs', '1', '--only', 'settings.names']
  const { code, out } = await run('check', ...flags, '--out', file('out'))
  const { failures, profile: mistakes, requirements, summary } = reportIn('out')
  expect({ code, failures }).toEqual({ code: 2, failures: [] })
  expect(mistakes).toEqual([{ field: 'settings', words: expect.stringMatching(/^400 .*moon_phase/) }])
  expect(requirements[0]?.reason).toMatch(/^the profile's settings is refused by the target/)
  expect(summary.because).toMatch(/^nothing could be judged; the profile's settings is refused: 400/)
  const written = ['report.html', 'summary.md'].map((name) => readFileSync(file('out', name), 'utf8'))
  for (const text of [out, ...written]) {
    expect(text).toContain('The profile is mistaken, which is not held against the tracker')
    expect(text).toMatch(/moon(_|&#95;)phase/)
  }
})
