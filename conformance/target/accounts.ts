/** What requests would touch of an account: its password, settings, columns and record; and the settings of all. */
import type { OperationId } from '../contract/index.js'
import type { Answer, Call, Identity } from './call.js'
import { isDone, type Judge, type Rule, type Touch, Withheld } from './judge.js'
import type { Entry, Intent } from './ledger.js'
import { columnLists, isObject, pointersTo, recordsWith, settingIn, values } from './look.js'

type Rules = Pick<
  Record<OperationId, Rule>,
  'changeOwnPassword' | 'updateUserSettings' | 'manageColumns' | 'updateSettings'
>

export interface AccountRules extends Rules {
  /** For an update of a user that a token of the profile speaks for; null for anybody else. */
  ofProfile(call: Call): Promise<readonly Touch[] | null>
  /** By somebody who may not reset it. */
  resetOfPasswordAccount(): readonly Touch[]
  isCaller(call: Call, user_id: string): Promise<boolean>
  /** For an impersonation: whom the token of its caller speaks for before it. */
  session(call: Call): Promise<readonly Touch[]>
}

/** Whose things can be read, and so put back. */
type Owner = Exclude<Identity, 'disabled'>
const owners: readonly Owner[] = ['administrator', 'restricted', 'password']

export function changesOfAccounts(judge: Judge): AccountRules {
  const { profile, ledger, ask, need, caller, isMadeUp } = judge

  /** One entry for each thing: what it was before the first change is what counts. */
  function changing(intent: Intent): Touch {
    const { kind, name, as } = intent
    const open = ledger.open.find((one) => one.kind === kind && one.name === name && one.as === as)
    const entry = open ?? ledger.intend(intent)
    const words = (intent.words ?? []).filter((word) => !entry.words.includes(word))
    if (words.length > 0) ledger.set(entry, { words: [...entry.words, ...words] })
    return {
      settle(answer) {
        if (isDone(answer)) ledger.set(entry, { state: 'done' })
        else if (entry.state === 'gone') ledger.set(entry, { state: 'asked' })
        else if (answer !== null && open === undefined) ledger.set(entry, { state: 'refused' })
      },
    }
  }

  /** Names and texts of a body that a target could know: those that the run has not made up. */
  function knownWords(body: unknown, structure: readonly string[]): string[] {
    const found: string[] = []
    for (const value of values(body)) {
      if (typeof value === 'string' && value !== '' && !isMadeUp(value)) found.push(value)
      if (isObject(value))
        for (const name of Object.keys(value))
          if (!structure.includes(name) && !isMadeUp(name)) found.push(name)
    }
    return found
  }

  /** The token of the profile that is behind a request; nobody's where the target takes its credentials for none. */
  async function account(call: Call): Promise<Owner | 'nobody' | Entry> {
    const from = await caller(call)
    if (typeof from === 'string' && judge.allows('destructive')) await assertOwnPages()
    if (from === 'disabled') throw new Withheld('not sent, since it would change a disabled account')
    if (from === 'other') throw new Withheld('not sent, since its credentials speak for somebody unknown')
    return from
  }

  /** Where a page is that of whoever saw it first, nobody knows what the others have. */
  async function assertOwnPages(): Promise<void> {
    const held = owners.filter((as) => profile.tokens[as] !== undefined)
    const names = (await Promise.all(held.map(judge.nameOf))).filter((name) => name !== null)
    if (new Set(names).size < names.length)
      throw new Withheld('not sent, since the account pages of two tokens show the same user')
  }

  /** What is changed in the name of nobody may be changed for the administrator. */
  const ownerOf = (from: Owner | 'nobody'): Owner => (from === 'nobody' ? 'administrator' : from)
  /** Or for anybody, of whom nothing can be read: it is told where it was answered as done. */
  const ofWhomever = (from: Owner | 'nobody', intent: Intent): Touch[] =>
    from === 'nobody' ? [changing(intent)] : []

  async function password(call: Call, given: unknown): Promise<readonly Touch[]> {
    // Whatever is there, a tracker may make a text of it.
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
      if (from === 'password' && changes) return [undone(given)]
      return []
    }
    if (from !== 'password')
      throw new Withheld(`not sent, since it would change the password of tokens.${from}`)
    const { passwordAccount, password: rules = {} } = profile
    const known = [passwordAccount?.next, rules.invalid, '']
    const isNew = typeof given === 'object' ? false : !known.includes(String(given))
    // Of a body that was cut off nobody knows where a parser lets it end.
    if (isNew && call.rawBody !== undefined)
      throw new Withheld('not sent, since it would set a password from which there is no way back')
    return passwordOfAccount(isNew ? [String(given)] : [])
  }

  /** `words`: passwords from which it may have to be put back, beside those of the profile. */
  function passwordOfAccount(words: readonly string[] = []): readonly Touch[] {
    need('destructive', 'it would change the password of the password account')
    const { password: rules } = profile
    const told = words.filter((word) => word !== rules?.valid)
    return [changing({ kind: 'password', name: 'passwordAccount', words: [...told] })]
  }

  const undone = (given: unknown): Touch => ({
    settle(answer) {
      const open = ledger.open.find(({ kind }) => kind === 'password')
      // Whether it is back is looked at in the end.
      if (open && isDone(answer) && given === profile.passwordAccount?.current)
        ledger.set(open, { state: 'gone' })
    },
  })

  const owned = new Map<Owner, Promise<unknown>>()

  /** Where the account page has the name of its user, and what else tells whose the token is. */
  async function ownerOfToken(as: Owner) {
    const name = await judge.nameOf(as)
    const page = await ask({ operation: 'getAccountPage', as })
    const plugins = await ask({ operation: 'listPlugins', as })
    return {
      places: name === null ? [] : pointersTo(page.json, (one) => one === name),
      plugins: plugins.status,
    }
  }

  const settingsPages = new Map<Owner, Answer>()

  async function settingsPage(as: Owner): Promise<Answer> {
    const page = await ask({ operation: 'getUserSettingsPage', as })
    settingsPages.set(as, page)
    return page
  }

  async function setting(as: Owner, option: string, now: () => Promise<Answer>): Promise<Touch> {
    const open = ledger.open.find((one) => one.kind === 'setting' && one.name === option && one.as === as)
    const json = open ? null : (await now()).json
    const value = open ? open.value : (settingIn(json, option) ?? undefined)
    const { option: given = '' } = profile.userSetting ?? {}
    const isNew = value === undefined && (option === given || settingIn(json, given) !== undefined)
    if ((value === undefined && !isNew && !open) || (typeof value === 'object' && value !== null))
      throw new Withheld(`not sent, since no page shows what the setting ${option} of the ${as} is now`)
    return changing({ kind: 'setting', name: option, as, ...(value === undefined ? {} : { value }) })
  }

  const { columns: ownColumns = [], ...ownReference } = profile.columns ?? {}
  const isOwnReference = (as: Owner, reference: object) =>
    as === 'administrator' &&
    profile.columns !== undefined &&
    JSON.stringify(reference) === JSON.stringify(ownReference)

  let readsColumns: Promise<boolean> | null = null

  /**
   * Whether a request without columns is a read, as it shows with those that the profile gives away: to some trackers it is
   * one that saves none.
   */
  async function tryColumns(): Promise<boolean> {
    const call = { operation: 'manageColumns', body: ownReference } as const
    const shown = async () => columnLists((await ask(call)).json)[0]
    const before = profile.columns && (await shown())
    if (before === undefined) return false
    const isSo = JSON.stringify(before) === JSON.stringify(ownColumns)
    const other = isSo ? ownColumns.toReversed() : ownColumns
    const touch = await columns('administrator', ownReference, before)
    const save = (list: readonly string[]) => ask({ ...call, body: { ...ownReference, columns: list } })
    touch.settle(await save(other))
    const [first, second] = [JSON.stringify(await shown()), JSON.stringify(await shown())]
    const isRead = first === second && first !== JSON.stringify(before)
    if (isRead) await noteSavedToo(first)
    await save(before)
    const entry = ledger.open.find(
      (one) => one.kind === 'columns' && one.name === JSON.stringify(ownReference),
    )
    if (isRead && entry && JSON.stringify(await shown()) === JSON.stringify(entry.value)) ledger.close(entry)
    return isRead
  }

  /** What had to be saved before any could be read may have been saved for other types as well. */
  async function noteSavedToo(saved: string): Promise<void> {
    for (const type of ['view', 'print', 'csv']) {
      const reference = { ...ownReference, type }
      const name = JSON.stringify(reference)
      const isKnown = ledger.known.some((one) => one.kind === 'columns' && one.name === name)
      const { type: own = 'view' } = ownReference as { type?: unknown }
      if (isKnown || type === own) continue
      const { json } = await ask({ operation: 'manageColumns', body: reference })
      if (JSON.stringify(columnLists(json)[0]) === saved)
        ledger.intend({ kind: 'columns', name, as: 'administrator', state: 'done' })
    }
  }

  async function assertRead(as: Owner, reference: object): Promise<void> {
    // Also before those of the profile are read, so that what they were is known.
    readsColumns ??= tryColumns()
    if (!(await readsColumns) && !isOwnReference(as, reference))
      throw new Withheld('not sent, since no read shows that a request without columns saves none')
  }

  /** What a later read shows is what the run puts back. */
  async function columns(
    as: Owner,
    { columns: _, ...reference }: Readonly<Record<string, unknown>>,
    known?: readonly string[],
  ): Promise<Touch> {
    const name = JSON.stringify(reference)
    if (!known) await assertRead(as, reference)
    const open = ledger.open.find((one) => one.kind === 'columns' && one.name === name && one.as === as)
    if (open) return changing(open)
    const before = known ? null : await ask({ operation: 'manageColumns', as, body: reference })
    const value = known ?? (before?.status === 200 ? columnLists(before.json)[0] : undefined)
    if (value === undefined && before?.status === 200 && !isOwnReference(as, reference))
      throw new Withheld(`not sent, since no answer shows what the columns of ${name} are now`)
    return changing({ kind: 'columns', name, as, ...(value ? { value } : {}) })
  }

  return {
    async changeOwnPassword(call) {
      return password(call, isObject(call.body) ? call.body.password : undefined)
    },

    async updateUserSettings(call) {
      need('write', 'it would change the settings of its caller')
      const from = await account(call)
      if (typeof from === 'object') return []
      const options = knownWords(call.body, ['configs', 'option', 'value'])
      if (options.length === 0) {
        if (![...values(call.body)].some(isMadeUp))
          need('destructive', 'it names no setting, and a target may save it as all that there are')
        return []
      }
      need('destructive', `it names the setting ${options[0]}`)
      const configs = isObject(call.body) && Array.isArray(call.body.configs) ? call.body.configs : []
      const named = configs.flatMap((one) =>
        isObject(one) && typeof one.option === 'string' && !isMadeUp(one.option) ? [one.option] : [],
      )
      const as = ownerOf(from)
      let page: Promise<Answer> | null = null
      const now = () => (page ??= settingsPage(as))
      // A tracker that takes odd bodies may find a setting in any place. Which there are stays so, and what they are may not.
      const { json } = settingsPages.get(as) ?? (await now())
      const shown = options.filter((option) => settingIn(json, option) !== undefined)
      const touches: Touch[] = []
      for (const name of new Set([...named, ...shown]))
        touches.push(await setting(as, name, now), ...ofWhomever(from, { kind: 'setting', name }))
      return touches
    },

    async manageColumns(call) {
      const body = isObject(call.body) ? call.body : {}
      need('destructive', 'it may save the columns of its caller')
      const from = await account(call)
      if (typeof from === 'object') return []
      const { columns: saved, ...reference } = body
      const name = JSON.stringify(reference)
      if (saved !== undefined)
        return [await columns(ownerOf(from), body), ...ofWhomever(from, { kind: 'columns', name })]
      await assertRead(ownerOf(from), body)
      return []
    },

    async updateSettings(call) {
      need('write', 'it would change the settings of the extension')
      const known = knownWords(call.body, [])
      // A member that stands alone in its record is the name of a setting.
      const records = [...values(profile.settings)].filter(isObject).map(Object.keys)
      const shape = new Set(records.filter(({ length }) => length > 1).flat())
      if (known.every((word) => shape.has(word))) return []
      need('destructive', `it names the setting ${known[0]} of the extension`)
      if (profile.settings === undefined) throw new Withheld('not sent, since the profile has no settings')
      return [changing({ kind: 'extensionSettings', name: JSON.stringify(profile.settings) })]
    },

    async ofProfile(call) {
      const user_id = String(call.path?.user_id)
      for (const as of ['password', 'restricted'] as const) {
        if (profile.tokens[as] === undefined || (await judge.nameOf(as)) !== user_id) continue
        need('destructive', `it addresses the user behind tokens.${as}`)
        await assertOwnPages()
        const body = isObject(call.body) ? call.body : {}
        const { password: given, password_current: _, ...members } = body
        const touches: Touch[] =
          as === 'password' && given !== undefined ? [...(await password(call, given))] : []
        if (as === 'restricted' && given !== undefined)
          throw new Withheld('not sent, since it would change the password of tokens.restricted')
        // Under another name it is not found again.
        if ('username' in members && members.username !== user_id)
          throw new Withheld(`not sent, since it would rename the user behind tokens.${as}`)
        const record = await ask({ operation: 'getUser', path: { user_id } })
        for (const [name, value] of Object.entries(members)) {
          const before = memberOf(record.json, user_id, name)
          if (before === undefined)
            throw new Withheld(
              `not sent, since no answer shows what ${name} of the user behind tokens.${as} is now`,
            )
          if (before !== value) touches.push(changing({ kind: 'member', name, as, value: before }))
        }
        return touches
      }
      return null
    },

    resetOfPasswordAccount: () => passwordOfAccount(),

    async isCaller(_, user_id) {
      return (await judge.nameOf('administrator')) === user_id
    },

    async session(call) {
      const as = await caller(call)
      if (typeof as === 'object' || as === 'nobody' || as === 'other' || as === 'disabled') return []
      const open = ledger.open.find((one) => one.kind === 'session' && one.as === as)
      const value = owned.get(as) ?? ownerOfToken(as)
      owned.set(as, value)
      const name = (await judge.nameOf(as)) ?? ''
      const entry = open ?? ledger.intend({ kind: 'session', name, as, value: await value })
      if (open) ledger.set(entry, { state: 'asked' })
      const user_id = String(call.path?.user_id)
      // Those of a user of the run end with its disabling.
      const isOwn = typeof (await judge.proofs.at('user', user_id)) === 'object'
      const words = isOwn ? entry.words : [...new Set([...entry.words, user_id])]
      return [{ settle: (answer) => isDone(answer) && ledger.set(entry, { state: 'done', words }) }]
    },
  }
}

/** A member of the record of a user, in the form in which an update takes it; undefined where it is not shown. */
function memberOf(json: unknown, username: string, name: string): string | number | boolean | undefined {
  for (const record of recordsWith(json, username)) {
    const value = record[name]
    const plain = isObject(value) ? value.id : value
    if (typeof plain === 'string' || typeof plain === 'number' || typeof plain === 'boolean') return plain
  }
  return undefined
}
