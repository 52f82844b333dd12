/** Section 7, status 400: malformed bodies and missing required fields, one defect at a time. */
import { operation as contractOf, type OperationId, operations } from '../contract/index.js'
import type { Check } from '../suite/check.js'
import { plainRequest, WRONG_PASSWORD } from '../suite/requests.js'
import { requirement } from '../suite/requirement.js'
import { withPlugin } from '../suite/shared.js'
import { isObject } from '../target/look.js'

const withBody = operations.filter(({ body }) => body !== undefined).map(({ id }) => id)

/** What asks with a body that must be refused, on a resource that exists as far as the level lets that be known. */
export async function sendInvalid(
  t: Check,
  operation: OperationId,
  body: { body: unknown } | { rawBody: string },
): Promise<void> {
  if (operation === 'changeOwnPassword') needPasswordToken(t)
  const as = operation === 'changeOwnPassword' ? ({ as: 'password' } as const) : {}
  const shown = 'rawBody' in body ? body.rawBody : JSON.stringify(t.run.client.redact.json(body.body))
  const rule = shown === '' ? 'no body at all' : `the body ${shown}`
  const judge = async (path: object, proven: boolean) => {
    const answer = await t.send({ operation, ...path, ...body, ...as })
    if (!proven && answer.status === 404) t.inconclusive('the resource in the path is not known to exist')
    const statuses = 'body' in body && namesAProject(operation, body.body) ? [400, 404] : 400
    t.expect(answer, statuses, rule.length > 120 ? `${rule.slice(0, 117)}...` : rule)
    if (operation === 'changeOwnPassword' && answer.status === 200) await putPasswordBack(t)
  }
  if (operation === 'updatePlugin' && t.profile.plugin && t.allows('destructive')) {
    await withPlugin(t, (plugin_name) => judge({ path: { plugin_name } }, true))
    return
  }
  const { path, proven } = await plainRequest(t, operation)
  const unproven = contractOf(operation).parameters.length > 0 && !proven
  await judge(path ? { path } : {}, !unproven)
}

/** A text may be read as a list of one, and that is a project which there is not. */
const namesAProject = (operation: OperationId, body: unknown) =>
  operation === 'addUserToProjects' && isObject(body) && typeof body.project_ids === 'string'

/** Where a change of the password ended its token, no request of that account says anything more. */
export function needPasswordToken(t: Check): void {
  t.need('tokens.password')
  if (t.profile.passwordAccount && t.run.passwordAccount === null)
    t.inconclusive("the password account's token or password was lost on the way")
}

/** A target that accepted the unacceptable may have set the next password. */
async function putPasswordBack(t: Check): Promise<void> {
  if (!t.run.passwordAccount || !t.allows('destructive')) return
  const { current: password, next: password_current } = t.run.passwordAccount
  const operation = 'changeOwnPassword'
  await t.send({ operation, as: 'password', body: { password_current, password } })
}

/** Bodies in which a required part is missing, or is of a type that no reading can turn into the right one. */
export const invalidBodies: Partial<Record<OperationId, (t: Check) => readonly unknown[]>> = {
  changeOwnPassword: (t) => {
    const { current = WRONG_PASSWORD, next = t.run.own.password } = t.run.passwordAccount ?? {}
    // One that is so already, where the level allows no other.
    const password = t.allows('destructive') || !t.run.passwordAccount ? next : current
    const password_current = current
    return [
      {},
      { password },
      { password_current },
      { password_current: null, password },
      { password_current, password: null },
      { password_current: { unexpected: true }, password },
      { password_current, password: { unexpected: true } },
    ]
  },
  updateUserSettings: (t) => {
    const own = { option: `${t.run.tag}option`, value: `${t.run.tag}value` }
    const { option, value } = (t.allows('destructive') && t.profile.userSetting) || own
    return [
      {},
      { configs: null },
      { configs: own.value },
      { configs: 7 },
      { configs: [own.option] },
      { configs: [null] },
      { configs: [{ value }] },
      { configs: [{ option }] },
      { configs: [{ option, value: null }] },
      { configs: [{ option: null, value }] },
      { configs: [{ option: { unexpected: true }, value }] },
      { configs: [{ option, value: { unexpected: true } }] },
    ]
  },
  addUserToProjects: (t) => {
    const project_ids = t.profile.projects?.slice(0, 1) ?? ['1']
    const access_level = t.profile.projectAccessLevel ?? 'reporter'
    return [
      {},
      { project_ids },
      { access_level },
      { project_ids: null, access_level },
      { project_ids, access_level: null },
      { project_ids: 'none of them', access_level },
      { project_ids, access_level: { unexpected: true } },
    ]
  },
  createCustomField: () => [
    {},
    { projects: [] },
    { custom_field: null },
    { custom_field: 'a field' },
    { custom_field: 7 },
    { custom_field: true },
    { custom_field: ['text'] },
  ],
  updateCustomField: (t) => [
    ...(t.profile.projects?.length ? [{ projects: t.profile.projects.slice(0, 1) }] : []),
    { custom_field: null, projects: [] },
    { custom_field: 'a field' },
    { custom_field: 7 },
    { custom_field: ['text'] },
  ],
  // An object without members is the same as an empty list to some parsers.
  updateSettings: (t) => [`${t.run.tag}settings`, 7, true, null, { configs: [] }],
}

/** Where nothing at all lacks a required field; what an update without any would change is nothing. */
const withoutBody: readonly OperationId[] = [
  'changeOwnPassword',
  'updateUserSettings',
  'addUserToProjects',
  'createCustomField',
]

export const bodies = [
  requirement({
    id: 'body.malformed-json',
    level: 'must',
    section: '7',
    statement: 'A body that is not JSON is answered 400.',
    operations: withBody,
    safety: 'read',
    each: true,
    async check(t, operation) {
      for (const rawBody of ['{"a":', '{not json}', '{"kit":1,}', "{'kit':1}"])
        await sendInvalid(t, operation, { rawBody })
    },
  }),

  requirement({
    id: 'body.not-an-object',
    level: 'must',
    section: '7',
    statement: 'JSON of another kind than the object that carries the required fields is answered 400.',
    operations: [
      'changeOwnPassword',
      'updateUserSettings',
      'addUserToProjects',
      'createCustomField',
      'updateCustomField',
    ],
    safety: 'read',
    each: true,
    async check(t, operation) {
      for (const body of ['text', 7, true, null, ['text']]) await sendInvalid(t, operation, { body })
    },
  }),

  requirement({
    id: 'body.required',
    level: 'must',
    section: '7',
    statement: 'A body without a required field, or with one of a wrong type, is answered 400.',
    operations: Object.keys(invalidBodies) as OperationId[],
    safety: 'read',
    each: true,
    async check(t, operation) {
      for (const body of invalidBodies[operation]?.(t) ?? []) await sendInvalid(t, operation, { body })
      if (withoutBody.includes(operation)) await sendInvalid(t, operation, { rawBody: '' })
    },
  }),

  requirement({
    id: 'body.configs-empty',
    level: 'must',
    section: '2.3',
    statement: 'An empty list of settings is answered 400.',
    operations: ['updateUserSettings'],
    safety: 'read',
    async check(t, operation) {
      await sendInvalid(t, operation, { body: { configs: [] } })
    },
  }),
]
