/** What the suite costs: its client, a whole run, each further generated case, and memory over many requests. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { child, interleaved, medianOf, ratio } from './measure.mjs'

const program = (name) => fileURLToPath(new URL(`programs/${name}.mjs`, import.meta.url))

export const name = 'suite'

export async function run({ dist, scratch, quick }) {
  const amounts = quick ? [5, 30, 55] : [25, 100, 200]
  const subjects = amounts.map((runs) => ({ name: String(runs), runs }))
  const wholes = await interleaved(quick ? 1 : 5, subjects, ({ runs }, round) =>
    child(program('whole'), [dist, join(scratch, `suite-${runs}-${round}`), runs]),
  )
  const clients = await interleaved(quick ? 3 : 5, [{ name: 'client' }], () =>
    child(program('client'), [dist, quick ? 1000 : 3000]),
  )
  const client = clients.get('client')
  const memory = await child(program('memory'), [dist, quick ? 20_000 : 100_000], { flags: ['--expose-gc'] })
  const of = (runs, key) => medianOf(wholes.get(String(runs)), (each) => each[key])
  const [few, some, many] = amounts
  const each = (less, more) => (of(more, 'processorMs') - of(less, 'processorMs')) / (more - less)
  const figures = {
    wholes: amounts.map((runs) => ({
      runs,
      ms: of(runs, 'ms'),
      processorMs: of(runs, 'processorMs'),
      requests: of(runs, 'requests'),
    })),
    perSecond: medianOf(client, ({ suite }) => suite),
    ofPlain: ratio(
      client.map(({ suite }) => suite),
      client.map(({ plain }) => plain),
    ),
    caseMs: [each(few, some), each(some, many)],
    memory,
  }
  return {
    title: 'The suite',
    columns: ['what', 'median'],
    rows: [
      ...figures.wholes.map(({ runs, ms, processorMs, requests }) => [
        `a whole run, ${runs} generated cases of each property`,
        `${(ms / 1000).toFixed(1)} s (${(processorMs / 1000).toFixed(1)} s of processor time), ${requests} requests`,
      ]),
      [`each further case, from ${few} to ${some}`, `${figures.caseMs[0].toFixed(0)} ms of processor time`],
      [`each further case, from ${some} to ${many}`, `${figures.caseMs[1].toFixed(0)} ms of processor time`],
      ['requests a second through its client, one after the other', figures.perSecond.toFixed(0)],
      ['the same of plain `node:http` with kept connections', figures.ofPlain.toFixed(2)],
      [
        `emulator and client: heap after ${memory.requests.toLocaleString('en')} requests`,
        `${memory.lastMb.toFixed(1)} MB, ${(memory.lastMb / memory.firstMb).toFixed(2)} of that after a fifth`,
      ],
    ],
    aims: [
      {
        what: 'a further case later on, of one at first',
        value: figures.caseMs[1] / figures.caseMs[0],
        atMost: 1.2,
      },
      {
        what: 'heap, of that after a fifth of the requests',
        value: memory.lastMb / memory.firstMb,
        atMost: 1.05,
      },
    ],
    figures,
  }
}
