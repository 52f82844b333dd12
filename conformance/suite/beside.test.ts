import { executionAsyncResource } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { createLedger } from '../client/ledger.js'
import { createBeside } from './beside.js'
import { createTrail } from './trail.js'

/** What Node takes along from one asynchronous step to the next, in this process, for those who asked it to. */
const takenAlong = () =>
  new Promise<number>((resolve) => {
    setImmediate(() => resolve(Object.getOwnPropertySymbols(executionAsyncResource()).length))
  })

test('a run that is over leaves nothing behind that every step of the next one takes along', async () => {
  const one = async () => {
    await createBeside(createLedger(null, { tag: 'kit', baseUrl: '' })).run(async () => undefined)
    await createTrail({ in: () => [], ofId: () => null }).beside(async () => undefined)
  }
  await one()
  const before = await takenAlong()
  for (let run = 0; run < 10; run++) await one()
  expect(await takenAlong()).toBe(before)
})
