/** How a tracker finds the user in a path, and what a read of a user shows, in words. */
import { asking, getting, nina, probe, select, under, user } from './make.js'
import type { DecisionWords } from './probe.js'

export const reading = {
  'user-segment-rule': {
    question: 'Is `user_id` in the path an id or a username?',
    why: 'The segment has two meanings, and ids consist of digits.',
    values: {
      'digits-are-id': 'Digits are an id; everything else is a username.',
      'id-then-username': 'Digits are an id, or a username if no user has that id.',
      'username-first': 'It is a username if a user has that name, and otherwise an id.',
    },
    probe: probe(
      { change: 'users', where: { username: 'nina' }, to: { username: '5' } },
      { change: 'users', where: { username: 'silent' }, to: { username: '777' } },
      getting({ path: { user_id: 5 } }),
      getting({ path: { user_id: 777 } }),
    ),
  },
  'user-segment-me': {
    question: 'Does `me` as `user_id` stand for the caller?',
    why: 'The document defines no alias, so `me` is a name like any other.',
    values: { username: 'No, it is a username like any other.', caller: 'Yes, it stands for the caller.' },
    probe: probe(getting(user('me'))),
  },
  'user-id-zero-negative': {
    question: 'How does the tracker answer the user id 0?',
    why: 'Reading and updating check the form of an id; the other operations look up the id at once.',
    values: {
      'by-operation': 'Reading and updating answer 400, the other operations answer 404.',
      'not-found': 'Every operation answers 404.',
      invalid: 'Every operation answers 400.',
    },
    probe: probe(getting({ path: { user_id: 0 } }), asking('resetUser', { path: { user_id: 0 } })),
  },
  'user-not-found-number': {
    question: 'Which error number does an unknown user get?',
    why: 'The family has one number for ids and one for names.',
    values: {
      'by-form': '811 for an id, 810 for a username.',
      single: '811 for both an id and a username.',
      none: 'None.',
    },
    probe: probe(getting(user('nobody'))),
  },
  'username-case': {
    question: 'Does the case of letters matter in usernames?',
    why: 'Most trackers of the family have a database that ignores case.',
    values: {
      insensitive: 'No: `Nina` and `nina` are the same user.',
      sensitive: 'Yes: `Nina` and `nina` are two users.',
    },
    probe: probe(getting(user('NINA'))),
  },
  'id-existence-leak': {
    question: 'Can a caller without the right tell a missing user from an existing one?',
    why: 'The family looks up the user before it checks the rights of the caller.',
    values: {
      'not-found': 'Yes, the tracker answers 404 for a missing user and 403 for an existing one.',
      forbidden: 'No, the tracker answers 403 for both.',
      hidden: 'No, the tracker answers 404 for both.',
    },
    probe: probe(getting({ as: 'reporter', ...user('nobody') }), getting({ ...nina, as: 'reporter' })),
  },
  'get-user-permission': {
    question: 'Who may read a user?',
    why: 'Accounts are personal data, but all users may read their own.',
    values: { 'self-or-manager': 'The user and those who manage users.', anyone: 'Each authenticated user.' },
    probe: probe(getting({ ...nina, as: 'reporter' })),
  },
  'get-user-disabled': {
    question: 'Who may read a disabled user?',
    why: 'Those who may read other users may read disabled users too.',
    values: {
      'as-enabled': 'Those who may read an enabled user.',
      'forbidden-to-others': 'Only those who manage users; others get 403.',
      'hidden-from-others': 'Only those who manage users; others get 404.',
    },
    probe: under({ 'get-user-permission': 'anyone' }, getting({ as: 'reporter', ...user('former') })),
  },
  'get-user-sensitive': {
    question: 'Who sees the real name and the e-mail address of a user?',
    why: 'These members are for the user and for those who manage users.',
    values: {
      'self-and-managers': 'The user and those who manage users; for others the members are absent.',
      'real-name-to-all':
        'Everybody sees the real name; only the user and those who manage users see the address.',
      'null-for-others': 'The user and those who manage users; for others the members are null.',
    },
    probe: under({ 'get-user-permission': 'anyone' }, getting({ ...nina, as: 'reporter' })),
  },
  'select-location': {
    question: 'Where does a request select the fields of a user?',
    why: 'The family reads a comma-separated list from the query.',
    values: {
      query: 'In the query, as `select=id,name`.',
      'query-list': 'In the query, as `select[]=id&select[]=name`.',
      header: 'In the request header `X-Select`.',
    },
    probe: probe(getting({ ...nina, query: '?select=id&select[]=name', headers: { 'x-select': 'email' } })),
  },
  'select-default': {
    question: 'Which fields of a user does the tracker show without a selection?',
    why: 'Without a selection, the family shows who a user is, not how to manage the account.',
    values: {
      standard: 'Id, name, real name, e-mail address, level, language, timezone and date of creation.',
      everything: 'All fields.',
      'with-flags': 'The standard fields and the flags `enabled` and `protected`.',
      'with-projects': 'The standard fields and the projects of the user.',
    },
    probe: probe(getting(nina)),
  },
  'select-unknown': {
    question: 'What happens to an unknown field in a selection?',
    why: 'An unknown field selects nothing.',
    values: { ignored: 'The tracker ignores it.', refused: 'The tracker answers 400.' },
    probe: probe(select('id,shoe_size')),
  },
  'select-empty': {
    question: 'What does an empty selection select?',
    why: 'An empty option probably comes from an empty form field.',
    values: {
      'as-absent': 'The same as no selection.',
      'empty-record': 'Nothing: the record is empty.',
      refused: 'Nothing: the tracker answers 400.',
    },
    probe: probe(select('')),
  },
  'select-normalisation': {
    question: 'Do spaces and the case of letters matter in a selection?',
    why: 'The family trims the names of fields and converts them to lower case.',
    values: { insensitive: 'No: ` NAME` selects `name`.', sensitive: 'Yes: ` NAME` is an unknown field.' },
    probe: probe(select('id, NAME')),
  },
  'select-without-id': {
    question: 'Does the tracker show the id if the request does not select it?',
    why: 'A selection limits the answer to the selected fields.',
    values: { 'only-named': 'No, the tracker shows only the selected fields.', 'id-always': 'Yes, always.' },
    probe: probe(select('name')),
  },
  'user-field-names': {
    question: 'Under which names do answers show the username and the real name?',
    why: 'Answers of the family say name and real_name; requests say username and realname.',
    values: {
      family: 'As `name` and `real_name`.',
      request: 'As `username` and `realname`, as requests do.',
      both: 'Under both names.',
    },
    probe: probe(getting(nina)),
  },
  'user-empty-fields': {
    question: 'How does the tracker show an empty real name or e-mail address?',
    why: 'The family omits an empty real name or address.',
    values: { omitted: 'The member is absent.', 'empty-string': 'As an empty text.', null: 'As null.' },
    probe: probe(getting(user('silent'))),
  },
  'user-extra-fields': {
    question: 'When does the tracker show a pending e-mail address, the avatar and the client preference?',
    why: 'A client needs them only if they have a value.',
    values: {
      'when-present': 'If they have a value.',
      always: 'Always, as null if they have no value.',
      never: 'Never.',
    },
    probe: probe(getting(nina)),
  },
  'user-language-value': {
    question: 'How does the tracker show the language `auto`?',
    why: 'A client cannot use `auto`, so the tracker shows the language that it stands for.',
    values: { resolved: 'As the language that it stands for.', raw: 'As `auto`.' },
    probe: probe(getting(nina)),
  },
} as const satisfies Readonly<Record<string, DecisionWords>>
