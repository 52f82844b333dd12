/** Removes what a ledger says that a run made and puts back what it changed, and nothing else. */
import { randomInt } from 'node:crypto'
import type { Profile } from '../contract/index.js'
import { type Answer, type Client, NoAnswer } from '../target/client.js'
import type { Ledger, Resource } from './ledger.js'
import { idOf, isNumber, isObject, isPaged, mentions, recordsWith, values } from './look.js'
import { restore } from './restore.js'

export interface Swept {
  /** In words what could not be removed or put back. */
  readonly left: readonly string[]
  /** Usernames: this interface deletes no users. */
  readonly disabled: readonly string[]
}

export async function sweep(
  client: Client,
  profile: Profile,
  ledger: Ledger,
  keep: (resource: Resource) => boolean = () => false,
): Promise<Swept> {
  const mayChange = client.allows('write')
  const left: string[] = []
  const disabled: string[] = []
  const nobody = `tk${randomInt(36 ** 5, 36 ** 6).toString(36)}nobody`
  let control: Answer | null = null
  const resources = ledger.open.filter((resource) => !keep(resource))
  try {
    for (const resource of resources) {
      const problem = await undo(resource).catch((error: unknown) => {
        // Each can be done twice, and one answer may get lost.
        if (error instanceof NoAnswer && error.kind === 'dropped') return undo(resource)
        throw error
      })
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
  return { left, disabled }

  async function undo(resource: Resource): Promise<string | null> {
    if (resource.kind === 'user') return disable(resource)
    if (resource.kind === 'customField') return removeField(resource)
    return restore(client, profile, resource)
  }

  async function disable({ name, id, refused }: Resource): Promise<string | null> {
    if (!mayChange)
      return (await isUser(name)) ? `user ${name} (made by a request that had to be refused)` : null
    if (isNumber(name) && id === null)
      return refused ? null : `user ${name} (not touched: its name may be the id of another user)`
    const set = async (user_id: string) =>
      (
        await client.send({
          operation: 'updateUser',
          path: { user_id },
          body: { enabled: false },
          effect: 'write',
        })
      ).status
    let status = await set(isNumber(name) ? String(id) : name)
    // A tracker may have taken off the blanks at its ends.
    if (status === 404 && name.trim() !== name && madeUpWord(name) !== null) status = await set(name.trim())
    // A tracker may answer so to a name that nobody has.
    if (status === 404 || (refused && !(await isUser(name)))) return null
    if (status === 200) disabled.push(name)
    return status === 200 ? null : `user ${name} (still enabled: ${status})`
  }

  /** A 200 alone is no sign of a user where a name that nobody has is answered alike. */
  async function isUser(name: string): Promise<boolean> {
    const found = await client.send({ operation: 'getUser', path: { user_id: name } })
    if (found.status !== 200) return false
    control ??= await client.send({ operation: 'getUser', path: { user_id: nobody } })
    if (control.status !== 200) return true
    const word = madeUpWord(name) ?? name
    if (!mentions(found.json, word)) return false
    // Not where it repeats the question alone, as it does for nobody.
    return mentions(control.json, word) || without(found.text, name) !== without(control.text, nobody)
  }

  async function idByName({ name, id }: Resource, listed: Answer | null): Promise<number | null> {
    if (id !== null || listed === null) return id
    // A tracker may have taken off the blanks at its ends.
    for (const stored of new Set([name, name.trim()]))
      for (const record of recordsWith(listed.json, stored)) {
        const found = idOf(record, 'field')
        if (found !== null) return found
      }
    // Or taken out markup and signs; the word that the run made up is left.
    const word = madeUpWord(name)
    for (const record of word === null ? [] : recordsNamed(listed.json, word)) {
      const found = idOf(record, 'field')
      if (found !== null) return found
    }
    return null
  }

  async function removeField(resource: Resource): Promise<string | null> {
    const { name, refused } = resource
    const listed = resource.id === null ? await client.send({ operation: 'listCustomFields' }) : null
    const id = await idByName(resource, listed)
    if (id === null)
      return refused || (listed !== null && lacks(listed, name))
        ? null
        : `custom field ${name} (its id is not shown)`
    if (!mayChange) return `custom field ${name} (made by a request that had to be refused)`
    const { status } = await client.send({
      operation: 'deleteCustomField',
      path: { field_id: id },
      effect: 'write',
    })
    return status === 200 || status === 404 ? null : `custom field ${name} (${status})`
  }
}

const without = (text: string, name: string) => text.replaceAll(name, '')

/** Whether a list shows all fields by their names, and none that could be the one of this name. */
function lacks({ status, json }: Answer, name: string): boolean {
  const word = madeUpWord(name)
  if (status !== 200 || json === undefined || isPaged(json) || word === null || mentions(json, word))
    return false
  const all = [...values(json)]
  const names = all
    .filter(isObject)
    .flatMap((record) => Object.entries(record).filter(([key]) => nameKey.test(key)))
  if (names.length === 0) return !all.some((value) => Array.isArray(value) && value.length > 0)
  // Of a name that was markup as a whole nothing need be left.
  return names.every(([, text]) => typeof text === 'string' && text.trim() !== '')
}

const nameKey = /^((custom_?)?field_?)?name$/i

/** The part of a name that holds the tag of a run, so that nothing else has it; null where there is none. */
const madeUpWord = (name: string) => /(?<![a-z0-9])tk[a-z0-9]{7,}(?![a-z0-9])/i.exec(name)?.[0] ?? null

function recordsNamed(json: unknown, word: string): Record<string, unknown>[] {
  const whole = new RegExp(`(?<![a-z0-9])${word}(?![a-z0-9])`)
  const named = (value: unknown) => typeof value === 'string' && whole.test(value)
  return [...values(json)].filter(isObject).filter((record) => Object.values(record).some(named))
}

/** All that sweeps have left, each thing once. */
export function leftoversOf(sweeps: readonly Swept[]): string[] {
  const disabled = sweeps.flatMap((swept) => swept.disabled)
  const left = new Set(sweeps.flatMap((swept) => swept.left))
  if (disabled.length > 0) left.add(`${usersOf(disabled)} (disabled; this interface deletes no users)`)
  return [...left]
}

/** Some eighty names say no more than the tag of the run that all of them have. */
function usersOf(names: readonly string[]): string {
  const tag = /tk[a-z]{5}/.exec(names[0] ?? '')?.[0]
  return tag !== undefined && names.length > 3 && names.every((name) => name.includes(tag))
    ? `${names.length} users with ${tag} in their names`
    : `users ${names.join(', ')}`
}
