/** Uses of what is shared on a target, each put back as it was. */

import type { Answer, Identity } from '../client/call.js'
import type { Entry } from '../client/ledger.js'
import { settingIn } from '../client/look.js'
import type { Profile } from '../contract/index.js'
import type { Check } from './types.js'

/** For checks of which a part alone changes what is shared. */
export function needDestructive(t: Check): void {
  if (!t.allows('destructive')) t.skip('needs --safety destructive')
}

type Columns = NonNullable<Profile['columns']>

/** Other columns than those that the profile refers to: of another user, type or project; of no type where it is undefined. */
type Of = { readonly as?: Identity; readonly type?: string | undefined; readonly project?: unknown }

export interface ColumnsInUse {
  readonly columns: readonly string[]
  /** The same the other way round. */
  readonly turned: readonly string[]
  readonly reference: Omit<Columns, 'columns'>
  save(list: readonly unknown[], of?: Of): Promise<Answer>
  read(of?: Of): Promise<Answer>
}

/** Lets `use` save columns, and puts back afterwards what a read showed before. */
export async function keepingColumns<T>(t: Check, use: (own: ColumnsInUse) => Promise<T>): Promise<T> {
  const { columns, ...reference } = t.need('columns')
  const ask = ({ as, ...members }: Of, more: object = {}) =>
    t.send({
      operation: 'manageColumns',
      body: { ...reference, ...members, ...more },
      ...(as && { as }),
    })
  const own: ColumnsInUse = {
    columns,
    turned: columns.toReversed(),
    reference,
    save: (list, of = {}) => ask(of, { columns: list }),
    read: (of = {}) => ask(of),
  }
  return puttingBack(t, 'columns', () => use(own))
}

export interface SettingInUse {
  readonly option: string
  readonly value: string
  /** What the settings page showed; undefined where it shows none. */
  readonly before: unknown
  set(...configs: readonly object[]): Promise<Answer>
}

/** Lets `use` change the profile's self-service setting, and afterwards sets what the page showed before. */
export async function keepingSetting<T>(t: Check, use: (own: SettingInUse) => Promise<T>): Promise<T> {
  const { option, value } = t.need('userSetting')
  const before = settingIn((await t.send({ operation: 'getUserSettingsPage' })).json, option)
  const set = (...configs: readonly object[]) =>
    t.send({ operation: 'updateUserSettings', body: { configs } })
  return puttingBack(t, 'setting', () => use({ option, value, before, set }))
}

/** What the guard has put into the ledger meanwhile is undone at once, lest the next check meets it. */
async function puttingBack<T>(t: Check, kind: Entry['kind'], use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } finally {
    await t.run.own.putBack(kind)
  }
}
