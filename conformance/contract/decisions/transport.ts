/** Sections 5, 7 and 9 in words: credentials, the form of answers and errors, and what happens before an operation. */
import { asking, columns, getting, nina, person, plain, probe, status, updating, user } from './make.js'
import type { DecisionWords } from './probe.js'

export const transport = {
  'error-body-members': {
    question: 'Which members does an error body have besides `message`?',
    why: 'Errors inside an operation have a number; earlier errors have only a message.',
    values: {
      'by-origin':
        'Errors of an operation have `code` and `localized`; earlier errors, such as a 401, have only `message`.',
      'message-only': 'Every error body has only `message`.',
      'message-and-code': 'Every error body has `message`, and `code` if the error has a number.',
      'message-and-localized': 'Every error body has `message` and `localized`.',
      everything: 'Every error body has `message`, `code` and `localized`, even before an operation.',
      'extra-members': 'Error bodies have members that the document does not name.',
    },
    probe: probe(
      getting({ ...user('nobody'), shows: ['members'] }),
      getting({ ...nina, as: null, shows: ['members'] }),
    ),
  },
  'error-code-numbers': {
    question: 'Which numbers does the `code` of an error body have?',
    why: 'The family has used one list of error numbers for twenty years, and clients know it.',
    values: {
      family: '`code` is the error number of the family, such as 810 for an unknown username.',
      'http-status': '`code` repeats the HTTP status.',
      shifted: '`code` is the error number of the family plus 10,000.',
    },
    probe: probe(getting(user('nobody'))),
  },
  'error-code-when-unmapped': {
    question: 'Which `code` does an error get if the family uses a status outside the document for it?',
    why: 'The number still says what went wrong, although the status must be another one.',
    values: { kept: 'The number of the family.', generic: '29, for an invalid value.', absent: 'None.' },
    probe: probe(asking('installPlugin', { path: { plugin_name: 'Nothing' } })),
  },
  'error-localized-language': {
    question: 'In which language is the `localized` text of an error?',
    why: 'The text is for the screen of the caller.',
    values: {
      caller: "It is in the caller's language, or in English if there is no translation.",
      english: 'It is always in English.',
      absent: 'The error has no `localized`.',
    },
    probe: probe(getting({ ...nina, as: 'french', shows: ['member localized'] })),
  },
  'error-content-type': {
    question: 'Does the Content-Type of an answer name a character set?',
    why: 'JSON is UTF-8 by definition, but some frameworks name it anyway.',
    values: {
      plain: 'The Content-Type is `application/json`.',
      charset: 'The Content-Type is `application/json; charset=utf-8`.',
    },
    probe: probe(getting({ ...nina, shows: ['header content-type'] })),
  },
  'unauthenticated-header': {
    question: 'Does a 401 have a WWW-Authenticate header?',
    why: 'HTTP requires a challenge in a 401, and the document has one scheme.',
    values: { bearer: 'Yes, `WWW-Authenticate: Bearer`.', none: 'No.', realm: 'Yes, with a realm.' },
    probe: probe(getting({ ...nina, as: null, shows: ['header www-authenticate'] })),
  },
  'bearer-scheme-parsing': {
    question: 'How strictly does the tracker read the Authorization header?',
    why: 'The family accepts several credentials, any case of the scheme, and a bare token.',
    values: {
      lenient: 'It accepts any case of `Bearer`, more than one space, several credentials and a bare token.',
      strict: 'It accepts only `Bearer <token>`, and answers 401 to every other form.',
    },
    probe: probe(getting({ ...nina, headers: { authorization: 'bearer   {administrator}' }, ...status })),
  },
  'disabled-caller-token': {
    question: 'How does the tracker answer a request with the token of a disabled user?',
    why: 'The tracker knows the token, but its owner may do nothing.',
    values: { forbidden: 'With 403.', unauthenticated: 'With 401, as for an invalid token.' },
    probe: probe(asking('getAccountPage', { as: 'disabled' })),
  },
  'low-level-caller': {
    question: 'May a user below the viewer level use the interface?',
    why: 'The family closes its whole programming interface to users below the viewer level.',
    values: { refused: 'No, each operation answers 403.', served: 'Yes, like any other user.' },
    probe: probe(
      { change: 'users', where: { username: 'viewer' }, to: { access_level: 5 } },
      asking('getAccountPage', { as: 'viewer' }),
    ),
  },
  'impersonation-header': {
    question: 'Does the request header X-Mantis-Username let the caller act for another user?',
    why: 'Integrations of the family use this header to act for a user.',
    values: {
      honoured: 'Yes, if the caller may impersonate: the request acts for the user in the header.',
      ignored: 'No, the header has no effect.',
    },
    probe: probe(
      asking('getAccountPage', { headers: { 'x-mantis-username': 'nina' }, shows: ['member user.name'] }),
    ),
  },
  'unknown-path-order': {
    question: 'Which does the tracker check first on an unknown path, the credentials or the path?',
    why: 'Authentication comes before routing, so strangers cannot find out which paths exist.',
    values: {
      'credentials-first': 'The credentials: without valid ones the tracker answers 401.',
      'path-first': 'The path: the tracker answers 404, whatever the credentials.',
    },
    probe: probe(plain('GET', '/plugins/Ext/nothing', { authorization: 'Bearer x' })),
  },
  'trailing-slash': {
    question: 'Does a path with a slash at its end mean the same operation?',
    why: 'The family registers its routes in both forms.',
    values: { same: 'Yes.', 'not-found': 'No, the tracker answers 404.' },
    probe: probe(plain('GET', '/plugins/Ext/plugins/')),
  },
  'wrong-method': {
    question: 'How does the tracker answer a known path with another method?',
    why: 'HTTP has a status for it, and the document does not cover the request.',
    values: {
      'method-not-allowed': 'With 405 and an Allow header.',
      'not-found': 'With 404.',
      invalid: 'With 400.',
    },
    probe: probe(plain('DELETE', '/plugins/Ext/plugins')),
  },
  'malformed-json': {
    question: 'How does the tracker answer a body that is not JSON?',
    why: 'The tracker refuses such a body before the operation, and only operations have error numbers.',
    values: {
      'message-only': 'With 400, a message and no number.',
      'invalid-value': 'With 400 for an invalid value.',
      'empty-field': 'With 400 for a missing field.',
    },
    probe: probe(asking('createUser', { raw: '{' })),
  },
  'missing-content-type': {
    question: 'Does the tracker read a JSON body if the request does not declare it as JSON?',
    why: 'The family does not parse such a body, so the body counts as absent.',
    values: { refused: 'No, the tracker answers 400.', parsed: 'Yes, like any other body.' },
    probe: probe(asking('createUser', { body: person(), headers: { 'content-type': null } })),
  },
  'body-where-none': {
    question: 'What happens to a body in a request to an operation without one?',
    why: 'Operations without a body never read one.',
    values: { ignored: 'The tracker ignores it.', refused: 'The tracker answers 400.' },
    probe: probe(asking('resetUser', { ...nina, body: { password: 'x' } })),
  },
  'empty-object-body': {
    question: 'Is an empty object a valid body if no member is required?',
    why: 'The family treats an empty object as a missing body, but it reads columns with one.',
    values: {
      refused: 'No, the tracker answers 400, unless the request reads columns.',
      accepted: 'Yes, it changes nothing, or the rules for single members apply.',
      'refused-for-columns-too': 'No, the tracker answers 400, even if the request reads columns.',
    },
    probe: probe(updating({}), columns({})),
  },
  'wrong-json-types': {
    question: 'What happens to a member whose value has the wrong JSON type?',
    why: 'The document gives every field a type.',
    values: {
      refused: 'The tracker answers 400, and the error names the field.',
      coerced: 'The tracker converts digits, 0, 1 and `"true"` to the right type, and numbers to text.',
      'coerced-but-text': 'The tracker converts such values, but nothing to text.',
      ignored: 'The tracker ignores the member.',
    },
    probe: probe(updating({ realname: 'New', access_level: '40' }), updating({ realname: 5 })),
  },
  'null-member': {
    question: 'What does null mean as the value of a member?',
    why: 'The family reads null as "not given".',
    values: { absent: 'It counts as absent.', refused: 'It has the wrong type: the tracker answers 400.' },
    probe: probe(updating({ realname: 'New', email: null })),
  },
  'unknown-members': {
    question: 'What happens to members that the document does not name?',
    why: 'The family never looks at members that it does not know.',
    values: { ignored: 'The tracker ignores them.', refused: 'The tracker answers 400.' },
    probe: probe(updating({ realname: 'New', nickname: 'x' })),
  },
  'check-order': {
    question: 'Which does the tracker check first, the rights of the caller or the values in the request?',
    why: 'Some operations of the family check values before rights; others check rights first.',
    values: {
      'by-operation': 'It depends on the operation, as in the family.',
      'rights-first': 'The rights: the tracker answers 403 to an invalid request without the right.',
      'values-first': 'The values: the tracker answers 400 to an invalid request without the right.',
    },
    probe: probe(
      asking('createUser', { as: 'reporter', body: { email: 'none' } }),
      asking('updateUser', { as: 'reporter', ...nina, body: { email: 'none' } }),
    ),
  },
  'success-envelope': {
    question: 'What surrounds the content of a success answer?',
    why: 'The family names the entity; the reference shows only an empty list.',
    values: {
      named: 'An object that names the entity, such as `{"users": […]}` or `{"custom_field": {…}}`.',
      bare: 'Nothing: the answer is only the record or the list.',
      'empty-list': 'There is no content: every success answer is `[]`.',
    },
    probe: probe(getting(nina)),
  },
  'write-success-body': {
    question: 'What does the answer to a successful change show?',
    why: 'A client wants to see what the tracker stored.',
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
    why: 'A page needs the entity, its choices, and what the caller may do.',
    values: {
      full: 'The entity, the lists of choices, the limits, and what the caller may do.',
      entity: 'Only the entity.',
      'empty-list': 'An empty list.',
    },
    probe: probe(asking('getCustomFieldCreatePage')),
  },
  'answer-member-order': {
    question: 'In which order are the members of an answer?',
    why: 'Members of a JSON object have no order, but records are easier to read with the id first.',
    values: {
      declared: 'In a readable order, with the id first.',
      sorted: 'In alphabetical order.',
      reversed: 'In the reverse of the readable order.',
    },
    probe: probe(getting(nina)),
  },
  'answer-extra-members': {
    question: 'Do success answers have unknown members?',
    why: 'A later version may add members, and a client must accept them.',
    values: { none: 'No, only the known members.', some: 'Yes, besides the known members.' },
    probe: probe(getting(nina)),
  },
  'enum-in-response': {
    question: 'How do answers show a level or another enumerated value?',
    why: 'The family shows id, name and label, so nobody needs the table of levels.',
    values: {
      object: 'As an object with `id`, `name` and `label`.',
      integer: 'As its number.',
      name: 'As its name.',
    },
    probe: probe(getting(nina)),
  },
  'date-format': {
    question: 'In which form does the tracker show dates?',
    why: 'Dates of the family have an offset.',
    values: {
      iso: 'As ISO 8601 with an offset.',
      epoch: 'As seconds since 1970.',
      display: 'As text for people, such as `2025-06-01 12:00`.',
    },
    probe: probe(getting(nina)),
  },
  'x-mantis-headers': {
    question: 'Which answers have the X-Mantis headers with the username, the kind of login and the version?',
    why: 'The family shows the caller and the version if an operation succeeds.',
    values: { 'on-success': 'Success answers.', never: 'No answers.', always: 'All answers, errors too.' },
    probe: probe(
      getting({ ...nina, shows: ['header x-mantis-username'] }),
      getting({ ...user('nobody'), shows: ['header x-mantis-username'] }),
    ),
  },
  'cache-and-etag': {
    question: 'Which cache headers do reads have?',
    why: 'No cache should keep administration data.',
    values: {
      'no-store': 'They have `Cache-Control: no-store` and no ETag.',
      none: 'They have none.',
      etag: 'They have an ETag.',
    },
    probe: probe(asking('listPlugins', { shows: ['header cache-control', 'header etag'] })),
  },
} as const satisfies Readonly<Record<string, DecisionWords>>
