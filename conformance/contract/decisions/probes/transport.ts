import { asking, columns, nina, person, plain, probe, updating } from './make.js'

export const transport = {
  'error-body-members': probe(
    asking('getUser', { path: { user_id: 'nobody' }, shows: ['members'] }),
    asking('getUser', { ...nina, as: null, shows: ['members'] }),
  ),
  'error-code-numbers': probe(asking('getUser', { path: { user_id: 'nobody' } })),
  'error-code-when-unmapped': probe(asking('installPlugin', { path: { plugin_name: 'Nothing' } })),
  'error-localized-language': probe(
    asking('getUser', { ...nina, as: 'developer', shows: ['member localized'] }),
  ),
  'error-content-type': probe(asking('getUser', { ...nina, shows: ['header content-type'] })),
  'unauthenticated-header': probe(
    asking('getUser', { ...nina, as: null, shows: ['header www-authenticate'] }),
  ),
  'bearer-scheme-parsing': probe(
    asking('getUser', { ...nina, headers: { authorization: 'bearer   {administrator}' }, shows: ['status'] }),
  ),
  'disabled-caller-token': probe(asking('getAccountPage', { as: 'disabled' })),
  'low-level-caller': probe(
    { change: 'users', where: { username: 'viewer' }, to: { access_level: 5 } },
    asking('getAccountPage', { as: 'viewer' }),
  ),
  'impersonation-header': probe(
    asking('getAccountPage', { headers: { 'x-mantis-username': 'nina' }, shows: ['member user.name'] }),
  ),
  'unknown-path-order': probe(plain('GET', '/plugins/Ext/nothing', { authorization: 'Bearer x' })),
  'trailing-slash': probe(plain('GET', '/plugins/Ext/plugins/')),
  'wrong-method': probe(plain('DELETE', '/plugins/Ext/plugins')),
  'malformed-json': probe(asking('createUser', { raw: '{' })),
  'missing-content-type': probe(asking('createUser', { body: person(), headers: { 'content-type': null } })),
  'body-where-none': probe(asking('resetUser', { ...nina, body: { password: 'x' } })),
  'empty-object-body': probe(updating({}), columns({})),
  'wrong-json-types': probe(updating({ realname: 'New', access_level: '40' }), updating({ realname: 5 })),
  'null-member': probe(updating({ realname: 'New', email: null })),
  'unknown-members': probe(updating({ realname: 'New', nickname: 'x' })),
  'check-order': probe(
    asking('createUser', { as: 'reporter', body: { email: 'none' } }),
    asking('updateUser', { as: 'reporter', ...nina, body: { email: 'none' } }),
  ),
  'success-envelope': probe(asking('getUser', nina)),
  'write-success-body': probe(updating({ realname: 'New' })),
  'page-content': probe(asking('getCustomFieldCreatePage')),
  'answer-member-order': probe(asking('getUser', nina)),
  'answer-extra-members': probe(asking('getUser', nina)),
  'enum-in-response': probe(asking('getUser', nina)),
  'date-format': probe(asking('getUser', nina)),
  'x-mantis-headers': probe(
    asking('getUser', { ...nina, shows: ['header x-mantis-username'] }),
    asking('getUser', { path: { user_id: 'nobody' }, shows: ['header x-mantis-username'] }),
  ),
  'cache-and-etag': probe(asking('listPlugins', { shows: ['header cache-control', 'header etag'] })),
}
