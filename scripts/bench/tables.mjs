/** What one build does by itself: new trackers, `tracker.fetch`, and growth with the number of records. */
import { child, interleaved, medianOf, ratio } from './measure.mjs'

/** The costs of a new tracker for each test. */
export async function state({ dist }) {
  const runs = await several(7, 'state', dist)
  const figures = { first: 'the first `createTracker()`', further: 'each further one' }
  const others = { reset: 'a write to the state and `reset()`', snapshot: '`snapshot()`' }
  const of = (key) => medianOf(runs, (run) => run[key])
  return {
    title: 'A tracker for each test, in processor time',
    columns: ['what', 'median'],
    rows: Object.entries({ ...figures, ...others }).map(([key, what]) => [what, `${of(key).toFixed(3)} ms`]),
    aims: [
      { what: 'createTracker()', value: of('first'), atMost: 15, unit: ' ms' },
      { what: 'reset()', value: of('reset'), atMost: 1, unit: ' ms' },
      { what: 'snapshot()', value: of('snapshot'), atMost: 2, unit: ' ms' },
    ],
  }
}

/** Compares `tracker.fetch` with a Hono app that has the same routes and answers, but checks nothing. */
export async function fetch({ dist }) {
  const runs = await several(9, 'fetch', dist)
  const us = (key) => `${medianOf(runs, (run) => run[key]).toFixed(1)} µs`
  return {
    title: '`tracker.fetch` in process, the text read, in processor time',
    columns: ['tracker-kit', 'Hono'],
    rows: [[us('kit'), us('hono')]],
    aims: [
      { what: '`tracker.fetch` of Hono', value: medianOf(runs, ({ kit, hono }) => kit / hono), atMost: 1.3 },
    ],
  }
}

const kinds = [
  { kind: 'read', atMost: 1.2, what: 'reads by id, by username, and authentication' },
  { kind: 'write', atMost: 2, what: 'creations and updates' },
  // Sorting takes more than linear time, by a logarithmic factor.
  { kind: 'list', atMost: 1.5, what: 'a list, for each record in it' },
]

/** What gets slower with more records: the same requests with 100 and with 100,000 records of each kind. */
export async function growth({ dist }) {
  const subjects = [{ name: 100 }, { name: 100_000 }]
  const results = await interleaved(5, subjects, ({ name: size }) => child('growth', dist, size))
  const [few, many] = results.values()
  const grown = few[0].map(({ request, kind }, index) => {
    const us = (run) => run[index].us
    return { request, kind, us: [medianOf(few, us), medianOf(many, us)], ratio: ratio(many, few, us) }
  })
  return {
    title:
      'Growth: microseconds of processor time of a request with so many users, tokens, fields and recipients',
    columns: ['request', '100', '100,000', 'last to first'],
    rows: grown.map(({ request, us, ratio: factor }) => [
      request,
      ...us.map((value) => value.toFixed(value < 10 ? 2 : 0)),
      factor.toFixed(2),
    ]),
    aims: kinds.map(({ kind, atMost, what }) => {
      const [worst] = grown.filter((one) => one.kind === kind).toSorted((a, b) => b.ratio - a.ratio)
      return { what: `${what}, at worst ${worst.request}`, value: worst.ratio, atMost }
    }),
  }
}

const several = async (rounds, name, dist) =>
  (await interleaved(rounds, [{ name }], () => child(name, dist))).get(name)
