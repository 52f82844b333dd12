import { expect, test } from 'vitest'
import { isLong } from '../../fixtures/long.js'
import { hostile } from './hostile.js'
import { killed } from './killed.js'
import { secrets } from './secrets.js'

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

// It starts a server, and runs every command that writes on it.
test.runIf(isLong)('no secret stands where it should not', async () => {
  const { figures, troubles } = await secrets({ seed: 1, count: 1, tell })
  expect({ troubles, figures }).toMatchObject({ troubles: [], figures: { 'traces searched': 1 } })
  expect(figures['places searched']).toBeGreaterThan(25)
})
