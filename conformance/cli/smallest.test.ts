import { expect, test } from 'vitest'
import { smallest } from './smallest.js'

const hundred = Array.from({ length: 100 }, (_, index) => index)

test.each<[string, readonly number[]]>([
  ['one at the start', [0]],
  ['one at the end', [99]],
  ['one between', [77]],
  ['two far apart', [3, 97]],
  ['three in a row', [49, 50, 51]],
  ['all of them', hundred],
])('finds %s, and asks about no part twice, and about few for one of a hundred', async (_, guilty) => {
  const parts: string[] = []
  const found = await smallest(hundred, async (part) => {
    expect(part.length).toBeGreaterThan(0)
    expect(part.length).toBeLessThan(hundred.length)
    parts.push(part.join())
    return guilty.every((one) => part.includes(one))
  })
  expect(found).toEqual(guilty)
  expect(new Set(parts).size).toBe(parts.length)
  if (guilty.length === 1) expect(parts.length).toBeLessThanOrEqual(14)
})

test('one of two that are each enough', async () => {
  const found = await smallest(hundred, async (part) => part.includes(10) || part.includes(60))
  expect([[10], [60]]).toContainEqual(found)
})
