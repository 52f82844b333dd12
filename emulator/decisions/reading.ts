/** How a user in the path is found, and what a read of one shows. */
import { choice, ops } from './define.js'

const addressed = ops(8, 9, 10, 11, 12, 13)
const shown = ops(1, 6, 8, 9, 10, 11)

export const reading = {
  'user-segment-rule': choice(addressed, '2.1', 'digits-are-id | id-then-username | username-first'),
  'user-segment-me': choice(addressed, '2.1', 'username | caller'),
  'user-id-zero-negative': choice(addressed, '2.1', 'by-operation | not-found | invalid', 'statuses'),
  'user-not-found-number': choice(addressed, '7', 'by-form | single | none', 'statuses'),
  'username-case': choice(ops(6, 8, 9, 10, 11, 12, 13), '2.1', 'insensitive | sensitive'),
  'id-existence-leak': choice(ops(8, 9), '7', 'not-found | forbidden | hidden', 'statuses'),
  'get-user-permission': choice(ops(8), '5', 'self-or-manager | anyone', 'rights'),
  'get-user-disabled': choice(
    ops(8),
    '4.1',
    'as-enabled | forbidden-to-others | hidden-from-others',
    'rights',
  ),
  'get-user-sensitive': choice(
    ops(8),
    '4.1',
    'self-and-managers | real-name-to-all | null-for-others',
    'bodies',
  ),
  'select-location': choice(ops(8), '4.3', 'query | query-list | header', 'requests'),
  'select-default': choice(ops(8), '4.3', 'standard | everything | with-flags | with-projects', 'bodies'),
  'select-unknown': choice(ops(8), '4.3', 'ignored | refused', 'requests'),
  'select-empty': choice(ops(8), '4.3', 'as-absent | empty-record | refused', 'bodies'),
  'select-normalisation': choice(ops(8), '4.3', 'insensitive | sensitive', 'requests'),
  'select-without-id': choice(ops(8), '4.3', 'only-named | id-always', 'bodies'),
  'user-field-names': choice(shown, '2.9', 'family | request | both', 'bodies'),
  'user-empty-fields': choice(shown, '2.9', 'omitted | empty-string | null', 'bodies'),
  'user-extra-fields': choice(shown, '2.9', 'when-present | always | never', 'bodies'),
  'user-language-value': choice(shown, '2.9', 'resolved | raw', 'bodies'),
}
