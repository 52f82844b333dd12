/** Shorthands for the requests of probes, for the default starting state. */
import type { OperationId } from '../operations.js'
import type { Asked, Probe, Shown, Step, Strayed } from './probe.js'

type Options = Omit<Asked, 'operation'>

export const probe = (...steps: Step[]): Probe => ({ given: {}, steps })
export const under = (given: Probe['given'], ...steps: Step[]): Probe => ({ given, steps })

export const user = (user_id: string) => ({ path: { user_id } })
export const nina = user('nina')
export const self = (as: 'reporter' | 'administrator' | 'password') => ({ as, ...user(as) })

export const status = { shows: ['status'] } as const

export const asking = (operation: OperationId, options: Options = {}): Asked => ({ operation, ...options })
export function plain(method: string, target: string, headers: Strayed['headers'] = {}): Strayed {
  return { method, target, headers, ...status }
}
export const getting = (options: Options): Asked => asking('getUser', options)
export const impersonating = (options: Options): Asked => asking('impersonateUser', options)
export const creating = (fields: object, options: Options = {}): Asked =>
  asking('createUser', { ...options, body: person(fields) })
/** The user that `creating` creates. */
export const having = (has: object) => ({ user: 'otto', has: { ...has } })
export function person(fields: object = {}) {
  return { username: 'otto', email: 'otto@example.org', realname: 'Otto O', ...fields }
}
export const updating = (fields: object, options: Options = nina): Asked =>
  asking('updateUser', { ...options, body: fields })
export const field = (custom_field: object, rest: object = {}, shows: readonly Shown[] = ['answer']): Asked =>
  asking('createCustomField', { body: { custom_field, ...rest }, shows })
export const columns = (body: object, options: Options = {}): Asked =>
  asking('manageColumns', { ...options, body })
export const assigning = (body: object, options: Options = nina): Asked =>
  asking('addUserToProjects', { ...options, body: { project_ids: ['1'], access_level: 'reporter', ...body } })
export const updatingField = (field_id: number, body: object): Asked =>
  asking('updateCustomField', { path: { field_id }, body })
export const updatingPlugin = (plugin_name: string, body: object, shows: readonly Shown[] = ['answer']) =>
  asking('updatePlugin', { path: { plugin_name }, body, shows })
export const configs = (list: unknown, options: Options = {}): Asked =>
  asking('updateUserSettings', { ...options, body: { configs: list } })
export const setting = (option: string, value: unknown, options: Options = {}): Asked =>
  configs([{ option, value }], options)
export const ownPassword = (body: object, as: 'password' | 'protected' = 'password'): Asked =>
  asking('changeOwnPassword', { as, body })
export const select = (value: string): Asked =>
  getting({ ...nina, query: `?select=${encodeURIComponent(value)}` })
