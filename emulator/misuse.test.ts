/** What a test gets wrong in the use of a tracker is refused at once, in one line that names what was meant. */
import { expect, test } from 'vitest'
import { startEach, tracker } from '../fixtures/each.js'
import { createTracker, type Tracker, type TrackerOptions } from './index.js'
import './vitest/index.js'

startEach()

async function refusalOf(work: () => unknown): Promise<string> {
  try {
    await work()
  } catch (error) {
    return (error as Error).message
  }
  return expect.unreachable('it was taken')
}

const changed = (expected: object) => (tracker: Tracker) => expect(tracker).not.toHaveChanged(expected)

test.each<[unknown, string]>([
  [{ baseurl: true }, 'no option is called "baseurl"; did you mean "baseUrl"?'],
  [{ vary: -1.5 }, 'vary: must be a whole number from 0 to 4294967295, or an object, not -1.5'],
  [null, 'must be an object, not null'],
])('createTracker(%j)', async (options, message) => {
  expect(await refusalOf(() => createTracker(options as TrackerOptions))).toBe(`createTracker: ${message}`)
})

test.each<[string, (tracker: Tracker) => unknown]>([
  ['calledWith: no operation is called "createUsr"', (t) => t.calledWith('createUsr' as 'createUser')],
  ['tracker.fetch takes a Request; wrap it: ', (t) => t.fetch('http://tracker.test/' as never)],
  ['calls: no field is called "op"', (t) => t.calls({ op: 'getUser' } as object)],
  ['listen: no option is called "prot"', (t) => t.listen({ prot: 1 } as object)],
  ['create: no field is called "usrname"', (t) => t.db.users.create({ usrname: 'x' } as never)],
  ['vary: no group or decision is called "body"', () => createTracker({ vary: { keep: ['body' as never] } })],
  ['did you mean "small"?', () => createTracker({ seed: 'smal' })],
  ['must be an http URL', () => createTracker({ baseUrl: 'tracker' })],
  ['one path segment', () => createTracker({ ext: 'a/b' })],
  ['must start at a date, not at "noon"', () => createTracker({ now: 'noon' })],
  ['toHaveChanged: no collection is called "usres"; did you mean "users"?', changed({ usres: { added: 1 } })],
  ['toHaveChanged: users.added: no field is called "x"', changed({ users: { added: [{ x: 1 }] } })],
  ['toHaveChanged: it takes a tracker, awaited', () => expect({}).toHaveChanged()],
])('%s', async (message, work) => {
  const told = await refusalOf(() => work(tracker))
  expect(told).toContain(message)
  expect(told).not.toContain('\n')
})
