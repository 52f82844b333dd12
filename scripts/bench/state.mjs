/** The costs of a new tracker for each test. */
import { child, medianOf } from './measure.mjs'

export const name = 'state'

export async function run({ dist }) {
  const runs = []
  for (let round = 0; round < 7; round++) runs.push(await child(name, [dist]))
  const of = (key) => medianOf(runs, (run) => run[key])
  const figures = Object.fromEntries(Object.keys(runs[0]).map((key) => [key, of(key)]))
  const ms = (value) => `${value.toFixed(3)} ms`
  return {
    title: 'A tracker for each test, in processor time',
    columns: ['what', 'median'],
    rows: [
      ['the first `createTracker()`', ms(figures.first)],
      ['each further one', ms(figures.further)],
      ['`fork()`', ms(figures.fork)],
      ['a write to the state and `reset()`', ms(figures.reset)],
      ['`snapshot()`', ms(figures.snapshot)],
    ],
    aims: [
      { what: 'createTracker()', value: figures.first, atMost: 15, unit: ' ms' },
      { what: 'reset()', value: figures.reset, atMost: 1, unit: ' ms' },
      { what: 'snapshot()', value: figures.snapshot, atMost: 2, unit: ' ms' },
    ],
  }
}
