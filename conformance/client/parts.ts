/** The parts of an account that a run changes and puts back: the read that shows each, and the request that sets it. */
import type { Call } from './call.js'
import type { Entry } from './ledger.js'
import { columnLists, isObject, recordsWith, settingIn } from './look.js'

/** `owner` is the username behind `as`. */
export type PartName = Pick<Entry, 'kind' | 'name' | 'as'> & { readonly owner?: string | null }

export interface Part {
  readonly page: Call
  change(value: unknown): Call
  /** Undefined where an answer does not show it. `at`: the member that shows it. */
  valueIn(json: unknown, at?: string): unknown
}

export function partOf({ kind, name, as, owner }: PartName): Part {
  if (kind === 'columns') {
    const reference = JSON.parse(name) as object
    const page: Call = { operation: 'manageColumns', as, body: reference }
    return {
      page,
      change: (columns) => ({ ...page, body: { ...reference, columns } }),
      valueIn: (json, at) => columnLists(json, at)[0],
    }
  }
  if (kind === 'setting')
    return {
      page: { operation: 'getUserSettingsPage', as },
      change: (value) => ({
        ...{ operation: 'updateUserSettings', as },
        body: { configs: [{ option: name, value: String(value) }] },
      }),
      valueIn: (json, at) => settingIn(json, name, at),
    }
  const user_id = owner ?? ''
  return {
    page: { operation: 'getUser', path: { user_id } },
    change: (value) => ({ operation: 'updateUser', path: { user_id }, body: { [name]: value } }),
    valueIn: (json) => memberOf(json, user_id, name),
  }
}

/** A member of a user's record in the form that an update accepts. */
function memberOf(json: unknown, username: string, name: string): unknown {
  return recordsWith(json, username)
    .map(({ [name]: value }) => (isObject(value) ? value.id : value))
    .find((value) => ['string', 'number', 'boolean'].includes(typeof value))
}
