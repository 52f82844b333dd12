/** Custom fields. */
import { z } from 'zod'
import { choice, open, ops } from './define.js'

const definition = ops(15, 17)

export const customFields = {
  'cf-permission': choice(
    ops(14, 15, 16, 17, 18, 19),
    '5',
    'administrator | manager | list-for-all',
    'rights',
  ),
  'cf-list-order': choice(ops(14), '4.2', 'name | id | sequence', 'lists'),
  'cf-list-paging': choice(ops(14), '8', 'whole | pages', 'lists'),
  'cf-sort-params': choice(ops(14), '4.3', 'query | header', 'requests'),
  'cf-sort-invalid': choice(ops(14), '7', 'refused | ignored', 'statuses'),
  'cf-record': choice(ops(14, 15, 17, 19), '2.9', 'full | core | ids', 'bodies'),
  'cf-object-missing': choice(definition, '7', 'empty-field | invalid-value', 'statuses'),
  'cf-name-missing': choice(ops(15), '2.5', 'refused | generated', 'requests'),
  'cf-name-length': open(definition, '8', z.int().min(1).max(65_535), 64, [40, 128]),
  'cf-name-over-limit': choice(definition, '8', 'refused | truncated'),
  'cf-name-unique': choice(definition, '2.5', 'insensitive | sensitive'),
  'cf-name-comma': choice(definition, '2.5', 'refused | accepted'),
  'cf-name-trim': choice(definition, '2.5', 'trimmed | tags-stripped'),
  'cf-type-form': choice(definition, '2.9', 'names-or-digits | names | digits', 'requests'),
  'cf-type-missing': choice(ops(15), '2.5', 'string | refused', 'requests'),
  'cf-type-invalid': choice(definition, '7', 'invalid-value | invalid-definition | as-string', 'statuses'),
  'cf-possible-values': choice(definition, '2.5', 'free | required-for-lists'),
  'cf-default-value': choice(definition, '2.5', 'format-only | among-possible-values'),
  'cf-flag-defaults': choice(ops(15), '2.5', 'update-only | none | both'),
  'cf-update-merge': choice(ops(17), '2.5', 'merge | replace'),
  'cf-type-change': choice(ops(17), '2.5', 'allowed | refused'),
  'cf-projects-create': choice(ops(15), '7', 'not-found | invalid | skipped', 'statuses'),
  'cf-projects-update': choice(ops(17), '2.5', 'added | replaced | ignored'),
  'cf-delete-linked': choice(ops(18), '4.2', 'deleted | refused'),
  'cf-bad-id': choice(ops(17, 18, 19), '2.5', 'not-found | invalid', 'statuses'),
}
