/** Section 5, credentials: each of the 26 operations, asked once without them and once with each wrong kind. */
import { operation as contractOf, type OperationId, operationIds } from '../contract/index.js'
import type { Check } from '../suite/check.js'
import { type PlainRequest, plainRequest, withPlainRequest } from '../suite/requests.js'
import { requirement } from '../suite/requirement.js'

/** One that no tracker has issued. */
export const UNKNOWN_TOKEN = 'kitUnknown0123456789abcdefABCDEF'

/** The credentials are the request's only defect, so anything but 401 is judged only where the rest is proven. */
export async function expectUnauthenticated(
  t: Check,
  operation: OperationId,
  authorization: string | null,
  rule: string,
): Promise<void> {
  const judge = async ({ proven, ...request }: PlainRequest) => {
    const answer = await t.send({ ...request, operation, authorization, refused: 'credentials' })
    const lookedUpFirst = !proven && (answer.status === 404 || answer.status === 400)
    if (lookedUpFirst)
      t.inconclusive(`no request to ${operation} is known to be valid apart from its credentials`)
    t.expect(answer, 401, rule)
    // What went through all the same is taken back, lest it stand in the way of other checks.
    if (operation === 'installPlugin' && answer.status === 200 && t.allows('destructive'))
      await t.send({ ...request, operation: 'uninstallPlugin', effect: 'destructive' })
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
        const answer = await t.send({ ...call, refused: 'credentials' })
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
]
