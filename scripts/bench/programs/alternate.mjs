/** Two pieces of work in turn within one process; microseconds of processor time of each, and the ratio, as medians. */
import { processorMs } from './time.mjs'

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

export async function alternate(rounds, calls, kit, other) {
  const one = async (prepare, work) => {
    await prepare?.()
    for (let n = 0; n < calls / 10; n++) await work()
    const start = processorMs()
    for (let n = 0; n < calls; n++) await work()
    return ((processorMs() - start) / calls) * 1000
  }
  const pairs = []
  for (let round = -1; round < rounds; round++) {
    const pair =
      round % 2 === 0
        ? [await one(kit.prepare, kit.work), await one(other.prepare, other.work)]
        : [await one(other.prepare, other.work), await one(kit.prepare, kit.work)].reverse()
    // The first is only to warm both.
    if (round >= 0) pairs.push(pair)
  }
  return {
    kit: median(pairs.map(([each]) => each)),
    other: median(pairs.map(([, each]) => each)),
    ratio: median(pairs.map(([mine, theirs]) => mine / theirs)),
  }
}
