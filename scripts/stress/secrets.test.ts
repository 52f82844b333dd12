import { expect, test } from 'vitest'
import { isLong } from '../../fixtures/long.js'
import { secrets } from './secrets.js'

// It starts a server, and the program for every file that it writes.
test.runIf(isLong)('no secret stands where it should not', async () => {
  const { figures, troubles } = await secrets({ seed: 1, count: 1, tell: () => undefined })
  expect(troubles).toEqual([])
  expect(figures['places searched']).toBeGreaterThan(25)
  expect(figures['traces searched']).toBe(1)
})
