import { expect, test } from 'vitest'
import { reportOf } from '../../fixtures/report.js'
import { type FleetReport, type FleetTarget, fleetReport, fleetTarget } from '../report/fleet.js'
import { mergeFleets } from './merge.js'

const target = (position: number): FleetTarget =>
  fleetTarget({
    ...{ position, name: `tracker-${position}`, baseUrl: 'http://t.test', code: 0, because: null },
    report: reportOf({}, { verdict: 'conforms', because: null, judged: 150, of: 150 }),
  })

const settings = { safety: 'default', strict: 'default' }

/** The shard of two that has the tracker at its place. */
const shard = (index: number, rest: Partial<FleetReport> = {}) => ({
  source: `shard-${index}`,
  report: {
    ...fleetReport({
      ...{ version: '0.1.0', startedAt: '2026-01-01T00:00:00.000Z', durationMs: 1, runId: 'a', settings },
      ...{ seed: 1, seedGiven: false, shard: { index, count: 2 }, list: { targets: 2, digest: 'd' } },
      ...{ targets: [target(index)], deviations: [] },
    }),
    ...rest,
  },
})

test.each<[Partial<FleetReport>, string]>([
  [{ list: { targets: 2, digest: 'e' } }, 'another list than shard-1: {"targets":2,"digest":"e"} instead of'],
  [
    { settings: { ...settings, safety: 'write' } },
    'another safety than shard-1: "write" instead of "default"',
  ],
  [{ targets: [] }, 'no shard has tracker 2 of 2'],
])('a part with %j is refused: %s', (rest, message) => {
  expect(() => mergeFleets([shard(1), shard(2, rest)])).toThrow(message)
})
