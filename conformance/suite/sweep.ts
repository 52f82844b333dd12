/** Removes what a ledger says that a run made, and nothing else. */
import { type Client, NoAnswer } from '../target/client.js'
import type { Ledger, Resource } from './ledger.js'
import { idOf, recordsWith } from './look.js'

/** Returns in words what could not be removed. Users cannot be deleted by this interface; they are disabled. */
export async function sweep(
  client: Client,
  ledger: Ledger,
  keep: (resource: Resource) => boolean = () => false,
): Promise<string[]> {
  const mayChange = client.allows('write')
  const left: string[] = []
  const disabled: string[] = []
  const resources = ledger.open.filter((resource) => !keep(resource))
  try {
    for (const resource of resources) {
      const problem =
        resource.kind === 'user' ? await disable(resource) : await remove(resource, await idByName(resource))
      if (problem === null) ledger.removed(resource.kind, resource.name)
      else left.push(problem)
    }
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    left.push(
      ...ledger.open
        .filter((one) => !keep(one))
        .map(({ kind, name }) => `${kind} ${name} (${error.message})`),
    )
  }
  if (disabled.length > 0)
    left.push(`users ${disabled.join(', ')} (disabled; this interface deletes no users)`)
  return left

  async function disable({ name }: Resource): Promise<string | null> {
    if (!mayChange) {
      const { status } = await client.send({ operation: 'getUser', path: { user_id: name } })
      return status === 200 ? `user ${name} (made by a request that had to be refused)` : null
    }
    const { status } = await client.send({
      operation: 'updateUser',
      path: { user_id: name },
      body: { enabled: false },
      effect: 'write',
    })
    if (status === 200) disabled.push(name)
    return status === 200 || status === 404 ? null : `user ${name} (still enabled: ${status})`
  }

  async function idByName({ name, id }: Resource): Promise<number | null> {
    if (id !== null) return id
    const listed = await client.send({ operation: 'listCustomFields' })
    for (const record of recordsWith(listed.json, name)) {
      const found = idOf(record, 'field')
      if (found !== null) return found
    }
    return null
  }

  async function remove({ name, refused }: Resource, id: number | null): Promise<string | null> {
    if (id === null) return refused ? null : `custom field ${name} (its id is not shown)`
    if (!mayChange) return `custom field ${name} (made by a request that had to be refused)`
    const { status } = await client.send({
      operation: 'deleteCustomField',
      path: { field_id: id },
      effect: 'write',
    })
    return status === 200 || status === 404 ? null : `custom field ${name} (${status})`
  }
}
