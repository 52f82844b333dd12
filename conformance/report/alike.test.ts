import { describe, expect, test } from 'vitest'
import { failureOf, reportOf, requirementOf } from '../../fixtures/report.js'
import type { OperationId } from '../contract/index.js'
import { alike } from './alike.js'
import { html } from './html.js'
import { junit } from './junit.js'
import { markdown } from './markdown.js'
import type { ReportFailure } from './report.js'
import { verdictText } from './text.js'

const about = (id: string, ...operations: OperationId[]) => requirementOf(id, { operations })
const requirements = [
  about('body.spelling', 'createUser', 'updateUser', 'manageColumns'),
  about('users.rename', 'updateUser', 'createUser'),
  about('users.create', 'createUser'),
  about('authentication.missing', 'createUser', 'updateUser', 'getUser'),
]
const groups = (...failures: ReportFailure[]) => alike({ requirements, failures })

test('one fault that fails many checks is told once, with their number and places, and none is hidden in the page and in junit.xml', () => {
  const failed = (id: string, message: string) => failureOf(id, { message, seen: 'answered 500' })
  const failures = [
    failed('body.spelling', 'a valid body indented'),
    failed('users.rename', 'one more plain creation'),
    failed('users.create', 'a creation'),
    failed('body.spelling', 'a broken body'),
  ]
  const [group] = groups(...failures)
  expect(group?.more).toMatch(/^3 more failures .* the same reason; in body\.spelling, users\.rename$/)
  const report = reportOf({ requirements, failures })
  for (const text of [verdictText(report, null), markdown(report)])
    expect(text.match(/likely for the same reason/g)).toHaveLength(1)
  expect(verdictText(report, null).match(/^FAILED .*/gm)).toEqual(['FAILED must users.create (createUser)'])
  for (const { message } of failures)
    for (const text of [html(report), junit(report)]) expect(text).toContain(message)
})

describe('a value that an answer shows wrongly', () => {
  const shown = (seen: string, rest?: Partial<ReportFailure>) => failureOf('users.create', { seen, ...rest })
  const first = shown('getUser shows language "english", not "french"')

  test('is one fault with other values, in another view, and of another member', () => {
    const [group, ...others] = groups(
      first,
      shown('getUserEditPage shows language "english", not "german"'),
      shown('getUser shows realname "Ann", not "Bob \\" 2"'),
      shown('getUser shows enabled true, not false'),
    )
    expect([group?.rest.length, others.length]).toEqual([3, 0])
  })

  test('is another fault of another operation, unless the member is the same', () => {
    const update: Partial<ReportFailure> = { operation: 'updateUser' }
    const same = shown('getUser shows language "english", not "dutch"', update)
    const realname = shown('getUser shows realname "Ann", not "Bob"', update)
    expect(groups(first, same).length).toBe(1)
    expect(groups(first, realname).length).toBe(2)
  })
})

test('what two requirements forbid and is accepted is two faults', () => {
  const seen = 'answered 200'
  expect(groups(failureOf('users.create', { seen }), failureOf('users.rename', { seen }))).toHaveLength(2)
})

test('what is in the baseline is another fault', () => {
  const known = failureOf('body.spelling', { known: true })
  expect(groups(failureOf('users.create'), known)).toHaveLength(2)
})
