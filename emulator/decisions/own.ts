/** Project assignment, the own pages, self-service settings and extension settings. */
import { choice, gate, ops } from './define.js'

const settings = ops(4, 5)

export const own = {
  'projadd-permission': choice(ops(12), '5', 'project-manager | user-manager', 'rights'),
  'projadd-mixed-rights': choice(ops(12), '7', 'refused | skipped', 'rights'),
  'projadd-unknown-project': choice(ops(12), '7', 'not-found | invalid | skipped', 'statuses'),
  'projadd-bad-id': choice(ops(12), '7', 'invalid | not-found', 'statuses'),
  'projadd-empty-list': choice(ops(12), '2.4', 'accepted | empty-field | invalid-value'),
  'projadd-missing-fields': choice(ops(12), '7', 'empty-field | invalid-value', 'statuses'),
  'projadd-level-form': choice(ops(12), '2.9', 'digits-or-name | any-case | digits | names', 'requests'),
  'projadd-level-invalid': choice(ops(12), '7', 'invalid-value | lacks-level | minus-one-is-own', 'statuses'),
  'projadd-integers': choice(ops(12), '2.4', 'tolerated | refused', 'requests'),
  'projadd-existing': choice(ops(12), '2.4', 'overwritten | kept | refused'),
  'projadd-target-kind': choice(ops(12), '2.4', 'any | enabled-only'),
  'me-protected': choice(ops(1, 3, 4, 5), '2.1', 'refused | pages-readable | allowed', 'rights'),
  'account-page-content': choice(ops(1), '2.9', 'with-flags | record', 'bodies'),
  'tokens-content': choice(ops(3), '2.9', 'by-last-use | by-creation | masked', 'bodies'),
  'settings-options': choice(settings, '2.9', 'family | few'),
  'settings-unknown-option': choice(
    ops(5),
    '7',
    'option-not-found | invalid-value | option-invalid',
    'statuses',
  ),
  'settings-empty-configs': choice(ops(5), '7', 'empty-field | invalid-value', 'statuses'),
  'settings-value-type': choice(ops(5), '2.3', 'scalars | strings-only', 'requests'),
  'settings-value-invalid': choice(ops(5), '7', 'invalid-value | option-invalid | stored', 'statuses'),
  'settings-atomic': choice(ops(5, 26), '2.3', 'last-wins | duplicates-refused'),
  'settings-refresh-clamp': choice(ops(5), '8', 'raised | refused | stored'),
  'own-timezone-default': choice(settings, '2.9', 'default-name | empty', 'bodies'),
  'ext-settings-permission': gate(ops(26)),
  'ext-settings-element': choice(ops(26), '4.3', 'option-value | name-value | key-value | pairs', 'requests'),
  'ext-settings-not-array': choice(ops(26), '7', 'invalid-value | array-expected', 'statuses'),
  'ext-settings-empty': choice(ops(26), '4.3', 'accepted | refused'),
  'ext-settings-unknown': choice(ops(26), '7', 'option-not-found | invalid-value', 'statuses'),
  'ext-settings-value': choice(ops(26), '4.3', 'any | typed'),
  'ext-settings-readonly': choice(ops(26), '7', 'invalid | access-denied', 'statuses'),
}
