/** What requests would touch of what the profile gives away: its plugin, and its recipients. */
import type { JsonObject } from '../oracle/json.js'
import { type Answer, type Call, NoAnswer } from './call.js'
import type { Entry } from './ledger.js'
import { isObject, isPaged, membersOf, mentions, pointersTo, recordsAround, valueAt } from './look.js'
import { isDone, notSent, type Permit, type Rule, stateAfter, type Touch } from './permit.js'
import { isLarge, leadingNumber } from './proofs.js'

/** Only the profile's plugin may have the name. */
export function changesOfPlugins({ profile, ledger, ask, need, isMadeUp, changing }: Permit) {
  /** The list of plugins as it was last read. */
  let plugins: Promise<Answer> | null = null
  const list = () => (plugins ??= ask({ operation: 'listPlugins' }))
  const isKnown = (name: string) =>
    ledger.known.some((entry) => entry.kind === 'plugin' && entry.name === name)
  /** Whether the profile's plugin was installed before the first request that may address it: it is not the run's then. */
  let wasInstalled: boolean | undefined
  const disposable = () => (wasInstalled ? undefined : profile.plugin?.name)

  /** Texts beside the profile's plugin in the list of plugins; null without a whole list. */
  async function pluginNames(): Promise<string[] | null> {
    const own = disposable()
    const { status, json } = await list()
    if (status !== 200 || json === undefined || isPaged(json)) return null
    const textsIn = (value: unknown): string[] => {
      if (typeof value === 'string') return [value]
      if (typeof value !== 'object' || value === null) return []
      const isOwn = own !== undefined && Object.values(value).includes(own)
      return isOwn ? [] : [...Object.keys(value), ...Object.values(value).flatMap(textsIn)]
    }
    return textsIn(json).map(folded)
  }

  /** The profile's plugin, or null where no plugin has the name. */
  async function plugin(call: Call): Promise<string | null> {
    const given = profile.plugin?.name
    const name = String(call.path?.plugin_name ?? '')
    // The run may remove what it installed, even if the profile has changed since.
    if (isKnown(name) || name === given) need('destructive', `it addresses the plugin ${name} of the profile`)
    if (given !== undefined) wasInstalled ??= !isKnown(given) && isInstalled(await list(), given)
    if (name === given && wasInstalled)
      throw notSent(`the plugin ${name} of the profile is listed before the run installed it`)
    if (isKnown(name) || name === given) return name
    const own = folded(disposable() ?? '')
    const listed = await pluginNames()
    if (listed === null || !isMadeUp(name)) need('destructive', `no list shows that ${name} is no plugin`)
    // A list without the installed plugin does not prove the absence of others.
    const isWhole = listed !== null && given !== undefined && mentions((await list()).json, given)
    if (!isMadeUp(name) && !isWhole)
      throw notSent(`no list shows the plugins beside which ${name} would be none`)
    const near = folded(name)
    const isBeginning = (text: string) => text.length > 2 && near.startsWith(text) && !own.startsWith(text)
    const mayBe = (text: string) => text.includes(near) || isBeginning(text)
    if (listed?.some(mayBe) || (near.length < 2 && !isMadeUp(name)))
      throw notSent(`a plugin that is not the profile's may be meant by ${name}`)
    return null
  }

  /** `state`: of the plugin, once the answer says that it is done. */
  async function change(call: Call, state: Entry['state']): Promise<readonly Touch[]> {
    const given = await plugin(call)
    const isInstallation = call.operation === 'installPlugin'
    // A name close to the profile's may have addressed that plugin, unless it was refused.
    const name = given ?? disposable()
    if (name === undefined || (given === null && (!isInstallation || isMadeUp(call.path?.plugin_name))))
      return []
    const known = ledger.find({ kind: 'plugin', name })
    const touch = await changing({ kind: 'plugin', name }, state)
    return [
      (answer) => {
        plugins = null
        touch(answer)
        const entry = ledger.find({ kind: 'plugin', name })
        const isRefused = known === undefined && stateAfter(answer) === 'refused'
        if (entry && isRefused && (given === null || !isInstallation)) ledger.close(entry)
      },
    ]
  }

  return {
    updatePlugin: (call: Call) => change(call, 'done'),
    installPlugin: (call: Call) => change(call, 'done'),
    // The clean-up checks whether it is gone.
    uninstallPlugin: (call: Call) => change(call, 'gone'),
  }
}

/** The letters and digits of a name, which no tracker ignores. */
const folded = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Whether a word says that something is not installed. */
const isForAvailable = (text: string) => /^(not|un|avail|inact)/i.test(text)

/** Whether a heading says that what is below is not installed, and another one shows what is. */
const isHeadedAvailable = ({ record, below }: { record: JsonObject; below: string }): boolean =>
  isForAvailable(below) &&
  Object.entries(record).some(
    ([key, value]) => /^(install|activ|enabl)/i.test(key) && typeof value === 'object' && value !== null,
  )

/** Whether the list of plugins shows the plugin as installed. */
export function isInstalled({ status, json }: Pick<Answer, 'status' | 'json'>, name: string): boolean {
  if (status !== 200) return false
  const isAvailable = ([key, value]: [string, unknown]) =>
    /install|activ|enabl|stat(e|us)/i.test(key) &&
    (value === false || value === 0 || isForAvailable(String(value)))
  const isNamed = (value: unknown) =>
    isObject(value) && (Object.hasOwn(value, name) || Object.values(value).includes(name))
  return pointersTo(json, isNamed)
    .filter((place) => !recordsAround(json, place).some(isHeadedAvailable))
    .map((place) => membersOf(valueAt(json, place)))
    .map((record) => (isObject(record[name]) ? record[name] : record))
    .some((record) => !Object.entries(record).some(isAvailable))
}

/**
 * Which helpdesk recipients a deletion may name. No read shows one, so the profile alone says which may go. For one that
 * there is not a tracker may take another: it is asked for at `destructive` alone, and never again once that was answered as
 * done.
 */
export function deletionOfRecipients({ profile, ledger, need }: Permit): Rule {
  const given = profile.recipients?.map(String) ?? []
  const entryOf = (name: string) =>
    ledger.known.findLast((one) => one.kind === 'recipient' && one.name === name)
  /** A tracker that casts reads letters as 0, and digits before other signs as a number. */
  function isNobody(name: string): boolean {
    const number = leadingNumber(name)
    return number === undefined || given.includes(number) || isLarge(name)
  }

  /** An absent id for which the target answered that it deleted something. */
  let strange: string | null = null

  return async ({ operation, path }, again) => {
    const name = String(path?.recipient_id)
    need('destructive', `no read shows what the recipient ${name} is`)
    if (strange !== null)
      throw notSent(`the target has deleted something for the recipient ${strange}, which there was not`)
    const known = entryOf(name)
    const isThere = given.includes(name) && known?.state !== 'done'
    if (!isThere && !isNobody(name)) throw notSent(`the profile does not give the recipient ${name} away`)
    const unclear = 'the target throttles, and nothing shows whether it was done'
    if (again) throw new NoAnswer(unclear, 'throttled', operation)
    const entry = known ?? ledger.intend({ kind: 'recipient', name })
    const touch: Touch = (answer) => {
      if (isThere || isDone(answer)) ledger.set(entry, { state: stateAfter(answer) })
      else if (known === undefined && stateAfter(answer) === 'refused') ledger.close(entry)
      if (isThere || !isDone(answer)) return
      strange = name
      const value = `may be gone: the deletion of ${name}, which there was not, was answered as done`
      for (const other of ['whichever', ...given])
        if (!entryOf(other)) ledger.intend({ kind: 'recipient', name: other, value })
    }
    return [touch]
  }
}
