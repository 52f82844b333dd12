/** Project assignment, pages and settings of the caller's own account, and extension settings, in words. */
import { asking, assigning, nina, probe, setting } from './make.js'
import { type DecisionWords, thresholdValues } from './words.js'

export const own = {
  'projadd-permission': {
    question: 'Who may add a user to a project?',
    why: 'Whoever manages a project decides who is in it.',
    values: {
      'project-manager': 'Those who manage that project, up to their own level in it.',
      'user-manager': 'Those who manage users, up to their own level.',
    },
    probe: probe(assigning({}, { ...nina, as: 'developer' })),
  },
  'projadd-mixed-rights': {
    question: 'What happens when the caller may add the user to some of the projects only?',
    why: 'A client should not have to compare what it asked for with what it got.',
    values: {
      refused: 'The whole request is answered 403, and nothing is written.',
      skipped: 'Those projects are skipped, and the answer is 200.',
    },
    probe: probe(assigning({ project_ids: ['1', '2'] }, { ...nina, as: 'developer' })),
  },
  'projadd-unknown-project': {
    question: 'How is an unknown project in `project_ids` answered?',
    why: 'A project that does not exist is a resource that was not found.',
    values: {
      'not-found': 'With 404, and nothing is written.',
      invalid: 'With 400, and nothing is written.',
      skipped: 'It is skipped, and the answer is 200.',
    },
    probe: probe(assigning({ project_ids: ['1', '99'] })),
  },
  'projadd-bad-id': {
    question: 'How is a project id answered that is not a positive number?',
    why: 'Ids of projects are positive numbers.',
    values: { invalid: 'With 400.', 'not-found': 'With 404.' },
    probe: probe(assigning({ project_ids: ['web'] })),
  },
  'projadd-empty-list': {
    question: 'How is an empty list of projects answered?',
    why: 'Adding to no project is done at once.',
    values: {
      accepted: 'With 200, and nothing changes.',
      'empty-field': 'With 400 for a missing field.',
      'invalid-value': 'With 400 for an invalid value.',
    },
    probe: probe(assigning({ project_ids: [] })),
  },
  'projadd-missing-fields': {
    question: 'Which error number does a missing member of a project assignment have?',
    why: 'The family has a number for a field that is not there.',
    values: { 'empty-field': 'That of a missing field.', 'invalid-value': 'That of an invalid value.' },
    probe: probe(asking('addUserToProjects', { ...nina, body: { project_ids: ['1'] } })),
  },
  'projadd-level-form': {
    question: 'How is the level in a project written?',
    why: 'The document says string, and the family knows levels by number and by name.',
    values: {
      'digits-or-name': 'As digits, such as `25`, or as the name, such as `reporter`.',
      'any-case': 'The same, and the case of the name does not matter.',
      digits: 'As digits only.',
      names: 'As the name only.',
    },
    probe: probe(
      assigning({ access_level: '25' }, { ...nina, shows: ['status'] }),
      assigning({ access_level: 'reporter' }, { ...nina, shows: ['status'] }),
      assigning({ access_level: 'Reporter' }, { ...nina, shows: ['status'] }),
    ),
  },
  'projadd-level-invalid': {
    question: 'How is an unknown level in a project answered?',
    why: 'An unknown level is a value that is not allowed.',
    values: {
      'invalid-value': 'With 400 for an invalid value.',
      'lacks-level': 'With 400 for a user without the needed level.',
      'minus-one-is-own': 'With 400, but `-1` stands for the global level of the user.',
    },
    probe: probe(assigning({ access_level: '33' }), assigning({ access_level: '-1' })),
  },
  'projadd-integers': {
    question: 'Are numbers accepted for the ids and the level, which the document calls strings?',
    why: 'Ids are numbers in every answer, so clients send them as such.',
    values: { tolerated: 'Yes.', refused: 'No, they are answered 400.' },
    probe: probe(assigning({ project_ids: [1] })),
  },
  'projadd-existing': {
    question: 'What happens when the user is in the project already?',
    why: 'The level that was asked for is the one that counts afterwards.',
    values: {
      overwritten: 'The new level replaces the old one.',
      kept: 'The old level stays, and the answer is 200.',
      refused: 'The request is answered 400.',
    },
    probe: probe(assigning({ access_level: '25' }), assigning({ access_level: '40' })),
  },
  'projadd-target-kind': {
    question: 'May a disabled user, or a disabled project, be part of an assignment?',
    why: 'Accounts and projects that are switched off keep their members.',
    values: { any: 'Yes.', 'enabled-only': 'No, it is answered 400.' },
    probe: probe(assigning({ project_ids: ['4'] })),
  },
  'me-protected': {
    question: 'May the user of a protected account see the own pages, and change the own settings?',
    why: 'A protected account is shared, so no user of it may manage it.',
    values: {
      refused: 'No, the account, tokens and settings pages are answered 403.',
      'pages-readable': 'See them, yes; only changes are answered 403.',
      allowed: 'Yes, both.',
    },
    probe: probe(
      asking('getAccountPage', { as: 'protected' }),
      asking('updateUserSettings', {
        as: 'protected',
        body: { configs: [{ option: 'refresh_delay', value: '20' }] },
      }),
    ),
  },
  'account-page-content': {
    question: 'What does the account page show beside the user?',
    why: 'A page needs to know what to offer.',
    values: { 'with-flags': 'What the user may do.', record: 'Nothing.' },
    probe: probe(asking('getAccountPage')),
  },
  'tokens-content': {
    question: 'What does the tokens page show, and in which order?',
    why: 'The token in use comes first; secrets are never shown again.',
    values: {
      'by-last-use': 'The tokens without their secrets, the last one used first.',
      'by-creation': 'The tokens without their secrets, the oldest first.',
      masked: 'The tokens with the first two characters of each secret, the last one used first.',
    },
    probe: probe(
      { change: 'tokens', where: { id: 2 }, to: { used_at: '2999-01-01T00:00:00Z' } },
      asking('getTokensPage', { shows: ['member tokens'] }),
    ),
  },
  'settings-options': {
    question: 'Which self-service settings are there?',
    why: 'These are the preferences that the family has.',
    values: { family: 'All preferences of the family.', few: 'A few of them.' },
    probe: probe(asking('getUserSettingsPage')),
  },
  'settings-unknown-option': {
    question: 'Which error number does an unknown setting have?',
    why: 'The family has a number for an option that is not there.',
    values: {
      'option-not-found': 'That of an unknown option, 100.',
      'invalid-value': 'That of an invalid value, 29.',
      'option-invalid': 'That of an invalid option, 101.',
    },
    probe: probe(setting('shoe_size', '44')),
  },
  'settings-empty-configs': {
    question: 'Which error number does an empty list of settings have?',
    why: 'An empty list is a list that was not given.',
    values: { 'empty-field': 'That of a missing field.', 'invalid-value': 'That of an invalid value.' },
    probe: probe(asking('updateUserSettings', { body: { configs: [] } })),
  },
  'settings-value-type': {
    question: 'Are numbers and booleans accepted as values of settings, which the document calls strings?',
    why: 'Switches and numbers are often sent as what they are.',
    values: { scalars: 'Yes, they are stored as text.', 'strings-only': 'No, they are answered 400.' },
    probe: probe(
      asking('updateUserSettings', {
        body: { configs: [{ option: 'redirect_delay', value: 3 }] },
        shows: ['status'],
      }),
    ),
  },
  'settings-value-invalid': {
    question: 'How is a value answered that a setting cannot have?',
    why: 'A language that nobody speaks is not a language.',
    values: {
      'invalid-value': 'With 400 for an invalid value.',
      'option-invalid': 'With 400 for an invalid option.',
      stored: 'With 200, and it is stored.',
    },
    probe: probe(setting('bugnote_order', 'UP')),
  },
  'settings-atomic': {
    question: 'What happens when a list has the same setting twice?',
    why: 'Settings are written in the order in which they come.',
    values: { 'last-wins': 'The last value counts.', 'duplicates-refused': 'The list is answered 400.' },
    probe: probe(
      asking('updateUserSettings', {
        body: {
          configs: [
            { option: 'bugnote_order', value: 'ASC' },
            { option: 'bugnote_order', value: 'DESC' },
          ],
        },
      }),
    ),
  },
  'settings-refresh-clamp': {
    question: 'What happens to a refresh delay below ten minutes?',
    why: 'Pages that reload all the time are a burden, so short delays are raised.',
    values: {
      raised: 'It is raised to ten.',
      refused: 'It is answered 400.',
      stored: 'It is stored as given.',
    },
    probe: probe(setting('refresh_delay', '3')),
  },
  'own-timezone-default': {
    question: 'Which timezone is shown for a user who has chosen none?',
    why: 'A client wants to know the zone in which times are meant.',
    values: { 'default-name': 'The name of the default timezone.', empty: 'An empty text.' },
    probe: probe(asking('getUserSettingsPage')),
  },
  'ext-settings-permission': {
    question: 'Which level may change the settings of the extension?',
    why: 'Configuration is for administrators.',
    values: thresholdValues('may change them'),
    probe: probe(asking('updateSettings', { as: 'manager', body: [] })),
  },
  'ext-settings-element': {
    question: 'Which form does an element of the body of updateSettings have?',
    why: 'This is the form that self-service settings have.',
    values: {
      'option-value': '`{"option": …, "value": …}`.',
      'name-value': '`{"name": …, "value": …}`.',
      'key-value': '`{"key": …, "value": …}`.',
      pairs: 'An object with the name of the setting as its only member.',
    },
    probe: probe(
      asking('updateSettings', { body: [{ option: 'page_size', value: 9 }], shows: ['status'] }),
      asking('updateSettings', { body: [{ name: 'page_size', value: 9 }], shows: ['status'] }),
      asking('updateSettings', { body: [{ key: 'page_size', value: 9 }], shows: ['status'] }),
      asking('updateSettings', { body: [{ page_size: 9 }], shows: ['status'] }),
    ),
  },
  'ext-settings-not-array': {
    question: 'Which error number does a body of updateSettings have that is no list?',
    why: 'The body as a whole is not a list.',
    values: { 'invalid-value': 'That of an invalid value.', 'array-expected': 'That of a missing list.' },
    probe: probe(asking('updateSettings', { body: {} })),
  },
  'ext-settings-empty': {
    question: 'Is an empty list a valid body of updateSettings?',
    why: 'The schema of the reference shows an empty list.',
    values: { accepted: 'Yes, and nothing changes.', refused: 'No, it is answered 400.' },
    probe: probe(asking('updateSettings', { body: [] })),
  },
  'ext-settings-unknown': {
    question: 'Which error number does an unknown setting of the extension have?',
    why: 'The family has a number for an option that is not there.',
    values: {
      'option-not-found': 'That of an unknown option.',
      'invalid-value': 'That of an invalid value.',
    },
    probe: probe(asking('updateSettings', { body: [{ option: 'nothing', value: 1 }] })),
  },
  'ext-settings-value': {
    question: 'Which values may a setting of the extension have?',
    why: 'The family stores what it is given, and null takes an override away.',
    values: {
      any: 'Any JSON; null restores the default.',
      typed: 'Those of the same type as its default; others are answered 400.',
    },
    probe: probe(asking('updateSettings', { body: [{ option: 'page_size', value: 'many' }] })),
  },
  'ext-settings-readonly': {
    question: 'How is a change of a setting answered that is kept in a file on the server only?',
    why: 'Some options are only in a file on the server, so the request is invalid.',
    values: { invalid: 'With 400.', 'access-denied': 'With 403.' },
    probe: probe(
      asking('updateSettings', {
        body: [{ option: 'helpdesk_storage_path', value: '/' }],
      }),
    ),
  },
} as const satisfies Readonly<Record<string, DecisionWords>>
