/** Passwords, impersonation and reset. */
import { z } from 'zod'
import { choice, open, ops, threshold } from './define.js'

export const security = {
  'password-rules': choice(ops(2, 6, 9), '8', 'any', [
    'six-characters',
    'eight-characters',
    'mixed-characters',
    'not-the-username',
  ]),
  'password-current-wrong': choice(ops(2, 9), '7', 'forbidden', ['invalid']),
  'password-current-missing': choice(ops(2, 9), '7', 'by-operation', ['empty-field', 'mismatch']),
  'password-blank-new': choice(ops(2, 9), '2.2', 'by-operation', ['refused']),
  'password-same': choice(ops(2, 9), '2.2', 'accepted', ['refused']),
  'password-effects': choice(ops(2, 9), '3', 'sessions-end', ['tokens-revoked', 'nothing']),
  'password-protected': choice(ops(2, 9), '7', 'protected-account', ['access-denied']),
  'update-password-who': choice(ops(9), '2.1', 'self-needs-current', [
    'all-need-current',
    'nobody-needs-current',
    'others-refused',
  ]),
  'impersonate-permission': open<number | 'nobody'>(
    ops(10),
    '5',
    z.union([threshold, z.literal('nobody')]),
    90,
    [70, 'nobody'],
  ),
  'impersonate-self': choice(ops(10), '4.1', 'forbidden', ['invalid']),
  'impersonate-disabled': choice(ops(10), '4.1', 'forbidden', ['not-found', 'invalid']),
  'impersonate-higher': choice(ops(10), '5', 'refused', ['allowed']),
  'impersonate-protected': choice(ops(10), '4.1', 'allowed', ['refused']),
  'impersonate-chain-end': choice(ops(10), '4.1', 'nested-allowed', ['nested-refused']),
  'impersonate-effect': choice(ops(10), '4.1', 'cookie', ['token', 'cookie-and-token', 'token-switches']),
  'reset-protected': choice(ops(13), '2.1', 'unlocks-if-locked', ['refused', 'always-unlocks']),
  'reset-last-admin': choice(ops(13), '7', 'invalid', ['forbidden', 'allowed']),
  'reset-self': choice(ops(13), '4.1', 'allowed', ['forbidden', 'invalid']),
  'reset-disabled': choice(ops(13), '4.1', 'without-mail', ['forbidden', 'invalid']),
  'reset-no-email': choice(ops(13), '7', 'refused', ['blank-password']),
  'reset-effect': choice(ops(13), '4.1', 'password', ['counter-only', 'tokens-revoked']),
}
