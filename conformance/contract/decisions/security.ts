/** Passwords, impersonation and reset, in words. */
import { asking, nina, ownPassword, probe, self, under, updating } from './make.js'
import type { DecisionWords } from './words.js'

export const security = {
  'password-rules': {
    question: 'Which passwords are valid?',
    why: 'The family has no rule but the length of its form field.',
    values: {
      any: 'Every password of up to 1,024 characters.',
      'six-characters': 'Those of at least six characters.',
      'eight-characters': 'Those of at least eight characters.',
      'mixed-characters': 'Those of at least eight characters, with small and capital letters and digits.',
      'not-the-username': 'Those that are not the username.',
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
    question: 'How is a wrong current password answered?',
    why: 'The family counts it as a lack of rights, not as a malformed request.',
    values: { forbidden: 'With 403.', invalid: 'With 400.' },
    probe: probe(ownPassword({ password_current: 'wrong', password: 'Other-Word-1' })),
  },
  'password-current-missing': {
    question: 'How is a change of the own password answered that has no current password?',
    why: 'The field is required in one operation and optional in the other.',
    values: {
      'by-operation':
        'The own password page answers 400 for a missing field, the update of a user answers 403.',
      'empty-field': 'Both answer 400 for a missing field.',
      mismatch: 'Both answer 400 for a wrong password.',
    },
    probe: probe(
      ownPassword({ password: 'Other-Word-1' }),
      updating({ password: 'Other-Word-1' }, self('reporter')),
    ),
  },
  'password-blank-new': {
    question: 'What does an empty new password mean?',
    why: 'In a form with many fields an empty password field means "leave it".',
    values: {
      'by-operation': 'The own password page answers 400, the update of a user leaves the password as it is.',
      refused: 'Both answer 400.',
    },
    probe: probe(updating({ password: '' })),
  },
  'password-same': {
    question: 'May the new password be the present one?',
    why: 'Nothing changes, so nothing can go wrong.',
    values: { accepted: 'Yes, and nothing is written.', refused: 'No, it is answered 400.' },
    probe: probe(ownPassword({ password_current: 'Sunny-Day-2024', password: 'Sunny-Day-2024' })),
  },
  'password-effects': {
    question: 'What ends when a password changes?',
    why: 'Whoever knew the old password is logged out; programs keep their tokens.',
    values: {
      'sessions-end': 'Sessions end, and tokens live on.',
      'tokens-revoked': 'Sessions end, and tokens are revoked.',
      nothing: 'Nothing.',
    },
    probe: under(
      { 'impersonate-effect': 'cookie' },
      asking('impersonateUser', { path: { user_id: 'password' } }),
      ownPassword({ password_current: 'Sunny-Day-2024', password: 'Other-Word-1' }),
      { count: 'tokens' },
    ),
  },
  'password-protected': {
    question: 'Which error number does a change of the password of a protected account have?',
    why: 'The family has a number of its own for protected accounts.',
    values: {
      'protected-account': 'That of a protected account.',
      'access-denied': 'That of any lack of rights.',
    },
    probe: probe(
      asking('changeOwnPassword', {
        as: 'protected',
        body: { password_current: 'Sunny-Day-2024', password: 'Other-Word-1' },
      }),
    ),
  },
  'update-password-who': {
    question: 'Whose current password does an update of a password need?',
    why: "A manager who sets a user's password cannot know the present one.",
    values: {
      'self-needs-current': 'None; only users who change their own password give the current one.',
      'all-need-current': "The caller's own.",
      'nobody-needs-current': 'None, nor when users change their own password.',
      'others-refused': 'None helps: the password of others cannot be set, and the answer is 403.',
    },
    probe: probe(
      updating({ password: 'Other-Word-1' }),
      updating({ password: 'Other-Word-1', password_current: 'Sunny-Day-2024' }),
      asking('updateUser', {
        as: 'password',
        path: { user_id: 'password' },
        body: { password: 'Other-Word-1' },
      }),
    ),
  },
  'impersonate-permission': {
    question: 'Which level may impersonate other users?',
    why: 'Acting as somebody else is the strongest right there is.',
    values: {
      '90': 'Only administrators (level 90) may.',
      '70': 'Managers (level 70) may too.',
      nobody: 'Nobody may; every request is answered 403.',
    },
    probe: probe(asking('impersonateUser', { ...nina, as: 'manager' }), asking('impersonateUser', nina)),
  },
  'impersonate-self': {
    question: 'How is an impersonation of the own account answered?',
    why: 'The family refuses it like any other lack of rights.',
    values: { forbidden: 'With 403.', invalid: 'With 400.' },
    probe: probe(asking('impersonateUser', { path: { user_id: 'administrator' } })),
  },
  'impersonate-disabled': {
    question: 'How is an impersonation of a disabled user answered?',
    why: 'Nobody may act through an account that is switched off.',
    values: { forbidden: 'With 403.', 'not-found': 'With 404.', invalid: 'With 400.' },
    probe: probe(asking('impersonateUser', { path: { user_id: 'former' } })),
  },
  'impersonate-higher': {
    question: 'May a user with a higher level be impersonated?',
    why: 'Impersonation must not be a way to more rights.',
    values: { refused: 'No, it is answered 403.', allowed: 'Yes.' },
    probe: under(
      { 'impersonate-permission': 70 },
      asking('impersonateUser', { as: 'manager', path: { user_id: 'second.admin' } }),
    ),
  },
  'impersonate-protected': {
    question: 'May a protected user be impersonated?',
    why: 'Protection is against changes of the account.',
    values: { allowed: 'Yes.', refused: 'No, it is answered 403.' },
    probe: probe(asking('impersonateUser', { path: { user_id: 'kiosk' } })),
  },
  'impersonate-chain-end': {
    question: 'May an impersonated session start another one?',
    why: 'The family forgets who began, so a session may start another.',
    values: { 'nested-allowed': 'Yes.', 'nested-refused': 'No, it is answered 403.' },
    probe: under(
      { 'impersonate-effect': 'token' },
      asking('impersonateUser', { path: { user_id: 'second.admin' }, shows: [] }),
      asking('impersonateUser', { ...nina, headers: { authorization: 'Bearer {impersonated}' } }),
    ),
  },
  'impersonate-effect': {
    question: 'How does an impersonation hand over the session?',
    why: "The family sets the target's login cookie; the bearer token keeps its owner.",
    values: {
      cookie: 'By a cookie; the bearer token keeps its owner.',
      token: 'By a token in the answer; the bearer token keeps its owner.',
      'cookie-and-token': 'By both a cookie and a token in the answer.',
      'token-switches':
        'The bearer token itself speaks for the user, until it asks for another impersonation, whatever comes of that.',
    },
    probe: probe(
      asking('impersonateUser', { ...nina, shows: ['members user', 'has set-cookie'] }),
      asking('getAccountPage'),
    ),
  },
  'reset-protected': {
    question: 'May a protected account be reset?',
    why: 'A protected account keeps its password, yet must not stay locked for ever.',
    values: {
      'unlocks-if-locked': 'Only when it is locked, and then it is unlocked; else it is answered 403.',
      refused: 'No, it is answered 403.',
      'always-unlocks': 'Yes: it is unlocked, and keeps its password.',
    },
    probe: probe(
      asking('resetUser', { path: { user_id: 'kiosk' } }),
      { change: 'users', where: { username: 'kiosk' }, to: { failed_logins: 5 } },
      asking('resetUser', { path: { user_id: 'kiosk' } }),
    ),
  },
  'reset-last-admin': {
    question: 'How is a reset of the last enabled administrator answered?',
    why: 'Resetting the only administrator could lock everybody out.',
    values: { invalid: 'With 400.', forbidden: 'With 403.', allowed: 'With 200, like any other.' },
    probe: probe(
      { change: 'users', where: { username: 'second.admin' }, to: { enabled: false } },
      asking('resetUser', { path: { user_id: 'administrator' } }),
    ),
  },
  'reset-self': {
    question: 'May a caller reset the own account?',
    why: 'The family does not mind.',
    values: { allowed: 'Yes.', forbidden: 'No, it is answered 403.', invalid: 'No, it is answered 400.' },
    probe: probe(asking('resetUser', { path: { user_id: 'administrator' } })),
  },
  'reset-disabled': {
    question: 'May a disabled user be reset?',
    why: 'The password is replaced; nobody is invited to use an account that is switched off.',
    values: {
      'without-mail': 'Yes, and no mail is sent.',
      forbidden: 'No, it is answered 403.',
      invalid: 'No, it is answered 400.',
    },
    probe: probe(asking('resetUser', { path: { user_id: 'former' } })),
  },
  'reset-no-email': {
    question: 'What does a reset do when the user has no e-mail address?',
    why: 'A link cannot be sent to nowhere.',
    values: { refused: 'It is answered 400.', 'blank-password': 'It leaves the user with a blank password.' },
    probe: probe(asking('resetUser', { path: { user_id: 'silent' } })),
  },
  'reset-effect': {
    question: 'What does a reset change?',
    why: 'Resetting means a new password: by a link where mail works, else a blank one.',
    values: {
      password: 'It replaces the password and unlocks the account.',
      'counter-only': 'It unlocks the account, and keeps the password.',
      'tokens-revoked': 'It replaces the password, unlocks the account and revokes the tokens.',
    },
    probe: probe(
      asking('resetUser', { path: { user_id: 'reporter' } }),
      { user: 'reporter', has: { password: 'Sunny-Day-2024' } },
      { count: 'tokens' },
    ),
  },
} as const satisfies Readonly<Record<string, DecisionWords>>
