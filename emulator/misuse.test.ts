/** What a test gets wrong in the use of a tracker is refused at once, in one line that names what was meant. */
import { expect, test as plain } from 'vitest'
import { startEach, tracker } from '../fixtures/each.js'
import { createTracker, type Fault, type Tracker, type TrackerOptions } from './index.js'
import { test } from './vitest/index.js'

startEach()

async function refusalOf(work: () => unknown): Promise<string> {
  try {
    await work()
  } catch (error) {
    return (error as Error).message
  }
  return expect.unreachable('it was taken')
}

plain.each<[unknown, string]>([
  [{ strictclient: true }, 'createTracker: no option is called "strictclient"; did you mean "strictClient"?'],
  [{ decision: {} }, 'createTracker: no option is called "decision"; did you mean "decisions"?'],
  [
    { vary: 'seven' },
    'createTracker: vary: must be a whole number from 0 to 4294967295, or an object, not "seven"',
  ],
  [
    { vary: -1.5 },
    'createTracker: vary: must be a whole number from 0 to 4294967295, or an object, not -1.5',
  ],
  [{ vary: { sed: 1 } }, 'createTracker: vary: no field is called "sed"; did you mean "seed"?'],
  [
    { vary: { seed: 1, keep: ['boddies'] } },
    'vary: no group or decision is called "boddies"; did you mean "bodies"?',
  ],
  [{ strictClient: 'yes' }, 'createTracker: strictClient: must be true or false, not "yes"'],
  [{ baseUrl: 8080 }, 'createTracker: baseUrl: must be a text, not 8080'],
  [{ decisions: [] }, 'createTracker: decisions: must be an object, not []'],
  [null, 'createTracker: must be an object, not null'],
  ['small', 'createTracker: must be an object, not "small"'],
])('createTracker(%j)', async (options, message) => {
  expect(await refusalOf(() => createTracker(options as TrackerOptions))).toBe(message)
})

plain.each<[string, (tracker: Tracker) => unknown]>([
  [
    'calledWith: no operation is called "createUsr"; did you mean "createUser"?',
    (t) => t.calledWith('createUsr' as 'createUser'),
  ],
  [
    'calledWith: operation: must be the id of an operation, not undefined',
    (t) => t.calledWith(undefined as never),
  ],
  ['calls: no field is called "op"; did you mean "operation"?', (t) => t.calls({ op: 'getUser' } as object)],
  [
    'calls: no operation is called "getUsr"; did you mean "getUser"?',
    (t) => t.calls({ operation: 'getUsr' as 'getUser' }),
  ],
  ['listen: no option is called "prot"; did you mean "port"?', (t) => t.listen({ prot: 1 } as object)],
  ['listen: port: must be a whole number from 0 to 65535, not 1.5', (t) => t.listen({ port: 1.5 })],
  [
    'fault: no field is called "satus"; did you mean "status"?',
    (t) => t.faults.inject({ satus: 503 } as Fault),
  ],
  [
    'fault: when: no field is called "pth"; did you mean "path"?',
    (t) => t.faults.inject({ status: 503, when: { pth: {} } } as Fault),
  ],
  [
    'create: no field is called "usrname"; did you mean "username"?',
    (t) => t.db.users.create({ usrname: 'x' } as never),
  ],
  [
    'create: no field is called "nam"; did you mean "name"?',
    (t) => t.db.projects.createMany(2, () => ({ nam: 'x' }) as never),
  ],
])('%s', async (message, work) => {
  expect(await refusalOf(() => work(tracker))).toBe(message)
})

test('toHaveChanged', async ({ tracker }) => {
  const changed = (expected: object) => refusalOf(() => expect(tracker).not.toHaveChanged(expected))
  expect(await changed({ usres: { added: 1 } })).toBe(
    'toHaveChanged: no collection is called "usres"; did you mean "users"?',
  )
  expect(await changed({ users: { add: 1 } })).toBe(
    'toHaveChanged: users: no field is called "add"; did you mean "added"?',
  )
  expect(await changed({ users: { added: [{ usrname: 'x' }] } })).toBe(
    'toHaveChanged: users.added: no field is called "usrname"; did you mean "username"?',
  )
  expect(await refusalOf(() => expect({}).toHaveChanged())).toBe('toHaveChanged: {} is no tracker')
})
