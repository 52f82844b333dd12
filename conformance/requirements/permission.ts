/** Section 5, permissions: what an enabled user without any administrative permission may not do. */
import type { OperationId } from '../contract/index.js'
import type { Check } from '../suite/check.js'
import { plainRequest, withPlainRequest } from '../suite/requests.js'
import { requirement } from '../suite/requirement.js'

/** Asks as the restricted user, the missing permission being the request's only defect as far as can be known. */
async function expectForbidden(t: Check, operation: OperationId, allowed: readonly number[]): Promise<void> {
  t.need('tokens.restricted')
  const forbidden = async (proven: boolean, request: object) => {
    const answer = await t.send({ operation, ...request, as: 'restricted', refused: 'permission' })
    const otherGround = !proven && (answer.status === 404 || answer.status === 400)
    if (otherGround)
      t.inconclusive(`answered ${answer.status}; no request to ${operation} is known to be valid otherwise`)
    return t.expect(answer, allowed, 'a valid request of a user without administrative permission')
  }
  await withPlainRequest(t, operation, async ({ proven, ...request }) => {
    // Asked again, since some forget the question once it was answered.
    for (let round = 1; round <= 3; round++) if (!(await forbidden(proven, request))) break
    if (operation === 'installPlugin' && t.run.succeeded(operation) && t.allows('destructive'))
      await t.send({ operation: 'uninstallPlugin', ...request, effect: 'destructive' })
  })
}

export const permission = [
  requirement({
    id: 'permission.gated',
    level: 'must',
    section: '5',
    statement:
      'Impersonation, reset, plugin management, custom-field management and settings update are answered 403 when the authenticated user lacks permission.',
    operations: [
      'impersonateUser',
      'resetUser',
      'createCustomField',
      'updateCustomField',
      'deleteCustomField',
      'updatePlugin',
      'installPlugin',
      'uninstallPlugin',
      'listPlugins',
      'updateSettings',
    ],
    safety: 'read',
    each: true,
    async check(t, operation) {
      await expectForbidden(t, operation, [403])
    },
  }),

  requirement({
    id: 'permission.administrative',
    level: 'must',
    section: '1',
    statement: 'Creating and updating users, and adding them to projects, is for authorized administrators.',
    operations: ['createUser', 'updateUser', 'addUserToProjects'],
    safety: 'read',
    each: true,
    async check(t, operation) {
      // Whether a user that the caller may not see exists may be hidden behind 404.
      await expectForbidden(t, operation, operation === 'createUser' ? [403] : [403, 404])
    },
  }),

  requirement({
    id: 'permission.recipients',
    level: 'should',
    section: '1',
    statement: 'The deletion of helpdesk recipients is for authorized users.',
    operations: ['deleteHelpdeskRecipient'],
    safety: 'read',
    each: true,
    async check(t, operation) {
      await expectForbidden(t, operation, [403, 404])
    },
  }),

  requirement({
    id: 'permission.custom-field-pages',
    level: 'should',
    section: '5',
    statement: 'The pages of custom-field management are, like the management itself, permission-gated.',
    operations: ['getCustomFieldCreatePage', 'getCustomFieldUpdatePage'],
    safety: 'read',
    each: true,
    async check(t, operation) {
      await expectForbidden(t, operation, operation === 'getCustomFieldCreatePage' ? [403] : [403, 404])
    },
  }),

  requirement({
    id: 'permission.valid-token',
    level: 'must',
    section: '5',
    statement:
      'A user without administrative permission is answered with what was asked for or with 403, and not as if its token were invalid.',
    operations: [
      'getUserCreatePage',
      'getUser',
      'getUserEditPage',
      'listCustomFields',
      'getCustomFieldCreatePage',
      'getCustomFieldUpdatePage',
    ],
    safety: 'read',
    each: true,
    async check(t, operation) {
      t.need('tokens.restricted')
      const { proven: _, ...request } = await plainRequest(t, operation)
      const answer = await t.send({ operation, ...request, as: 'restricted' })
      t.observe('gate', operation, answer.status)
      // Whether what the caller may not see exists may be hidden behind 404.
      const hidden = request.path === undefined ? [] : [404]
      t.expect(answer, [200, 403, ...hidden], 'a valid request of a user without administrative permission')
    },
  }),
]
