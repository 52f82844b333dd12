/** Without a socket: `tracker.fetch` beside Hono's `app.request`, and fetch through MSW beside a handler written by hand. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packedKit } from './kit.mjs'
import { child, interleaved, medianOf } from './measure.mjs'

const fetching = fileURLToPath(new URL('programs/fetch.mjs', import.meta.url))

export const name = 'in-process'

export async function run({ dist, peers, scratch, quick }) {
  const rounds = quick ? 3 : 5
  const hono = await peers.install('hono')
  const kit = await packedKit(dist, scratch)
  const withMsw = async (version) =>
    join(await kit.installed(`msw${version}`, [`msw@${version}`]), 'programs/msw.mjs')
  const node22 = quick ? null : await peers.node22()
  const subjects = [
    { name: 'Hono', program: fetching, args: [dist, hono] },
    { name: 'msw 2.15.0', program: await withMsw('2.15.0'), args: [] },
    ...(node22
      ? [{ name: 'msw 3.0.5, Node 22', program: await withMsw('3.0.5'), args: [], node: node22 }]
      : []),
  ]
  const results = await interleaved(rounds, subjects, ({ program: script, args, ...options }) =>
    child(script, [...args, quick ? 3 : 9], options),
  )
  const figures = subjects.map(({ name: beside }) => {
    const runs = results.get(beside)
    const of = (key) => medianOf(runs, (each) => each[key])
    return { beside, kitUs: of('kit'), otherUs: of('other'), ratio: of('ratio') }
  })
  const what = (beside) => (beside === 'Hono' ? '`tracker.fetch`, Hono `app.request`' : `fetch, ${beside}`)
  return {
    title: 'In process: getUser by the tracker, and the same JSON by the other, in processor time',
    columns: ['what', 'tracker-kit', 'other', 'ratio of time'],
    rows: figures.map(({ beside, kitUs, otherUs, ratio }) => [
      what(beside),
      `${kitUs.toFixed(1)} us`,
      `${otherUs.toFixed(1)} us`,
      ratio.toFixed(2),
    ]),
    notes: [
      'The others check nothing and keep no journal: Hono has the 26 routes, MSW one handler with a constant.',
      ...(node22 ? [] : ['MSW 3 needs Node 22, which a quick run does not install.']),
    ],
    aims: figures.map(({ beside, ratio }) => ({
      what: what(beside),
      value: ratio,
      atMost: beside === 'Hono' ? 1 : 1.15,
    })),
    figures,
  }
}
