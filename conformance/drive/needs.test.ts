import { expect, test } from 'vitest'
import type { OperationId, Profile } from '../contract/index.js'
import { NEVER, whyNever } from './needs.js'

const profile: Profile = { baseUrl: 'http://tracker.test', tokens: { administrator: 'a' }, recipients: [] }
const ended = { trouble: null, mistakes: [] }

test.each<[string, string, OperationId, Partial<Parameters<typeof whyNever>[0]>, object]>([
  ['needs --safety write, the run allows read', 'success', 'createUser', { safety: 'read' }, {}],
  ['the profile has no recipients', 'success', 'deleteHelpdeskRecipient', {}, {}],
  ['the profile has no customField.type', 'success', 'createCustomField', {}, {}],
  ['the profile has no tokens.restricted', 'permission', 'getUser', {}, {}],
  ['not run: the run was cancelled', 'success', 'getUser', {}, { trouble: 'the run was cancelled' }],
  ['no answer that shows it in shard 1/2', 'success', 'getUser', { shard: { index: 1, count: 2 } }, {}],
  [NEVER, 'success', 'getUser', {}, {}],
])('%s', (reason, rule, operation, options, more) => {
  const why = whyNever({ profile, safety: 'destructive', ...options }, { ...ended, ...more })
  expect(why(rule, operation)).toBe(reason)
})
