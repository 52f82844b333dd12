/** Plugins, recipients, columns and pages. */
import { z } from 'zod'
import { choice, gate, open, ops } from './define.js'

export const management = {
  'plugin-permission': gate(ops(22, 23, 24, 25)),
  'plugin-list-set': choice(
    ops(25),
    '4.2',
    'installed | without-core | by-priority | with-available',
    'lists',
  ),
  'plugin-record': choice(ops(22, 23, 25), '2.9', 'full | short', 'bodies'),
  'plugin-unknown': choice(ops(22, 23, 24), '7', 'not-registered | entity-not-found | none', 'statuses'),
  'plugin-name-match': choice(ops(22, 23, 24), '2.6', 'exact | insensitive'),
  'plugin-priority-range': open(
    ops(22),
    '8',
    z
      .object({ min: z.int(), max: z.int() })
      .refine(({ min, max }) => min < max, 'min must be below max')
      .readonly(),
    { min: 1, max: 5 },
    [
      { min: 1, max: 3 },
      { min: 0, max: 10 },
    ],
  ),
  'plugin-update-partial': choice(ops(22), '2.6', 'unchanged | as-a-form | refused-empty', 'requests'),
  'plugin-update-not-installed': choice(ops(22), '7', 'not-found | invalid | stored', 'statuses'),
  'plugin-update-forced': choice(ops(22), '2.6', 'forbidden | invalid | no-effect', 'statuses'),
  'plugin-install-again': choice(ops(23), '7', 'refused | unchanged'),
  'plugin-install-deps': choice(ops(23), '7', 'refused | installed'),
  'plugin-install-defaults': choice(ops(23), '2.6', 'fresh | remembered'),
  'plugin-uninstall-absent': choice(ops(24), '7', 'invalid | not-found | unchanged', 'statuses'),
  'plugin-uninstall-protected': choice(
    ops(24),
    '2.6',
    'access-denied | protected | invalid | unchanged | removed',
    'statuses',
  ),
  'recipient-permission': gate(ops(20)),
  'recipient-unknown': choice(ops(20), '7', 'entity-not-found | none', 'statuses'),
  'recipient-bad-id': choice(ops(20), '2.8', 'not-found | invalid', 'statuses'),
  'columns-project-form': choice(ops(21), '2.7', 'optional | required | string-only', 'requests'),
  'columns-project-unknown': choice(ops(21), '7', 'not-found | invalid', 'statuses'),
  'columns-project-hidden': choice(ops(21), '7', 'forbidden | not-found', 'statuses'),
  'columns-type-values': choice(ops(21), '2.9', 'short | long-too | view-only'),
  'columns-type-invalid': choice(ops(21), '7', 'refused | as-view'),
  'columns-empty-list': choice(ops(21), '4.3', 'refused | reset | saved | read'),
  'columns-invalid': choice(ops(21), '7', 'refused | dropped'),
  'columns-duplicate': choice(ops(21), '7', 'refused | dropped | exact-only'),
  'columns-answer': choice(ops(21), '2.9', 'full | list-only', 'bodies'),
  'columns-known-set': choice(ops(21), '2.9', 'enabled-features | all'),
  'columns-scope': choice(ops(21), '2.7', 'caller-and-project | caller'),
  'page-permissions': choice(ops(7, 11, 16, 19), '5', 'as-the-write | wider', 'rights'),
  'page-level-list': choice(ops(7, 11), '2.9', 'up-to-own | all', 'bodies'),
}
