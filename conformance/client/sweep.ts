/** Removes what a run created, and restores what it changed, according to its ledger; nothing else. */
import type { Profile } from '../contract/index.js'
import { NoAnswer } from './call.js'
import type { Client } from './client.js'
import { isDone, Withheld } from './judge.js'
import type { Entry, Ledger } from './ledger.js'
import { isBesideAnother, isListed, isObject, lacks, values, wordsOf } from './look.js'
import { left, restore, told, type Undoing, undone } from './restore.js'

export interface Swept {
  /** In words, what could not be removed or restored. */
  readonly left: readonly string[]
  /** In words, what is changed and cannot be restored. */
  readonly told: readonly string[]
  /** Usernames of disabled users. The interface has no deletion of users. */
  readonly disabled: readonly string[]
}

/** After so many unanswered requests in a row, the rest is reported without further requests. */
const MOST_SILENT = 3

/** The page that shows whether a user is enabled, after one did, so that the other is not read. */
const flagged = new WeakMap<Ledger, 'getUser' | 'getUserEditPage'>()

/** Ledgers of runs in which a creation was carried out but not answered 200. */
const doneWhereRefused = new WeakSet<Ledger>()

export async function sweep(
  client: Client,
  profile: Profile,
  ledger: Ledger,
  keep?: (entry: Entry) => boolean,
): Promise<Swept> {
  const swept = { left: [] as string[], told: [] as string[], disabled: [] as string[] }
  const silent = { times: 0, message: '' }
  // Closed only at the end: a run that is killed before has not reported them.
  const closing: Entry[] = []
  // A token that acts as another user must not be used.
  // The last change first, since two entries may be about one thing under two names; names that are numbers last.
  const rank = ({ kind, name }: Entry) =>
    kind === 'session' ? 0 : kind === 'user' && /^[-+\s]*\d/.test(name) ? 2 : 1
  // For the same reason such a thing waits for the final clean-up.
  const isDue = (entry: Entry) => !keep || !(keep(entry) || isOnlyTold(entry))
  const due = () =>
    ledger.open
      .toReversed()
      .toSorted((a, b) => rank(a) - rank(b))
      .filter(isDue)
  const first = due()
  for (const entry of first) await sweepOne(entry)
  // After the others are removed, a thing with the same name may be visible.
  if (!keep && swept.left.length > 0 && swept.left.length < first.length && silent.times === 0) {
    swept.left = []
    for (const entry of due()) if (!closing.includes(entry)) await sweepOne(entry)
  }
  for (const entry of closing) ledger.close(entry)
  return swept

  async function sweepOne(entry: Entry): Promise<void> {
    const end =
      silent.times >= MOST_SILENT
        ? left(`${called(entry)} (${silent.message})`)
        : await undo(entry).catch((error: unknown) => {
            if (error instanceof Withheld) return left(`${called(entry)} (${error.message})`)
            if (!(error instanceof NoAnswer)) throw error
            Object.assign(silent, { times: silent.times + 1, message: error.message })
            return left(`${called(entry)} (${error.message})`)
          })
    if (end.outcome === 'left') swept.left.unshift(end.words)
    else if (end.outcome === 'undone') ledger.close(entry)
    else {
      swept.told.unshift(end.words)
      if (!keep) closing.push(entry)
    }
  }

  async function undo(entry: Entry): Promise<Undoing> {
    const again = () =>
      entry.kind === 'user'
        ? disable(entry)
        : entry.kind === 'customField'
          ? removeField(entry)
          : restore(client, profile, entry)
    try {
      const end = await again()
      silent.times = 0
      return end
    } catch (error) {
      // Each step may be repeated, since an answer may be lost.
      if (error instanceof NoAnswer && error.kind === 'dropped') return again()
      throw error
    }
  }

  /** Where the user stands; `beside` another of the run's own it may, `somewhere` it may, and no read shows it. */
  async function addressOf(entry: Entry): Promise<string | 'nowhere' | 'beside' | 'somewhere'> {
    const { proofs } = client.guard
    let isMissing = true
    let isBeside = false
    const names = [entry.name, ...entry.also].flatMap((name) => [name, name.trim()])
    for (const name of new Set(names)) {
      if (name === '' || /[/\\]|^\.+$/.test(name)) continue
      const standing = await proofs.at('user', name)
      if (typeof standing === 'object' && standing.entry === entry.entry && standing.tag === entry.tag)
        return name
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

  async function disable(entry: Entry): Promise<Undoing> {
    const what = called(entry)
    const address = await addressOf(entry)
    if (address === 'beside')
      return entry.state === 'asked'
        ? told(`${what} (may be there twice: the answer to its second creation was lost)`)
        : undone
    if (address === 'nowhere' || address === 'somewhere') {
      // A read at a number shows the thing with that id.
      if (/^[-+\s]*\d/.test(entry.name) && doneWhereRefused.has(ledger))
        return left(`${what} (may be there: the target has done what it refused)`)
      // A creation that was refused, or whose answer was lost, and that no read shows.
      if (entry.state !== 'done' && (address === 'nowhere' || (await isAsNobody(entry)))) return undone
      const isIdOfAnother = ledger.known.some(({ kind, id }) => kind === 'user' && String(id) === entry.name)
      if (entry.state !== 'done' && isIdOfAnother)
        return told(`${what} (its creation was refused; a read of its name shows the user with that id)`)
      return left(`${what} (probably enabled: no read shows it to be the run's own)`)
    }
    if (entry.state === 'refused' || entry.state === 'asked') doneWhereRefused.add(ledger)
    const path = { user_id: address }
    if (!client.allows('write')) return left(`${what} (made by a request that had to be refused)`)
    const set = (body: object) => client.send({ operation: 'updateUser', path, body })
    let answer = await set({ enabled: false })
    // A tracker may answer 200 and not disable a protected user.
    let shown = isDone(answer) ? await shownAs(entry, path) : null
    if (!isDone(answer) || shown === 'enabled') {
      for (const body of [{ protected: false }, { enabled: false }]) answer = await set(body)
      if (!isDone(answer)) answer = await set({ protected: false, enabled: false })
      shown = await shownAs(entry, path)
      const isDisabled = shown === null ? entry.isDisabled : shown === 'disabled'
      if (!isDone(answer) && !isDisabled) return left(`${what} (${enabledStill(shown, answer.status)})`)
    }
    if (shown === 'enabled') return left(`${what} (still shown as enabled after it was disabled: 200)`)
    swept.disabled.unshift(entry.name)
    return undone
  }

  /** Each user is read, since a protected one may stay enabled; null where no page shows it. */
  async function shownAs(entry: Entry, path: { user_id: string }): Promise<'enabled' | 'disabled' | null> {
    const isOwn = (value: unknown) =>
      typeof value === 'string' && wordsOf(entry).some((word) => word !== '' && value.includes(word))
    const known = flagged.get(ledger)
    for (const operation of known ? [known] : (['getUser', 'getUserEditPage'] as const)) {
      if (profile.notImplemented?.includes(operation)) continue
      const { status, json } = await client.send({ operation, path })
      const records = [...values(json)].filter((value) => isObject(value) && 'enabled' in value) as Flagged[]
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
    const [found, control] = [
      await client.guard.proofs.read('user', name, true),
      await client.guard.proofs.read('user', nobody),
    ]
    if (found.status !== control.status) return false
    return found.text.replaceAll(name, '') === control.text.replaceAll(nobody, '')
  }

  async function removeField(entry: Entry): Promise<Undoing> {
    const what = called(entry)
    const { proofs } = client.guard
    let id = entry.id ?? (await proofs.adopt(entry, null))
    if (id === null) {
      const listed = await client.look({ operation: 'listCustomFields' })
      const isThere = isListed(listed, entry)
      // The nearest id beside its name that the page at that id proves.
      if (isThere) id = await proofs.adopt(entry, listed)
      if (id === null) {
        const isAnother = isBesideAnother(entry, ledger.known, listed.json)
        const isGone = (entry.state !== 'done' && !isThere) || isAnother || lacks(listed, entry, ledger.known)
        return isGone ? undone : left(`${what} (no read shows its id)`)
      }
    }
    const address = String(id)
    const standing = await proofs.at('customField', address)
    if (standing === 'nothing' || (entry.state === 'gone' && standing !== entry)) return undone
    if (!client.allows('write')) return left(`${what} (made by a request that had to be refused)`)
    const path = { field_id: id }
    const remove = () => client.send({ operation: 'deleteCustomField', path })
    let { status } = await remove()
    if (!isDone({ status }) && status !== 404) {
      // A tracker may refuse to delete a field that has projects.
      const body = { custom_field: entry.name === '' ? {} : { name: entry.name }, projects: [] }
      const unlinked = await client.send({ operation: 'updateCustomField', path, body })
      if (isDone(unlinked)) status = (await remove()).status
    }
    if (!isDone({ status }) && status !== 404) return left(`${what} (${status})`)
    if ((await proofs.at('customField', address)) !== entry) return undone
    return left(`${what} (still shown at ${id} after its deletion was answered ${status})`)
  }
}

/** A reader of the report knows neither what was tried nor what a status means. */
const enabledStill = (shown: 'enabled' | 'disabled' | null, status: number) =>
  shown !== 'enabled'
    ? `perhaps still enabled: the tracker answered ${status} to disabling it, and no page shows what it is now; look at it there and disable it`
    : `still enabled: the tracker answered ${status} to disabling it; disable it there`

const isOnlyTold = ({ kind, value }: Entry) =>
  ['recipient', 'givenField', 'extensionSettings'].includes(kind) ||
  (['columns', 'setting'].includes(kind) && value === undefined)

type Flagged = Readonly<Record<string, unknown>> & { readonly enabled: unknown }

const labels: Partial<Record<Entry['kind'], string>> = {
  customField: 'custom field',
  password: "the password account's password",
  givenField: 'custom field of the profile',
  extensionSettings: 'extension settings',
  member: 'member',
}

/** By all names that it may have, since the outcome of a renaming is unknown. */
function called({ kind, name, also, told }: Entry): string {
  if (kind === 'password' || kind === 'extensionSettings') return labels[kind] ?? kind
  const names = [name, ...also.filter((other) => other !== name)].filter((one) => one !== '')
  const unnamed = told.length === 0 ? 'without a name' : `without a name, told as ${told[0]}`
  return `${labels[kind] ?? kind} ${names.length === 0 ? unnamed : names.join(' or ')}`
}

/** All leftovers: those of the last sweep, and those of all sweeps that cannot be restored. */
export function leftoversOf(sweeps: readonly Swept[]): string[] {
  const disabled = [...new Set(sweeps.flatMap((swept) => swept.disabled))]
  return [
    ...new Set([
      ...(sweeps.at(-1)?.left ?? []),
      ...sweeps.flatMap((swept) => swept.told),
      ...disabled.map((name) => `user ${name} (disabled; this interface deletes no users)`),
    ]),
  ]
}
