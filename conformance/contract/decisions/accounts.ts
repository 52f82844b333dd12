/** Creating and updating users, in words: permissions, valid values and consequences. */
import { asking, creating, nina, person, probe, self, updating } from './make.js'
import { type DecisionWords, thresholdValues } from './words.js'

export const accounts = {
  'create-permission': {
    question: 'Which level may manage users?',
    why: 'One threshold of the family is for all management of users.',
    values: thresholdValues('may create, read, update and reset users'),
    probe: probe(asking('createUser', { as: 'manager', body: person({ access_level: 25 }) })),
  },
  'create-username-rules': {
    question: 'Which usernames are valid?',
    why: 'This is what the stock configuration of the family allows.',
    values: {
      family:
        'Up to 191 letters, digits, spaces and a few signs, with an optional domain; blanks at the ends are cut off.',
      'up-to-64': 'The same, up to 64 characters.',
      'word-characters': 'Letters, digits, `_`, `.` and `-` only.',
      'untrimmed-refused': 'The same as in the family, but blanks at the ends are answered 400.',
    },
    probe: probe(
      creating({ username: 'a b', email: 'mail0@example.org' }, { shows: ['status'] }),
      creating({ username: ' trimmed', email: 'mail1@example.org' }, { shows: ['status'] }),
      creating({ username: 'x'.repeat(70), email: 'mail2@example.org' }, { shows: ['status'] }),
    ),
  },
  'create-username-required': {
    question: 'What happens to a creation without a username?',
    why: 'Nobody can address a user without a name, so an absent name is an invalid one.',
    values: {
      refused: 'It is answered 400, with the number of an invalid username.',
      'refused-as-empty': 'It is answered 400, with the number of a missing field.',
      generated: 'The tracker makes up a username.',
    },
    probe: probe(asking('createUser', { body: { email: 'otto@example.org' } })),
  },
  'create-username-unique': {
    question: 'Which error number does a username have that is taken?',
    why: 'The family has a number of its own for it.',
    values: {
      'not-unique': 'The number of a username that is not unique, 800.',
      'invalid-value': 'The number of any invalid value, 29.',
    },
    probe: probe(creating({ username: 'nina' })),
  },
  'username-vs-realname': {
    question: "May a username be somebody else's real name?",
    why: "A username that is somebody else's real name misleads readers.",
    values: { checked: 'No, it is answered 400.', unchecked: 'Yes.' },
    probe: probe(creating({ username: 'Nina Neumann' }, { shows: ['status'] })),
  },
  'create-email-rules': {
    question: 'Which e-mail addresses are valid?',
    why: 'This is the pattern that browsers use for address fields.',
    values: {
      html5: 'Those that browsers accept in an address field.',
      loose: 'Anything with text on both sides of an `@`.',
      strict: 'As in browsers, and the domain must have a dot.',
    },
    probe: probe(
      creating({ email: 'a b@c' }),
      creating({ email: 'o@localhost' }),
      updating({ email: 'ö@x.de' }),
    ),
  },
  'create-email-blank': {
    question: 'May the e-mail address be empty?',
    why: 'Administrators may keep accounts without an address; others may not clear theirs.',
    values: {
      administrators: 'Only when an administrator asks for it; others are answered 400.',
      refused: 'No, it is answered 400.',
      allowed: 'Yes.',
    },
    probe: probe(updating({ email: '' }), updating({ email: '' }, self('reporter'))),
  },
  'create-email-unique': {
    question: 'May two users have the same e-mail address?',
    why: 'A lost password is claimed by address, so an address belongs to one account.',
    values: { unique: 'No, it is answered 400.', 'duplicates-allowed': 'Yes.' },
    probe: probe(creating({ email: 'Nina@Example.org' })),
  },
  'create-email-disposable': {
    question: 'Are e-mail addresses at throw-away domains accepted?',
    why: 'Nobody can reach a user later at such an address.',
    values: { refused: 'No, they are answered 400.', unchecked: 'Yes.' },
    probe: probe(creating({ email: 'otto@mailinator.com' })),
  },
  'create-access-level-default': {
    question: 'Which level does a new user have when none was given?',
    why: 'New accounts may report, as in the stock configuration.',
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
    question: 'May an access level be given in another form than an integer?',
    why: 'The document says integer; the family itself refers to levels by an object.',
    values: {
      integer: 'No, only an integer is accepted.',
      'object-too': 'An object with `id` or `name` is accepted as well.',
    },
    probe: probe(creating({ access_level: { name: 'updater' } })),
  },
  'access-level-above-own': {
    question: 'May a caller give somebody the level that the caller has?',
    why: 'Nobody gives away more than they have.',
    values: {
      'equal-allowed': 'Yes, up to the own level.',
      'equal-refused': 'No, only lower levels; the own one is answered 403.',
    },
    probe: probe(creating({ access_level: 90 })),
  },
  'create-password-given': {
    question: 'What happens to a password that is given at creation?',
    why: 'Where mail works, users choose their password by a link and no administrator knows it.',
    values: {
      'discarded-with-mail': 'It is discarded where the tracker sends mail, and used where it does not.',
      used: 'It becomes the password of the user.',
    },
    probe: probe(creating({ password: 'Given-Password-1' }), {
      user: 'otto',
      has: { password: 'Given-Password-1' },
    }),
  },
  'create-password-missing': {
    question: 'Which password does a new user have when none was given?',
    why: 'An account that nobody can log in to is safer than one that everybody can.',
    values: {
      random: 'A random one that nobody knows.',
      blank: 'A blank one.',
      refused: 'None: the creation is answered 400.',
    },
    probe: probe(creating({}), { user: 'otto', has: { password: '' } }),
  },
  'create-password-current': {
    question: 'What happens to `password_current` in a creation?',
    why: 'A user who does not exist yet has no current password, and creation takes the fields of an update.',
    values: { ignored: 'It is ignored.', refused: 'The creation is answered 400.' },
    probe: probe(creating({ password_current: 'Sunny-Day-2024' })),
  },
  'create-language-timezone': {
    question: 'What happens to an unknown language or timezone?',
    why: 'The family ignores preferences that it does not know.',
    values: {
      'invalid-ignored': 'It is ignored.',
      'invalid-refused': 'It is answered 400.',
      unchecked: 'It is stored as given.',
    },
    probe: probe(creating({ language: 'klingon' })),
  },
  'create-notify-flag': {
    question: 'Does `notify_user` matter in a creation?',
    why: 'A new user is told about the account in any case.',
    values: { ignored: 'No.', honoured: 'Yes: with false no mail is sent.' },
    probe: probe(creating({ notify_user: false }), { list: 'notifications' }),
  },
  'create-validation-order': {
    question: 'Which is checked first, the username or the e-mail address?',
    why: 'This is the order in which the family checks a form.',
    values: { 'username-first': 'The username.', 'email-first': 'The e-mail address.' },
    probe: probe(creating({ username: 'nina', email: 'none' })),
  },
  'create-client-preferred': {
    question: 'Is `client_preferred` stored?',
    why: 'A preference that is accepted should be kept.',
    values: { stored: 'Yes.', ignored: 'No, it is accepted and ignored.' },
    probe: probe(creating({ client_preferred: true })),
  },
  'create-avatar': {
    question: 'What happens to an avatar?',
    why: 'The integration decides what an avatar is, so the text is kept as it is.',
    values: {
      stored: 'It is stored as given.',
      ignored: 'It is accepted and ignored.',
      limited: 'It is stored; more than 65,536 characters are answered 400.',
    },
    probe: probe(creating({ avatar: 'x'.repeat(70_000) }, { shows: ['status'] }), {
      user: 'otto',
      has: { avatar: 'x'.repeat(70_000) },
    }),
  },
  'create-id-assignment': {
    question: 'Which id does a new user or custom field get?',
    why: 'Databases of the family count up and never use an id twice.',
    values: { increasing: 'The next number.', stepped: 'A higher number, with gaps of seven.' },
    probe: probe(creating({})),
  },
  'realname-rules': {
    question: 'Which real names are valid?',
    why: 'People have all sorts of names; only runs of spaces are collapsed.',
    values: {
      any: 'All.',
      'up-to-255': 'Those of up to 255 characters; longer ones are answered 400.',
      'no-angle-brackets': 'Those without `<` and `>`; others are answered 400.',
    },
    probe: probe(creating({ realname: 'a<b' }), updating({ realname: 'x'.repeat(300) })),
  },
  'mail-mode': {
    question: 'Does the tracker send mail?',
    why: 'A stock tracker sends mail, and lets users choose passwords by a link in it.',
    values: { on: 'Yes.', off: 'No: passwords are set or reset without it.' },
    probe: probe(creating({}), { list: 'notifications' }),
  },
  'mail-and-events': {
    question: 'Can a client see which mails were sent?',
    why: 'Tests want to see what would have been sent.',
    values: { outbox: "Yes, in the emulator's outbox.", none: 'No.' },
    probe: probe(creating({}), { list: 'notifications' }),
  },
  'update-self-rights': {
    question: 'What may users change in their own account?',
    why: 'Users keep their own name and address; level and flags are for administrators.',
    values: {
      'own-data': 'Username, real name, address, password and preferences; level and flags are answered 403.',
      'not-the-username': 'The same without the username.',
      nothing: 'Nothing: every update of the own account is answered 403.',
    },
    probe: probe(
      updating({ username: 'rita' }, self('reporter')),
      updating({ realname: 'R' }, self('reporter')),
    ),
  },
  'update-others-rights': {
    question: 'Which other users may somebody update who manages users?',
    why: 'Nobody changes an account that has more rights than the own one.',
    values: {
      'up-to-own-level': 'Those with the same level or a lower one.',
      'below-own-level': 'Those with a lower level only.',
    },
    probe: probe(updating({ realname: 'Second' }, { path: { user_id: 'second.admin' } })),
  },
  'update-protected-target': {
    question: 'May a protected user be updated?',
    why: 'Protection is against the user of a shared account; whoever manages users may still change it.',
    values: {
      'managers-may': 'Yes, by those who manage users.',
      'when-lifted': 'Only by an update that also lifts the protection.',
      never: 'No, every update is answered 403.',
    },
    probe: probe(
      updating({ realname: 'K' }, { path: { user_id: 'kiosk' } }),
      updating({ protected: false }, { path: { user_id: 'kiosk' } }),
    ),
  },
  'update-unchanged-forbidden-field': {
    question: 'May an update repeat the present value of a field that the caller may not change?',
    why: 'A form sends all its fields, and what does not change needs no right.',
    values: { allowed: 'Yes.', refused: 'No, it is answered 403.' },
    probe: probe(updating({ enabled: true }, self('reporter'))),
  },
  'update-email-self': {
    question: 'When does a new e-mail address count that users give themselves?',
    why: 'A new address counts once its owner has answered from it.',
    values: {
      pending: 'After it was verified; until then the old one stays.',
      immediate: 'At once.',
    },
    probe: probe(updating({ email: 'rita@example.org' }, self('reporter'))),
  },
  'update-last-admin': {
    question: 'How is an update answered that would leave the tracker without an enabled administrator?',
    why: 'Nobody could manage such a tracker any more; the family counts the request as invalid.',
    values: {
      invalid: 'It is answered 400.',
      forbidden: 'It is answered 403, with the number of the last administrator.',
      'access-denied': 'It is answered 403, like any other lack of rights.',
    },
    probe: probe(
      updating({ enabled: false }, { path: { user_id: 'second.admin' } }),
      updating({ enabled: false }, self('administrator')),
    ),
  },
  'update-promotion': {
    question: 'What happens to the project levels of a user who becomes an administrator?',
    why: 'Administrators have their level everywhere, so levels of single projects mean nothing.',
    values: { 'project-levels-deleted': 'They are deleted.', 'project-levels-kept': 'They are kept.' },
    probe: probe(updating({ access_level: 90 }, { path: { user_id: 'developer' } }), {
      count: 'memberships',
    }),
  },
  'notify-default': {
    question: 'Is the user told about an update that has no `notify_user`?',
    why: 'Nobody is written to unless the request asks for it.',
    values: {
      off: 'No.',
      on: 'Yes, when the name, the address or the level changed.',
      'on-for-any-change': 'Yes, when anything changed.',
    },
    probe: probe(
      updating({ realname: 'New' }, { ...nina, shows: [] }),
      updating({ protected: true }, { ...nina, shows: [] }),
      { count: 'notifications' },
    ),
  },
} as const satisfies Readonly<Record<string, DecisionWords>>
