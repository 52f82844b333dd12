/** What gets slower with more records: the same requests with 100 and with 100,000 records of each kind. */
import { child, interleaved, medianOf, ratio } from './measure.mjs'

export const name = 'growth'

const kinds = [
  { kind: 'read', atMost: 1.2, what: 'reads by id, by username, and authentication' },
  { kind: 'write', atMost: 2, what: 'creations and updates' },
  // Sorting takes more than linear time, by a logarithmic factor.
  { kind: 'list', atMost: 1.5, what: 'a list, for each record in it' },
]

export async function run({ dist }) {
  const [few, many] = [100, 100_000]
  const subjects = [few, many].map((size) => ({ name: size }))
  const results = await interleaved(5, subjects, ({ name: size }) => child(name, [dist, size]))
  const [first, last] = [results.get(few), results.get(many)]
  const grown = first[0].requests.map(({ name: request, kind }, index) => {
    const us = ({ requests }) => requests[index].us
    return { request, kind, us: [medianOf(first, us), medianOf(last, us)], ratio: ratio(last, first, us) }
  })
  const seedMs = medianOf(last, (run) => run.seedMs)
  const bytes = medianOf(last, (run) => run.bytes)
  return {
    title:
      'Growth: microseconds of processor time of a request with so many users, tokens, fields and recipients',
    columns: ['request', '100', '100,000', 'last to first'],
    rows: grown.map(({ request, us, ratio: factor }) => [
      request,
      ...us.map((value) => value.toFixed(value < 10 ? 2 : 0)),
      factor.toFixed(2),
    ]),
    notes: [`Seeding 100,000 users takes ${seedMs.toFixed(0)} ms of it. A removal moves the list behind it.`],
    aims: [
      ...kinds.map(({ kind, atMost, what }) => {
        const [worst] = grown.filter((one) => one.kind === kind).toSorted((a, b) => b.ratio - a.ratio)
        return { what: `${what}, at worst ${worst.request}`, value: worst.ratio, atMost }
      }),
      { what: 'seeding 100,000 users', value: seedMs / 1000, atMost: 3, unit: ' s' },
      { what: 'memory of a user', value: bytes, atMost: 1024, unit: ' bytes' },
    ],
  }
}
