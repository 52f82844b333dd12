/** Disables the users that a run has made, wherever they are found: the interface deletes none. */
import type { Profile } from '../contract/index.js'
import type { Ask, Call } from './call.js'
import type { Client } from './client.js'
import type { Entry, Ledger } from './ledger.js'
import { isBesideAnother, namesOf, objects, wordsOf } from './look.js'
import { isDone } from './permit.js'

export interface Undoing {
  /** `told`: nothing can be done about it. `left`: tried in vain. `disabled`: a user, since the interface deletes none. */
  readonly outcome: 'undone' | 'disabled' | 'told' | 'left'
  readonly why: string
}

export const left = (why: string): Undoing => ({ outcome: 'left', why })
export const told = (why: string): Undoing => ({ outcome: 'told', why })
export const undone: Undoing = { outcome: 'undone', why: '' }
const disabled: Undoing = { outcome: 'disabled', why: '' }

/** Ways to undo something, until one is done to its end; the status of the last request of the last one. */
export async function tried(send: Ask, ...ways: readonly (readonly Call[])[]): Promise<number> {
  let status = 0
  for (const way of ways) {
    for (const [index, call] of way.entries()) {
      const answer = await send(call)
      if (index === way.length - 1) status = answer.status
      if (!isDone(answer)) break
    }
    if (isDone({ status }) || status === 404) break
  }
  return status
}

/** The page that shows whether a user is enabled, after one did, so that the other is not read. */
const flagged = new WeakMap<Ledger, 'getUser' | 'getUserEditPage'>()

/** Ledgers of runs in which a creation was carried out but not answered 200. */
const doneWhereRefused = new WeakSet<Ledger>()

export function createDisabling(client: Client, profile: Profile): (entry: Entry) => Promise<Undoing> {
  const { send, guard } = client
  const { ledger, proofs } = guard
  return user

  /** Where the user stands; `beside` another of the run's own it may, `somewhere` it may, and no read shows it. */
  async function addressOf(entry: Entry): Promise<string | 'nowhere' | 'beside' | 'somewhere'> {
    let isMissing = true
    let isBeside = false
    for (const name of new Set(namesOf(entry).flatMap((one) => [one, one.trim()]))) {
      if (name === '' || /[/\\]|^\.+$/.test(name)) continue
      const standing = await proofs.at('user', name)
      if (standing === entry) return name
      const shown = () => proofs.read('user', name)
      if (typeof standing === 'object' && isBesideAnother(entry, ledger.known, (await shown()).json))
        isBeside = true
      else if (standing !== 'nothing') isMissing = false
    }
    const id = entry.id ?? (await proofs.adopt(entry, null))
    if (id !== null && typeof (await proofs.at('user', String(id))) === 'object') return String(id)
    if (!isMissing) return 'somewhere'
    return isBeside ? 'beside' : 'nowhere'
  }

  async function user(entry: Entry): Promise<Undoing> {
    const address = await addressOf(entry)
    if (address === 'beside')
      return entry.state === 'asked'
        ? told('may be there twice: the answer to its second creation was lost')
        : undone
    if (address === 'nowhere' || address === 'somewhere') {
      // A read at a number shows the thing with that id.
      if (/^[-+\s]*\d/.test(entry.name) && doneWhereRefused.has(ledger))
        return left('may be there: the target has done what it refused')
      // A creation that was refused, or whose answer was lost, and that no read shows.
      if (entry.state !== 'done' && (address === 'nowhere' || (await isAsNobody(entry)))) return undone
      const isIdOfAnother = ledger.known.some(({ kind, id }) => kind === 'user' && String(id) === entry.name)
      if (entry.state !== 'done' && isIdOfAnother)
        return told('its creation was refused; a read of its name shows the user with that id')
      if (address === 'nowhere') return left('no read finds it: the tracker has been reset, or hides it')
      return left("probably enabled: no read shows it to be the run's own")
    }
    if (entry.state === 'refused' || entry.state === 'asked') doneWhereRefused.add(ledger)
    if (!client.allows('write')) return left('made by a request that had to be refused')
    const path = { user_id: address }
    const set = (body: object): Call => ({ operation: 'updateUser', path, body })
    const disabling = set({ enabled: false })
    let status = await tried(send, [disabling])
    let shown = isDone({ status }) ? await shownAs(entry, path) : null
    // A tracker may not disable a protected user, whatever it answers.
    if (!isDone({ status }) || shown === 'enabled') {
      const both = set({ protected: false, enabled: false })
      status = await tried(send, [set({ protected: false }), disabling], [both])
      shown = await shownAs(entry, path)
    }
    // A reader of the report knows neither what was tried nor what a status means.
    const tells = `still enabled: the tracker answered ${status} to disabling it`
    if (shown === 'enabled' && isDone({ status }))
      return left('still shown as enabled after it was disabled: 200')
    if (shown === 'enabled') return left(`${tells}; disable it there`)
    if (isDone({ status }) || shown === 'disabled' || entry.isDisabled) return disabled
    return left(`perhaps ${tells}, and no page shows what it is now; look at it there and disable it`)
  }

  /** Each user is read, since a protected one may stay enabled; null where no page shows it. */
  async function shownAs(entry: Entry, path: { user_id: string }): Promise<'enabled' | 'disabled' | null> {
    const isOwn = (value: unknown) =>
      typeof value === 'string' && wordsOf(entry).some((word) => word !== '' && value.includes(word))
    const known = flagged.get(ledger)
    for (const operation of known ? [known] : (['getUser', 'getUserEditPage'] as const)) {
      if (profile.notImplemented?.includes(operation)) continue
      const { status, json } = await send({ operation, path })
      const records = objects(json).filter((record) => 'enabled' in record)
      const own = records.filter((record) => Object.values(record).some(isOwn))
      // On the edit page, projects and plugins have flags of their own.
      const meant = own.length > 0 || operation === 'getUserEditPage' ? own : records
      if (status !== 200 || meant.length === 0) continue
      flagged.set(ledger, operation)
      return meant.some(({ enabled }) => /^(true|1)$/.test(String(enabled))) ? 'enabled' : 'disabled'
    }
    return null
  }

  /** Whether reads answer its name like an absent one. */
  async function isAsNobody({ name }: Entry): Promise<boolean> {
    const nobody = `${ledger.tag}nobody`
    const found = await proofs.read('user', name, true)
    const control = await proofs.read('user', nobody)
    if (found.status !== control.status) return false
    return found.text.replaceAll(name, '') === control.text.replaceAll(nobody, '')
  }
}
