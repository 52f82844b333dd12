/** Plugins, recipients, columns and pages, in words. */
import { asking, columns, probe, under } from './make.js'
import { type DecisionWords, thresholdValues } from './words.js'

export const management = {
  'plugin-permission': {
    question: 'Which level may manage plugins?',
    why: 'Plugins are code, so they are for administrators.',
    values: thresholdValues('may manage them'),
    probe: probe(asking('listPlugins', { as: 'manager' })),
  },
  'plugin-list-set': {
    question: 'Which plugins are listed, and in which order?',
    why: 'The core registers itself as a plugin, and is listed like one.',
    values: {
      installed: 'The installed ones with the core, by name.',
      'without-core': 'The installed ones without the core, by name.',
      'by-priority': 'The installed ones with the core, by priority.',
      'with-available': 'The available ones too, with a member that says whether each is installed.',
    },
    probe: probe(asking('listPlugins')),
  },
  'plugin-record': {
    question: 'What is shown of a plugin?',
    why: 'A management page needs everything that the registry knows about a plugin.',
    values: {
      full: 'All that the registry knows.',
      short: 'Its name, its version and what can be managed.',
    },
    probe: probe(asking('listPlugins')),
  },
  'plugin-unknown': {
    question: 'Which error number does an unknown plugin have?',
    why: 'The family has a number for a plugin that is not there.',
    values: {
      'not-registered': 'That of an unknown plugin, 2500.',
      'entity-not-found': "That of a plugin's own things, 2511.",
      none: 'None.',
    },
    probe: probe(asking('installPlugin', { path: { plugin_name: 'Nothing' } })),
  },
  'plugin-name-match': {
    question: 'Does the case of letters matter in `plugin_name`?',
    why: 'The name is the name of a folder and a class.',
    values: { exact: 'Yes.', insensitive: 'No.' },
    probe: probe(asking('installPlugin', { path: { plugin_name: 'snippets' } })),
  },
  'plugin-priority-range': {
    question: 'Which priorities may a plugin have?',
    why: 'This is the range of the family.',
    values: {
      '{"min":1,"max":5}': '1 to 5.',
      '{"min":1,"max":3}': '1 to 3.',
      '{"min":0,"max":10}': '0 to 10.',
    },
    probe: probe(
      asking('updatePlugin', {
        path: { plugin_name: 'SourceGit' },
        body: { priority: 0 },
        shows: ['status'],
      }),
      asking('updatePlugin', {
        path: { plugin_name: 'SourceGit' },
        body: { priority: 4 },
        shows: ['status'],
      }),
      asking('updatePlugin', {
        path: { plugin_name: 'SourceGit' },
        body: { priority: 10 },
        shows: ['status'],
      }),
    ),
  },
  'plugin-update-partial': {
    question: 'What happens to a member that an update of a plugin does not name?',
    why: 'What a PATCH does not name stays as it is.',
    values: {
      unchanged: 'It stays.',
      'as-a-form': 'It gets its default: no protection, the usual priority.',
      'refused-empty': 'It stays, but an update that names neither is answered 400.',
    },
    probe: under(
      { 'empty-object-body': 'accepted' },
      asking('updatePlugin', { path: { plugin_name: 'Helpdesk' }, body: { unknown: true } }),
      asking('updatePlugin', { path: { plugin_name: 'Helpdesk' }, body: {} }),
    ),
  },
  'plugin-update-not-installed': {
    question: 'How is an update of a plugin answered that is not installed?',
    why: 'Only an installed plugin has a flag and a priority.',
    values: {
      'not-found': 'With 404.',
      invalid: 'With 400.',
      stored: 'With 200, and the registry keeps what was given.',
    },
    probe: probe(
      asking('updatePlugin', {
        path: { plugin_name: 'Snippets' },
        body: { priority: 2 },
      }),
    ),
  },
  'plugin-update-forced': {
    question: 'How is an update of the core plugin answered?',
    why: 'The core plugin cannot be managed.',
    values: { forbidden: 'With 403.', invalid: 'With 400.', 'no-effect': 'With 200, and nothing changes.' },
    probe: probe(
      asking('updatePlugin', {
        path: { plugin_name: 'MantisCore' },
        body: { priority: 2 },
      }),
    ),
  },
  'plugin-install-again': {
    question: 'How is the installation of an installed plugin answered?',
    why: 'The family has a number for a plugin that is there already.',
    values: { refused: 'With 400.', unchanged: 'With 200, and nothing changes.' },
    probe: probe(asking('installPlugin', { path: { plugin_name: 'SourceGit' } })),
  },
  'plugin-install-deps': {
    question: 'May a plugin be installed whose dependencies are missing?',
    why: 'A plugin whose dependencies are missing cannot work.',
    values: { refused: 'No, it is answered 400.', installed: 'Yes.' },
    probe: probe(asking('installPlugin', { path: { plugin_name: 'Timeline' } })),
  },
  'plugin-install-defaults': {
    question: 'Which priority and protection does a plugin have that is installed again?',
    why: 'The row of an uninstalled plugin is gone.',
    values: { fresh: 'The defaults.', remembered: 'Those that it had before.' },
    probe: probe(
      asking('updatePlugin', { path: { plugin_name: 'SourceGit' }, body: { priority: 1 } }),
      asking('uninstallPlugin', { path: { plugin_name: 'SourceGit' } }),
      asking('installPlugin', { path: { plugin_name: 'SourceGit' } }),
    ),
  },
  'plugin-uninstall-absent': {
    question: 'How is the removal of a known plugin answered that is not installed?',
    why: 'The plugin exists, so it is the request that makes no sense.',
    values: { invalid: 'With 400.', 'not-found': 'With 404.', unchanged: 'With 200, and nothing changes.' },
    probe: probe(asking('uninstallPlugin', { path: { plugin_name: 'Snippets' } })),
  },
  'plugin-uninstall-protected': {
    question: 'How is the removal of a protected plugin answered?',
    why: 'Protection is against exactly this, and a silent success would be a lie.',
    values: {
      'access-denied': 'With 403 for a lack of rights.',
      protected: 'With 403 for a protected thing.',
      invalid: 'With 400.',
      unchanged: 'With 200, and nothing changes.',
      removed: 'With 200, and it is removed all the same.',
    },
    probe: probe(asking('uninstallPlugin', { path: { plugin_name: 'Helpdesk' } })),
  },
  'recipient-permission': {
    question: 'Which level may delete a helpdesk recipient?',
    why: 'Recipients belong to the configuration of the helpdesk.',
    values: thresholdValues('may delete one'),
    probe: probe(asking('deleteHelpdeskRecipient', { as: 'manager', path: { recipient_id: 1 } })),
  },
  'recipient-unknown': {
    question: 'Which error number does an unknown recipient have?',
    why: "The family has a number for a plugin's own things.",
    values: { 'entity-not-found': "That of a plugin's own things, 2511.", none: 'None.' },
    probe: probe(asking('deleteHelpdeskRecipient', { path: { recipient_id: 99 } })),
  },
  'recipient-bad-id': {
    question: 'How is a `recipient_id` answered that is no number?',
    why: 'What is no number identifies no recipient.',
    values: { 'not-found': 'With 404.', invalid: 'With 400.' },
    probe: probe(asking('deleteHelpdeskRecipient', { path: { recipient_id: 'x' } })),
  },
  'columns-project-form': {
    question: 'How does a request for columns name the project?',
    why: 'Without a project the columns are those of all projects.',
    values: {
      optional: 'By an object with an id or a name, or by a string; without one it is about all projects.',
      required: 'By an object or a string; without one it is answered 400.',
      'string-only': 'By a string only, as in the schema.',
    },
    probe: probe(columns({ type: 'view' }), columns({ project: { id: 1 } })),
  },
  'columns-project-unknown': {
    question: 'How is a request for the columns of an unknown project answered?',
    why: 'A project that does not exist is a resource that was not found.',
    values: { 'not-found': 'With 404.', invalid: 'With 400.' },
    probe: probe(columns({ project: '99' })),
  },
  'columns-project-hidden': {
    question: 'How is a request for the columns of a project answered that the caller may not see?',
    why: 'That there is such a project is no secret; its columns are.',
    values: { forbidden: 'With 403.', 'not-found': 'With 404.' },
    probe: probe(columns({ project: '3' }, { as: 'restricted' })),
  },
  'columns-type-values': {
    question: 'Which types of column lists are there?',
    why: 'These are the four lists of the family, by the names that go with `view`.',
    values: {
      short: '`view`, `print`, `csv` and `excel`.',
      'long-too': 'The same, and their long names, such as `view_issues`.',
      'view-only': '`view` only.',
    },
    probe: probe(columns({ type: 'csv' }), columns({ type: 'view_issues' })),
  },
  'columns-type-invalid': {
    question: 'How is an unknown type of column list answered?',
    why: 'A list that does not exist cannot be read or saved.',
    values: { refused: 'With 400.', 'as-view': 'As `view`.' },
    probe: probe(columns({ type: 'poster' })),
  },
  'columns-empty-list': {
    question: 'What does an empty list of columns do?',
    why: 'An issue list without columns shows nothing.',
    values: {
      refused: 'It is answered 400.',
      reset: 'It restores the default columns.',
      saved: 'It is saved.',
      read: 'It reads the columns.',
    },
    probe: probe(columns({ project: '1', columns: [] }), columns({ project: '1' })),
  },
  'columns-invalid': {
    question: 'What happens to an unknown column?',
    why: 'The family has a number for a column that is not there.',
    values: { refused: 'The request is answered 400, and nothing is saved.', dropped: 'It is left out.' },
    probe: probe(columns({ columns: ['id', 'shoe_size'] })),
  },
  'columns-duplicate': {
    question: 'What happens to a column that is named twice?',
    why: 'The family has a number for a column that is there twice.',
    values: {
      refused: 'The request is answered 400, whatever the case of the letters.',
      dropped: 'The second one is left out.',
      'exact-only': 'The request is answered 400 only where both are written alike.',
    },
    probe: probe(columns({ columns: ['id', 'ID'] }), columns({ columns: ['id', 'id'] })),
  },
  'columns-answer': {
    question: 'What does the answer to a request for columns show?',
    why: 'A reader wants to know which list it is, and which other columns there are.',
    values: {
      full: 'An object with the project, the type and the columns.',
      'list-only': 'The list of columns alone.',
    },
    probe: probe(columns({ columns: ['id'] })),
  },
  'columns-known-set': {
    question: 'Are columns known that belong to a feature that is switched off?',
    why: 'Columns of features that are switched off would be empty.',
    values: { 'enabled-features': 'No.', all: 'Yes.' },
    probe: probe(columns({ columns: ['id', 'eta'] })),
  },
  'columns-scope': {
    question: 'What are saved columns valid for?',
    why: 'The reference is to a project, and each may want other columns.',
    values: {
      'caller-and-project': 'For the caller in that project.',
      caller: 'For the caller in all projects.',
    },
    probe: probe(columns({ project: '2', columns: ['id'] }), columns({ project: '3' })),
  },
  'page-permissions': {
    question: 'Who may read a create, edit or update page?',
    why: 'Nobody needs a form that they may not send.',
    values: {
      'as-the-write': 'Those who may make the change that the page is for.',
      wider: 'Developers (level 55) too.',
    },
    probe: probe(asking('getUserCreatePage', { as: 'developer' })),
  },
  'page-level-list': {
    question: 'Which levels do the create page and the edit page of users offer?',
    why: 'A list should not offer what would be refused.',
    values: { 'up-to-own': "Those up to the caller's own.", all: 'All.' },
    probe: under(
      { 'create-permission': 70 },
      asking('getUserCreatePage', { as: 'manager', shows: ['member access_levels'] }),
    ),
  },
} as const satisfies Readonly<Record<string, DecisionWords>>
