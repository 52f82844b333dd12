import { expect, test } from 'vitest'
import { reportOf } from '../../fixtures/report.js'
import { fleetReport, fleetTarget } from './fleet.js'
import { fleetMarkdown, fleetText } from './fleet-text.js'

test('the trackers that conform are named too, and so is what was left on them', () => {
  const target = (position: number, name: string, leftovers: string[]) =>
    fleetTarget({
      ...{ position, name, baseUrl: `http://${name}`, code: 0, because: null },
      report: reportOf({ leftovers }, { verdict: 'conforms', because: null }),
    })
  const report = fleetReport({
    ...{ version: '0.1.0', startedAt: '2026-01-01T00:00:00.000Z', durationMs: 1000, runId: null },
    ...{ seed: 1, seedGiven: true, shard: null, settings: {}, deviations: [] },
    list: { targets: 2, digest: '' },
    targets: [target(1, 'clean', []), target(2, 'littered', ['custom field one (no read shows its id)'])],
  })
  expect(fleetMarkdown(report)).toContain('| clean | conforms | 0 must, 0 should | 0 |')
  expect(fleetMarkdown(report)).toContain('| littered | conforms | 0 must, 0 should | 1 |')
  expect(fleetText(report, null)).toContain('Left on littered: 1, named in littered/summary.md')
  expect(fleetText(report, null)).not.toContain('Left on clean')
})
