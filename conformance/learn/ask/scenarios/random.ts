/** Random sequences of calls: the seed determines them, and they use users and fields of the run. */
import {
  operation as contractOf,
  type Operation,
  type OperationId,
  operations,
  type Safety,
} from '../../../contract/index.js'
import { isObject } from '../../../oracle/json.js'
import type { Request, Scenario, Script } from '../script.js'
import { plainBody } from './bodies.js'

/** Changes of what users share, and of passwords, which the sequences leave out. */
const leftOut = /Plugin|Recipient|updateSettings|changeOwnPassword/
const destructive = /^(resetUser|impersonateUser|updateUserSettings|manageColumns)$/

const isAllowed = ({ id, method }: Operation, safety: Safety) =>
  method === 'GET' ||
  (safety !== 'read' && !leftOut.test(id) && (safety === 'destructive' || !destructive.test(id)))

/** This many sequences of about twenty calls each. */
export function randomScenarios(count: number, safety: Safety): Scenario[] {
  const allowed = operations.filter((one) => isAllowed(one, safety)).map(({ id }) => id)
  return Array.from({ length: count }, (_, index) => ({
    id: `random-${index + 1}`,
    safety,
    async run(s) {
      const own = safety === 'read' ? [] : [await s.user(), await s.user()]
      const field = safety === 'read' ? '987654321' : await s.field()
      for (let turn = 0; turn < 20; turn++) {
        const id = s.pick(allowed)
        await s.send(id, requestOf(s, id, own, field))
      }
    },
  }))
}

/** A random request. It names only users of the run if it could change an account. */
function requestOf(s: Script, id: OperationId, own: readonly string[], field: string): Request {
  const isRead = contractOf(id).method === 'GET'
  const { user, tokens } = s.profile
  const users = isRead && user ? [...own, user.username] : own
  const isThere = users.length > 0 && s.random() > 0.12
  const all = { user_id: isThere ? s.pick(users) : s.name(), field_id: field }
  const path = Object.fromEntries(
    contractOf(id).parameters.map(({ name }) => [name, all[name as keyof typeof all]]),
  )
  const as = tokens.restricted && isRead && s.random() < 0.25 ? { as: 'restricted' as const } : {}
  const body = bodyOf(s, id)
  return { ...as, path, ...(body === undefined ? {} : { body }) }
}

function bodyOf(s: Script, id: OperationId): unknown {
  const body = id === 'updateUser' ? s.pick([{ enabled: true }, plainBody(s, id)]) : plainBody(s, id)
  if (!isObject(body)) return undefined
  const { custom_field: definition } = body
  return isObject(definition) ? { ...body, custom_field: spoilt(s, definition) } : spoilt(s, body)
}

/** Changes about a third of the bodies: one member is missing, null, of another type, empty, or unknown. */
function spoilt(s: Script, body: Record<string, unknown>): Record<string, unknown> {
  if (s.random() < 0.65) return body
  const name = s.pick(Object.keys(body).filter((name) => name !== 'username')) ?? 'surplus'
  const isText = typeof body[name] === 'string'
  const values = [undefined, null, isText ? 17 : 'seventeen', isText ? '' : body[name]]
  return s.pick([...values.map((value) => ({ ...body, [name]: value })), { ...body, surplus: true }])
}
