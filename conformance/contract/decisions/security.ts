/** Passwords, impersonation and reset, in words. */
import { asking, impersonating, nina, ownPassword, probe, self, under, updating, user } from './make.js'
import type { DecisionWords } from './probe.js'

export const security = {
  'password-rules': {
    question: 'Which passwords are valid?',
    why: 'The family has only one rule, the length of its form field.',
    values: {
      any: 'Every password of up to 1,024 characters.',
      'six-characters': 'Passwords of at least six characters.',
      'eight-characters': 'Passwords of at least eight characters.',
      'mixed-characters': 'Passwords of at least eight characters, with letters of both cases and digits.',
      'not-the-username': 'Passwords that differ from the username.',
    },
    probe: probe(
      ownPassword({ password_current: 'Sunny-Day-2024', password: 'sevenup' }),
      ownPassword({ password_current: 'sevenup', password: 'Sunny-Day-2024' }),
      ownPassword({ password_current: 'Sunny-Day-2024', password: 'short' }),
      ownPassword({ password_current: 'short', password: 'longbutplain' }),
      ownPassword({ password_current: 'Sunny-Day-2024', password: 'longbutplain' }),
      ownPassword({ password_current: 'longbutplain', password: 'password' }),
    ),
  },
  'password-current-wrong': {
    question: 'How does the tracker answer a wrong current password?',
    why: 'The family treats it as a lack of rights, not as an invalid request.',
    values: { forbidden: 'With 403.', invalid: 'With 400.' },
    probe: probe(ownPassword({ password_current: 'wrong', password: 'Other-Word-1' })),
  },
  'password-current-missing': {
    question: 'How does the tracker answer users who change their own password without the current one?',
    why: 'The current password is required in one operation and optional in the other.',
    values: {
      'by-operation':
        'The operation changeOwnPassword answers 400 for a missing field; updateUser answers 403.',
      'empty-field': 'Both operations answer 400 for a missing field.',
      mismatch: 'Both operations answer 400 for a wrong password.',
    },
    probe: probe(
      ownPassword({ password: 'Other-Word-1' }),
      updating({ password: 'Other-Word-1' }, self('reporter')),
    ),
  },
  'password-blank-new': {
    question: 'What happens to an empty new password?',
    why: 'In a form with many fields, an empty password field means "no change".',
    values: {
      'by-operation': 'The operation changeOwnPassword answers 400; updateUser keeps the password.',
      refused: 'Both operations answer 400.',
    },
    probe: probe(updating({ password: '' })),
  },
  'password-same': {
    question: 'May the new password be the same as the current one?',
    why: 'Nothing changes, so nothing can go wrong.',
    values: { accepted: 'Yes, and nothing changes.', refused: 'No, the tracker answers 400.' },
    probe: probe(ownPassword({ password_current: 'Sunny-Day-2024', password: 'Sunny-Day-2024' })),
  },
  'password-effects': {
    question: 'What ends when a password changes?',
    why: 'A person who knew the old password must log in again; programs keep their tokens.',
    values: {
      'sessions-end': 'Sessions end, and tokens stay valid.',
      'tokens-revoked': 'Sessions end, and the tracker revokes tokens.',
      nothing: 'Nothing.',
    },
    probe: under(
      { 'impersonate-effect': 'cookie' },
      impersonating(user('password')),
      ownPassword({ password_current: 'Sunny-Day-2024', password: 'Other-Word-1' }),
      { count: 'tokens' },
    ),
  },
  'password-protected': {
    question: 'Which error number does a password change of a protected account get?',
    why: 'The family has a separate number for protected accounts.',
    values: {
      'protected-account': '12, for a protected account.',
      'access-denied': '13, for any lack of rights.',
    },
    probe: probe(ownPassword({ password_current: 'Sunny-Day-2024', password: 'Other-Word-1' }, 'protected')),
  },
  'update-password-who': {
    question: 'Which current password does a password update need?',
    why: 'A manager who sets the password of a user cannot know the current one.',
    values: {
      'self-needs-current': 'Users who change their own password give theirs; other callers give none.',
      'all-need-current': 'Every caller gives their own current password.',
      'nobody-needs-current': 'No caller gives a current password.',
      'others-refused': 'Nobody may set the password of another user: the tracker answers 403.',
    },
    probe: probe(
      updating({ password: 'Other-Word-1' }),
      updating({ password: 'Other-Word-1', password_current: 'Sunny-Day-2024' }),
      updating({ password: 'Other-Word-1' }, self('password')),
    ),
  },
  'impersonate-permission': {
    question: 'Which level may impersonate other users?',
    why: 'The right to act as another user is the strongest right.',
    values: {
      '90': 'Only administrators (level 90) may.',
      '70': 'Managers (level 70) may too.',
      nobody: 'Nobody may; the tracker answers 403 to every request.',
    },
    probe: probe(impersonating({ ...nina, as: 'manager' }), impersonating(nina)),
  },
  'impersonate-self': {
    question: 'How does the tracker answer callers who impersonate themselves?',
    why: 'The family treats it as a lack of rights.',
    values: { forbidden: 'With 403.', invalid: 'With 400.' },
    probe: probe(impersonating(user('administrator'))),
  },
  'impersonate-disabled': {
    question: 'How does the tracker answer an impersonation of a disabled user?',
    why: 'Nobody may act through a disabled account.',
    values: { forbidden: 'With 403.', 'not-found': 'With 404.', invalid: 'With 400.' },
    probe: probe(impersonating(user('former'))),
  },
  'impersonate-higher': {
    question: 'May a caller impersonate a user with a higher level?',
    why: 'An impersonation must not give the caller more rights.',
    values: { refused: 'No, the tracker answers 403.', allowed: 'Yes.' },
    probe: under({ 'impersonate-permission': 70 }, impersonating({ as: 'manager', ...user('second.admin') })),
  },
  'impersonate-protected': {
    question: 'May a caller impersonate a protected user?',
    why: 'Protection prevents only changes of the account.',
    values: { allowed: 'Yes.', refused: 'No, the tracker answers 403.' },
    probe: probe(impersonating(user('kiosk'))),
  },
  'impersonate-chain-end': {
    question: 'May an impersonated session start another impersonation?',
    why: 'The family forgets the original caller, so a session may start another one.',
    values: { 'nested-allowed': 'Yes.', 'nested-refused': 'No, the tracker answers 403.' },
    probe: under(
      { 'impersonate-effect': 'token' },
      impersonating({ ...user('second.admin'), shows: [] }),
      impersonating({ ...nina, headers: { authorization: 'Bearer {impersonated}' } }),
    ),
  },
  'impersonate-effect': {
    question: 'How does a caller get the impersonated session?',
    why: "The family sets the target's login cookie; the bearer token keeps its owner.",
    values: {
      cookie: 'By a cookie; the bearer token keeps its owner.',
      token: 'By a token in the answer; the bearer token keeps its owner.',
      'cookie-and-token': 'By both a cookie and a token in the answer.',
      'token-switches':
        'The bearer token itself acts for the user, until it requests another impersonation, even a refused one.',
    },
    probe: probe(
      impersonating({ ...nina, shows: ['members user', 'has set-cookie'] }),
      asking('getAccountPage'),
    ),
  },
  'reset-protected': {
    question: 'May a caller reset a protected account?',
    why: 'A protected account keeps its password, but it must not stay locked.',
    values: {
      'unlocks-if-locked': 'Only if it is locked: the reset unlocks it; otherwise the tracker answers 403.',
      refused: 'No, the tracker answers 403.',
      'always-unlocks': 'Yes, the reset unlocks it and keeps its password.',
    },
    probe: probe(
      asking('resetUser', user('kiosk')),
      { change: 'users', where: { username: 'kiosk' }, to: { failed_logins: 5 } },
      asking('resetUser', user('kiosk')),
    ),
  },
  'reset-last-admin': {
    question: 'How does the tracker answer a reset of the last enabled administrator?',
    why: 'A reset of the only administrator could lock everybody out.',
    values: { invalid: 'With 400.', forbidden: 'With 403.', allowed: 'With 200, like any other reset.' },
    probe: probe(
      { change: 'users', where: { username: 'second.admin' }, to: { enabled: false } },
      asking('resetUser', user('administrator')),
    ),
  },
  'reset-self': {
    question: 'How does the tracker answer callers who reset their own account?',
    why: 'The family allows it.',
    values: { allowed: 'With 200.', forbidden: 'With 403.', invalid: 'With 400.' },
    probe: probe(asking('resetUser', user('administrator'))),
  },
  'reset-disabled': {
    question: 'May a caller reset a disabled user?',
    why: 'A reset replaces the password, but nobody should get an invitation to a disabled account.',
    values: {
      'without-mail': 'Yes, and the tracker sends no mail.',
      forbidden: 'No, the tracker answers 403.',
      invalid: 'No, the tracker answers 400.',
    },
    probe: probe(asking('resetUser', user('former'))),
  },
  'reset-no-email': {
    question: 'What does a reset do if the user has no e-mail address?',
    why: 'Without an address, the tracker cannot send a link.',
    values: { refused: 'Nothing: the tracker answers 400.', 'blank-password': 'It sets a blank password.' },
    probe: probe(asking('resetUser', user('silent'))),
  },
  'reset-effect': {
    question: 'What does a reset change?',
    why: 'A reset sets a new password, through a link if mail works, and otherwise a blank one.',
    values: {
      password: 'It replaces the password and unlocks the account.',
      'counter-only': 'It unlocks the account and keeps the password.',
      'tokens-revoked': 'It replaces the password, unlocks the account and revokes the tokens.',
    },
    probe: probe(
      asking('resetUser', user('reporter')),
      { user: 'reporter', has: { password: 'Sunny-Day-2024' } },
      { count: 'tokens' },
    ),
  },
} as const satisfies Readonly<Record<string, DecisionWords>>
