/** Custom fields, in words. */
import { asking, field, probe, updatingField } from './make.js'
import type { DecisionWords } from './probe.js'

export const customFields = {
  'cf-permission': {
    question: 'Who may manage custom fields?',
    why: 'Fields are the same for all projects, so only administrators manage them.',
    values: {
      administrator: 'Only administrators.',
      manager: 'Managers too.',
      'list-for-all': 'Only administrators, but every user may list the fields of their own projects.',
    },
    probe: probe(
      asking('listCustomFields', { as: 'viewer' }),
      asking('getCustomFieldCreatePage', { as: 'manager' }),
    ),
  },
  'cf-list-order': {
    question: 'In which order does the tracker list custom fields?',
    why: 'People look for a field by its name.',
    values: { name: 'By name.', id: 'By id.', sequence: 'By their sequence in the projects.' },
    probe: probe(asking('listCustomFields')),
  },
  'cf-list-paging': {
    question: 'Does the tracker divide the list of custom fields into pages?',
    why: 'The family has no pages here, since a tracker has a few dozen definitions at most.',
    values: { whole: 'No, the list is always whole.', pages: 'Yes, `page` and `page_size` select a page.' },
    probe: probe(asking('listCustomFields', { query: '?page_size=2&page=2' })),
  },
  'cf-sort-params': {
    question: 'Where are `sort_by` and `sort_order` in a request?',
    why: 'Options of a read are usually in the query.',
    values: { query: 'In the query.', header: 'In the request headers `X-Sort-By` and `X-Sort-Order`.' },
    probe: probe(asking('listCustomFields', { query: '?sort_by=id', headers: { 'x-sort-by': 'type' } })),
  },
  'cf-sort-invalid': {
    question: 'How does the tracker answer an unknown sort field or direction?',
    why: 'The family has a number for an unknown sort field.',
    values: { refused: 'With 400.', ignored: 'With 200, in the usual order.' },
    probe: probe(asking('listCustomFields', { query: '?sort_by=colour' })),
  },
  'cf-record': {
    question: 'What does the tracker show of a custom field?',
    why: 'A definition consists of all its properties and links.',
    values: {
      full: 'All properties and the linked projects.',
      core: 'What the document names: name, type, values and flags.',
      ids: 'The id only.',
    },
    probe: probe(asking('listCustomFields')),
  },
  'cf-object-missing': {
    question: 'Which error number does a body without `custom_field` get?',
    why: 'The family has a number for a missing field.',
    values: { 'empty-field': '11, for a missing field.', 'invalid-value': '29, for an invalid value.' },
    probe: probe(asking('createCustomField', { body: {} })),
  },
  'cf-name-missing': {
    question: 'What happens to a new custom field without a name?',
    why: 'A form cannot show a field without a name.',
    values: { refused: 'The tracker answers 400.', generated: 'The tracker makes up a name.' },
    probe: probe(field({ type: 'string' })),
  },
  'cf-name-length': {
    question: 'How many characters may the name of a custom field have?',
    why: 'This is the width of the database column in the family.',
    values: { '64': 'Up to 64.', '40': 'Up to 40.', '128': 'Up to 128.' },
    probe: probe(field({ name: 'x'.repeat(50) }), field({ name: 'y'.repeat(100) })),
  },
  'cf-name-over-limit': {
    question: 'What happens to a name of a custom field that is too long?',
    why: 'A cut name is not the name in the request.',
    values: { refused: 'The tracker answers 400.', truncated: 'The tracker cuts it at the limit.' },
    probe: probe(field({ name: 'x'.repeat(70) })),
  },
  'cf-name-unique': {
    question: 'Does the case of letters matter in names of custom fields?',
    why: 'Most trackers of the family have a database that ignores case.',
    values: {
      insensitive: 'No: `Size` and `size` are the same name.',
      sensitive: 'Yes: `Size` and `size` are two names.',
    },
    probe: probe(field({ name: 'CUSTOMER' })),
  },
  'cf-name-comma': {
    question: 'May the name of a custom field contain a comma?',
    why: 'Filters separate the names of fields with commas.',
    values: { refused: 'No, the tracker answers 400.', accepted: 'Yes.' },
    probe: probe(field({ name: 'one, two' })),
  },
  'cf-name-trim': {
    question: 'How does the tracker sanitize the name of a custom field?',
    why: '"Sanitized" means at least that the name has no blanks at the ends.',
    values: {
      trimmed: 'It removes blanks at the ends.',
      'tags-stripped': 'It removes blanks at the ends and HTML tags.',
    },
    probe: probe(field({ name: ' <b>Bold</b> ' })),
  },
  'cf-type-form': {
    question: 'How does a request write the type of a custom field?',
    why: 'The document says string, and the family has a number and a name for each type.',
    values: {
      'names-or-digits': 'As its name, such as `list`, or as digits.',
      names: 'As its name only.',
      digits: 'As digits only.',
    },
    probe: probe(...['3', 'enum'].map((type) => field({ name: type, type }, {}, ['status']))),
  },
  'cf-type-missing': {
    question: 'Which type does a new custom field get if the request gives none?',
    why: 'The document requires no type, and plain text is the first type of the family.',
    values: { string: 'Plain text.', refused: 'None: the tracker answers 400.' },
    probe: probe(field({ name: 'Odd' })),
  },
  'cf-type-invalid': {
    question: 'How does the tracker answer an unknown type of a custom field?',
    why: 'The family has no number for an unknown type; this number is the nearest.',
    values: {
      'invalid-value': 'With 400 for an invalid value.',
      'invalid-definition': 'With 400 for an invalid definition.',
      'as-string': 'With 200, and the field holds plain text.',
    },
    probe: probe(field({ name: 'Odd', type: 'sound' })),
  },
  'cf-possible-values': {
    question: 'Must a custom field of a list type have possible values?',
    why: 'The family stores the text as given, for every type.',
    values: { free: 'No.', 'required-for-lists': 'Yes, without them the tracker answers 400.' },
    probe: probe(field({ name: 'Size', type: 'list' })),
  },
  'cf-default-value': {
    question: 'Must the default value be one of the possible values?',
    why: 'The possible values may change later.',
    values: {
      'format-only': 'No, the tracker checks only its form.',
      'among-possible-values': 'Yes, the tracker answers 400 to any other value.',
    },
    probe: probe(field({ name: 'Size', type: 'list', possible_values: 's|m', default_value: 'xl' })),
  },
  'cf-flag-defaults': {
    question: 'Where does the tracker show a new custom field if the request gives no flags?',
    why: 'The family shows a new field on issue updates.',
    values: {
      'update-only': 'On issue updates.',
      none: 'Nowhere.',
      both: 'On issue creation and on issue updates.',
    },
    probe: probe(field({ name: 'Plain' })),
  },
  'cf-update-merge': {
    question: 'What happens to the properties that an update of a custom field does not name?',
    why: 'A PATCH changes only what it names.',
    values: { merge: 'They stay.', replace: 'They get their defaults.' },
    probe: probe(updatingField(4, { custom_field: { name: 'Effect' } })),
  },
  'cf-type-change': {
    question: 'May the type of a custom field change?',
    why: 'The family asks for a confirmation on its page and then changes the type.',
    values: { allowed: 'Yes.', refused: 'No, the tracker answers 400.' },
    probe: probe(updatingField(12, { custom_field: { type: '1' } })),
  },
  'cf-projects-create': {
    question: 'How does the tracker answer an unknown project in `projects` of a custom field?',
    why: 'An unknown project is a resource that was not found, and then the tracker creates no field.',
    values: {
      'not-found': 'With 404, and it creates no field.',
      invalid: 'With 400, and it creates no field.',
      skipped: 'With 200, and it creates the field without that project.',
    },
    probe: probe(field({ name: 'Linked' }, { projects: ['1', '99'] })),
  },
  'cf-projects-update': {
    question: 'What does `projects` in an update do to the existing links?',
    why: 'The document uses the member to link projects, not to unlink them.',
    values: {
      added: 'It adds the projects to them.',
      replaced: 'It replaces them.',
      ignored: 'Nothing: the tracker ignores it.',
    },
    probe: probe(updatingField(1, { custom_field: {}, projects: ['3'] })),
  },
  'cf-delete-linked': {
    question: 'May a caller delete a custom field that is linked to projects?',
    why: 'The family asks for a confirmation on its page and then deletes the links too.',
    values: { deleted: 'Yes, with its links and values.', refused: 'No, the tracker answers 400.' },
    probe: probe(asking('deleteCustomField', { path: { field_id: 1 } })),
  },
  'cf-bad-id': {
    question: 'How does the tracker answer a `field_id` that is not a number?',
    why: 'A text that is not a number identifies no field.',
    values: { 'not-found': 'With 404.', invalid: 'With 400.' },
    probe: probe(asking('deleteCustomField', { path: { field_id: 'abc' } })),
  },
} as const satisfies Readonly<Record<string, DecisionWords>>
