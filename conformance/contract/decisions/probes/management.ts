import { asking, columns, probe, under } from './make.js'

export const management = {
  'plugin-permission': probe(asking('listPlugins', { as: 'manager' })),
  'plugin-list-set': probe(asking('listPlugins')),
  'plugin-record': probe(asking('listPlugins')),
  'plugin-unknown': probe(asking('installPlugin', { path: { plugin_name: 'Nothing' } })),
  'plugin-name-match': probe(asking('installPlugin', { path: { plugin_name: 'snippets' } })),
  'plugin-priority-range': probe(
    asking('updatePlugin', { path: { plugin_name: 'SourceGit' }, body: { priority: 0 }, shows: ['status'] }),
    asking('updatePlugin', { path: { plugin_name: 'SourceGit' }, body: { priority: 4 }, shows: ['status'] }),
    asking('updatePlugin', { path: { plugin_name: 'SourceGit' }, body: { priority: 10 }, shows: ['status'] }),
  ),
  'plugin-update-partial': under(
    { 'empty-object-body': 'accepted' },
    asking('updatePlugin', { path: { plugin_name: 'Helpdesk' }, body: { unknown: true } }),
    asking('updatePlugin', { path: { plugin_name: 'Helpdesk' }, body: {} }),
  ),
  'plugin-update-not-installed': probe(
    asking('updatePlugin', {
      path: { plugin_name: 'Snippets' },
      body: { priority: 2 },
    }),
  ),
  'plugin-update-forced': probe(
    asking('updatePlugin', {
      path: { plugin_name: 'MantisCore' },
      body: { priority: 2 },
    }),
  ),
  'plugin-install-again': probe(asking('installPlugin', { path: { plugin_name: 'SourceGit' } })),
  'plugin-install-deps': probe(asking('installPlugin', { path: { plugin_name: 'Timeline' } })),
  'plugin-install-defaults': probe(
    asking('updatePlugin', { path: { plugin_name: 'SourceGit' }, body: { priority: 1 } }),
    asking('uninstallPlugin', { path: { plugin_name: 'SourceGit' } }),
    asking('installPlugin', { path: { plugin_name: 'SourceGit' } }),
  ),
  'plugin-uninstall-absent': probe(asking('uninstallPlugin', { path: { plugin_name: 'Snippets' } })),
  'plugin-uninstall-protected': probe(asking('uninstallPlugin', { path: { plugin_name: 'Helpdesk' } })),
  'recipient-permission': probe(
    asking('deleteHelpdeskRecipient', { as: 'manager', path: { recipient_id: 1 } }),
  ),
  'recipient-unknown': probe(asking('deleteHelpdeskRecipient', { path: { recipient_id: 99 } })),
  'recipient-bad-id': probe(asking('deleteHelpdeskRecipient', { path: { recipient_id: 'x' } })),
  'columns-project-form': probe(columns({ type: 'view' }), columns({ project: { id: 1 } })),
  'columns-project-hidden': probe(columns({ project: '3' }, { as: 'restricted' })),
  'columns-project-unknown': probe(columns({ project: '99' })),
  'columns-type-values': probe(columns({ type: 'csv' }), columns({ type: 'view_issues' })),
  'columns-type-invalid': probe(columns({ type: 'poster' })),
  'columns-empty-list': probe(columns({ project: '1', columns: [] }), columns({ project: '1' })),
  'columns-invalid': probe(columns({ columns: ['id', 'shoe_size'] })),
  'columns-duplicate': probe(columns({ columns: ['id', 'ID'] }), columns({ columns: ['id', 'id'] })),
  'columns-answer': probe(columns({ columns: ['id'] })),
  'columns-known-set': probe(columns({ columns: ['id', 'eta'] })),
  'columns-scope': probe(columns({ project: '2', columns: ['id'] }), columns({ project: '3' })),
  'page-permissions': probe(asking('getUserCreatePage', { as: 'developer' })),
  'page-level-list': under(
    { 'create-permission': 70 },
    asking('getUserCreatePage', { as: 'manager', shows: ['member access_levels'] }),
  ),
}
