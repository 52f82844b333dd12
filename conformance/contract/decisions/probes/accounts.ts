import { asking, creating, nina, person, probe, self, updating } from './make.js'

export const accounts = {
  'create-permission': probe(asking('createUser', { as: 'manager', body: person({ access_level: 25 }) })),
  'create-username-rules': probe(
    creating({ username: 'a b', email: 'mail0@example.org' }, { shows: ['status'] }),
    creating({ username: ' trimmed', email: 'mail1@example.org' }, { shows: ['status'] }),
    creating({ username: 'x'.repeat(70), email: 'mail2@example.org' }, { shows: ['status'] }),
  ),
  'create-username-required': probe(asking('createUser', { body: { email: 'otto@example.org' } })),
  'create-username-unique': probe(creating({ username: 'nina' })),
  'username-vs-realname': probe(creating({ username: 'Nina Neumann' }, { shows: ['status'] })),
  'create-email-rules': probe(
    creating({ email: 'a b@c' }),
    creating({ email: 'o@localhost' }),
    updating({ email: 'ö@x.de' }),
  ),
  'create-email-blank': probe(updating({ email: '' }), updating({ email: '' }, self('reporter'))),
  'create-email-unique': probe(creating({ email: 'Nina@Example.org' })),
  'create-email-disposable': probe(creating({ email: 'otto@mailinator.com' })),
  'create-access-level-default': probe(creating({})),
  'access-level-values': probe(creating({ access_level: 33 })),
  'access-level-form': probe(creating({ access_level: { name: 'updater' } })),
  'access-level-above-own': probe(creating({ access_level: 90 })),
  'create-password-given': probe(creating({ password: 'Given-Password-1' }), {
    user: 'otto',
    has: { password: 'Given-Password-1' },
  }),
  'create-password-current': probe(creating({ password_current: 'Sunny-Day-2024' })),
  'create-password-missing': probe(creating({}), { user: 'otto', has: { password: '' } }),
  'create-language-timezone': probe(creating({ language: 'klingon' })),
  'create-notify-flag': probe(creating({ notify_user: false }), { list: 'notifications' }),
  'create-validation-order': probe(creating({ username: 'nina', email: 'none' })),
  'create-client-preferred': probe(creating({ client_preferred: true })),
  'create-avatar': probe(creating({ avatar: 'x'.repeat(70_000) }, { shows: ['status'] }), {
    user: 'otto',
    has: { avatar: 'x'.repeat(70_000) },
  }),
  'create-id-assignment': probe(creating({})),
  'realname-rules': probe(creating({ realname: 'a<b' }), updating({ realname: 'x'.repeat(300) })),
  'mail-mode': probe(creating({}), { list: 'notifications' }),
  'mail-and-events': probe(creating({}), { list: 'notifications' }),
  'update-self-rights': probe(
    updating({ username: 'rita' }, self('reporter')),
    updating({ realname: 'R' }, self('reporter')),
  ),
  'update-others-rights': probe(updating({ realname: 'Second' }, { path: { user_id: 'second.admin' } })),
  'update-protected-target': probe(
    updating({ realname: 'K' }, { path: { user_id: 'kiosk' } }),
    updating({ protected: false }, { path: { user_id: 'kiosk' } }),
  ),
  'update-unchanged-forbidden-field': probe(updating({ enabled: true }, self('reporter'))),
  'update-email-self': probe(updating({ email: 'rita@example.org' }, self('reporter'))),
  'update-last-admin': probe(
    updating({ enabled: false }, { path: { user_id: 'second.admin' } }),
    updating({ enabled: false }, self('administrator')),
  ),
  'update-promotion': probe(updating({ access_level: 90 }, { path: { user_id: 'developer' } }), {
    count: 'memberships',
  }),
  'notify-default': probe(
    updating({ realname: 'New' }, { ...nina, shows: [] }),
    updating({ protected: true }, { ...nina, shows: [] }),
    { count: 'notifications' },
  ),
}
