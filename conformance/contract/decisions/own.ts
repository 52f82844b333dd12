/** Project assignment, pages and settings of the caller's own account, and extension settings, in words. */
import { asking, assigning, configs, nina, probe, setting, status } from './make.js'
import { type DecisionWords, thresholdValues } from './probe.js'

const configuring = (element: object) => asking('updateSettings', { body: [element], ...status })

export const own = {
  'projadd-permission': {
    question: 'Who may add a user to a project?',
    why: 'Those who manage a project decide who is in it.',
    values: {
      'project-manager': 'Those who manage that project, up to their own level in it.',
      'user-manager': 'Those who manage users, up to their own level.',
    },
    probe: probe(assigning({}, { ...nina, as: 'developer' })),
  },
  'projadd-mixed-rights': {
    question: 'What happens if the caller may add the user to only some of the projects?',
    why: 'A client should not have to compare its request with the result.',
    values: {
      refused: 'The tracker answers 403, and nothing changes.',
      skipped: 'The tracker answers 200 and skips the other projects.',
    },
    probe: probe(assigning({ project_ids: ['1', '2'] }, { ...nina, as: 'developer' })),
  },
  'projadd-unknown-project': {
    question: 'How does the tracker answer an unknown project in `project_ids`?',
    why: 'An unknown project is a resource that was not found.',
    values: {
      'not-found': 'With 404, and nothing changes.',
      invalid: 'With 400, and nothing changes.',
      skipped: 'With 200, and it skips the project.',
    },
    probe: probe(assigning({ project_ids: ['1', '99'] })),
  },
  'projadd-bad-id': {
    question: 'How does the tracker answer a project id that is not a positive number?',
    why: 'Ids of projects are positive numbers.',
    values: { invalid: 'With 400.', 'not-found': 'With 404.' },
    probe: probe(assigning({ project_ids: ['web'] })),
  },
  'projadd-empty-list': {
    question: 'How does the tracker answer an empty list of projects?',
    why: 'A request that adds a user to no project has nothing to do.',
    values: {
      accepted: 'With 200, and nothing changes.',
      'empty-field': 'With 400 for a missing field.',
      'invalid-value': 'With 400 for an invalid value.',
    },
    probe: probe(assigning({ project_ids: [] })),
  },
  'projadd-missing-fields': {
    question: 'Which error number does a project assignment with a missing member get?',
    why: 'The family has a number for a missing field.',
    values: { 'empty-field': '11, for a missing field.', 'invalid-value': '29, for an invalid value.' },
    probe: probe(asking('addUserToProjects', { ...nina, body: { project_ids: ['1'] } })),
  },
  'projadd-level-form': {
    question: 'How does a request write the level in a project?',
    why: 'The document says string, and the family has a number and a name for each level.',
    values: {
      'digits-or-name': 'As digits, such as `25`, or as the name, such as `reporter`.',
      'any-case': 'The same, and the case of the name does not matter.',
      digits: 'As digits only.',
      names: 'As the name only.',
    },
    probe: probe(
      assigning({ access_level: '25' }, { ...nina, ...status }),
      assigning({ access_level: 'reporter' }, { ...nina, ...status }),
      assigning({ access_level: 'Reporter' }, { ...nina, ...status }),
    ),
  },
  'projadd-level-invalid': {
    question: 'How does the tracker answer an unknown level in a project?',
    why: 'An unknown level is an invalid value.',
    values: {
      'invalid-value': 'With 400 for an invalid value.',
      'lacks-level': 'With 400 for a user without the required level.',
      'minus-one-is-own': 'With 400, but `-1` means the global level of the user.',
    },
    probe: probe(assigning({ access_level: '33' }), assigning({ access_level: '-1' })),
  },
  'projadd-integers': {
    question: 'May the ids and the level be numbers, although the document says string?',
    why: 'Answers show ids as numbers, so clients send numbers.',
    values: { tolerated: 'Yes.', refused: 'No, the tracker answers 400.' },
    probe: probe(assigning({ project_ids: [1] })),
  },
  'projadd-existing': {
    question: 'What happens if the user is already in the project?',
    why: 'After the request, the requested level should apply.',
    values: {
      overwritten: 'The new level replaces the old one.',
      kept: 'The old level stays, and the tracker answers 200.',
      refused: 'The tracker answers 400.',
    },
    probe: probe(assigning({ access_level: '25' }), assigning({ access_level: '40' })),
  },
  'projadd-target-kind': {
    question: 'May a project assignment name a disabled user or a disabled project?',
    why: 'Disabled users and disabled projects keep their memberships.',
    values: { any: 'Yes.', 'enabled-only': 'No, the tracker answers 400.' },
    probe: probe(assigning({ project_ids: ['4'] })),
  },
  'me-protected': {
    question: 'May the user of a protected account see their own pages and change their own settings?',
    why: 'Several people share a protected account, so none of them may manage it.',
    values: {
      refused: 'No, the tracker answers 403 on the account, tokens and settings pages.',
      'pages-readable': 'They may see the pages, but for changes the tracker answers 403.',
      allowed: 'Yes, both.',
    },
    probe: probe(
      asking('getAccountPage', { as: 'protected' }),
      setting('refresh_delay', '20', { as: 'protected' }),
    ),
  },
  'account-page-content': {
    question: 'What does the account page show besides the user?',
    why: 'A page must know what to offer.',
    values: { 'with-flags': 'What the user may do.', record: 'Nothing.' },
    probe: probe(asking('getAccountPage')),
  },
  'tokens-content': {
    question: 'What does the tokens page show, and in which order?',
    why: 'The last used token comes first; the tracker never shows secrets again.',
    values: {
      'by-last-use': 'The tokens without their secrets, the last used first.',
      'by-creation': 'The tokens without their secrets, the oldest first.',
      masked: 'The tokens with the first two characters of each secret, the last used first.',
    },
    probe: probe(
      { change: 'tokens', where: { id: 2 }, to: { used_at: '2999-01-01T00:00:00Z' } },
      asking('getTokensPage', { shows: ['member tokens'] }),
    ),
  },
  'settings-options': {
    question: 'Which self-service settings exist?',
    why: 'The family has these preferences.',
    values: { family: 'All preferences of the family.', few: 'A few preferences of the family.' },
    probe: probe(asking('getUserSettingsPage')),
  },
  'settings-unknown-option': {
    question: 'Which error number does an unknown setting get?',
    why: 'The family has a number for an unknown option.',
    values: {
      'option-not-found': '100, for an unknown option.',
      'invalid-value': '29, for an invalid value.',
      'option-invalid': '101, for an invalid option.',
    },
    probe: probe(setting('shoe_size', '44')),
  },
  'settings-empty-configs': {
    question: 'Which error number does an empty list of settings get?',
    why: 'An empty list is the same as a missing list.',
    values: { 'empty-field': '11, for a missing field.', 'invalid-value': '29, for an invalid value.' },
    probe: probe(configs([])),
  },
  'settings-value-type': {
    question: 'May the value of a setting be a number or a boolean, although the document says string?',
    why: 'Clients often send flags and numbers in their JSON form.',
    values: { scalars: 'Yes, the tracker stores a text.', 'strings-only': 'No, the tracker answers 400.' },
    probe: probe(setting('redirect_delay', 3, status)),
  },
  'settings-value-invalid': {
    question: 'How does the tracker answer a value that a setting cannot have?',
    why: 'An unknown language, for example, is an invalid value.',
    values: {
      'invalid-value': 'With 400 for an invalid value.',
      'option-invalid': 'With 400 for an invalid option.',
      stored: 'With 200, and it stores the value.',
    },
    probe: probe(setting('bugnote_order', 'UP')),
  },
  'settings-atomic': {
    question: 'What happens if a list has the same setting twice?',
    why: 'The tracker writes settings in the order of the list.',
    values: { 'last-wins': 'The last value counts.', 'duplicates-refused': 'The tracker answers 400.' },
    probe: probe(configs(['ASC', 'DESC'].map((value) => ({ option: 'bugnote_order', value })))),
  },
  'settings-refresh-clamp': {
    question: 'What happens to a refresh delay below ten minutes?',
    why: 'Frequent reloads are a burden, so the tracker raises short delays.',
    values: {
      raised: 'The tracker raises it to ten minutes.',
      refused: 'The tracker answers 400.',
      stored: 'The tracker stores it as given.',
    },
    probe: probe(setting('refresh_delay', '3')),
  },
  'own-timezone-default': {
    question: 'Which timezone does the tracker show for a user who has chosen none?',
    why: 'A client needs to know the timezone of the times that it shows.',
    values: { 'default-name': 'The name of the default timezone.', empty: 'An empty text.' },
    probe: probe(asking('getUserSettingsPage')),
  },
  'ext-settings-permission': {
    question: 'Which level may change the settings of the extension?',
    why: 'Only administrators change the configuration.',
    values: thresholdValues('may change them'),
    probe: probe(asking('updateSettings', { as: 'manager', body: [] })),
  },
  'ext-settings-element': {
    question: 'Which form does an element in the body of updateSettings have?',
    why: 'Self-service settings have this form.',
    values: {
      'option-value': '`{"option": …, "value": …}`.',
      'name-value': '`{"name": …, "value": …}`.',
      'key-value': '`{"key": …, "value": …}`.',
      pairs: 'An object with the name of the setting as its only member.',
    },
    probe: probe(
      ...['option', 'name', 'key'].map((member) => configuring({ [member]: 'page_size', value: 9 })),
      configuring({ page_size: 9 }),
    ),
  },
  'ext-settings-not-array': {
    question: 'Which error number does a body of updateSettings get if it is not a list?',
    why: 'The whole body is an invalid value.',
    values: { 'invalid-value': '29, for an invalid value.', 'array-expected': '201, for a missing list.' },
    probe: probe(asking('updateSettings', { body: {} })),
  },
  'ext-settings-empty': {
    question: 'Is an empty list a valid body of updateSettings?',
    why: 'The schema of the reference shows an empty list.',
    values: { accepted: 'Yes, and nothing changes.', refused: 'No, the tracker answers 400.' },
    probe: probe(asking('updateSettings', { body: [] })),
  },
  'ext-settings-unknown': {
    question: 'Which error number does an unknown setting of the extension get?',
    why: 'The family has a number for an unknown option.',
    values: {
      'option-not-found': '100, for an unknown option.',
      'invalid-value': '29, for an invalid value.',
    },
    probe: probe(asking('updateSettings', { body: [{ option: 'nothing', value: 1 }] })),
  },
  'ext-settings-value': {
    question: 'Which values may a setting of the extension have?',
    why: 'The family stores every value, and null removes an override.',
    values: {
      any: 'Any JSON value; null restores the default.',
      typed: 'Values of the same type as its default; the tracker answers 400 to others.',
    },
    probe: probe(asking('updateSettings', { body: [{ option: 'page_size', value: 'many' }] })),
  },
  'ext-settings-readonly': {
    question: 'How does the tracker answer a change of a setting that is only in a file on the server?',
    why: 'No request can change a setting in such a file, so the request is invalid.',
    values: { invalid: 'With 400.', 'access-denied': 'With 403.' },
    probe: probe(asking('updateSettings', { body: [{ option: 'helpdesk_storage_path', value: '/' }] })),
  },
} as const satisfies Readonly<Record<string, DecisionWords>>
