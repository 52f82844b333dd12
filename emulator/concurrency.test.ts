/** Random operations at once, compared with the same operations one after the other. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OperationId } from '../conformance/contract/index.js'
import { type CallOptions, clientOf } from '../fixtures/client.js'
import { createTracker, type JournalEntry } from './index.js'

const user = fc.constantFrom('nina', 'viewer', 'otto', 'anna', 'OTTO')
const role = fc.constantFrom('administrator', 'manager', 'reporter')

type Asked = [OperationId, CallOptions]

const operation: fc.Arbitrary<Asked> = fc.oneof(
  fc
    .record({ as: role, username: user, email: user })
    .map(
      ({ as, username, email }): Asked => [
        'createUser',
        { as, body: { username, email: `${email}@example.org` } },
      ],
    ),
  fc
    .record({ who: user, username: user })
    .map(
      ({ who, username }): Asked => [
        'updateUser',
        { path: { user_id: who }, body: { username, notify_user: true } },
      ],
    ),
  fc
    .record({ who: user, level: fc.constantFrom(10, 90), on: fc.boolean() })
    .map(
      ({ who, level, on }): Asked => [
        'updateUser',
        { path: { user_id: who }, body: { access_level: level, enabled: on } },
      ],
    ),
  user.map((who): Asked => ['resetUser', { path: { user_id: who } }]),
  user.map((who): Asked => ['getUser', { path: { user_id: who } }]),
  fc
    .record({ who: user, level: fc.constantFrom('10', '55') })
    .map(
      ({ who, level }): Asked => [
        'addUserToProjects',
        { path: { user_id: who }, body: { project_ids: ['1', '2'], access_level: level } },
      ],
    ),
  fc
    .constantFrom('Depth', 'depth', 'Impact')
    .map((name): Asked => ['createCustomField', { body: { custom_field: { name }, projects: ['1'] } }]),
  fc.integer({ min: 14, max: 17 }).map((id): Asked => ['deleteCustomField', { path: { field_id: id } }]),
)

/** Which request it was, so that the order in which they were served can be read off the journal. */
const numbered = ([id, options]: [OperationId, CallOptions], index: number): Asked => [
  id,
  { ...options, query: `?n=${index}` },
]
const numberOf = ({ path }: JournalEntry) => Number(new URLSearchParams(path.split('?')[1]).get('n'))

test('operations at once end as if they had come one after the other', { timeout: 60_000 }, async () => {
  const origin = await createTracker({ now: '2025-06-01T12:00:00Z' })
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 2, maxLength: 25 }), async (drawn) => {
      const requests = drawn.map(numbered)
      const together = origin.fork()
      const call = clientOf(together)
      await Promise.all(requests.map(([id, options]) => call(id, options)))

      const alone = origin.fork()
      const again = clientOf(alone)
      for (const entry of together.journal) {
        const [id, options] = requests[numberOf(entry)] ?? []
        if (id) await again(id, options)
      }
      const answers = (entries: readonly JournalEntry[]) =>
        entries.map(({ durationMs: _, sequence, ...entry }) => entry)
      expect(together.journal).toHaveLength(requests.length)
      expect(answers(together.journal)).toEqual(answers(alone.journal))
      expect(together.snapshot()).toEqual(alone.snapshot())
    }),
    { numRuns: 60, seed: 1 },
  )
})
