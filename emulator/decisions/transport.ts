/** Sections 5, 7 and 9: credentials, the form of answers and errors, and what happens before an operation. */
import { all, choice, ops, withBody, withoutBody } from './define.js'

const pages = ops(1, 3, 4, 7, 11, 16, 19)
const reads = ops(1, 3, 4, 7, 8, 11, 14, 16, 19, 25)

export const transport = {
  'error-body-members': choice(
    all,
    '7',
    'by-origin | message-only | message-and-code | message-and-localized | everything | extra-members',
    'errors',
  ),
  'error-code-numbers': choice(all, '7', 'family | http-status | shifted', 'errors'),
  'error-code-when-unmapped': choice(ops(15, 17, 22, 23, 24), '7', 'kept | generic | absent', 'errors'),
  'error-localized-language': choice(all, '7', 'caller | english | absent', 'errors'),
  'error-content-type': choice(all, '1', 'plain | charset', 'transport'),
  'unauthenticated-header': choice(all, '5', 'bearer | none | realm', 'transport'),
  'bearer-scheme-parsing': choice(all, '5', 'lenient | strict', 'requests'),
  'disabled-caller-token': choice(all, '5', 'forbidden | unauthenticated', 'statuses'),
  'low-level-caller': choice(all, '5', 'refused | served', 'rights'),
  'impersonation-header': choice(all, '5', 'honoured | ignored', 'rights'),
  'unknown-path-order': choice(all, '7', 'credentials-first | path-first', 'statuses'),
  'trailing-slash': choice(all, '4', 'same | not-found', 'transport'),
  'wrong-method': choice(all, '4', 'method-not-allowed | not-found | invalid', 'statuses'),
  'malformed-json': choice(withBody, '7', 'message-only | invalid-value | empty-field', 'statuses'),
  'missing-content-type': choice(withBody, '2', 'refused | parsed', 'requests'),
  'body-where-none': choice(withoutBody, '4', 'ignored | refused', 'requests'),
  'empty-object-body': choice(
    ops(6, 9, 21, 22),
    '2',
    'refused | accepted | refused-for-columns-too',
    'requests',
  ),
  'wrong-json-types': choice(withBody, '2', 'refused | coerced | coerced-but-text | ignored', 'requests'),
  'null-member': choice(withBody, '2', 'absent | refused', 'requests'),
  'unknown-members': choice(withBody, '2', 'ignored | refused', 'requests'),
  'check-order': choice(all, '7', 'by-operation | rights-first | values-first', 'statuses'),
  'success-envelope': choice(all, '4.3', 'named | bare | empty-list', 'bodies'),
  'write-success-body': choice(
    ops(2, 5, 9, 10, 12, 13, 17, 18, 20, 21, 22, 23, 24, 26),
    '4.3',
    'entity | empty-list | empty-object | message',
    'bodies',
  ),
  'page-content': choice(pages, '4.3', 'full | entity | empty-list', 'bodies'),
  'answer-member-order': choice(all, '4.3', 'declared | sorted | reversed', 'extras'),
  'answer-extra-members': choice(all, '4.3', 'none | some', 'extras'),
  'enum-in-response': choice(
    ops(1, 6, 7, 8, 9, 11, 12, 14, 15, 16, 17, 19),
    '2.9',
    'object | integer | name',
    'bodies',
  ),
  'date-format': choice(ops(1, 3, 8, 11), '2.9', 'iso | epoch | display', 'bodies'),
  'x-mantis-headers': choice(all, '9', 'on-success | never | always', 'transport'),
  'cache-and-etag': choice(reads, '8', 'no-store | none | etag', 'transport'),
}
