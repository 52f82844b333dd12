import { expect, test } from 'vitest'
import { killed } from './killed.js'

test('a state file is whole whenever the program is killed', async () => {
  const { figures, troubles } = await killed({ seed: 1, count: 3, tell: () => undefined })
  expect(troubles).toEqual([])
  expect(figures['writes acknowledged']).toBeGreaterThan(0)
})
