import { asking, nina, ownPassword, probe, self, under, updating } from './make.js'

export const security = {
  'password-rules': probe(
    ownPassword({ password_current: 'Sunny-Day-2024', password: 'sevenup' }),
    ownPassword({ password_current: 'sevenup', password: 'Sunny-Day-2024' }),
    ownPassword({ password_current: 'Sunny-Day-2024', password: 'short' }),
    ownPassword({ password_current: 'short', password: 'longbutplain' }),
    ownPassword({ password_current: 'Sunny-Day-2024', password: 'longbutplain' }),
    ownPassword({ password_current: 'longbutplain', password: 'password' }),
  ),
  'password-current-wrong': probe(ownPassword({ password_current: 'wrong', password: 'Other-Word-1' })),
  'password-current-missing': probe(
    ownPassword({ password: 'Other-Word-1' }),
    updating({ password: 'Other-Word-1' }, self('reporter')),
  ),
  'password-blank-new': probe(updating({ password: '' })),
  'password-same': probe(ownPassword({ password_current: 'Sunny-Day-2024', password: 'Sunny-Day-2024' })),
  'password-effects': under(
    { 'impersonate-effect': 'cookie' },
    asking('impersonateUser', { path: { user_id: 'password' } }),
    ownPassword({ password_current: 'Sunny-Day-2024', password: 'Other-Word-1' }),
    { count: 'tokens' },
  ),
  'password-protected': probe(
    asking('changeOwnPassword', {
      as: 'protected',
      body: { password_current: 'Sunny-Day-2024', password: 'Other-Word-1' },
    }),
  ),
  'update-password-who': probe(
    updating({ password: 'Other-Word-1' }),
    updating({ password: 'Other-Word-1', password_current: 'Sunny-Day-2024' }),
    asking('updateUser', {
      as: 'password',
      path: { user_id: 'password' },
      body: { password: 'Other-Word-1' },
    }),
  ),
  'impersonate-permission': probe(
    asking('impersonateUser', { ...nina, as: 'manager' }),
    asking('impersonateUser', nina),
  ),
  'impersonate-self': probe(asking('impersonateUser', { path: { user_id: 'administrator' } })),
  'impersonate-disabled': probe(asking('impersonateUser', { path: { user_id: 'former' } })),
  'impersonate-higher': under(
    { 'impersonate-permission': 70 },
    asking('impersonateUser', { as: 'manager', path: { user_id: 'second.admin' } }),
  ),
  'impersonate-protected': probe(asking('impersonateUser', { path: { user_id: 'kiosk' } })),
  'impersonate-chain-end': under(
    { 'impersonate-effect': 'token' },
    asking('impersonateUser', { path: { user_id: 'second.admin' }, shows: [] }),
    asking('impersonateUser', { ...nina, headers: { authorization: 'Bearer {impersonated}' } }),
  ),
  'impersonate-effect': probe(
    asking('impersonateUser', { ...nina, shows: ['members user', 'has set-cookie'] }),
  ),
  'reset-protected': probe(
    asking('resetUser', { path: { user_id: 'kiosk' } }),
    { change: 'users', where: { username: 'kiosk' }, to: { failed_logins: 5 } },
    asking('resetUser', { path: { user_id: 'kiosk' } }),
  ),
  'reset-last-admin': probe(
    { change: 'users', where: { username: 'second.admin' }, to: { enabled: false } },
    asking('resetUser', { path: { user_id: 'administrator' } }),
  ),
  'reset-self': probe(asking('resetUser', { path: { user_id: 'administrator' } })),
  'reset-disabled': probe(asking('resetUser', { path: { user_id: 'former' } })),
  'reset-no-email': probe(asking('resetUser', { path: { user_id: 'silent' } })),
  'reset-effect': probe(
    asking('resetUser', { path: { user_id: 'reporter' } }),
    { user: 'reporter', has: { password: 'Sunny-Day-2024' } },
    { count: 'tokens' },
  ),
}
