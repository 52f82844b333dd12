/** Passwords, impersonation and reset. */
import { z } from 'zod'
import { choice, open, ops, threshold } from './define.js'

export const security = {
  'password-rules': choice(
    ops(2, 6, 9),
    '8',
    'any | six-characters | eight-characters | mixed-characters | not-the-username',
  ),
  'password-current-wrong': choice(ops(2, 9), '7', 'forbidden | invalid', 'statuses'),
  'password-current-missing': choice(ops(2, 9), '7', 'by-operation | empty-field | mismatch', 'statuses'),
  'password-blank-new': choice(ops(2, 9), '2.2', 'by-operation | refused'),
  'password-same': choice(ops(2, 9), '2.2', 'accepted | refused'),
  'password-effects': choice(ops(2, 9), '3', 'sessions-end | tokens-revoked | nothing'),
  'password-protected': choice(ops(2, 9), '7', 'protected-account | access-denied', 'statuses'),
  'update-password-who': choice(
    ops(9),
    '2.1',
    'self-needs-current | all-need-current | nobody-needs-current | others-refused',
    'rights',
  ),
  'impersonate-permission': open<number | 'nobody'>(
    ops(10),
    '5',
    z.union([threshold, z.literal('nobody')]),
    90,
    [70, 'nobody'],
    'rights',
  ),
  'impersonate-self': choice(ops(10), '4.1', 'forbidden | invalid', 'statuses'),
  'impersonate-disabled': choice(ops(10), '4.1', 'forbidden | not-found | invalid', 'statuses'),
  'impersonate-higher': choice(ops(10), '5', 'refused | allowed', 'rights'),
  'impersonate-protected': choice(ops(10), '4.1', 'allowed | refused', 'rights'),
  'impersonate-chain-end': choice(ops(10), '4.1', 'nested-allowed | nested-refused', 'rights'),
  'impersonate-effect': choice(ops(10), '4.1', 'cookie | token | cookie-and-token | token-switches'),
  'reset-protected': choice(ops(13), '2.1', 'unlocks-if-locked | refused | always-unlocks', 'rights'),
  'reset-last-admin': choice(ops(13), '7', 'invalid | forbidden | allowed', 'statuses'),
  'reset-self': choice(ops(13), '4.1', 'allowed | forbidden | invalid', 'rights'),
  'reset-disabled': choice(ops(13), '4.1', 'without-mail | forbidden | invalid', 'rights'),
  'reset-no-email': choice(ops(13), '7', 'refused | blank-password'),
  'reset-effect': choice(ops(13), '4.1', 'password | counter-only | tokens-revoked'),
}
