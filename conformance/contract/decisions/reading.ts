/** How a tracker finds the user in a path, and what a read of a user shows, in words. */
import { asking, nina, probe, select, under } from './make.js'
import type { DecisionWords } from './words.js'

export const reading = {
  'user-segment-rule': {
    question: 'Is `user_id` in the path an id or a username?',
    why: 'One segment has two meanings, and ids are digits.',
    values: {
      'digits-are-id': 'Digits are an id, everything else is a username.',
      'id-then-username': 'Digits are an id, or a username where no user has that id.',
      'username-first': 'It is a username where somebody has that name, else an id.',
    },
    probe: probe(
      { change: 'users', where: { username: 'nina' }, to: { username: '5' } },
      { change: 'users', where: { username: 'silent' }, to: { username: '777' } },
      asking('getUser', { path: { user_id: 5 } }),
      asking('getUser', { path: { user_id: 777 } }),
    ),
  },
  'user-segment-me': {
    question: 'Does `me` as `user_id` stand for the caller?',
    why: 'The document knows no alias, so "me" is a name like any other.',
    values: { username: 'No, it is a username like any other.', caller: 'Yes, it stands for the caller.' },
    probe: probe(asking('getUser', { path: { user_id: 'me' } })),
  },
  'user-id-zero-negative': {
    question: 'How is the user id 0 answered?',
    why: 'Reading and updating check the form of an id; the other operations look it up at once.',
    values: {
      'by-operation': 'Reading and updating answer 400, the other operations answer 404.',
      'not-found': 'Every operation answers 404.',
      invalid: 'Every operation answers 400.',
    },
    probe: probe(asking('getUser', { path: { user_id: 0 } }), asking('resetUser', { path: { user_id: 0 } })),
  },
  'user-not-found-number': {
    question: 'Which error number does an unknown user have?',
    why: 'The family has one number for ids and one for names.',
    values: {
      'by-form': 'It is 811 for an id and 810 for a username.',
      single: 'It is 811 for both.',
      none: 'There is no number.',
    },
    probe: probe(asking('getUser', { path: { user_id: 'nobody' } })),
  },
  'username-case': {
    question: 'Does the case of letters matter in usernames?',
    why: 'Most trackers of the family run on a database whose collation ignores case.',
    values: {
      insensitive: 'No: `Nina` and `nina` are the same user.',
      sensitive: 'Yes: `Nina` and `nina` are two users.',
    },
    probe: probe(asking('getUser', { path: { user_id: 'NINA' } })),
  },
  'id-existence-leak': {
    question: 'What does a caller without the right learn about a user who does not exist?',
    why: 'The family looks up the user first, so an outsider can tell missing users from existing ones.',
    values: {
      'not-found': 'A missing user is answered 404, an existing one 403.',
      forbidden: 'Both are answered 403.',
      hidden: 'Both are answered 404.',
    },
    probe: probe(
      asking('getUser', { as: 'reporter', path: { user_id: 'nobody' } }),
      asking('getUser', { ...nina, as: 'reporter' }),
    ),
  },
  'get-user-permission': {
    question: 'Who may read a user?',
    why: 'Accounts are personal data; everybody may read the own one.',
    values: {
      'self-or-manager': 'The user, and whoever manages users.',
      anyone: 'Every authenticated user.',
    },
    probe: probe(asking('getUser', { ...nina, as: 'reporter' })),
  },
  'get-user-disabled': {
    question: 'Who may read a disabled user?',
    why: 'Whoever may read other users may read disabled ones too.',
    values: {
      'as-enabled': 'Whoever may read an enabled one.',
      'forbidden-to-others': 'Only those who manage users; others are answered 403.',
      'hidden-from-others': 'Only those who manage users; others are answered 404.',
    },
    probe: under(
      { 'get-user-permission': 'anyone' },
      asking('getUser', { as: 'reporter', path: { user_id: 'former' } }),
    ),
  },
  'get-user-sensitive': {
    question: 'Who sees the real name and the e-mail address of a user?',
    why: 'They are for the user and for those who manage users.',
    values: {
      'self-and-managers': 'The user and whoever manages users; for others the members are absent.',
      'real-name-to-all':
        'Everybody sees the real name; the address stays with the user and with those who manage users.',
      'null-for-others': 'The user and whoever manages users; for others the members are null.',
    },
    probe: under({ 'get-user-permission': 'anyone' }, asking('getUser', { ...nina, as: 'reporter' })),
  },
  'select-location': {
    question: 'Where does a request say which fields of a user it selects?',
    why: 'The family reads a comma-separated list from the query.',
    values: {
      query: 'In the query, as `select=id,name`.',
      'query-list': 'In the query, as `select[]=id&select[]=name`.',
      header: 'In the request header `X-Select`.',
    },
    probe: probe(
      asking('getUser', { ...nina, query: '?select=id&select[]=name', headers: { 'x-select': 'email' } }),
    ),
  },
  'select-default': {
    question: 'Which fields of a user are shown without a selection?',
    why: 'Without a selection the family shows who a user is, not how the account is managed.',
    values: {
      standard: 'Id, name, real name, e-mail address, level, language, timezone and date of creation.',
      everything: 'All fields.',
      'with-flags': 'The standard ones and the flags `enabled` and `protected`.',
      'with-projects': 'The standard ones and the projects of the user.',
    },
    probe: probe(asking('getUser', nina)),
  },
  'select-unknown': {
    question: 'What happens to an unknown field in a selection?',
    why: 'A field that does not exist selects nothing.',
    values: { ignored: 'It is ignored.', refused: 'The request is answered 400.' },
    probe: probe(select('id,shoe_size')),
  },
  'select-empty': {
    question: 'What does an empty selection select?',
    why: 'An empty option most likely comes from a form that was not filled in.',
    values: {
      'as-absent': 'The same as no selection.',
      'empty-record': 'Nothing: the record is empty.',
      refused: 'The request is answered 400.',
    },
    probe: probe(select('')),
  },
  'select-normalisation': {
    question: 'Do spaces and the case of letters matter in a selection?',
    why: 'The family trims the names of fields and writes them in lower case.',
    values: {
      insensitive: 'No: ` NAME` selects `name`.',
      sensitive: 'Yes: ` NAME` is an unknown field.',
    },
    probe: probe(select('id, NAME')),
  },
  'select-without-id': {
    question: 'Is the id shown when it was not selected?',
    why: 'A selection limits the fields to those named.',
    values: { 'only-named': 'No, only the selected fields are shown.', 'id-always': 'Yes, always.' },
    probe: probe(select('name')),
  },
  'user-field-names': {
    question: 'Under which names do answers show the username and the real name?',
    why: 'Answers of the family say name and real_name where requests say username and realname.',
    values: {
      family: 'As `name` and `real_name`.',
      request: 'As `username` and `realname`, as requests do.',
      both: 'Under both names.',
    },
    probe: probe(asking('getUser', nina)),
  },
  'user-empty-fields': {
    question: 'How is an empty real name or e-mail address shown?',
    why: 'The family leaves out a real name or an address that is not there.',
    values: { omitted: 'The member is absent.', 'empty-string': 'As an empty text.', null: 'As null.' },
    probe: probe(asking('getUser', { path: { user_id: 'silent' } })),
  },
  'user-extra-fields': {
    question: 'When are a pending e-mail address, the avatar and the client preference shown?',
    why: 'They are of interest once there is one.',
    values: {
      'when-present': 'When there is one.',
      always: 'Always, as null where there is none.',
      never: 'Never.',
    },
    probe: probe(asking('getUser', nina)),
  },
  'user-language-value': {
    question: 'How is the language `auto` shown?',
    why: 'A client can do nothing with "auto", so the language that it stands for is shown.',
    values: { resolved: 'As the language that it stands for.', raw: 'As `auto`.' },
    probe: probe(asking('getUser', nina)),
  },
} as const satisfies Readonly<Record<string, DecisionWords>>
