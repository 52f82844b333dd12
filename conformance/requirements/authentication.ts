/** Section 5, credentials: each of the 26 operations, asked once without them and once with each wrong kind. */
import { operation as contractOf, type OperationId, operationIds } from '../contract/index.js'
import type { Check } from '../suite/check.js'
import { namesOf } from '../suite/identity.js'
import { ambiguous, missing, type PlainRequest, plainRequest, withPlainRequest } from '../suite/requests.js'
import { requirement } from '../suite/requirement.js'
import type { Answer, Call } from '../target/call.js'

/** One that no tracker has issued. */
export const UNKNOWN_TOKEN = 'kitUnknown0123456789abcdefABCDEF'

/** What stands in a request beside the one header that counts. */
type Beside = Pick<Call, 'query' | 'headers'>

/** The credentials are the request's only defect, so anything but 401 is judged only where the rest is proven. */
export async function expectUnauthenticated(
  t: Check,
  operation: OperationId,
  authorization: string | null,
  rule: string,
  beside: Beside = {},
): Promise<void> {
  // An option that nobody knows may be refused for itself.
  const allowed = beside.query === undefined ? 401 : [401, 400]
  await withCredentials(t, operation, authorization, (answer) => void t.expect(answer, allowed, rule), beside)
}

async function withCredentials(
  t: Check,
  operation: OperationId,
  authorization: string | null,
  rule: (answer: Answer) => void,
  beside: Beside = {},
): Promise<void> {
  const judge = async ({ proven, ...request }: PlainRequest) => {
    const answer = await t.send({ ...request, ...beside, operation, authorization })
    const lookedUpFirst = !proven && (answer.status === 404 || answer.status === 400)
    if (lookedUpFirst) ambiguous(t, operation, answer.status)
    rule(answer)
    // What went through all the same is taken back, lest it stand in the way of other checks.
    if (operation === 'installPlugin' && answer.status === 200 && t.allows('destructive'))
      await t.send({ ...request, operation: 'uninstallPlugin' })
  }
  await withPlainRequest(t, operation, judge)
}

export const authentication = [
  requirement({
    id: 'authentication.missing',
    level: 'must',
    section: '5',
    statement: 'A request without credentials is answered 401.',
    operations: operationIds,
    safety: 'read',
    each: true,
    async check(t, operation) {
      await expectUnauthenticated(t, operation, null, 'a request without an Authorization header')
      if (contractOf(operation).body === undefined) return
      // What does not ask for anything may be refused for that, and is not let in.
      const { path, proven: _ } = await plainRequest(t, operation)
      const allowed = path === undefined ? [401, 400] : [401, 400, 404]
      for (const rawBody of ['[]', '{}', '']) {
        const call = { operation, ...(path ? { path } : {}), rawBody, authorization: null } as const
        const answer = await t.send({ ...call })
        t.expect(answer, allowed, `the body ${rawBody || 'of no length'} without an Authorization header`)
      }
    },
  }),

  requirement({
    id: 'authentication.unknown-token',
    level: 'must',
    section: '5',
    statement: 'A bearer token that the tracker did not issue is answered 401.',
    operations: operationIds,
    safety: 'read',
    each: true,
    async check(t, operation) {
      await expectUnauthenticated(
        t,
        operation,
        `Bearer ${UNKNOWN_TOKEN}`,
        'a request with an unknown bearer token',
      )
    },
  }),

  requirement({
    id: 'authentication.wrong-scheme',
    level: 'must',
    section: '5',
    statement:
      'Credentials under another scheme than Bearer are answered 401, even if the token behind it is valid.',
    operations: operationIds,
    safety: 'read',
    each: true,
    async check(t, operation) {
      const authorization = `Basic ${t.profile.tokens.administrator}`
      await expectUnauthenticated(t, operation, authorization, 'a request with the Basic scheme')
    },
  }),

  requirement({
    id: 'authentication.no-token',
    level: 'must',
    section: '5',
    statement: 'An Authorization header without a token, or with what only looks like one, is answered 401.',
    operations: operationIds,
    safety: 'read',
    each: true,
    async check(t, operation) {
      const headers = ['', 'Bearer', 'Bearer null', 'Bearer undefined', 'Bearer 0', 'Bearer *']
      for (const header of headers)
        await expectUnauthenticated(t, operation, header, `the header "${header}"`)
      const long = `Bearer ${'kit'.repeat(1000)}`
      await expectUnauthenticated(t, operation, long, 'a token of three thousand characters')
    },
  }),

  requirement({
    id: 'authentication.altered-token',
    level: 'must',
    section: '5',
    statement: 'A token is compared whole: a valid one with a part cut off or added is answered 401.',
    operations: operationIds,
    safety: 'read',
    each: true,
    async check(t, operation) {
      const token = t.profile.tokens.administrator
      await expectUnauthenticated(
        t,
        operation,
        `Bearer ${token.slice(0, -1)}`,
        'a token without its last character',
      )
      const swapped = token.replace(/[a-z]/gi, (letter) =>
        letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
      )
      if (swapped !== token)
        await expectUnauthenticated(t, operation, `Bearer ${swapped}`, 'a token in the other case')
      await expectUnauthenticated(t, operation, `Bearer ${token}x`, 'a token with a character too many')
      const half = `Bearer ${token.slice(0, -Math.ceil(token.length / 3))}`.padEnd(7 + token.length, 'Kit0')
      await expectUnauthenticated(t, operation, half, 'a token whose last third is another one')
    },
  }),

  requirement({
    id: 'authentication.elsewhere',
    level: 'must',
    section: '5',
    statement: 'Without a valid bearer token, nothing else in a request authenticates it: the answer is 401.',
    operations: operationIds,
    safety: 'read',
    each: true,
    async check(t, operation) {
      const { usernames, ids } = await namesOf(t)
      const [name = 'administrator'] = usernames
      const others: readonly (readonly [string, Beside])[] = [
        ['a made-up token in the query', { query: `access_token=${UNKNOWN_TOKEN}&token=${UNKNOWN_TOKEN}` }],
        ['the header X-Mantis-Username alone', { headers: { 'X-Mantis-Username': name } }],
        ['headers of a proxy alone', { headers: { 'X-Remote-User': name, 'X-Forwarded-User': name } }],
        ['made-up cookies alone', { headers: { Cookie: `session=${UNKNOWN_TOKEN}; user=${name}` } }],
      ]
      for (const [rule, beside] of others) await expectUnauthenticated(t, operation, null, rule, beside)
      // Somebody may have chosen tokens that are names.
      const tokens = Object.values(t.profile.tokens).filter((token) => token !== undefined)
      if (tokens.some((token) => usernames.includes(token) || ids.includes(token))) return
      for (const username of usernames.slice(0, 2))
        await expectUnauthenticated(t, operation, `Bearer ${username}`, 'a username in place of a token')
      for (const id of ids.slice(0, 2))
        await expectUnauthenticated(t, operation, `Bearer ${id}`, 'the id of a user in place of a token')
    },
  }),

  requirement({
    id: 'authentication.disabled-user',
    level: 'should',
    section: '5',
    statement: 'A request with the token of a disabled user is refused, with 401 or with 403.',
    operations: operationIds,
    safety: 'read',
    each: true,
    async check(t, operation) {
      const authorization = `Bearer ${t.need('tokens.disabled')}`
      // Whether such a token is invalid, or its user lacks permission, is not shown.
      const refused = (answer: Answer) => {
        if (t.expect(answer, [401, 403], 'the token of a disabled user'))
          t.observe(
            'disabled-caller-token',
            operation,
            answer.status === 401 ? 'unauthenticated' : 'forbidden',
          )
      }
      await withCredentials(t, operation, authorization, refused)
    },
  }),

  requirement({
    id: 'authentication.first',
    level: 'should',
    section: '5',
    statement: 'A request without valid credentials is answered 401, whatever else is wrong with it.',
    operations: operationIds.filter(
      (id) => contractOf(id).body !== undefined || contractOf(id).parameters.length > 0,
    ),
    safety: 'read',
    each: true,
    async check(t, operation) {
      const { path, body } = await plainRequest(t, operation)
      const nowhere = path && Object.fromEntries(Object.keys(path).map((name) => [name, unknown(t, name)]))
      const wrong: (readonly [string, Partial<Call>])[] = []
      if (nowhere) wrong.push(['a resource that is not there', { path: nowhere, body }])
      if (body !== undefined)
        for (const rawBody of ['{"kit', '{}'])
          wrong.push([
            rawBody === '{}' ? 'a body without any member' : 'a body that is no JSON',
            { ...(path && { path }), rawBody },
          ])
      for (const [what, request] of wrong)
        for (const authorization of [null, `Bearer ${UNKNOWN_TOKEN}`]) {
          const answer = await t.send({ ...request, operation, authorization })
          t.expect(answer, 401, `${what}, without valid credentials`)
        }
    },
  }),
]

/** An identifier in a path that names nothing. */
function unknown(t: Check, parameter: string): string | number {
  if (parameter === 'user_id') return missing.username(t)
  return parameter === 'plugin_name' ? missing.plugin(t) : missing.id(t)
}
