/** What gets slower with more records: the same requests with 100 and with 100,000 records of each kind. */
import { fileURLToPath } from 'node:url'
import { child, interleaved, medianOf, ratio } from './measure.mjs'

const program = fileURLToPath(new URL('programs/growth.mjs', import.meta.url))

export const name = 'growth'

const kinds = [
  { kind: 'read', atMost: 1.2, what: 'reads by id, by username, and authentication' },
  { kind: 'write', atMost: 2, what: 'creations and updates' },
  // Sorting takes more than linear time, by a logarithmic factor.
  { kind: 'list', atMost: 1.5, what: 'a list, for each record in it' },
]

export async function run({ dist, quick }) {
  const sizes = quick ? [100, 100_000] : [100, 1000, 10_000, 100_000]
  const subjects = sizes.map((size) => ({ name: String(size), size }))
  const results = await interleaved(quick ? 2 : 5, subjects, ({ size }) =>
    child(program, [dist, size, quick ? 1500 : 3000]),
  )
  const first = results.get(String(sizes[0]))
  const last = results.get(String(sizes.at(-1)))
  const figures = first[0].requests.map(({ name: request, kind }, index) => {
    const us = ({ requests }) => requests[index].us
    return {
      request,
      kind,
      us: Object.fromEntries(sizes.map((size) => [size, medianOf(results.get(String(size)), us)])),
      ratio: ratio(last, first, us),
    }
  })
  const seedMs = medianOf(last, (run) => run.seedMs)
  const bytes = medianOf(last, (run) => run.bytes)
  const worst = (kind) =>
    figures.filter((each) => each.kind === kind).toSorted((a, b) => b.ratio - a.ratio)[0]
  return {
    title:
      'Growth: microseconds of processor time of a request with so many users, tokens, fields and recipients',
    columns: ['request', ...sizes.map((size) => size.toLocaleString('en')), 'last to first'],
    rows: figures.map(({ request, us, ratio: grown }) => [
      request,
      ...sizes.map((size) => us[size].toFixed(us[size] < 10 ? 2 : 0)),
      grown.toFixed(2),
    ]),
    notes: [
      `Seeding ${sizes.at(-1).toLocaleString('en')} users takes ${seedMs.toFixed(0)} ms of it. A removal moves the list behind it.`,
    ],
    aims: [
      ...kinds.map(({ kind, atMost, what }) => ({
        what: `${what}, at worst ${worst(kind).request}`,
        value: worst(kind).ratio,
        atMost,
      })),
      { what: 'seeding 100,000 users', value: seedMs / 1000, atMost: 3, unit: ' s' },
      { what: 'memory of a user', value: bytes, atMost: 1024, unit: ' bytes' },
    ],
    figures: { requests: figures, seedMs, bytes },
  }
}
