import { asking, nina, probe, select, under } from './make.js'

export const reading = {
  'user-segment-rule': probe(
    { change: 'users', where: { username: 'nina' }, to: { username: '5' } },
    { change: 'users', where: { username: 'silent' }, to: { username: '777' } },
    asking('getUser', { path: { user_id: 5 } }),
    asking('getUser', { path: { user_id: 777 } }),
  ),
  'user-segment-me': probe(asking('getUser', { path: { user_id: 'me' } })),
  'user-id-zero-negative': probe(
    asking('getUser', { path: { user_id: 0 } }),
    asking('resetUser', { path: { user_id: 0 } }),
  ),
  'user-not-found-number': probe(asking('getUser', { path: { user_id: 'nobody' } })),
  'username-case': probe(asking('getUser', { path: { user_id: 'NINA' } })),
  'id-existence-leak': probe(
    asking('getUser', { as: 'reporter', path: { user_id: 'nobody' } }),
    asking('getUser', { ...nina, as: 'reporter' }),
  ),
  'get-user-permission': probe(asking('getUser', { ...nina, as: 'reporter' })),
  'get-user-disabled': under(
    { 'get-user-permission': 'anyone' },
    asking('getUser', { as: 'reporter', path: { user_id: 'former' } }),
  ),
  'get-user-sensitive': under(
    { 'get-user-permission': 'anyone' },
    asking('getUser', { ...nina, as: 'reporter' }),
  ),
  'select-location': probe(
    asking('getUser', { ...nina, query: '?select=id&select[]=name', headers: { 'x-select': 'email' } }),
  ),
  'select-default': probe(asking('getUser', nina)),
  'select-unknown': probe(select('id,shoe_size')),
  'select-empty': probe(select('')),
  'select-normalisation': probe(select('id, NAME')),
  'select-without-id': probe(select('name')),
  'user-field-names': probe(asking('getUser', nina)),
  'user-empty-fields': probe(asking('getUser', { path: { user_id: 'silent' } })),
  'user-extra-fields': probe(asking('getUser', nina)),
  'user-language-value': probe(asking('getUser', nina)),
}
