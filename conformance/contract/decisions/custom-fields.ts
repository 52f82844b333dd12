/** Custom fields, in words. */
import { asking, field, probe } from './make.js'
import type { DecisionWords } from './words.js'

export const customFields = {
  'cf-permission': {
    question: 'Who may manage custom fields?',
    why: 'Fields are the same for all projects, so they are for administrators.',
    values: {
      administrator: 'Only administrators.',
      manager: 'Managers too.',
      'list-for-all': 'Only administrators, but every user may list the fields of the own projects.',
    },
    probe: probe(
      asking('listCustomFields', { as: 'viewer' }),
      asking('getCustomFieldCreatePage', { as: 'manager' }),
    ),
  },
  'cf-list-order': {
    question: 'In which order are custom fields listed?',
    why: 'People look for a field by its name.',
    values: { name: 'By name.', id: 'By id.', sequence: 'By their sequence in the projects.' },
    probe: probe(asking('listCustomFields')),
  },
  'cf-list-paging': {
    question: 'Is the list of custom fields divided into pages?',
    why: 'The family has no pages here: there are some dozens of definitions at most.',
    values: {
      whole: 'No, it is always whole.',
      pages: 'Yes, `page` and `page_size` in the query select one.',
    },
    probe: probe(asking('listCustomFields', { query: '?page_size=2&page=2' })),
  },
  'cf-sort-params': {
    question: 'Where are `sort_by` and `sort_order` in a request?',
    why: 'The query is the usual place for options of a reading request.',
    values: { query: 'In the query.', header: 'In the request headers `X-Sort-By` and `X-Sort-Order`.' },
    probe: probe(asking('listCustomFields', { query: '?sort_by=id', headers: { 'x-sort-by': 'type' } })),
  },
  'cf-sort-invalid': {
    question: 'How is an unknown field or direction of sorting answered?',
    why: 'The family has a number for a sort field that is not there.',
    values: { refused: 'With 400.', ignored: 'With 200, in the usual order.' },
    probe: probe(asking('listCustomFields', { query: '?sort_by=colour' })),
  },
  'cf-record': {
    question: 'What is shown of a custom field?',
    why: 'A definition is all of its properties and its links.',
    values: {
      full: 'All properties and the linked projects.',
      core: 'What the document names: name, type, values and flags.',
      ids: 'The id alone.',
    },
    probe: probe(asking('listCustomFields')),
  },
  'cf-object-missing': {
    question: 'Which error number does a body without `custom_field` have?',
    why: 'The family has a number for a field that is not there.',
    values: { 'empty-field': 'That of a missing field.', 'invalid-value': 'That of an invalid value.' },
    probe: probe(asking('createCustomField', { body: {} })),
  },
  'cf-name-missing': {
    question: 'What happens to a new custom field without a name?',
    why: 'A field without a name cannot be shown on a form.',
    values: { refused: 'The creation is answered 400.', generated: 'The tracker makes up a name.' },
    probe: probe(field({ type: 'string' })),
  },
  'cf-name-length': {
    question: 'How many characters may the name of a custom field have?',
    why: 'This is the width of the column in the family.',
    values: { '64': 'Up to 64.', '40': 'Up to 40.', '128': 'Up to 128.' },
    probe: probe(field({ name: 'x'.repeat(50) }), field({ name: 'y'.repeat(100) })),
  },
  'cf-name-over-limit': {
    question: 'What happens to a longer name of a custom field?',
    why: 'A name that is cut is not the one that was asked for.',
    values: { refused: 'It is answered 400.', truncated: 'It is cut at the limit.' },
    probe: probe(field({ name: 'x'.repeat(70) })),
  },
  'cf-name-unique': {
    question: 'Does the case of letters tell names of custom fields apart?',
    why: 'Most trackers of the family run on a database whose collation ignores case.',
    values: {
      insensitive: 'No: `Size` is taken where there is `size`.',
      sensitive: 'Yes: `Size` and `size` are two names.',
    },
    probe: probe(field({ name: 'CUSTOMER' })),
  },
  'cf-name-comma': {
    question: 'May the name of a custom field have a comma?',
    why: 'Lists of fields are separated by commas in filters.',
    values: { refused: 'No, it is answered 400.', accepted: 'Yes.' },
    probe: probe(field({ name: 'one, two' })),
  },
  'cf-name-trim': {
    question: 'How is the name of a custom field sanitized?',
    why: '"Sanitized" means at least without blanks at the ends.',
    values: {
      trimmed: 'Blanks at the ends are cut off.',
      'tags-stripped': 'Blanks at the ends are cut off, and HTML tags are removed.',
    },
    probe: probe(field({ name: ' <b>Bold</b> ' })),
  },
  'cf-type-form': {
    question: 'How is the type of a custom field written?',
    why: 'The document says string, and the family knows types by number and by name.',
    values: {
      'names-or-digits': 'As its name, such as `list`, or as digits.',
      names: 'As its name only.',
      digits: 'As digits only.',
    },
    probe: probe(
      field({ name: '3', type: '3' }, {}, ['status']),
      field({ name: 'enum', type: 'enum' }, {}, ['status']),
    ),
  },
  'cf-type-missing': {
    question: 'Which type does a new custom field have when none was given?',
    why: 'The document requires no type, and plain text is the first one of the family.',
    values: { string: 'Plain text.', refused: 'None: the creation is answered 400.' },
    probe: probe(field({ name: 'Odd' })),
  },
  'cf-type-invalid': {
    question: 'How is an unknown type of a custom field answered?',
    why: 'The family has no number for an unknown type; this is the nearest.',
    values: {
      'invalid-value': 'With 400 for an invalid value.',
      'invalid-definition': 'With 400 for an invalid definition.',
      'as-string': 'With 200, and the field holds plain text.',
    },
    probe: probe(field({ name: 'Odd', type: 'sound' })),
  },
  'cf-possible-values': {
    question: 'Must a custom field with a list to choose from have possible values?',
    why: 'The family stores the text as it is, for any type.',
    values: { free: 'No.', 'required-for-lists': 'Yes, without them it is answered 400.' },
    probe: probe(field({ name: 'Size', type: 'list' })),
  },
  'cf-default-value': {
    question: 'Must the default value be one of the possible values?',
    why: 'The possible values may change later.',
    values: {
      'format-only': 'No, only its form is checked.',
      'among-possible-values': 'Yes, another one is answered 400.',
    },
    probe: probe(field({ name: 'Size', type: 'list', possible_values: 's|m', default_value: 'xl' })),
  },
  'cf-flag-defaults': {
    question: 'Where is a new custom field shown when its flags were not given?',
    why: 'In the family a new field shows when an issue is updated.',
    values: {
      'update-only': 'When an issue is updated.',
      none: 'Nowhere.',
      both: 'When an issue is created and when it is updated.',
    },
    probe: probe(field({ name: 'Plain' })),
  },
  'cf-update-merge': {
    question: 'What happens to the properties that an update of a custom field does not name?',
    why: 'What a PATCH does not name stays as it is.',
    values: { merge: 'They stay.', replace: 'They get their defaults.' },
    probe: probe(
      asking('updateCustomField', {
        path: { field_id: 4 },
        body: { custom_field: { name: 'Effect' } },
      }),
    ),
  },
  'cf-type-change': {
    question: 'May the type of a custom field change?',
    why: 'The family asks for a confirmation on the page and then does it.',
    values: { allowed: 'Yes.', refused: 'No, it is answered 400.' },
    probe: probe(
      asking('updateCustomField', {
        path: { field_id: 12 },
        body: { custom_field: { type: '1' } },
      }),
    ),
  },
  'cf-projects-create': {
    question: 'How is an unknown project answered in `projects` of a custom field?',
    why: 'A project that does not exist is a resource that was not found, and then no field is created.',
    values: {
      'not-found': 'With 404, and no field is created.',
      invalid: 'With 400, and no field is created.',
      skipped: 'It is skipped, and the field is created.',
    },
    probe: probe(field({ name: 'Linked' }, { projects: ['1', '99'] })),
  },
  'cf-projects-update': {
    question: 'What does `projects` in an update do to the present links?',
    why: 'Linking is what the member is for; unlinking is another matter.',
    values: {
      added: 'The projects are added to them.',
      replaced: 'The projects replace them.',
      ignored: 'Nothing: the member is ignored.',
    },
    probe: probe(
      asking('updateCustomField', {
        path: { field_id: 1 },
        body: { custom_field: {}, projects: ['3'] },
      }),
    ),
  },
  'cf-delete-linked': {
    question: 'May a custom field be deleted that is linked to projects?',
    why: 'The family asks for a confirmation on the page and then deletes the links too.',
    values: { deleted: 'Yes, with its links and values.', refused: 'No, it is answered 400.' },
    probe: probe(asking('deleteCustomField', { path: { field_id: 1 } })),
  },
  'cf-bad-id': {
    question: 'How is a `field_id` answered that is no number?',
    why: 'What is no number identifies no field.',
    values: { 'not-found': 'With 404.', invalid: 'With 400.' },
    probe: probe(asking('deleteCustomField', { path: { field_id: 'abc' } })),
  },
} as const satisfies Readonly<Record<string, DecisionWords>>
