/** Restores what a run changed apart from its own things, from the values in the ledger. */
import type { Profile } from '../contract/index.js'
import { memberOf } from './accounts.js'
import type { Call } from './call.js'
import { placesOf, speaksForOwner, usernameOf } from './callers.js'
import type { Client } from './client.js'
import { isDone, Withheld } from './judge.js'
import type { Entry } from './ledger.js'
import { columnLists, mentions, settingIn, valueAt } from './look.js'
import type { Owner } from './owners.js'
import { isInstalled } from './plugins.js'

/** `undone`: as it was. `told`: nothing can be done about it, and the words say what is otherwise. `left`: tried in vain. */
export type Undoing =
  | { readonly outcome: 'undone' }
  | { readonly outcome: 'told' | 'left'; readonly words: string }

export const undone: Undoing = { outcome: 'undone' }
export const left = (words: string): Undoing => ({ outcome: 'left', words })
export const told = (words: string): Undoing => ({ outcome: 'told', words })

/** Clients for whose target a request without columns is a read, as two equal answers have shown. */
const readsColumns = new WeakSet<Client>()

export async function restore(client: Client, profile: Profile, entry: Entry): Promise<Undoing> {
  const { kind, name, as, owner } = entry
  // The sweep may use the token of another administrator, whose things were not changed.
  if (as && owner !== null && (await ownerOf(client, profile, as)) !== owner)
    return left(`${kind} ${name} (of ${owner}, for whom tokens.${as} does not speak)`)
  switch (kind) {
    case 'plugin':
      return plugin(client, profile, entry)
    case 'columns':
    case 'setting':
    case 'member':
      return putBack(client, entry)
    case 'password':
      return password(client, profile, entry)
    case 'recipient':
      return told(`recipient ${name} (${lost(entry)}; recipients cannot be read or made)`)
    case 'givenField':
      return told(`custom field ${name} of the profile (changed or deleted)`)
    case 'extensionSettings':
      return extensionSettings(client, profile, entry)
    case 'session':
      return session(client, entry)
    default:
      throw new RangeError(`a ${kind} is nothing to restore`)
  }
}

async function plugin({ send }: Client, profile: Profile, { name, state }: Entry): Promise<Undoing> {
  const path = { plugin_name: name }
  const list = () => send({ operation: 'listPlugins' })
  const uninstall = () => send({ operation: 'uninstallPlugin', path })
  if (state === 'gone' && !isInstalled(await list(), name)) return undone
  let { status } = await uninstall()
  // A plugin may be protected. A tracker may require both members, or refuse a value that is set already.
  const { min, max } = profile.plugin?.priority ?? {}
  for (const priority of status === 403 || status === 400 ? new Set([min, max, undefined]) : []) {
    const body = { protected: false, ...(priority === undefined ? {} : { priority }) }
    if ((await send({ operation: 'updatePlugin', path, body })).status !== 200) continue
    status = (await uninstall()).status
    break
  }
  const shown = await list()
  // Statuses for plugins that are not installed, or may not be removed.
  const isGone = status === 400 && shown.status === 200 && !mentions(shown.json, name)
  if ((isDone({ status }) || status === 404 || isGone) && !isInstalled(shown, name)) return undone
  return left(`plugin ${name} (may be installed still: ${status})`)
}

/** A part of an account: its name in a report, whether it is as before, and the change that puts it back. */
interface Part {
  readonly called: string
  isBack(): Promise<boolean>
  readonly call: Call
}

async function partOf(client: Client, { kind, name, as, value }: Entry): Promise<Part> {
  // A request without a token may have changed an unknown account.
  const whose = as === undefined ? ' of an unknown user' : as === 'administrator' ? '' : ` of tokens.${as}`
  const called = `${kind} ${name}${whose}`
  const by = as ? { as } : {}
  if (kind === 'columns') {
    const reference = JSON.parse(name) as object
    const asked = { operation: 'manageColumns', ...by } as const
    const lists = async () => columnLists((await client.send({ ...asked, body: reference })).json)
    const isShown = async () => (await lists()).some((list) => JSON.stringify(list) === JSON.stringify(value))
    // On some trackers a request without columns saves an empty list, and shows the former columns once more.
    async function isBack(): Promise<boolean> {
      if (!(await isShown()) || !(readsColumns.has(client) || (await isShown()))) return false
      readsColumns.add(client)
      return true
    }
    return { called, isBack, call: { ...asked, body: { ...reference, columns: value } } }
  }
  if (kind === 'setting') {
    const page = { operation: 'getUserSettingsPage', ...by } as const
    const isBack = async () => same(settingIn((await client.send(page)).json, name), value)
    const configs = [{ option: name, value: String(value) }]
    return { called, isBack, call: { operation: 'updateUserSettings', ...by, body: { configs } } }
  }
  const path = { user_id: (as && (await client.guard.nameOf(as))) ?? '' }
  const page = { operation: 'getUser', path } as const
  const isBack = async () => same(memberOf((await client.send(page)).json, path.user_id, name), value)
  const call = { operation: 'updateUser', path, body: { [name]: value } } as const
  return { called: `${name} of the user behind tokens.${as}`, isBack, call }
}

/** After a change, a page with the former value is not believed: it may be out of date. */
async function putBack(client: Client, entry: Entry): Promise<Undoing> {
  const { called, isBack, call } = await partOf(client, entry)
  const { state, value } = entry
  const isRefused = state === 'refused'
  const gone = entry.kind === 'columns' ? 'saved; what they were' : 'changed; what it was'
  if (value === undefined) return isRefused ? undone : told(`${called} (${gone} before is not shown)`)
  const isShown = await isBack()
  if (isShown && isRefused) return undone
  const { status } = await client.send(call)
  // A tracker may refuse a value that is set already.
  if ((isShown || isDone({ status })) && (await isBack())) return undone
  return left(`${called} (not put back: ${status}; before it was ${JSON.stringify(value)})`)
}

/** An impersonation may have changed the token's user. On some trackers an impersonation of the owner ends it. */
async function session({ send, guard }: Client, entry: Entry): Promise<Undoing> {
  const { name, as } = entry
  const by = as ? { as } : {}
  const isOwner = () => speaksForOwner(send, entry)
  // Read before the owner is impersonated to end the session.
  const users = entry.words.join(', ')
  const ended = (): Undoing => {
    // Entries that are only reported need no further read until the next impersonation.
    guard.ledger.set(entry, { state: 'gone' })
    if (users === '') return undone
    return told(`sessions of the users ${users} (started by impersonation; this interface ends none)`)
  }
  if (await isOwner()) return ended()
  const { json } = await send({ operation: 'getAccountPage', ...by })
  for (const user_id of [name, ...placesOf(entry).map((place) => valueAt(json, place))]) {
    if (typeof user_id !== 'string' || user_id === '') continue
    await send({ operation: 'impersonateUser', path: { user_id }, ...by }).catch(unlessWithheld)
    if (await isOwner()) return ended()
  }
  return left(`tokens.${as} (speaks for another user than ${name || 'before'} since an impersonation)`)
}

async function extensionSettings(
  { send, redact }: Client,
  { settings: body }: Profile,
  { name, state }: Entry,
): Promise<Undoing> {
  if (state === 'refused') return undone
  if (body !== undefined) await send({ operation: 'updateSettings', body })
  const names = JSON.stringify(redact.json(body ?? name))
  return told(
    `extension settings ${names} (set as the profile gives them; what they were before is not shown)`,
  )
}

/** The username behind a token; read again as long as an impersonation may have changed it. */
function ownerOf({ guard, send }: Client, profile: Profile, as: Owner): Promise<string | null> {
  const isDoubtful = guard.ledger.known.some(
    (one) => one.kind === 'session' && one.as === as && one.state !== 'gone',
  )
  return isDoubtful ? usernameOf(send, profile, as) : guard.nameOf(as)
}

function unlessWithheld(error: unknown): void {
  if (!(error instanceof Withheld)) throw error
}

const said = ({ state }: Entry) =>
  ({
    done: 'answered as done',
    gone: 'answered as done',
    refused: 'asked for and refused',
    asked: 'asked for, and its answer lost',
  })[state]
const lost = (entry: Entry) =>
  typeof entry.value === 'string' ? entry.value : `its deletion was ${said(entry)}`
const same = (one: unknown, other: unknown) => String(one) === String(other)

/**
 * Each password that a run may have set is tried as the current one. Where none is, it was not changed, unless the target
 * has said so: then a rule may stand in the way.
 */
async function password(client: Client, profile: Profile, { state, words: tried }: Entry): Promise<Undoing> {
  const { passwordAccount, tokens, password: rules } = profile
  const what = "the password account's password"
  if (!passwordAccount || tokens.password === undefined)
    return left(`${what} (the profile has no passwordAccount with a token)`)
  const change = (password_current: string, password: string) =>
    client.send({ operation: 'changeOwnPassword', as: 'password', body: { password_current, password } })
  const { current, next } = passwordAccount
  for (const candidate of [next, rules?.invalid, rules?.valid, ...tried]) {
    if (candidate === undefined) continue
    const answer = await change(candidate, current)
    // A restored password is not restored again.
    if (isDone(answer) && (candidate === current || !isDone(await change(candidate, current)))) return undone
    if (isDone(answer)) return left(`${what} (answered as put back, and may be another still)`)
    if (answer.status !== 400 && answer.status !== 403)
      return left(`${what} (may be passwordAccount.next: ${answer.status})`)
  }
  if (state === 'gone') return undone
  // A change there and back proves that the password is the former one.
  const there = await change(current, next)
  if (isDone(there))
    return isDone(await change(next, current)) ? undone : left(`${what} (is passwordAccount.next)`)
  return left(`${what} (no longer passwordAccount.current, as far as changes show: ${there.status})`)
}
