import { expect, test } from 'vitest'
import { hostile } from './hostile.js'
import { killed } from './killed.js'

const tell = () => undefined

test('hostile requests bring nothing down, and nobody else notices', async () => {
  const { figures, troubles } = await hostile({ seed: 1, count: 400, tell })
  expect({ troubles, figures }).toMatchObject({ troubles: [], figures: { requests: 400 } })
  expect(figures['requests of the bystander']).toBeGreaterThan(0)
})

test('a state file is whole whenever the program is killed', async () => {
  const { figures, troubles } = await killed({ seed: 1, count: 3, tell })
  expect(troubles).toEqual([])
  expect(figures['writes acknowledged']).toBeGreaterThan(0)
})
