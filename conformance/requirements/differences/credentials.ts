/** Section 5, credentials: each of the 26 operations without them, and with each wrong kind. */

import { operation as contractOf, type OperationId, operationIds } from '../../contract/index.js'
import { type Row, requirementOf, type Variant } from '../../suite/engine.js'
import { errorBodyFault } from '../../suite/error-body.js'
import { missing, WRONG_PASSWORD } from '../../suite/existing.js'
import { namesOf } from '../../suite/identity.js'
import { group } from '../../suite/requirement.js'
import type { Subject } from '../../suite/subjects.js'
import type { Check } from '../../suite/types.js'

/** One that no tracker has issued. */
export const UNKNOWN_TOKEN = 'kitUnknown0123456789abcdefABCDEF'

const unknownBearer = `Bearer ${UNKNOWN_TOKEN}`

/** As whoever has no account sends it: with a current password that nobody has. */
export function ofNobody({ operation, call }: Subject): Variant['call'] {
  if (operation !== 'changeOwnPassword' || call.body === undefined) return {}
  return { body: { ...(call.body as object), password_current: WRONG_PASSWORD } }
}

const common = {
  level: 'must',
  section: '5',
  operations: operationIds,
  safety: 'read',
  allowed: [401],
  first: 'cut-off',
  // Where a resource is looked up first, or a body read.
  otherwise: [400, 404],
} as const satisfies Partial<Row>

const ofAccount: readonly OperationId[] = ['changeOwnPassword', 'updateUserSettings', 'manageColumns']

/** Without a lighter form before it, so that no operation is judged by what says nothing alone. */
const { first: _, ...whole } = common

/** The subject under these headers, each a way to have no valid credentials. */
const under = (
  ...headers: readonly (readonly [what: string, authorization: string | null, rare?: true | undefined])[]
) =>
  ((subject: Subject) =>
    headers.map(
      ([what, authorization, rare]): Variant => ({
        what,
        call: { ...ofNobody(subject), authorization },
        ...(rare && { rare }),
      }),
    )) satisfies Row['change']

const swapped = (token: string) =>
  token.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )

/** An identifier in a path that names nothing. */
const nowhere = (t: Check, parameter: string) =>
  ({ user_id: missing.username(t), plugin_name: missing.plugin(t) })[parameter] ?? missing.id(t)

const rows: readonly Row[] = [
  {
    ...whole,
    id: 'authentication.missing',
    rank: 180,
    statement: 'A request without credentials is answered 401.',
    change(subject) {
      const { operation, call } = subject
      const plain = under(['a request without an Authorization header', null])(subject)
      if (contractOf(operation).body === undefined) return plain
      // What does not ask for anything may be refused for that, and is not let in.
      const rawBody = operation === 'updateSettings' ? '[]' : '{}'
      const allowed = call.path === undefined ? [401, 400] : [401, 400, 404]
      const what = `the body ${rawBody} without an Authorization header`
      return [...plain, { what, call: { rawBody, authorization: null }, allowed }]
    },
  },
  {
    ...common,
    id: 'authentication.unknown-token',
    statement: 'A bearer token that the tracker did not issue is answered 401.',
    change: under(['a request with an unknown bearer token', unknownBearer]),
  },
  {
    ...common,
    id: 'authentication.wrong-scheme',
    statement:
      'Credentials under another scheme than Bearer are answered 401, even if the token behind it is valid.',
    change: (subject, t) =>
      under(['a request with the Basic scheme', `Basic ${t.profile.tokens.administrator}`])(subject),
  },
  {
    ...common,
    id: 'authentication.no-token',
    statement: 'An Authorization header without a token, or with what only looks like one, is answered 401.',
    change: under(
      ['the header "Bearer"', 'Bearer', true],
      ['the header ""', '', true],
      ['the header "Bearer null"', 'Bearer null', true],
      ['the header "Bearer undefined"', 'Bearer undefined', true],
      ['the header "Bearer 0"', 'Bearer 0', true],
      ['the header "Bearer *"', 'Bearer *', true],
      ['a token of three thousand characters', `Bearer ${'kit'.repeat(1000)}`, true],
    ),
  },
  {
    ...common,
    id: 'authentication.altered-token',
    statement: 'A token is compared whole: a valid one with a part cut off or added is answered 401.',
    change(subject, t) {
      const token = t.profile.tokens.administrator
      const half = token.slice(0, -Math.ceil(token.length / 3)).padEnd(token.length, 'Kit0')
      const other = swapped(token)
      return under(
        ['a token with a character too many', `Bearer ${token}x`, true],
        ...(other === token ? [] : [['a token in the other case', `Bearer ${other}`, true] as const]),
        ['a token without its last character', `Bearer ${token.slice(0, -1)}`, true],
        ['a token whose last third is another one', `Bearer ${half}`, true],
      )(subject)
    },
  },
  {
    ...common,
    id: 'authentication.elsewhere',
    statement: 'Without a valid bearer token, nothing else in a request authenticates it: the answer is 401.',
    async change(subject, t) {
      const { usernames, ids } = await namesOf(t)
      const [name = 'administrator'] = usernames
      const headers = (what: string, given: Record<string, string>, more: Variant['call'] = {}): Variant => ({
        what,
        call: { ...ofNobody(subject), authorization: null, headers: given, ...more },
      })
      const named = { 'X-Mantis-Username': name }
      const proxied = { 'X-Remote-User': name, 'X-Forwarded-User': name }
      const cookies = { Cookie: `session=${UNKNOWN_TOKEN}; user=${name}` }
      const query = { query: `access_token=${UNKNOWN_TOKEN}&token=kit` }
      // An option that nobody knows may be refused for itself.
      const allowed = [401, 400]
      const what = 'names, made-up cookies and a made-up token in the query'
      const together: Variant = {
        ...headers(what, { ...named, ...proxied, ...cookies }, query),
        allowed,
        parts: [
          headers('the header X-Mantis-Username alone', named),
          headers('headers of a proxy alone', proxied),
          headers('made-up cookies alone', cookies),
          { ...headers('a made-up token in the query', {}, query), allowed },
        ],
      }
      // Somebody may have chosen tokens that are names.
      const tokens = Object.values(t.profile.tokens)
      if (tokens.some((token) => token !== undefined && [...usernames, ...ids].includes(token)))
        return [together]
      const tokensOf = (what: string, names: readonly string[]) =>
        names.map((one) => [`${what} in place of a token`, `Bearer ${one}`, true] as const)
      return [
        together,
        ...under(
          ...tokensOf('the id of a user', ids.slice(0, 1)),
          ...tokensOf('the id of another user', ids.slice(1, 2)),
          ...tokensOf('a username', usernames.slice(0, 1)),
          ...tokensOf('another username', usernames.slice(1, 2)),
        )(subject),
      ]
    },
  },
  {
    ...common,
    id: 'authentication.disabled-user',
    level: 'should',
    statement: 'A request with the token of a disabled user is refused, with 401 or with 403.',
    // Whether such a token is invalid, or its user lacks permission, is not shown.
    allowed: [401, 403],
    decision: 'disabled-caller-token',
    // What is changed of an account that nobody may use cannot be read, nor put back.
    operations: operationIds.filter((id) => !ofAccount.includes(id)),
    change: (subject, t) =>
      under(['the token of a disabled user', `Bearer ${t.need('tokens.disabled')}`])(subject),
  },
  {
    ...common,
    first: 'as-it-is',
    id: 'authentication.first',
    level: 'should',
    statement: 'A request without valid credentials is answered 401, whatever else is wrong with it.',
    operations: operationIds.filter(
      (id) => contractOf(id).body !== undefined || contractOf(id).parameters.length > 0,
    ),
    otherwise: [],
    change({ operation, call: { path } }, t) {
      const wrong: (readonly [what: string, call: Variant['call'], rare?: true | undefined])[] = []
      const names = Object.keys(path ?? {})
      const nobodys = Object.fromEntries(names.map((name) => [name, nowhere(t, name)]))
      if (path) wrong.push(['a resource that is not there', { path: nobodys }])
      if (contractOf(operation).body !== undefined)
        wrong.push(
          ['a body without any member', { rawBody: '{}' }],
          // Below a level it may be the only one that leaves.
          ['a body that is no JSON', { rawBody: '{"kit' }, t.allows('write') || undefined],
        )
      return wrong.flatMap(([what, call, rare]) =>
        [null, unknownBearer].map((authorization, index) => ({
          what: `${what}, ${index === 0 ? 'without' : 'with unknown'} credentials`,
          call: { ...call, authorization },
          ...((rare || index === 1) && { rare: true as const }),
        })),
      )
    },
  },
  {
    ...common,
    id: 'repetition.unauthenticated',
    rank: 380,
    statement: 'A request without credentials is answered 401 with an error body each time.',
    allowed: ({ proven }) => (proven ? [401] : [401, 400, 404]),
    otherwise: [],
    errorBodies: true,
    inARow: true,
    change(subject, t) {
      // Enough to meet a fault that comes with every fifth request; what was asked so before counts.
      const before = t.run.statuses(subject.operation).get(401) ?? 0
      if (before >= 5)
        for (const answer of t.run.samples(subject.operation).filter(({ status }) => status === 401)) {
          const fault = errorBodyFault(answer)
          t.verify(fault === null, `the error body of a 401 is not as section 7 has it: ${fault}`, answer)
        }
      const rounds = Array.from({ length: Math.max(0, 5 - before) }, (_, index) => index + 1)
      return rounds.flatMap((round) =>
        under([`a request without credentials, the ${round}. time`, null])(subject),
      )
    },
  },
]

export const credentials = group({ rank: 280 }, rows.map(requirementOf))
