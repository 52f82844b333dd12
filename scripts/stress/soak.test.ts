import { expect, test } from 'vitest'
import { soak } from './soak.js'

test('clients that do everything at once lose nothing', async () => {
  const { figures, troubles } = await soak({ seed: 1, count: 3000, tell: () => undefined })
  expect(troubles).toEqual([])
  expect(figures).toMatchObject({ operations: 26, 'comparisons of the whole state': 3 })
})
