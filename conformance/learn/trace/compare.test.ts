import { expect, test } from 'vitest'
import { distance } from './compare.js'

test.each(['at', 'length', 'map'])('a member called %s is as far from an empty list as any other', (name) => {
  const seen = (json: unknown) => ({ status: 200, json, headers: {} })
  const toNothing = (json: unknown) => distance({ seen: seen(json) }, seen([]))
  expect(toNothing({ [name]: 'noon' })).toBe(toNothing({ when: 'noon' }))
})
