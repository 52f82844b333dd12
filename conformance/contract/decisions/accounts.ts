/** Creating and updating users, in words: permissions, valid values and consequences. */
import { asking, creating, having, nina, person, probe, self, status, updating, user } from './make.js'
import { type DecisionWords, thresholdValues } from './probe.js'

export const accounts = {
  'create-permission': {
    question: 'Which level may manage users?',
    why: 'The family has one threshold for all management of users.',
    values: thresholdValues('may create, read, update and reset users'),
    probe: probe(asking('createUser', { as: 'manager', body: person({ access_level: 25 }) })),
  },
  'create-username-rules': {
    question: 'Which usernames are valid?',
    why: 'The stock configuration of the family allows these.',
    values: {
      family:
        'Up to 191 letters, digits, spaces and a few signs, with an optional domain; the tracker trims blanks.',
      'up-to-64': 'The same, up to 64 characters.',
      'word-characters': 'Letters, digits, `_`, `.` and `-` only.',
      'any-text': 'Any text; the tracker trims blanks.',
      'untrimmed-refused': 'The same as in the family, but the tracker answers 400 to blanks at the ends.',
    },
    probe: probe(
      creating({ username: 'a b', email: 'mail0@example.org' }, status),
      creating({ username: ' trimmed', email: 'mail1@example.org' }, status),
      creating({ username: 'x'.repeat(70), email: 'mail2@example.org' }, status),
      creating({ username: 'otto-éø', email: 'mail3@example.org' }, status),
    ),
  },
  'create-username-required': {
    question: 'What happens to a creation without a username?',
    why: 'Nobody can address a user without a name, so an absent name is invalid.',
    values: {
      refused: 'The tracker answers 400 with the number of an invalid username.',
      'refused-as-empty': 'The tracker answers 400 with the number of a missing field.',
      generated: 'The tracker makes up a username.',
    },
    probe: probe(asking('createUser', { body: { email: 'otto@example.org' } })),
  },
  'create-username-unique': {
    question: 'Which error number does a taken username get?',
    why: 'The family has a separate number for it.',
    values: { 'not-unique': '800, for a taken username.', 'invalid-value': '29, for an invalid value.' },
    probe: probe(creating({ username: 'nina' })),
  },
  'username-vs-realname': {
    question: 'May a username be the real name of another user?',
    why: 'A username that is the real name of another user misleads readers.',
    values: { checked: 'No, the tracker answers 400.', unchecked: 'Yes.' },
    probe: probe(creating({ username: 'Nina Neumann' }, status)),
  },
  'create-email-rules': {
    question: 'Which e-mail addresses are valid?',
    why: 'Browsers use this pattern for address fields.',
    values: {
      html5: 'Addresses that browsers accept in an address field.',
      loose: 'Anything with text on both sides of an `@`.',
      strict: 'Addresses that browsers accept, if the domain has a dot.',
    },
    probe: probe(
      creating({ email: 'a b@c' }),
      creating({ email: 'o@localhost' }),
      updating({ email: 'ö@x.de' }),
    ),
  },
  'create-email-blank': {
    question: 'May the e-mail address be empty?',
    why: 'Administrators may keep accounts without an address; others may not remove their own.',
    values: {
      administrators: 'Only if an administrator sends the request; others get 400.',
      refused: 'No, the tracker answers 400.',
      allowed: 'Yes.',
    },
    probe: probe(updating({ email: '' }), updating({ email: '' }, self('reporter'))),
  },
  'create-email-unique': {
    question: 'May two users have the same e-mail address?',
    why: 'Users recover a lost password by address, so an address belongs to one account.',
    values: { unique: 'No, the tracker answers 400.', 'duplicates-allowed': 'Yes.' },
    probe: probe(creating({ email: 'Nina@Example.org' })),
  },
  'create-email-disposable': {
    question: 'Does the tracker accept e-mail addresses at throw-away domains?',
    why: 'Nobody can reach a user at such an address later.',
    values: { refused: 'No, the tracker answers 400.', unchecked: 'Yes.' },
    probe: probe(creating({ email: 'otto@mailinator.com' })),
  },
  'create-access-level-default': {
    question: 'Which level does a new user get if the request gives none?',
    why: 'In the stock configuration, new users may report issues.',
    values: { reporter: 'Reporter, 25.', viewer: 'Viewer, 10.' },
    probe: probe(creating({})),
  },
  'access-level-values': {
    question: 'Which numbers are valid access levels?',
    why: 'The levels of the family are six named numbers.',
    values: { enumeration: '10, 25, 40, 55, 70 and 90 only.', 'up-to-100': 'Every number from 0 to 100.' },
    probe: probe(creating({ access_level: 33 })),
  },
  'access-level-form': {
    question: 'May an access level have another form than an integer?',
    why: 'The document says integer; the family itself uses objects for levels.',
    values: { integer: 'No, only an integer.', 'object-too': 'Yes, an object with `id` or `name` too.' },
    probe: probe(creating({ access_level: { name: 'updater' } })),
  },
  'access-level-above-own': {
    question: 'May callers give another user their own level?',
    why: 'Callers may not give more rights than they have.',
    values: {
      'equal-allowed': 'Yes, any level up to their own.',
      'equal-refused': 'No, only lower levels; for their own level the tracker answers 403.',
    },
    probe: probe(creating({ access_level: 90 })),
  },
  'create-password-given': {
    question: 'What happens to a password in a creation?',
    why: 'With mail, users choose their password through a link, and no administrator knows it.',
    values: {
      'discarded-with-mail': 'The tracker discards it if it sends mail, and uses it otherwise.',
      used: 'It becomes the password of the user.',
    },
    probe: probe(creating({ password: 'Given-Password-1' }), having({ password: 'Given-Password-1' })),
  },
  'create-password-missing': {
    question: 'Which password does a new user get if the request gives none?',
    why: 'An account that nobody can use is safer than an account that everybody can use.',
    values: {
      random: 'A random one that nobody knows.',
      blank: 'A blank one.',
      refused: 'None: the tracker answers 400.',
    },
    probe: probe(creating({}), having({ password: '' })),
  },
  'create-password-current': {
    question: 'What happens to `password_current` in a creation?',
    why: 'A new user has no current password, but creation takes the same fields as an update.',
    values: { ignored: 'The tracker ignores it.', refused: 'The tracker answers 400.' },
    probe: probe(creating({ password_current: 'Sunny-Day-2024' })),
  },
  'create-language-timezone': {
    question: 'What happens to an unknown language or timezone?',
    why: 'The family ignores preferences that it does not know.',
    values: {
      'invalid-ignored': 'The tracker ignores it.',
      'invalid-refused': 'The tracker answers 400.',
      unchecked: 'The tracker stores it as given.',
    },
    probe: probe(creating({ language: 'klingon' })),
  },
  'create-notify-flag': {
    question: 'Does `notify_user` matter in a creation?',
    why: 'The tracker tells a new user about the account in any case.',
    values: { ignored: 'No.', honoured: 'Yes, without true the tracker sends no mail.' },
    probe: probe(creating({ notify_user: false }), { list: 'notifications' }),
  },
  'create-validation-order': {
    question: 'Which does the tracker check first, the username or the e-mail address?',
    why: 'The family checks a form in this order.',
    values: { 'username-first': 'The username.', 'email-first': 'The e-mail address.' },
    probe: probe(creating({ username: 'nina', email: 'none' })),
  },
  'create-client-preferred': {
    question: 'Does the tracker store `client_preferred`?',
    why: 'The tracker should keep a preference that it accepts.',
    values: { stored: 'Yes.', ignored: 'No, the tracker ignores it.' },
    probe: probe(creating({ client_preferred: true })),
  },
  'create-avatar': {
    question: 'What happens to an avatar?',
    why: 'The integration decides what an avatar is, so the tracker keeps the text unchanged.',
    values: {
      stored: 'The tracker stores it as given.',
      ignored: 'The tracker ignores it.',
      limited: 'The tracker stores it, but answers 400 to more than 65,536 characters.',
    },
    probe: probe(creating({ avatar: 'x'.repeat(70_000) }, status), having({ avatar: 'x'.repeat(70_000) })),
  },
  'create-id-assignment': {
    question: 'Which id does a new user or custom field get?',
    why: 'Databases of the family count up and never use an id twice.',
    values: { increasing: 'The next number.', stepped: 'A higher number, with gaps of seven.' },
    probe: probe(creating({})),
  },
  'realname-rules': {
    question: 'Which real names are valid?',
    why: 'People have all sorts of names; the tracker only collapses runs of spaces.',
    values: {
      any: 'All names.',
      'up-to-255': 'Names of up to 255 characters; the tracker answers 400 to longer ones.',
      'no-angle-brackets': 'Names without `<` and `>`; the tracker answers 400 to others.',
    },
    probe: probe(creating({ realname: 'a<b' }), updating({ realname: 'x'.repeat(300) })),
  },
  'mail-mode': {
    question: 'Does the tracker send mail?',
    why: 'A stock tracker sends mail, and users choose their password through a link in it.',
    values: { on: 'Yes.', off: 'No, it sets or resets passwords without mail.' },
    probe: probe(creating({}), { list: 'notifications' }),
  },
  'mail-and-events': {
    question: 'Can a client see which mails the tracker sent?',
    why: 'Tests need to see which mails the tracker would send.',
    values: { outbox: "Yes, in the emulator's outbox.", none: 'No.' },
    probe: probe(creating({}), { list: 'notifications' }),
  },
  'update-self-rights': {
    question: 'What may users change in their own account?',
    why: 'Users manage their own name and address; administrators manage levels and flags.',
    values: {
      'own-data': 'Username, real name, address, password and preferences; level and flags get 403.',
      'not-the-username': 'The same fields, except the username.',
      nothing: 'Nothing: the tracker answers 403 to every update of their own account.',
    },
    probe: probe(
      updating({ username: 'rita' }, self('reporter')),
      updating({ realname: 'R' }, self('reporter')),
    ),
  },
  'update-others-rights': {
    question: 'Which other accounts may a caller who manages users update?',
    why: 'Nobody may change an account that has more rights than their own.',
    values: {
      'up-to-own-level': 'Accounts with the same level or a lower one.',
      'below-own-level': 'Only accounts with a lower level.',
    },
    probe: probe(updating({ realname: 'Second' }, user('second.admin'))),
  },
  'update-protected-target': {
    question: 'Who may update a protected user?',
    why: 'Protection restricts the users of a shared account, not those who manage users.',
    values: {
      'managers-may': 'Those who manage users.',
      'when-lifted': 'Those who manage users, if the update also removes the protection.',
      never: 'Nobody: the tracker answers 403 to every update.',
    },
    probe: probe(updating({ realname: 'K' }, user('kiosk')), updating({ protected: false }, user('kiosk'))),
  },
  'update-unchanged-forbidden-field': {
    question: 'May an update repeat the current value of a field that the caller may not change?',
    why: 'A form sends all its fields, and a value that stays the same needs no right.',
    values: { allowed: 'Yes.', refused: 'No, the tracker answers 403.' },
    probe: probe(updating({ enabled: true }, self('reporter'))),
  },
  'update-email-self': {
    question: 'When does a new e-mail address take effect if users change their own?',
    why: 'The owner must confirm the new address first.',
    values: { pending: 'After verification; until then the old address stays.', immediate: 'At once.' },
    probe: probe(updating({ email: 'rita@example.org' }, self('reporter'))),
  },
  'update-last-admin': {
    question: 'How does the tracker answer an update that would leave it without an enabled administrator?',
    why: 'Then nobody could manage the tracker, so the family treats the request as invalid.',
    values: {
      invalid: 'With 400.',
      forbidden: 'With 403 and the number of the last administrator.',
      'access-denied': 'With 403, as for any other lack of rights.',
    },
    probe: probe(
      updating({ enabled: false }, user('second.admin')),
      updating({ enabled: false }, self('administrator')),
    ),
  },
  'update-promotion': {
    question: 'What does the tracker do with the project levels of a new administrator?',
    why: 'Administrators have their level in every project, so levels in single projects mean nothing.',
    values: { 'project-levels-deleted': 'It deletes them.', 'project-levels-kept': 'It keeps them.' },
    probe: probe(updating({ access_level: 90 }, user('developer')), { count: 'memberships' }),
  },
  'notify-default': {
    question: 'Does the tracker notify a user about an update that has no `notify_user`?',
    why: 'The tracker writes to nobody unless the request asks for it.',
    values: {
      off: 'No.',
      on: 'Yes, if the name, the address or the level changed.',
      'on-for-any-change': 'Yes, if anything changed.',
    },
    probe: probe(
      updating({ realname: 'New' }, { ...nina, shows: [] }),
      updating({ protected: true }, { ...nina, shows: [] }),
      { count: 'notifications' },
    ),
  },
} as const satisfies Readonly<Record<string, DecisionWords>>
