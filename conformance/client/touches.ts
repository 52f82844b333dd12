/** What a request would touch if the target carried it out: a rule for each operation that can change something. */
import type { OperationId } from '../contract/index.js'
import { changesOfAccounts, changesOfColumns } from './accounts.js'
import { type Call, NoAnswer } from './call.js'
import { changesOfPlugins, deletionOfRecipients } from './disposables.js'
import type { Entry } from './ledger.js'
import { isObject, lacks, membersOf, values } from './look.js'
import { isDone, notSent, type Permit, type Rule, stateAfter, type Touch } from './permit.js'
import { candidatesIn, isLarge, leadingNumber, type ThingKind } from './proofs.js'

/** An operation without a rule is never sent as a mutating request. */
export function createTouches(permit: Permit): Readonly<Partial<Record<OperationId, Rule>>> {
  const { profile, ledger, proofs, need, isMadeUp } = permit
  const accounts = changesOfAccounts(permit)
  /** A user of the run, or null where the address is empty. */
  async function ownUser(call: Call): Promise<Entry | null> {
    const address = String(call.path?.user_id ?? '')
    const standing = await proofs.at('user', address)
    if (typeof standing === 'object') {
      need('write', `it addresses ${address}, a user of the run`)
      // The request may enable the user.
      ledger.reopen(standing)
      return standing
    }
    if (standing === 'nothing' && isNobody(address)) return null
    throw notSent(`no read shows that the user ${address} is the run's own`)
  }

  /** A tracker that casts reads a number at the beginning as an id. */
  const isNobody = (address: string) =>
    leadingNumber(address) === undefined ? isMadeUp(address) : isLarge(address)

  /** A field of the run; null where the address is empty, or that of a disposable one, which is told. */
  async function field(call: Call): Promise<Entry | null> {
    const address = String(call.path?.field_id ?? '')
    let standing = await proofs.at('customField', address)
    const isOwn = ledger.known.some(({ kind, id }) => kind === 'customField' && String(id) === address)
    if (standing === 'nothing' && isOwn) {
      // Another field may have its number by now.
      proofs.forget('customField', address)
      standing = await proofs.at('customField', address)
    }
    if (typeof standing === 'object') {
      need('write', `it addresses ${address}, a custom field of the run`)
      return standing
    }
    if (profile.customField?.ids?.map(String).includes(address)) {
      need('destructive', `it addresses the custom field ${address} of the profile`)
      const given = { kind: 'givenField', name: address } as const
      if (!ledger.find(given)) ledger.intend(given)
      return null
    }
    if (standing === 'nothing' && (isLarge(address) || isOwn)) return null
    if (await isNoInteger(address)) return null
    throw notSent(`no read shows that the custom field ${address} is the run's own`)
  }

  /** A tracker that casts reads letters as 0, so the address 0 has to be empty, too. */
  async function isNoInteger(address: string): Promise<boolean> {
    if (leadingNumber(address) !== undefined && !isLarge(address)) return false
    for (const one of [address, '0'])
      if (![400, 404].includes((await proofs.read('customField', one)).status)) return false
    return true
  }

  /** The counted part of a name has a fixed width, so it identifies a thing even if the rest is cut off. */
  const counted = new RegExp(`^${ledger.tag}x[a-z]{3}`)

  /** Made-up words that only this thing has, so that it is recognized under any name. */
  function wordsIn(texts: unknown): string[] {
    const words = values(texts)
      .filter(isMadeUp)
      .flatMap((text) => text.match(/[a-z0-9]+/gi) ?? [])
    const own = words.filter(isMadeUp).map((word) => counted.exec(word)?.[0] ?? word)
    return [...new Set(own)].filter((word) => ledger.known.every((entry) => !entry.words.includes(word)))
  }

  /** The answer to a creation gives ids; none of them is proven yet. */
  function made(kind: ThingKind, entry: Entry): Touch {
    return (answer) => {
      proofs.recount(kind)
      proofs.forget('user', entry.name)
      const told = answer && isDone(answer) ? candidatesIn(answer.json, entry).slice(0, 6) : []
      ledger.set(entry, { state: stateAfter(answer), told })
    }
  }

  async function creation(kind: ThingKind, call: Call, again: boolean, given: unknown) {
    const { email, realname } = membersOf(call.body)
    const words = wordsIn(typeof call.body === 'string' ? call.body : [given, email, realname])
    // A tracker may use the text inside a name of another type.
    const text = typeof given === 'string' ? given : values(given).find(isMadeUp)
    const name = text?.trim() ? text : ''
    const isNamed = name !== ''
    need('write', `it would create a ${kind === 'user' ? 'user' : 'custom field'}`)
    if (isNamed && !isMadeUp(name) && words.length === 0)
      throw notSent(`"${name}" is no name that the run has made up`)
    // On some trackers a creation under an existing name changes the existing thing.
    if (isNamed && kind === 'user' && !isMadeUp(name) && (await proofs.at('user', name)) === 'other')
      throw notSent(`no read shows that "${name}" is nobody's name`)
    // No read distinguishes refused fields without a name or a word, so they are sent one at a time.
    const isNameless = kind === 'customField' && words.length === 0
    const isAlike = (one: Entry) =>
      one.kind === kind && one.name === name && (isNamed || (isNameless && one.words.length === 0))
    const inState = (state: Entry['state']) =>
      ledger.open.findLast((one) => isAlike(one) && one.state === state)
    const asked = again && isNamed ? inState('asked') : undefined
    if (asked && (await isMissing(asked))) return [made(kind, asked)]
    if (again) throw new NoAnswer('the target throttles, and may have done it', 'throttled', call.operation)
    const value = kind === 'customField' ? await proofs.beforeFields() : undefined
    const isNew = kind === 'user' && isNamed && !proofs.shows('user') && (await isFree(name))
    const intent = { kind, name, words, fresh: isNew ? [name] : [], value }
    return [made(kind, inState('refused') ?? ledger.intend(intent))]
  }

  /** Whether a read shows that a throttled creation was not carried out. */
  const isMissing = async (entry: Entry) =>
    entry.kind === 'user'
      ? isFree(entry.name)
      : lacks(await permit.ask({ operation: 'listCustomFields' }), entry, ledger.known)

  const isFree = async (name: string) => (await proofs.read('user', name)).status === 404

  /** Records a new name in the ledger before the request. */
  async function renaming(kind: ThingKind, entry: Entry, name: unknown): Promise<readonly Touch[]> {
    if (typeof name !== 'string' || name.trim() === '' || !isMadeUp(name)) {
      if (entry.id === null && (await proofs.adopt(entry, null)) === null)
        throw notSent(`${entry.name} could not be found again under another name`)
      return [() => proofs.forget(kind, entry.name, String(entry.id))]
    }
    if (name === entry.name) return []
    const before = entry.name
    const fresh = entry.fresh.length > 0 && (await isFree(name)) ? [...entry.fresh, name] : entry.fresh
    permit.addWords(entry, wordsIn(name))
    ledger.set(entry, { also: [...new Set([...entry.also, name])], fresh })
    const touch: Touch = (answer) => {
      proofs.forget(kind, before, name)
      proofs.recount(kind)
      if (isDone(answer)) ledger.set(entry, { name, also: [...new Set([...entry.also, before])] })
    }
    return [touch]
  }

  return {
    ...accounts,
    ...changesOfPlugins(permit),
    manageColumns: changesOfColumns(permit),

    createUser: (call, again) => creation('user', call, again, membersOf(call.body).username),

    async updateUser(call) {
      const account = await accounts.ofProfile(call)
      if (account !== null) return account
      const entry = await ownUser(call)
      if (entry === null) return []
      const { username, email, realname, enabled, id } = membersOf(call.body)
      // A tracker may take it for that of the user.
      if (id !== undefined) await ownUser({ ...call, path: { user_id: String(id) } })
      permit.addWords(entry, wordsIn([email, realname]))
      const renamed = username === undefined ? [] : await renaming('user', entry, username)
      if (enabled === undefined) return renamed
      // After a lost answer it may be enabled.
      if (enabled !== false) ledger.set(entry, { isDisabled: false })
      return [
        ...renamed,
        (answer) => isDone(answer) && enabled === false && ledger.set(entry, { isDisabled: true }),
      ]
    },

    async impersonateUser(call) {
      const user_id = String(call.path?.user_id)
      // A session does not change its user.
      const named = await Promise.all([permit.nameOf('restricted'), permit.nameOf('administrator')])
      const known = [profile.user?.username, profile.user?.id, ...named]
      if (known.some((one) => String(one) === user_id))
        need('destructive', 'it would start a session of a user of the profile')
      else if ((await ownUser(call)) !== null && call.as === undefined && call.authorization === undefined)
        need('destructive', 'it would start an impersonated session')
      return accounts.session(call)
    },

    async addUserToProjects(call) {
      await ownUser(call)
      return []
    },

    async resetUser(call) {
      const byAnother = call.authorization !== undefined || call.as === 'restricted'
      if (byAnother && (await permit.nameOf('password')) === String(call.path?.user_id))
        return accounts.resetOfPasswordAccount()
      const entry = await ownUser(call)
      // The document does not show what a reset changes: it may enable the account.
      if (entry) ledger.set(entry, { isDisabled: false })
      return []
    },

    createCustomField(call, again) {
      const { custom_field } = membersOf(call.body)
      // A tracker may read a bare text as the name.
      return creation('customField', call, again, isObject(custom_field) ? custom_field.name : custom_field)
    },

    async updateCustomField(call) {
      const entry = await field(call)
      if (entry === null) return []
      const { name, default_value } = membersOf(membersOf(call.body).custom_field)
      // They identify the field where the tracker stores another name than the one that was sent.
      permit.addWords(entry, wordsIn(default_value))
      return name === undefined ? [] : renaming('customField', entry, name)
    },

    async deleteCustomField(call) {
      const entry = await field(call)
      if (entry === null) return []
      const touch: Touch = (answer) => {
        proofs.recount('customField')
        // The sweep checks it.
        if (isDone(answer)) ledger.set(entry, { state: 'gone' })
      }
      return [touch]
    },

    deleteHelpdeskRecipient: deletionOfRecipients(permit),
  }
}
