/** Sections 5, 7 and 9 in words: credentials, the form of answers and errors, and what happens before an operation. */
import { asking, columns, nina, person, plain, probe, updating } from './make.js'
import type { DecisionWords } from './words.js'

export const transport = {
  'error-body-members': {
    question: 'Which members does an error body have beside `message`?',
    why: 'Errors found inside an operation know their number; those found before it have a message only.',
    values: {
      'by-origin':
        'Errors of an operation have `code` and `localized`; earlier ones, such as a 401, have `message` alone.',
      'message-only': 'Every error body has `message` alone.',
      'message-and-code': 'Every error body has `message`, and `code` where the error has a number.',
      'message-and-localized': 'Every error body has `message` and `localized`.',
      everything: 'Every error body has `message`, `code` and `localized`, those before an operation too.',
      'extra-members': 'Error bodies have members that the document does not name.',
    },
    probe: probe(
      asking('getUser', { path: { user_id: 'nobody' }, shows: ['members'] }),
      asking('getUser', { ...nina, as: null, shows: ['members'] }),
    ),
  },
  'error-code-numbers': {
    question: 'Which numbers does the `code` of an error body have?',
    why: 'The family has had one list of error numbers for twenty years, and clients know it.',
    values: {
      family: '`code` is the error number of the tracker family, such as 810 for an unknown username.',
      'http-status': '`code` repeats the HTTP status.',
      shifted: '`code` is a number of the tracker itself: the one of the family plus 10,000.',
    },
    probe: probe(asking('getUser', { path: { user_id: 'nobody' } })),
  },
  'error-code-when-unmapped': {
    question: 'Which `code` does an error have that the family answers with a status outside the document?',
    why: 'The number still says what went wrong, though its status has to be another.',
    values: {
      kept: 'The number of the family stays.',
      generic: 'The number is 29, that of any invalid value.',
      absent: 'There is no `code`.',
    },
    probe: probe(asking('installPlugin', { path: { plugin_name: 'Nothing' } })),
  },
  'error-localized-language': {
    question: 'In which language is the `localized` text of an error?',
    why: 'The text is meant for the screen of the person who asked.',
    values: {
      caller: "It is in the caller's language, and in English where there is no translation.",
      english: 'It is always in English.',
      absent: 'There is no `localized`.',
    },
    probe: probe(asking('getUser', { ...nina, as: 'french', shows: ['member localized'] })),
  },
  'error-content-type': {
    question: 'Does the Content-Type of an answer name a character set?',
    why: 'JSON is UTF-8 by definition; some frameworks say so all the same.',
    values: {
      plain: 'The Content-Type is `application/json`.',
      charset: 'The Content-Type is `application/json; charset=utf-8`.',
    },
    probe: probe(asking('getUser', { ...nina, shows: ['header content-type'] })),
  },
  'unauthenticated-header': {
    question: 'Does a 401 carry a WWW-Authenticate header?',
    why: 'HTTP asks for a challenge with a 401, and there is one scheme.',
    values: {
      bearer: 'It carries `WWW-Authenticate: Bearer`.',
      none: 'It carries no such header.',
      realm: 'It carries the header with a realm.',
    },
    probe: probe(asking('getUser', { ...nina, as: null, shows: ['header www-authenticate'] })),
  },
  'bearer-scheme-parsing': {
    question: 'How strictly is the Authorization header read?',
    why: 'The family takes several credentials, any case of the scheme, and a bare token.',
    values: {
      lenient:
        'Any case of `Bearer`, more than one space, several credentials and a bare token are accepted.',
      strict: 'Only `Bearer <token>` is accepted; every other form is answered 401.',
    },
    probe: probe(
      asking('getUser', {
        ...nina,
        headers: { authorization: 'bearer   {administrator}' },
        shows: ['status'],
      }),
    ),
  },
  'disabled-caller-token': {
    question: 'How is a request with the token of a disabled user answered?',
    why: 'The token is known; its owner just may not do anything.',
    values: {
      forbidden: 'It is answered 403.',
      unauthenticated: 'It is answered 401, as if the token were invalid.',
    },
    probe: probe(asking('getAccountPage', { as: 'disabled' })),
  },
  'low-level-caller': {
    question: 'May a user below the level of a viewer use the interface at all?',
    why: 'Below the viewer level the family closes its whole programming interface.',
    values: {
      refused: 'Every operation is answered 403.',
      served: 'Such a user is treated like any other.',
    },
    probe: probe(
      { change: 'users', where: { username: 'viewer' }, to: { access_level: 5 } },
      asking('getAccountPage', { as: 'viewer' }),
    ),
  },
  'impersonation-header': {
    question: 'Does the request header X-Mantis-Username let the caller act for another user?',
    why: 'Integrations of the family act for users with a header on each request.',
    values: {
      honoured:
        'The request is carried out as the user whom the header names, if the caller may impersonate.',
      ignored: 'The header has no effect.',
    },
    probe: probe(
      asking('getAccountPage', { headers: { 'x-mantis-username': 'nina' }, shows: ['member user.name'] }),
    ),
  },
  'unknown-path-order': {
    question: 'What is checked first when the path is unknown: the credentials or the path?',
    why: 'Authentication comes before routing, so strangers cannot find out which paths there are.',
    values: {
      'credentials-first': 'Without valid credentials the answer is 401, whatever the path.',
      'path-first': 'The answer is 404, whatever the credentials.',
    },
    probe: probe(plain('GET', '/plugins/Ext/nothing', { authorization: 'Bearer x' })),
  },
  'trailing-slash': {
    question: 'Is a path with a slash at its end the same path?',
    why: 'The family registers its routes in both forms.',
    values: { same: 'It is the same operation.', 'not-found': 'It is answered 404.' },
    probe: probe(plain('GET', '/plugins/Ext/plugins/')),
  },
  'wrong-method': {
    question: 'How is a known path with another method answered?',
    why: 'HTTP has a status for it, and the request is outside the document.',
    values: {
      'method-not-allowed': 'It is answered 405, with an Allow header.',
      'not-found': 'It is answered 404.',
      invalid: 'It is answered 400.',
    },
    probe: probe(plain('DELETE', '/plugins/Ext/plugins')),
  },
  'malformed-json': {
    question: 'Which error does a body get that is not JSON?',
    why: 'What cannot be parsed is refused before any operation that has error numbers.',
    values: {
      'message-only': 'It is answered 400 with a message and no number.',
      'invalid-value': 'It is answered 400 with the number of an invalid value.',
      'empty-field': 'It is answered 400 with the number of a missing field.',
    },
    probe: probe(asking('createUser', { raw: '{' })),
  },
  'missing-content-type': {
    question: 'Is a JSON body read when the request does not declare it as JSON?',
    why: 'The family does not parse a body that is not declared as JSON, so it counts as absent.',
    values: { refused: 'It is not read, and the answer is 400.', parsed: 'It is read like any other.' },
    probe: probe(asking('createUser', { body: person(), headers: { 'content-type': null } })),
  },
  'body-where-none': {
    question: 'What happens to a body that is sent to an operation without one?',
    why: 'Operations without a body never look for one.',
    values: { ignored: 'It is ignored.', refused: 'The request is answered 400.' },
    probe: probe(asking('resetUser', { ...nina, body: { password: 'x' } })),
  },
  'empty-object-body': {
    question: 'Is an empty object a valid body where no member is required?',
    why: 'The family takes an empty object for a body that was forgotten; columns are read with one.',
    values: {
      refused: 'It is answered 400, except where it reads the columns.',
      accepted: 'It is accepted: it changes nothing, or the rules on single members apply.',
      'refused-for-columns-too': 'It is answered 400 everywhere, for columns as well.',
    },
    probe: probe(updating({}), columns({})),
  },
  'wrong-json-types': {
    question: 'What happens to a member whose value has the wrong JSON type?',
    why: 'The document gives every field a type.',
    values: {
      refused: 'The request is answered 400, and the error names the field.',
      coerced:
        'A value that reads as the right type is converted: digits, 0 and 1, `"true"`, and numbers to text.',
      'coerced-but-text': 'Such values are converted, but nothing is converted to text.',
      ignored: 'The member is ignored.',
    },
    probe: probe(updating({ realname: 'New', access_level: '40' }), updating({ realname: 5 })),
  },
  'null-member': {
    question: 'What does null mean as the value of a member?',
    why: 'The family reads null as "not given".',
    values: {
      absent: 'It counts as if the member were absent.',
      refused: 'It is a wrong type, and answered 400.',
    },
    probe: probe(updating({ realname: 'New', email: null })),
  },
  'unknown-members': {
    question: 'What happens to members that the document does not name?',
    why: 'Nothing in the family looks at members that it does not know.',
    values: { ignored: 'They are ignored.', refused: 'The request is answered 400.' },
    probe: probe(updating({ realname: 'New', nickname: 'x' })),
  },
  'check-order': {
    question: 'Which is checked first, the rights of the caller or the values in the request?',
    why: 'Some operations of the family look up and validate before they ask for rights, others after.',
    values: {
      'by-operation': 'Each operation has the order that it has in the family.',
      'rights-first': 'Rights always come first, so an invalid request without the right is answered 403.',
      'values-first': 'Values always come first, so an invalid request without the right is answered 400.',
    },
    probe: probe(
      asking('createUser', { as: 'reporter', body: { email: 'none' } }),
      asking('updateUser', { as: 'reporter', ...nina, body: { email: 'none' } }),
    ),
  },
  'success-envelope': {
    question: 'What is around the content of a success answer?',
    why: 'The family names the entity; the reference shows an empty list and nothing else.',
    values: {
      named: 'An object that names the entity, such as `{"users": […]}` or `{"custom_field": {…}}`.',
      bare: 'Nothing: the answer is the record or the list alone.',
      'empty-list': 'There is no content: every success is answered `[]`.',
    },
    probe: probe(asking('getUser', nina)),
  },
  'write-success-body': {
    question: 'What does the answer to a successful change show?',
    why: 'A client wants to see what was stored.',
    values: {
      entity: 'The record after the change, or a small result.',
      'empty-list': 'An empty list.',
      'empty-object': 'An empty object.',
      message: 'An object with a message.',
    },
    probe: probe(updating({ realname: 'New' })),
  },
  'page-content': {
    question: 'What does the answer of a page operation show?',
    why: 'A page needs the entity, the choices that it offers, and what the caller may do.',
    values: {
      full: 'The entity, the lists of choices, the limits, and what the caller may do.',
      entity: 'The entity alone.',
      'empty-list': 'An empty list.',
    },
    probe: probe(asking('getCustomFieldCreatePage')),
  },
  'answer-member-order': {
    question: 'In which order are the members of an answer?',
    why: 'Members of a JSON object have no order; records read best with the id first.',
    values: {
      declared: 'In a readable order, with the id first.',
      sorted: 'In alphabetical order.',
      reversed: 'In the reverse of the readable order.',
    },
    probe: probe(asking('getUser', nina)),
  },
  'answer-extra-members': {
    question: 'Do success answers have members that nobody expects?',
    why: 'A later version may say more, and a client must not stumble over that.',
    values: {
      none: 'They have only the known members.',
      some: 'They have unknown members beside the known ones.',
    },
    probe: probe(asking('getUser', nina)),
  },
  'enum-in-response': {
    question: 'How do answers show a level or another enumerated value?',
    why: 'The family shows id, name and label, so that nobody needs the table of levels.',
    values: {
      object: 'As an object with `id`, `name` and `label`.',
      integer: 'As its number.',
      name: 'As its name.',
    },
    probe: probe(asking('getUser', nina)),
  },
  'date-format': {
    question: 'In which form are dates shown?',
    why: 'Dates of the family carry their offset.',
    values: {
      iso: 'As ISO 8601 with an offset.',
      epoch: 'As seconds since 1970.',
      display: 'As a text for people, such as `2025-06-01 12:00`.',
    },
    probe: probe(asking('getUser', nina)),
  },
  'x-mantis-headers': {
    question:
      'Which answers carry the X-Mantis headers with the username, the kind of login and the version?',
    why: 'The family shows who one is, and which version answered, where the operation went through.',
    values: {
      'on-success': 'Success answers carry them.',
      never: 'No answer carries them.',
      always: 'Every answer carries them, errors too.',
    },
    probe: probe(
      asking('getUser', { ...nina, shows: ['header x-mantis-username'] }),
      asking('getUser', { path: { user_id: 'nobody' }, shows: ['header x-mantis-username'] }),
    ),
  },
  'cache-and-etag': {
    question: 'What do reads say about caching?',
    why: 'No cache should keep administration data.',
    values: {
      'no-store': 'They carry `Cache-Control: no-store` and no ETag.',
      none: 'They carry no such header.',
      etag: 'They carry an ETag.',
    },
    probe: probe(asking('listPlugins', { shows: ['header cache-control', 'header etag'] })),
  },
} as const satisfies Readonly<Record<string, DecisionWords>>
