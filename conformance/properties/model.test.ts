/** Short runs judge less, and still judge. */
import { expect, test } from 'vitest'
import { runSuite, withOptions } from '../../fixtures/self-test.js'
import { planOf } from '../suite/plan.js'

const plan = planOf({
  only: ['property.tracker-model', 'property.custom-field-model', 'repetition.unauthenticated'],
  shard: null,
})

test.each([1, 2, 3])(
  'with five generated cases and the seed %i, each kind of command occurs',
  async (seed) => {
    const result = await withOptions({}, (profile) => runSuite(profile, { runs: 5, seed, plan }))
    expect(result).toMatchObject({ failed: [], skipped: [] })
  },
)
