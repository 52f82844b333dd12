import { asking, field, probe } from './make.js'

export const customFields = {
  'cf-permission': probe(
    asking('listCustomFields', { as: 'viewer' }),
    asking('getCustomFieldCreatePage', { as: 'manager' }),
  ),
  'cf-list-order': probe(asking('listCustomFields')),
  'cf-list-paging': probe(asking('listCustomFields', { query: '?page_size=2&page=2' })),
  'cf-sort-params': probe(
    asking('listCustomFields', { query: '?sort_by=id', headers: { 'x-sort-by': 'type' } }),
  ),
  'cf-sort-invalid': probe(asking('listCustomFields', { query: '?sort_by=colour' })),
  'cf-record': probe(asking('listCustomFields')),
  'cf-object-missing': probe(asking('createCustomField', { body: {} })),
  'cf-name-missing': probe(field({ type: 'string' })),
  'cf-name-length': probe(field({ name: 'x'.repeat(50) }), field({ name: 'y'.repeat(100) })),
  'cf-name-over-limit': probe(field({ name: 'x'.repeat(70) })),
  'cf-name-unique': probe(field({ name: 'CUSTOMER' })),
  'cf-name-comma': probe(field({ name: 'one, two' })),
  'cf-name-trim': probe(field({ name: ' <b>Bold</b> ' })),
  'cf-type-form': probe(
    field({ name: '3', type: '3' }, {}, ['status']),
    field({ name: 'enum', type: 'enum' }, {}, ['status']),
  ),
  'cf-type-missing': probe(field({ name: 'Odd' })),
  'cf-type-invalid': probe(field({ name: 'Odd', type: 'sound' })),
  'cf-possible-values': probe(field({ name: 'Size', type: 'list' })),
  'cf-default-value': probe(
    field({ name: 'Size', type: 'list', possible_values: 's|m', default_value: 'xl' }),
  ),
  'cf-flag-defaults': probe(field({ name: 'Plain' })),
  'cf-update-merge': probe(
    asking('updateCustomField', {
      path: { field_id: 4 },
      body: { custom_field: { name: 'Effect' } },
    }),
  ),
  'cf-type-change': probe(
    asking('updateCustomField', {
      path: { field_id: 12 },
      body: { custom_field: { type: '1' } },
    }),
  ),
  'cf-projects-create': probe(field({ name: 'Linked' }, { projects: ['1', '99'] })),
  'cf-projects-update': probe(
    asking('updateCustomField', {
      path: { field_id: 1 },
      body: { custom_field: {}, projects: ['3'] },
    }),
  ),
  'cf-delete-linked': probe(asking('deleteCustomField', { path: { field_id: 1 } })),
  'cf-bad-id': probe(asking('deleteCustomField', { path: { field_id: 'abc' } })),
}
