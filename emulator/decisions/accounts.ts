/** Creating and updating users: who may, what values may be, and what follows. */
import { choice, gate, ops } from './define.js'

const write = ops(6, 9)

export const accounts = {
  'create-permission': gate(ops(6, 7, 8, 9, 11, 13)),
  'create-username-rules': choice(write, '2.1', 'family', [
    'up-to-64',
    'word-characters',
    'untrimmed-refused',
  ]),
  'create-username-required': choice(ops(6), '2.1', 'refused', ['refused-as-empty', 'generated'], 'requests'),
  'create-username-unique': choice(write, '7', 'not-unique', ['invalid-value'], 'statuses'),
  'username-vs-realname': choice(write, '2.1', 'checked', ['unchecked']),
  'create-email-rules': choice(write, '2.1', 'html5', ['loose', 'strict']),
  'create-email-blank': choice(write, '2.1', 'administrators', ['refused', 'allowed'], 'requests'),
  'create-email-unique': choice(write, '2.1', 'unique', ['duplicates-allowed']),
  'create-email-disposable': choice(write, '2.1', 'refused', ['unchecked']),
  'create-access-level-default': choice(ops(6), '2.9', 'reporter', ['viewer']),
  'access-level-values': choice(write, '2.9', 'enumeration', ['up-to-100']),
  'access-level-form': choice(write, '2.1', 'integer', ['object-too'], 'requests'),
  'access-level-above-own': choice(write, '5', 'equal-allowed', ['equal-refused'], 'rights'),
  'create-password-given': choice(ops(6), '2.1', 'discarded-with-mail', ['used']),
  'create-password-missing': choice(ops(6), '2.1', 'random', ['blank', 'refused'], 'requests'),
  'create-password-current': choice(ops(6), '2.1', 'ignored', ['refused'], 'requests'),
  'create-language-timezone': choice(write, '2.1', 'invalid-ignored', ['invalid-refused', 'unchecked']),
  'create-notify-flag': choice(ops(6), '6', 'ignored', ['honoured']),
  'create-validation-order': choice(write, '7', 'username-first', ['email-first'], 'statuses'),
  'create-client-preferred': choice(write, '2.1', 'stored', ['ignored']),
  'create-avatar': choice(write, '2.1', 'stored', ['ignored', 'limited']),
  'create-id-assignment': choice(ops(6, 15), '2.9', 'increasing', ['stepped']),
  'realname-rules': choice(write, '2.1', 'any', ['up-to-255', 'no-angle-brackets']),
  'mail-mode': choice(ops(6, 9, 13), '6', 'on', ['off']),
  'mail-and-events': choice(ops(6, 9, 13), '6', 'outbox', ['none']),
  'update-self-rights': choice(ops(9), '5', 'own-data', ['not-the-username', 'nothing'], 'rights'),
  'update-others-rights': choice(ops(9), '5', 'up-to-own-level', ['below-own-level'], 'rights'),
  'update-protected-target': choice(ops(9), '2.1', 'managers-may', ['when-lifted', 'never'], 'rights'),
  'update-unchanged-forbidden-field': choice(ops(9), '5', 'allowed', ['refused'], 'rights'),
  'update-email-self': choice(ops(9), '2.1', 'pending', ['immediate']),
  'update-last-admin': choice(ops(9), '7', 'invalid', ['forbidden', 'access-denied'], 'statuses'),
  'update-promotion': choice(ops(9), '2.4', 'project-levels-deleted', ['project-levels-kept']),
  'notify-default': choice(ops(9), '6', 'off', ['on', 'on-for-any-change']),
}
