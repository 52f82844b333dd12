/** Puts into the ledger whatever a request may make or change, before it leaves: who sent it and why does not matter. */
import type { Profile } from '../contract/index.js'
import type { Answer, Call } from '../target/client.js'
import type { Ledger, Resource } from './ledger.js'
import { idOf, isNumber, isObject, recordsWith } from './look.js'

export function createRecorder(ledger: Ledger, profile: Profile) {
  const pending = new Map<Call, Resource>()

  function intend(resource: Resource, call: Call): void {
    if (ledger.has(resource)) return
    ledger.intend(resource)
    pending.set(call, resource)
  }

  return {
    onCall(call: Call): void {
      const made = madeBy(call)
      if (made !== null) intend(made, call)
      const change = changeBy(call, profile)
      // One that must be refused is nothing to undo, until it is answered otherwise.
      if (change !== null && !change.undoes && call.refused === undefined) intend(change.resource, call)
    },
    onAnswer({ status, json }: Answer, call: Call): void {
      const mine = pending.get(call)
      pending.delete(call)
      const change = changeBy(call, profile)
      if (change !== null && status >= 200 && status < 300) {
        const { resource, undoes } = change
        if (!undoes && !ledger.has(resource)) ledger.intend(resource)
        if (!undoes && resource.kind === 'password') ledger.update(resource.name, { ...resource, done: true })
        if (undoes && ledger.has(resource)) ledger.removed(resource.kind, resource.name)
      }
      if (mine === undefined) return
      if (status < 300 && mine.kind === 'user' && isNumber(mine.name)) {
        const [id] = recordsWith(json, mine.name).flatMap((record) => idOf(record, 'user') ?? [])
        if (id !== undefined) ledger.update(mine.name, { ...mine, id })
      }
      if (status < 400) return
      // What was refused stays the password that it was; the checks on it see whether that is true.
      if (mine.kind === 'password') ledger.removed(mine.kind, mine.name)
      // Kept, since a faulty tracker may do what it refuses; the sweep looks whether it is there.
      else ledger.update(mine.name, { ...mine, refused: true })
    },
  }
}

/** A user by creation or renaming, or a custom field. */
function madeBy({ operation, body }: Call): Resource | null {
  if (!isObject(body)) return null
  if (operation === 'createUser' || operation === 'updateUser') {
    const { username } = body
    // A blank one would address no user but all of them.
    const names = typeof username === 'string' && username.trim() !== ''
    return names ? { kind: 'user', name: username, id: null } : null
  }
  if (operation === 'createCustomField' && isObject(body.custom_field)) {
    const { name } = body.custom_field
    // A blank one would name whatever has a blank member.
    return typeof name === 'string' && name.trim() !== '' ? { kind: 'customField', name, id: null } : null
  }
  return null
}

interface Change {
  readonly resource: Resource
  /** Whether it makes the thing what it was before the run. */
  readonly undoes: boolean
}

/** The profile's plugin is not installed and its account has the current password, unless the run changes it. */
function changeBy({ operation, path, body, as }: Call, { passwordAccount }: Profile): Change | null {
  if (operation === 'installPlugin' || operation === 'uninstallPlugin') {
    const resource = { kind: 'plugin', name: String(path?.plugin_name), id: null } as const
    return { resource, undoes: operation === 'uninstallPlugin' }
  }
  const isOwn = as === 'password' && (operation === 'changeOwnPassword' || operation === 'updateUser')
  if (!isOwn || !passwordAccount || !isObject(body) || typeof body.password !== 'string') return null
  const resource = { kind: 'password', name: 'passwordAccount', id: null } as const
  return { resource, undoes: body.password === passwordAccount.current }
}
