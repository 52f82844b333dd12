/** Compares `tracker.fetch` with a Hono app that has the same routes and answers, but checks nothing. */
import { child, medianOf } from './measure.mjs'

export const name = 'fetch'

export async function run({ dist }) {
  const runs = []
  for (let round = 0; round < 9; round++) runs.push(await child(name, [dist]))
  const us = (key) => `${medianOf(runs, (run) => run[key]).toFixed(1)} µs`
  const ofHono = medianOf(runs, ({ kit, hono }) => kit / hono)
  return {
    title: '`tracker.fetch` in process, the text read, in processor time',
    columns: ['tracker-kit', 'Hono'],
    rows: [[us('kit'), us('hono')]],
    aims: [{ what: '`tracker.fetch` of Hono', value: ofHono, atMost: 1.3 }],
  }
}
