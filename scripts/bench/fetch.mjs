/** `tracker.fetch` beside an app of Hono that has the same routes, checks nothing, and gives the same answer. */
import { fileURLToPath } from 'node:url'
import { child, medianOf } from './measure.mjs'

const program = fileURLToPath(new URL('programs/fetch.mjs', import.meta.url))

export const name = 'fetch'

export async function run({ dist, quick }) {
  const figures = []
  for (const { does, flag } of [
    { does: 'reads the text', flag: 'read' },
    { does: 'reads nothing', flag: 'skip' },
  ]) {
    const runs = []
    for (let round = 0; round < (quick ? 3 : 9); round++) runs.push(await child(program, [dist, flag]))
    const ofHono = medianOf(runs, ({ kit, hono }) => kit / hono)
    figures.push({
      does,
      kit: medianOf(runs, ({ kit }) => kit),
      hono: medianOf(runs, ({ hono }) => hono),
      ofHono,
    })
  }
  return {
    title: '`tracker.fetch` in process, in processor time',
    columns: ['the client', 'tracker-kit', 'Hono', 'of Hono'],
    rows: figures.map(({ does, kit, hono, ofHono }) => [
      does,
      `${kit.toFixed(1)} µs`,
      `${hono.toFixed(1)} µs`,
      ofHono.toFixed(2),
    ]),
    aims: figures.map(({ does, ofHono }) => ({
      what: `\`tracker.fetch\` of Hono, where the client ${does}`,
      value: ofHono,
      atMost: 1.3,
    })),
    figures,
  }
}
