import { asking, assigning, nina, probe, setting } from './make.js'

export const own = {
  'projadd-permission': probe(assigning({}, { ...nina, as: 'developer' })),
  'projadd-mixed-rights': probe(assigning({ project_ids: ['1', '2'] }, { ...nina, as: 'developer' })),
  'projadd-unknown-project': probe(assigning({ project_ids: ['1', '99'] })),
  'projadd-bad-id': probe(assigning({ project_ids: ['web'] })),
  'projadd-empty-list': probe(assigning({ project_ids: [] })),
  'projadd-missing-fields': probe(asking('addUserToProjects', { ...nina, body: { project_ids: ['1'] } })),
  'projadd-level-form': probe(
    assigning({ access_level: '25' }, { ...nina, shows: ['status'] }),
    assigning({ access_level: 'reporter' }, { ...nina, shows: ['status'] }),
    assigning({ access_level: 'Reporter' }, { ...nina, shows: ['status'] }),
  ),
  'projadd-level-invalid': probe(assigning({ access_level: '33' }), assigning({ access_level: '-1' })),
  'projadd-integers': probe(assigning({ project_ids: [1] })),
  'projadd-existing': probe(assigning({ access_level: '25' }), assigning({ access_level: '40' })),
  'projadd-target-kind': probe(assigning({ project_ids: ['4'] })),
  'me-protected': probe(
    asking('getAccountPage', { as: 'protected' }),
    asking('updateUserSettings', {
      as: 'protected',
      body: { configs: [{ option: 'refresh_delay', value: '20' }] },
    }),
  ),
  'account-page-content': probe(asking('getAccountPage')),
  'tokens-content': probe(
    { change: 'tokens', where: { id: 2 }, to: { used_at: '2999-01-01T00:00:00Z' } },
    asking('getTokensPage', { shows: ['member tokens'] }),
  ),
  'settings-options': probe(asking('getUserSettingsPage')),
  'settings-unknown-option': probe(setting('shoe_size', '44')),
  'settings-empty-configs': probe(asking('updateUserSettings', { body: { configs: [] } })),
  'settings-value-type': probe(
    asking('updateUserSettings', {
      body: { configs: [{ option: 'redirect_delay', value: 3 }] },
      shows: ['status'],
    }),
  ),
  'settings-value-invalid': probe(setting('bugnote_order', 'UP')),
  'settings-atomic': probe(
    asking('updateUserSettings', {
      body: {
        configs: [
          { option: 'bugnote_order', value: 'ASC' },
          { option: 'bugnote_order', value: 'DESC' },
        ],
      },
    }),
  ),
  'settings-refresh-clamp': probe(setting('refresh_delay', '3')),
  'own-timezone-default': probe(asking('getUserSettingsPage')),
  'ext-settings-permission': probe(asking('updateSettings', { as: 'manager', body: [] })),
  'ext-settings-element': probe(
    asking('updateSettings', { body: [{ option: 'page_size', value: 9 }], shows: ['status'] }),
    asking('updateSettings', { body: [{ name: 'page_size', value: 9 }], shows: ['status'] }),
    asking('updateSettings', { body: [{ key: 'page_size', value: 9 }], shows: ['status'] }),
    asking('updateSettings', { body: [{ page_size: 9 }], shows: ['status'] }),
  ),
  'ext-settings-not-array': probe(asking('updateSettings', { body: {} })),
  'ext-settings-empty': probe(asking('updateSettings', { body: [] })),
  'ext-settings-unknown': probe(asking('updateSettings', { body: [{ option: 'nothing', value: 1 }] })),
  'ext-settings-value': probe(asking('updateSettings', { body: [{ option: 'page_size', value: 'many' }] })),
  'ext-settings-readonly': probe(
    asking('updateSettings', {
      body: [{ option: 'helpdesk_storage_path', value: '/' }],
    }),
  ),
}
