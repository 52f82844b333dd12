/** Plugins, recipients, columns and pages, in words. */
import { asking, columns, probe, under, updatingPlugin } from './make.js'
import { type DecisionWords, thresholdValues } from './probe.js'

export const management = {
  'plugin-permission': {
    question: 'Which level may manage plugins?',
    why: 'Plugins are code, so only administrators manage them.',
    values: thresholdValues('may manage them'),
    probe: probe(asking('listPlugins', { as: 'manager' })),
  },
  'plugin-list-set': {
    question: 'Which plugins does the tracker list, and in which order?',
    why: 'The core registers itself as a plugin, so the list includes it.',
    values: {
      installed: 'The installed plugins with the core, by name.',
      'without-core': 'The installed plugins without the core, by name.',
      'by-priority': 'The installed plugins with the core, by priority.',
      'with-available': 'The available plugins too, with a member that says whether each is installed.',
    },
    probe: probe(asking('listPlugins')),
  },
  'plugin-record': {
    question: 'What does the tracker show of a plugin?',
    why: 'A management page needs everything that the registry knows about a plugin.',
    values: {
      full: 'Everything that the registry knows.',
      short: 'Its name, its version and what a caller can manage.',
    },
    probe: probe(asking('listPlugins')),
  },
  'plugin-unknown': {
    question: 'Which error number does an unknown plugin get?',
    why: 'The family has a number for an unknown plugin.',
    values: {
      'not-registered': '2500, for an unknown plugin.',
      'entity-not-found': '2511, for an unknown entity of a plugin.',
      none: 'None.',
    },
    probe: probe(asking('installPlugin', { path: { plugin_name: 'Nothing' } })),
  },
  'plugin-name-match': {
    question: 'Does the case of letters matter in `plugin_name`?',
    why: 'The name is also the name of a folder and of a class.',
    values: { exact: 'Yes.', insensitive: 'No.' },
    probe: probe(asking('installPlugin', { path: { plugin_name: 'snippets' } })),
  },
  'plugin-priority-range': {
    question: 'Which priorities may a plugin have?',
    why: 'The family has this range.',
    values: {
      '{"min":1,"max":5}': '1 to 5.',
      '{"min":1,"max":3}': '1 to 3.',
      '{"min":0,"max":10}': '0 to 10.',
    },
    probe: probe(...[0, 4, 10].map((priority) => updatingPlugin('SourceGit', { priority }, ['status']))),
  },
  'plugin-update-partial': {
    question: 'What happens to a member that an update of a plugin does not name?',
    why: 'A PATCH changes only what it names.',
    values: {
      unchanged: 'It stays.',
      'as-a-form': 'It gets its default: no protection, or the default priority.',
      'refused-empty': 'It stays, but the tracker answers 400 to an update that names no member.',
    },
    probe: under(
      { 'empty-object-body': 'accepted' },
      updatingPlugin('Helpdesk', { unknown: true }),
      updatingPlugin('Helpdesk', {}),
    ),
  },
  'plugin-update-not-installed': {
    question: 'How does the tracker answer an update of a plugin that is not installed?',
    why: 'Only an installed plugin has a protected flag and a priority.',
    values: {
      'not-found': 'With 404.',
      invalid: 'With 400.',
      stored: 'With 200, and the registry keeps the values.',
    },
    probe: probe(updatingPlugin('Snippets', { priority: 2 })),
  },
  'plugin-update-forced': {
    question: 'How does the tracker answer an update of the core plugin?',
    why: 'Nobody can manage the core plugin.',
    values: { forbidden: 'With 403.', invalid: 'With 400.', 'no-effect': 'With 200, and nothing changes.' },
    probe: probe(updatingPlugin('MantisCore', { priority: 2 })),
  },
  'plugin-install-again': {
    question: 'How does the tracker answer the installation of an installed plugin?',
    why: 'The family has a number for a plugin that is already installed.',
    values: { refused: 'With 400.', unchanged: 'With 200, and nothing changes.' },
    probe: probe(asking('installPlugin', { path: { plugin_name: 'SourceGit' } })),
  },
  'plugin-install-deps': {
    question: 'May a caller install a plugin whose dependencies are missing?',
    why: 'A plugin whose dependencies are missing cannot work.',
    values: { refused: 'No, the tracker answers 400.', installed: 'Yes.' },
    probe: probe(asking('installPlugin', { path: { plugin_name: 'Timeline' } })),
  },
  'plugin-install-defaults': {
    question: 'Which priority and protection does a plugin get when a caller installs it again?',
    why: 'An uninstallation deletes the row of the plugin.',
    values: { fresh: 'The defaults.', remembered: 'The values that it had before.' },
    probe: probe(
      updatingPlugin('SourceGit', { priority: 1 }),
      asking('uninstallPlugin', { path: { plugin_name: 'SourceGit' } }),
      asking('installPlugin', { path: { plugin_name: 'SourceGit' } }),
    ),
  },
  'plugin-uninstall-absent': {
    question: 'How does the tracker answer the removal of a known plugin that is not installed?',
    why: 'The plugin exists, so the request is invalid.',
    values: { invalid: 'With 400.', 'not-found': 'With 404.', unchanged: 'With 200, and nothing changes.' },
    probe: probe(asking('uninstallPlugin', { path: { plugin_name: 'Snippets' } })),
  },
  'plugin-uninstall-protected': {
    question: 'How does the tracker answer the removal of a protected plugin?',
    why: 'Protection prevents exactly this, and a 200 without a removal would be false.',
    values: {
      'access-denied': 'With 403 for a lack of rights.',
      protected: 'With 403 for a protected plugin.',
      invalid: 'With 400.',
      unchanged: 'With 200, and nothing changes.',
      removed: 'With 200, and it removes the plugin.',
    },
    probe: probe(asking('uninstallPlugin', { path: { plugin_name: 'Helpdesk' } })),
  },
  'recipient-permission': {
    question: 'Which level may delete a helpdesk recipient?',
    why: 'Recipients are part of the configuration of the helpdesk.',
    values: thresholdValues('may delete one'),
    probe: probe(asking('deleteHelpdeskRecipient', { as: 'manager', path: { recipient_id: 1 } })),
  },
  'recipient-unknown': {
    question: 'Which error number does an unknown recipient get?',
    why: 'The family has a number for an unknown entity of a plugin.',
    values: { 'entity-not-found': '2511, for an unknown entity of a plugin.', none: 'None.' },
    probe: probe(asking('deleteHelpdeskRecipient', { path: { recipient_id: 99 } })),
  },
  'recipient-bad-id': {
    question: 'How does the tracker answer a `recipient_id` that is not a number?',
    why: 'A text that is not a number identifies no recipient.',
    values: { 'not-found': 'With 404.', invalid: 'With 400.' },
    probe: probe(asking('deleteHelpdeskRecipient', { path: { recipient_id: 'x' } })),
  },
  'columns-project-form': {
    question: 'How does a request for columns name the project?',
    why: 'Without a project, the request is about all projects.',
    values: {
      optional: 'By an object with an id or a name, or by a string; without one, it is about all projects.',
      required: 'By an object or a string; without one, the tracker answers 400.',
      'string-only': 'By a string only, as in the schema.',
    },
    probe: probe(columns({ type: 'view' }), columns({ project: { id: 1 } })),
  },
  'columns-project-unknown': {
    question: 'How does the tracker answer a request for the columns of an unknown project?',
    why: 'An unknown project is a resource that was not found.',
    values: { 'not-found': 'With 404.', invalid: 'With 400.' },
    probe: probe(columns({ project: '99' })),
  },
  'columns-project-hidden': {
    question: 'How does the tracker answer a request for columns if the caller may not see the project?',
    why: 'The existence of the project is not secret, but its columns are.',
    values: { forbidden: 'With 403.', 'not-found': 'With 404.' },
    probe: probe(columns({ project: '3' }, { as: 'restricted' })),
  },
  'columns-type-values': {
    question: 'Which types of column lists exist?',
    why: 'The family has these four lists; their names have the form of `view`.',
    values: {
      short: '`view`, `print`, `csv` and `excel`.',
      'long-too': 'The same types, and their long names, such as `view_issues`.',
      'view-only': 'Only `view`.',
    },
    probe: probe(columns({ type: 'csv' }), columns({ type: 'view_issues' })),
  },
  'columns-type-invalid': {
    question: 'How does the tracker answer an unknown type of column list?',
    why: 'Nobody can read or save a list that does not exist.',
    values: { refused: 'With 400.', 'as-view': 'As for `view`.' },
    probe: probe(columns({ type: 'poster' })),
  },
  'columns-empty-list': {
    question: 'What does an empty list of columns do?',
    why: 'An issue list without columns shows nothing.',
    values: {
      refused: 'Nothing: the tracker answers 400.',
      reset: 'It restores the default columns.',
      saved: 'The tracker saves it.',
      read: 'It reads the columns.',
    },
    probe: probe(columns({ project: '1', columns: [] }), columns({ project: '1' })),
  },
  'columns-invalid': {
    question: 'What happens to an unknown column?',
    why: 'The family has a number for an unknown column.',
    values: { refused: 'The tracker answers 400 and saves nothing.', dropped: 'The tracker leaves it out.' },
    probe: probe(columns({ columns: ['id', 'shoe_size'] })),
  },
  'columns-duplicate': {
    question: 'What happens to a column that a request names twice?',
    why: 'The family has a number for a repeated column.',
    values: {
      refused: 'The tracker answers 400, whatever the case of the letters.',
      dropped: 'The tracker leaves the second one out.',
      'exact-only': 'The tracker answers 400, but only if the case of the letters is the same.',
    },
    probe: probe(columns({ columns: ['id', 'ID'] }), columns({ columns: ['id', 'id'] })),
  },
  'columns-answer': {
    question: 'What does the answer to a request for columns show?',
    why: 'A reader needs to know which list this is and which other columns exist.',
    values: {
      full: 'An object with the project, the type and the columns.',
      'list-only': 'Only the list of columns.',
    },
    probe: probe(columns({ columns: ['id'] })),
  },
  'columns-known-set': {
    question: 'Does the tracker know columns of a feature that is switched off?',
    why: 'Such columns would be empty.',
    values: { 'enabled-features': 'No.', all: 'Yes.' },
    probe: probe(columns({ columns: ['id', 'eta'] })),
  },
  'columns-scope': {
    question: 'Where do saved columns apply?',
    why: 'A request names a project, and each project may need other columns.',
    values: { 'caller-and-project': 'To the caller in that project.', caller: 'To the caller everywhere.' },
    probe: probe(columns({ project: '2', columns: ['id'] }), columns({ project: '3' })),
  },
  'page-permissions': {
    question: 'Who may read a create, edit or update page?',
    why: 'Nobody needs a form that they may not send.',
    values: {
      'as-the-write': 'Those who may make the change that the page prepares.',
      wider: 'Developers (level 55) too.',
    },
    probe: probe(asking('getUserCreatePage', { as: 'developer' })),
  },
  'page-level-list': {
    question: 'Which levels do the create page and the edit page of users offer?',
    why: 'A list should not offer a level that the tracker refuses.',
    values: { 'up-to-own': "Levels up to the caller's own.", all: 'All levels.' },
    probe: under(
      { 'create-permission': 70 },
      asking('getUserCreatePage', { as: 'manager', shows: ['member access_levels'] }),
    ),
  },
} as const satisfies Readonly<Record<string, DecisionWords>>
