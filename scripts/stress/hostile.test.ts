import { expect, test } from 'vitest'
import { hostile } from './hostile.js'

test('hostile requests bring nothing down, and nobody else notices', async () => {
  const { figures, troubles } = await hostile({ seed: 1, count: 400, tell: () => undefined })
  expect(troubles).toEqual([])
  expect(figures.requests).toBe(400)
  expect(figures['requests of the bystander']).toBeGreaterThan(0)
})
