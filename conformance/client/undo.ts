/** What undoes each kind of entry of the ledger: requests in turn, until a read shows that it is as it was before. */
import type { Profile } from '../contract/index.js'
import type { Answer, Call } from './call.js'
import { marksIn, speaksForOwner, usernameOf } from './callers.js'
import type { Client } from './client.js'
import { createDisabling, left, told, tried, type Undoing, undone } from './disable.js'
import { isInstalled } from './disposables.js'
import type { Entry } from './ledger.js'
import { isBesideAnother, isListed, isValue, lacks, mentions, namesOf, valueAt } from './look.js'
import { partOf } from './parts.js'
import { isDone, Withheld } from './permit.js'

export function createUndo(client: Client, profile: Profile): (entry: Entry) => Promise<Undoing> {
  const { send, guard } = client
  const { ledger, proofs } = guard
  const undoings: Readonly<Record<Entry['kind'], (entry: Entry) => Promise<Undoing>>> = {
    ...{ user: createDisabling(client, profile), customField, plugin, password, extensionSettings, session },
    ...{ columns: part, setting: part, member: part },
    recipient: async ({ value, state }) =>
      told(`${value ?? `its deletion was ${said[state]}`}; recipients cannot be read or made`),
    givenField: async () => told('changed or deleted'),
  }
  /** The list of fields since the last change of one; absent where no read has shown it. */
  let fields: Answer | undefined

  return async (entry) => {
    const { as, owner } = entry
    // The sweep may use the token of another administrator, whose things were not changed.
    if (as && owner !== null && (await ownerOf(as)) !== owner)
      return left(`of ${owner}, for whom tokens.${as} does not speak`)
    return undoings[entry.kind](entry)
  }

  /** The username behind a token; read again as long as an impersonation may have changed it. */
  function ownerOf(as: NonNullable<Entry['as']>): Promise<string | null> {
    const isDoubtful = ledger.known.some(
      (one) => one.kind === 'session' && one.as === as && one.state !== 'gone',
    )
    return isDoubtful ? usernameOf(send, profile, as) : guard.nameOf(as)
  }

  async function customField(entry: Entry): Promise<Undoing> {
    let id = entry.id ?? (await proofs.adopt(entry, null))
    if (id === null) {
      const listed = fields ?? (await send({ operation: 'listCustomFields' }))
      if (listed.status === 200) fields = listed
      const isThere = isListed(listed, entry)
      // The nearest id beside its name that the page at that id proves.
      if (isThere) id = await proofs.adopt(entry, listed)
      const isAnother = isBesideAnother(entry, ledger.known, listed.json)
      const isGone = (entry.state !== 'done' && !isThere) || isAnother || lacks(listed, entry, ledger.known)
      if (id === null) return isGone ? undone : left('no read shows its id')
    }
    const address = String(id)
    const standing = await proofs.at('customField', address)
    if (standing === 'nothing' || (entry.state === 'gone' && standing !== entry)) return undone
    if (!client.allows('write')) return left('made by a request that had to be refused')
    const path = { field_id: id }
    const remove: Call = { operation: 'deleteCustomField', path }
    // A tracker may refuse to delete a field that has projects.
    const body = { custom_field: entry.name === '' ? {} : { name: entry.name }, projects: [] }
    fields = undefined
    const status = await tried(send, [remove], [{ operation: 'updateCustomField', path, body }, remove])
    if (!isDone({ status }) && status !== 404) return left(String(status))
    if ((await proofs.at('customField', address)) !== entry) return undone
    return left(`still shown at ${id} after its deletion was answered ${status}`)
  }

  async function plugin({ name, state }: Entry): Promise<Undoing> {
    const path = { plugin_name: name }
    const list = () => send({ operation: 'listPlugins' })
    if (state === 'gone' && !isInstalled(await list(), name)) return undone
    const uninstall: Call = { operation: 'uninstallPlugin', path }
    // A plugin may be protected. A tracker may require both members, or refuse a value that is set already.
    const { min, max } = profile.plugin?.priority ?? {}
    const bodies = [...new Set([min, max, undefined])].map((priority) => ({ protected: false, priority }))
    const ways = bodies.map((body): Call[] => [{ operation: 'updatePlugin', path, body }, uninstall])
    const status = await tried(send, [uninstall], ...ways)
    const shown = await list()
    // Statuses for plugins that are not installed, or may not be removed.
    const isGone = status === 400 && shown.status === 200 && !mentions(shown.json, name)
    if ((isDone({ status }) || status === 404 || isGone) && !isInstalled(shown, name)) return undone
    return left(`may be installed still: ${status}`)
  }

  /** After a change, a page with the former value is not believed: it may be out of date. */
  async function part(entry: Entry): Promise<Undoing> {
    const { state, value, kind, at } = entry
    const isRefused = state === 'refused'
    const how = kind === 'columns' ? 'saved; what they were' : 'changed; what it was'
    if (value === undefined) return isRefused ? undone : told(`${how} before is not shown`)
    const { page, change, valueIn } = partOf(entry)
    const once = async () => isValue(valueIn((await send(page)).json, at), value)
    // On some trackers a request without columns saves an empty list, and shows the former columns once more.
    const isBack = async () => (await once()) && (kind !== 'columns' || (await once()))
    const isShown = await isBack()
    if (isShown && isRefused) return undone
    const { status } = await send(change(value))
    // A tracker may refuse a value that is set already.
    if ((isShown || isDone({ status })) && (await isBack())) return undone
    return left(`not put back: ${status}; before it was ${JSON.stringify(value)}`)
  }

  /** An impersonation may have changed the token's user. On some trackers an impersonation of the owner ends it. */
  async function session(entry: Entry): Promise<Undoing> {
    const { name, as } = entry
    if (!marksIn(entry).places?.length && profile.notImplemented?.includes('listPlugins'))
      return left(
        'may speak for another user since an impersonation; no read of this tracker shows whose it is',
      )
    const isOwner = () => speaksForOwner(send, entry)
    // Read before the owner is impersonated to end the session.
    const isUndone = entry.words.length === 0
    const ended = (): Undoing => {
      // Entries that are only reported need no further read until the next impersonation.
      ledger.set(entry, { state: 'gone' })
      return isUndone ? undone : told('started by impersonation; this interface ends none')
    }
    if (await isOwner()) return ended()
    const { json } = await send({ operation: 'getAccountPage', as })
    for (const user_id of [name, ...(marksIn(entry).places ?? []).map((place) => valueAt(json, place))]) {
      if (typeof user_id !== 'string' || user_id === '') continue
      await send({ operation: 'impersonateUser', path: { user_id }, as }).catch((error: unknown) => {
        if (!(error instanceof Withheld)) throw error
      })
      if (await isOwner()) return ended()
    }
    return left(`speaks for another user than ${name || 'before'} since an impersonation`)
  }

  async function extensionSettings({ state }: Entry): Promise<Undoing> {
    if (state === 'refused') return undone
    if (profile.settings !== undefined) await send({ operation: 'updateSettings', body: profile.settings })
    return told('set as the profile gives them; what they were before is not shown')
  }

  /**
   * Each password that a run may have set is tried as the current one. Where none is, it was not changed, unless the target
   * has said so: then a rule may stand in the way.
   */
  async function password({ state, words }: Entry): Promise<Undoing> {
    const { passwordAccount, tokens, password: rules } = profile
    if (!passwordAccount || tokens.password === undefined)
      return left('the profile has no passwordAccount with a token')
    const change = (password_current: string, password: string): Promise<Answer> =>
      send({ operation: 'changeOwnPassword', as: 'password', body: { password_current, password } })
    const { current, next } = passwordAccount
    // A restored password is not restored again.
    const proven = async (from: string) =>
      from === current || !isDone(await change(from, current))
        ? undone
        : left('answered as put back, and may be another still')
    for (const candidate of [next, rules?.invalid, rules?.valid, ...words]) {
      if (candidate === undefined) continue
      const answer = await change(candidate, current)
      if (isDone(answer)) return proven(candidate)
      if (answer.status !== 400 && answer.status !== 403)
        return left(`may be passwordAccount.next: ${answer.status}`)
    }
    if (state === 'gone') return undone
    // A change there and back proves that the password is the former one.
    const there = await change(current, next)
    if (isDone(there))
      return isDone(await change(next, current)) ? proven(next) : left('is passwordAccount.next')
    return left(`no longer passwordAccount.current, as far as changes show: ${there.status}`)
  }
}

const said = {
  done: 'answered as done',
  gone: 'answered as done',
  refused: 'asked for and refused',
  asked: 'asked for, and its answer lost',
}

/** A thing in the words of a report: by all names that it may have, since the outcome of a renaming is unknown. */
export function called(entry: Entry, { redact }: Pick<Client, 'redact'>): string {
  const { kind, name, as, state } = entry
  // A request without a token may have changed an unknown account.
  const whose = as === undefined ? ' of an unknown user' : as === 'administrator' ? '' : ` of tokens.${as}`
  const names = [...new Set(namesOf(entry))].filter((one) => one !== '').join(' or ')
  const id = entry.id ?? entry.told[0]
  const named = names || (id === undefined ? 'without a name' : `without a name, with the id ${id}`)
  const words: Readonly<Record<Entry['kind'], string>> = {
    user: `user ${named}`,
    customField: `custom field ${named}`,
    plugin: `plugin ${name}`,
    recipient: `recipient ${name}`,
    givenField: `custom field ${name} of the profile`,
    columns: `columns ${name}${whose}`,
    setting: `setting ${name}${whose}`,
    member: `${name} of the user behind tokens.${as}`,
    password: "the password account's password",
    extensionSettings: `extension settings ${redact.raw(name)}`,
    session: state === 'gone' ? `sessions of the users ${entry.words.join(', ')}` : `tokens.${as}`,
  }
  return words[kind]
}
