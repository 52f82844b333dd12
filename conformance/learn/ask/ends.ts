/** At `write` a run leaves at most one thing of a kind: before it makes a thing that may stay, it removes the others. */
import type { Call } from '../../client/call.js'
import type { Client } from '../../client/client.js'
import { Withheld } from '../../client/judge.js'
import { knowledgeOf } from '../../client/knowledge.js'
import type { Entry } from '../../client/ledger.js'
import { idOf, isObject, objects } from '../../client/look.js'
import { type Swept, sweep } from '../../client/sweep.js'
import { operation, type Profile, pathOf } from '../../contract/index.js'
import type { Exchange } from '../../oracle/exchange.js'
import { Oracle } from '../../oracle/judge.js'
import type { Seen } from '../trace/recorded.js'
import type { Script } from './script.js'

type Kind = 'user' | 'customField'

export interface Ends {
  /** Takes in an exchange, so that later refusals can be predicted. */
  note(exchange: Exchange): void
  /** Creates and removes one thing of each kind, so that the run knows whether removal works before it creates others. */
  prove(s: Script): Promise<void>
  /** Sends a call after the removal of earlier things of its kind that might stay; rejects with `Withheld` if one stays. */
  send(call: Call, go: (call: Call) => Promise<Seen>): Promise<Seen>
  /** Returns the results of the clean-ups during the run, together with those of the last one. */
  endsWith(last: Swept): readonly Swept[]
  /** The number of requests that the clean-ups during the run have sent. */
  readonly requests: number
}

const kinds: Readonly<Record<string, Kind>> = {
  createUser: 'user',
  updateUser: 'user',
  createCustomField: 'customField',
  updateCustomField: 'customField',
}

const nameIn = ({ body }: Call) => (isObject(body) ? body.username : undefined)
/** Members that may prevent a user's disabling, with a risky and the usual value; they are tried on a disabled user. */
const risks = ({ accessLevel }: Profile) =>
  [
    ['protected', true, false],
    ['access_level', 90, accessLevel],
  ] as const

export function createEnds(client: Client, profile: Profile): Ends {
  const { ledger } = client.guard
  const oracle = new Oracle(knowledgeOf(profile))
  const swept: Swept[] = []
  /** Users whose names are not in the ledger. */
  const unnamed = new Set<string>()
  /** Kinds of which the run has created and removed an ordinary thing. */
  const removable = new Set<Kind>()
  /** Kinds of which a thing could not be removed. */
  const stuck = new Set<Kind>()
  /** Members that do not prevent the disabling of a user on this target. */
  const harmless = new Set<string>()
  /** The member that is being tried. */
  let tried: string | null = null
  /** Things that the clean-up may not be able to remove, because of how they were created or changed. */
  const doubtful = new Set<Entry>()
  let requests = 0

  async function clear(entries: ReadonlySet<Entry>): Promise<void> {
    const before = client.requests
    const { left, ...others } = await sweep(client, profile, ledger, (entry) => !entries.has(entry))
    swept.push({ ...others, left: [] })
    requests += client.requests - before
  }

  const isOpen = (entry: Entry) => entry.state !== 'refused' && ledger.open.includes(entry)
  const openOf = (kind: Kind) => ledger.open.filter((entry) => entry.kind === kind && isOpen(entry))

  const isNamed = (name: unknown) =>
    typeof name === 'string' && name.length < 40 && name.startsWith(ledger.tag) && /^\w+$/.test(name)

  /** Whether the clean-up can find and remove the result of this call in the same way as those before. */
  function isUsual({ operation: op, body }: Call, kind: Kind): boolean {
    const isCreation = op.startsWith('create')
    if (!isObject(body) || (isCreation && !removable.has(kind))) return false
    const { username, access_level: level, custom_field: definition, projects } = body
    const name = kind === 'user' ? username : isObject(definition) ? definition.name : undefined
    const isLinked = projects !== undefined && !(Array.isArray(projects) && projects.length === 0)
    return (
      (isNamed(name) || (name === undefined && !isCreation)) &&
      (level === undefined || level === profile.accessLevel) &&
      !isLinked
    )
  }

  /** Whether the document demands a refusal of the call. */
  function isRefused({ operation: id, path = {}, query, body, rawBody, as, authorization }: Call): boolean {
    const { method } = operation(id)
    const foreseen = oracle.foresee({
      ...{ n: 0, caller: authorization === undefined ? (as ?? 'administrator') : 'nobody', method },
      ...{ path: pathOf(id, client.ext, path), query: query ?? '' },
      ...{ body: rawBody ?? JSON.stringify(body) ?? null, status: 0, text: '' },
      ...{ headers: {}, responseHeaders: {} },
    })
    return foreseen !== undefined && foreseen.violated.length > 0
  }

  function forbidRisk({ body }: Call): void {
    const { protected: isProtected = false, access_level: level } = isObject(body) ? body : {}
    const isHigh = typeof level === 'number' && level > (profile.accessLevel ?? 0)
    const found = [isProtected === false ? [] : ['protected'], isHigh ? ['access_level'] : []].flat()
    if (found.some((member) => member !== tried && !harmless.has(member)))
      throw new Withheld('not sent, since a user with it may not be disabled again')
  }

  /** Makes a call disable its user if the user may not be found or changed any more afterwards. */
  function disabled(call: Call): Call {
    const name = nameIn(call)
    if (name === undefined && call.operation !== 'createUser') return call
    // The first user is enabled, to show what disabling does.
    if (!removable.has('user') && isNamed(name)) return call
    if (!isObject(call.body))
      throw new Withheld('not sent, since an enabled user without a name may come of it')
    return { ...call, body: { ...call.body, enabled: false } }
  }

  /** Keeps users with a name that is blank or no text for the report, because no entry of the ledger has such a name. */
  function report(call: Call, entry: Entry | undefined, { json }: Seen): void {
    const name = nameIn(call)
    const id = entry?.id ?? entry?.told[0] ?? [...objects(json)].map((one) => idOf(one, 'user')).find(Boolean)
    if (typeof name === 'number') unnamed.add(id === undefined ? `${name}` : `${name}, with the id ${id}`)
    const given = call.operation === 'createUser' ? entry?.name : name
    if (!entry || typeof given !== 'string' || given.trim() !== '') return
    unnamed.add(`without a name, with the id ${id ?? 'that no answer shows'}`)
  }

  return {
    endsWith(last) {
      const isTold = (name: string) => name.trim() !== '' || unnamed.size === 0
      const all = [...swept, { left: [], told: [], disabled: [...unnamed] }, last]
      return all.map(({ disabled, ...rest }) => ({ ...rest, disabled: disabled.filter(isTold) }))
    },
    get requests() {
      return requests
    },
    note: (exchange) => void oracle.step(exchange),
    async prove(s) {
      const path = { user_id: await s.user() }
      await s.field()
      for (const kind of ['user', 'customField'] as const) {
        const made = openOf(kind)
        await clear(new Set(made))
        if (made.some(isOpen)) stuck.add(kind)
        else if (made.length > 0) removable.add(kind)
      }
      if (!removable.has('user')) return
      const set = async (body: object) => (await s.send('updateUser', { path, body }))?.status === 200
      for (const [member, risk, usual] of risks(profile)) {
        tried = member
        let isDone = true
        for (const body of [{ [member]: risk }, { enabled: false }, { [member]: usual }])
          isDone &&= await set(body)
        if (isDone) harmless.add(member)
      }
      tried = null
    },
    async send(call, go) {
      const kind = kinds[call.operation]
      if (kind === undefined || isRefused(call)) return go(call)
      if (kind === 'user') forbidRisk(call)
      if (isUsual(call, kind)) return go(call)
      const isCreation = call.operation.startsWith('create')
      const safe = kind === 'user' ? disabled(call) : call
      const address = String(Object.values(call.path ?? {})[0] ?? '')
      const isAt = ({ name, also, id }: Entry) => [name, ...also, String(id)].includes(address)
      const changed = isCreation ? [] : openOf(kind).filter(isAt)
      if (
        kind === 'user' &&
        nameIn(call) !== undefined &&
        !isNamed(nameIn(call)) &&
        changed.some(({ id }) => id === null)
      )
        throw new Withheld('not sent, since the user would not be found by its new name')
      const others = isCreation && !removable.has(kind) ? openOf(kind) : [...doubtful]
      const due = new Set(others.filter((one) => one.kind === kind && isOpen(one) && !changed.includes(one)))
      if (due.size > 0 && !stuck.has(kind)) {
        await clear(due)
        if ([...due].some(isOpen)) stuck.add(kind)
      }
      if (stuck.has(kind)) throw new Withheld(`not sent, since a ${kind} is left already`)
      const before = new Set(openOf(kind))
      try {
        const seen = await go(safe)
        const made = openOf(kind).find((one) => changed.includes(one) || !before.has(one))
        if (kind === 'user' && seen.status === 200) report(call, made, seen)
        return seen
      } finally {
        // An entry that was refused before the call may be open now.
        for (const one of openOf(kind)) if (changed.includes(one) || !before.has(one)) doubtful.add(one)
      }
    },
  }
}
