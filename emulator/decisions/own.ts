/** Project assignment, the own pages, self-service settings and extension settings. */
import { choice, gate, ops } from './define.js'

const settings = ops(4, 5)

export const own = {
  'projadd-permission': choice(ops(12), '5', 'project-manager', ['user-manager']),
  'projadd-mixed-rights': choice(ops(12), '7', 'refused', ['skipped']),
  'projadd-unknown-project': choice(ops(12), '7', 'not-found', ['invalid', 'skipped']),
  'projadd-bad-id': choice(ops(12), '7', 'invalid', ['not-found']),
  'projadd-empty-list': choice(ops(12), '2.4', 'accepted', ['empty-field', 'invalid-value']),
  'projadd-missing-fields': choice(ops(12), '7', 'empty-field', ['invalid-value']),
  'projadd-level-form': choice(ops(12), '2.9', 'digits-or-name', ['any-case', 'digits', 'names']),
  'projadd-level-invalid': choice(ops(12), '7', 'invalid-value', ['lacks-level', 'minus-one-is-own']),
  'projadd-integers': choice(ops(12), '2.4', 'tolerated', ['refused']),
  'projadd-existing': choice(ops(12), '2.4', 'overwritten', ['kept', 'refused']),
  'projadd-target-kind': choice(ops(12), '2.4', 'any', ['enabled-only']),
  'me-protected': choice(ops(1, 3, 4, 5), '2.1', 'refused', ['pages-readable', 'allowed']),
  'account-page-content': choice(ops(1), '2.9', 'with-flags', ['record']),
  'tokens-content': choice(ops(3), '2.9', 'by-last-use', ['by-creation', 'masked']),
  'settings-options': choice(settings, '2.9', 'family', ['few']),
  'settings-unknown-option': choice(ops(5), '7', 'option-not-found', ['invalid-value', 'option-invalid']),
  'settings-empty-configs': choice(ops(5), '7', 'empty-field', ['invalid-value']),
  'settings-value-type': choice(ops(5), '2.3', 'scalars', ['strings-only']),
  'settings-value-invalid': choice(ops(5), '7', 'invalid-value', ['option-invalid', 'stored']),
  'settings-atomic': choice(ops(5, 26), '2.3', 'last-wins', ['duplicates-refused']),
  'settings-refresh-clamp': choice(ops(5), '8', 'raised', ['refused', 'stored']),
  'own-timezone-default': choice(settings, '2.9', 'default-name', ['empty']),
  'ext-settings-permission': gate(ops(26)),
  'ext-settings-element': choice(ops(26), '4.3', 'option-value', ['name-value', 'key-value', 'pairs']),
  'ext-settings-not-array': choice(ops(26), '7', 'invalid-value', ['array-expected']),
  'ext-settings-empty': choice(ops(26), '4.3', 'accepted', ['refused']),
  'ext-settings-unknown': choice(ops(26), '7', 'option-not-found', ['invalid-value']),
  'ext-settings-value': choice(ops(26), '4.3', 'any', ['typed']),
  'ext-settings-readonly': choice(ops(26), '7', 'invalid', ['access-denied']),
}
