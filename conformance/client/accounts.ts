/** What requests would touch of an account: its password, settings, record, sessions and columns; and the settings of the extension. */
import { same } from '../oracle/json.js'
import { type Answer, type Call, type Owner, owners } from './call.js'
import { marksOfOwner } from './callers.js'
import { isObject, membersOf, settingIn, values } from './look.js'
import { partOf } from './parts.js'
import { isDone, notSent, type Permit, type Rule, stateAfter, type Touch } from './permit.js'

export function changesOfAccounts(permit: Permit) {
  const { profile, ledger, ask, need, isMadeUp, account, assertOwnPages, changing, ofWhomever } = permit
  const { members, formerAsSaved } = permit

  /** Names and texts of a body that the run has not made up, so that the target may know them. */
  function knownWords(body: unknown, structure: readonly string[]): string[] {
    const namesIn = (record: object) => Object.keys(record).filter((name) => !structure.includes(name))
    return values(body)
      .flatMap((value) => (isObject(value) ? namesIn(value) : typeof value === 'string' ? [value] : []))
      .filter((word) => word !== '' && !isMadeUp(word))
  }

  async function password(call: Call, given: unknown): Promise<readonly Touch[]> {
    // A tracker may convert any value to a text.
    const changes = given !== undefined && given !== null
    const from = await account(call)
    if (typeof from === 'object') {
      need('write', 'it would change the password of a user of the run')
      return []
    }
    if (from === 'nobody') {
      need(changes ? 'destructive' : 'write', 'it would change a password if the target let nobody do so')
      return changes ? ofWhomever(from, { kind: 'setting', name: 'password' }) : []
    }
    if (!changes || (from === 'password' && given === profile.passwordAccount?.current)) {
      need('write', 'it would change a password if the target took its body for a whole one')
      // The clean-up checks whether it is restored.
      const open = ledger.find({ kind: 'password', name: 'passwordAccount' })
      return changes && open ? [(answer) => isDone(answer) && ledger.set(open, { state: 'gone' })] : []
    }
    if (from !== 'password') throw notSent(`it would change the password of tokens.${from}`)
    const { passwordAccount, password: rules = {} } = profile
    const known = [passwordAccount?.next, rules.invalid, '']
    const isNew = typeof given === 'object' ? false : !known.includes(String(given))
    // A parser may end a truncated body anywhere.
    if (isNew && call.rawBody !== undefined)
      throw notSent('it would set a password from which there is no way back')
    return passwordOfAccount(isNew ? [String(given)] : [])
  }

  /** `words`: passwords from which it may have to be put back, beside those of the profile. */
  async function passwordOfAccount(words: readonly string[] = []): Promise<readonly Touch[]> {
    need('destructive', 'it would change the password of the password account')
    const told = words.filter((word) => word !== profile.password?.valid)
    return [await changing({ kind: 'password', name: 'passwordAccount', words: told })]
  }

  const settingsPages = new Map<Owner, Answer>()

  async function setting(as: Owner, option: string, now: () => Promise<Answer>): Promise<Touch> {
    const part = { kind: 'setting', name: option, as } as const
    if (ledger.find(part)) return changing(part)
    const { json } = await now()
    const { option: given = '', value: saved } = profile.userSetting ?? {}
    const shown = settingIn(json, option, members.setting) ?? undefined
    const value = shown ?? (option === given ? await formerAsSaved(part, saved, json) : undefined)
    // Beside others that a page shows it is new.
    const isNew = option === given || settingIn(json, given, members.setting) !== undefined
    if (value === undefined ? !isNew : typeof value === 'object' && value !== null)
      throw notSent(`no page shows what the setting ${option} of the ${as} is now`)
    return changing({ ...part, value, at: members.setting })
  }

  return {
    changeOwnPassword: (call: Call) => password(call, membersOf(call.body).password),

    async updateUserSettings(call: Call): Promise<readonly Touch[]> {
      need('write', 'it would change the settings of its caller')
      const from = await account(call)
      if (typeof from === 'object') return []
      const options = knownWords(call.body, ['configs', 'option', 'value'])
      if (options.length === 0) {
        if (!values(call.body).some(isMadeUp))
          need('destructive', 'it names no setting, and a target may save it as all that there are')
        return []
      }
      need('destructive', `it names the setting ${options[0]}`)
      const { configs } = membersOf(call.body)
      const named = (Array.isArray(configs) ? configs : [])
        .map((one) => membersOf(one).option)
        .filter((option) => typeof option === 'string' && !isMadeUp(option))
      const as = permit.ownerOf(from)
      let page: Answer | null = null
      const now = async () => {
        page ??= await ask({ operation: 'getUserSettingsPage', as })
        settingsPages.set(as, page)
        return page
      }
      // A tracker that takes odd bodies may find a setting in any place. Which there are stays so, and what they are may not.
      const { json } = settingsPages.get(as) ?? (await now())
      const shown = options.filter((option) => settingIn(json, option, members.setting) !== undefined)
      const touches: Touch[] = []
      for (const name of new Set([...named, ...shown]))
        touches.push(await setting(as, name, now), ...(await ofWhomever(from, { kind: 'setting', name })))
      return touches
    },

    async updateSettings(call: Call): Promise<readonly Touch[]> {
      need('write', 'it would change the settings of the extension')
      const known = knownWords(call.body, [])
      // The only member of a record is the name of a setting.
      const records = values(profile.settings).filter(isObject).map(Object.keys)
      const shape = new Set(records.filter(({ length }) => length > 1).flat())
      if (known.every((word) => shape.has(word))) return []
      need('destructive', `it names the setting ${known[0]} of the extension`)
      if (profile.settings === undefined) throw notSent('the profile has no settings')
      return [await changing({ kind: 'extensionSettings', name: JSON.stringify(profile.settings) })]
    },

    /** For an update of a user that owns a token of the profile; null for other users. */
    async ofProfile(call: Call): Promise<readonly Touch[] | null> {
      const user_id = String(call.path?.user_id)
      for (const as of ['password', 'restricted'] as const) {
        if ((await permit.nameOf(as)) !== user_id) continue
        need('destructive', `it addresses the user behind tokens.${as}`)
        await assertOwnPages()
        const { password: given, password_current: _, ...members } = membersOf(call.body)
        if (as === 'restricted' && given !== undefined)
          throw notSent('it would change the password of tokens.restricted')
        const touches: Touch[] = given === undefined ? [] : [...(await password(call, given))]
        // The user would not be found under another name.
        if ('username' in members && members.username !== user_id)
          throw notSent(`it would rename the user behind tokens.${as}`)
        const record = await ask({ operation: 'getUser', path: { user_id } })
        for (const [name, value] of Object.entries(members)) {
          const before = partOf({ kind: 'member', name, owner: user_id }).valueIn(record.json)
          if (before === undefined)
            throw notSent(`no answer shows what ${name} of the owner of tokens.${as} is`)
          if (before !== value) touches.push(await changing({ kind: 'member', name, as, value: before }))
        }
        return touches
      }
      return null
    },

    /** The caller may not reset it. */
    resetOfPasswordAccount: () => passwordOfAccount(),

    /** For an impersonation: the user that the caller's token acts as before it. */
    async session(call: Call): Promise<readonly Touch[]> {
      const from = await permit.caller(call)
      const as = owners.find((one) => one === from)
      if (as === undefined) return []
      const open = ledger.open.find((one) => one.kind === 'session' && one.as === as)
      const name = (await permit.nameOf(as)) ?? ''
      const entry =
        open ?? ledger.intend({ kind: 'session', name, as, value: await marksOfOwner(ask, name, as) })
      if (open) ledger.set(entry, { state: 'asked' })
      const user_id = String(call.path?.user_id)
      // Sessions of a user of the run end when the user is disabled.
      const isOwn = typeof (await permit.proofs.at('user', user_id)) === 'object'
      const words = isOwn ? entry.words : [...new Set([...entry.words, user_id])]
      const touch: Touch = (answer) => {
        const state = stateAfter(answer)
        // A session may have been started even if no answer says so.
        if (state !== 'refused') ledger.set(entry, { state, words })
      }
      return [touch]
    },
  }
}

/** A request without columns reads them. */
export function changesOfColumns(permit: Permit): Rule {
  const { profile, ledger, ask, need, account, changing, ofWhomever, ownerOf, members } = permit
  const { columns: given = [], ...ownReference } = profile.columns ?? {}
  const nameOf = (reference: object, as: Owner = 'administrator') =>
    ({ kind: 'columns', name: JSON.stringify(reference), as }) as const
  const own = nameOf(ownReference)
  const isOwn = ({ name, as }: typeof own) =>
    profile.columns !== undefined && as === own.as && name === own.name

  async function shownOf(part: typeof own) {
    const { page, valueIn } = partOf(part)
    const { status, json } = await ask(page)
    return { status, json, value: valueIn(json, members.columns) }
  }

  let readsColumns: Promise<boolean> | null = null

  /**
   * Whether a request without columns is a read, as it shows with those that the profile gives away: to some trackers it is
   * one that saves none.
   */
  async function tryColumns(): Promise<boolean> {
    if (!profile.columns) return false
    const shown = async () => (await shownOf(own)).value
    const save = (columns: unknown) => ask(partOf(own).change(columns))
    const before = (await shown()) ?? (await permit.formerAsSaved(own, given, (await shownOf(own)).json))
    if (before === undefined) return false
    const known = ledger.find(own)
    const touch = await changing({ ...own, value: before, at: members.columns })
    touch(await save(same(before, given) ? given.toReversed() : given))
    const [now, again] = [await shown(), await shown()]
    const isRead = same(now, again) && !same(now, before)
    if (isRead) await noteSavedToo(now)
    await save(before)
    const entry = ledger.find(own)
    // Entries of earlier runs are restored by the sweep.
    if (isRead && entry && !known && same(await shown(), entry.value)) ledger.close(entry)
    return isRead
  }

  /** A save before the first read may have changed the columns of other types as well. */
  async function noteSavedToo(saved: unknown): Promise<void> {
    const { type: own = 'view' } = ownReference as { type?: unknown }
    for (const type of ['view', 'print', 'csv']) {
      const part = nameOf({ ...ownReference, type })
      const isKnown = ledger.known.some((one) => one.kind === 'columns' && one.name === part.name)
      if (!isKnown && type !== own && same((await shownOf(part)).value, saved))
        ledger.intend({ ...part, state: 'done' })
    }
  }

  return async (call) => {
    need('destructive', 'it may save the columns of its caller')
    const from = await account(call)
    if (typeof from === 'object') return []
    const { columns: saved, ...reference } = membersOf(call.body)
    const part = nameOf(reference, ownerOf(from))
    // Recorded before the first read of the profile's columns, so that their former value is known.
    readsColumns ??= tryColumns()
    if (!(await readsColumns) && !isOwn(part))
      throw notSent('no read shows that a request without columns saves none')
    if (saved === undefined) return []
    // The run restores the columns that a later read shows.
    const { status, value } = ledger.find(part) ? { status: 0, value: undefined } : await shownOf(part)
    if (status === 200 && value === undefined && !isOwn(part))
      throw notSent(`no answer shows what the columns of ${part.name} are now`)
    const shown = status === 200 ? { value, at: members.columns } : {}
    const touch = await changing({ ...part, ...shown })
    return [touch, ...(await ofWhomever(from, { kind: 'columns', name: part.name }))]
  }
}
