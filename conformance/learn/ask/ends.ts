/** At `write` a run leaves one thing of a kind at most: whatever may stay is made after the last of its like is gone. */
import type { Call } from '../../client/call.js'
import type { Client } from '../../client/client.js'
import { Withheld } from '../../client/judge.js'
import { knowledgeOf } from '../../client/knowledge.js'
import type { Entry } from '../../client/ledger.js'
import { idOf, isObject, objects } from '../../client/look.js'
import { type Swept, sweep } from '../../client/sweep.js'
import { operation, type Profile } from '../../contract/index.js'
import type { Exchange } from '../../oracle/exchange.js'
import { Oracle } from '../../oracle/judge.js'
import type { Seen } from '../trace/recorded.js'
import type { Script } from './script.js'

type Kind = 'user' | 'customField'

export interface Ends {
  /** Takes in what was answered. */
  note(exchange: Exchange): void
  /** Makes one thing of each kind, and removes it: what cannot be undone shows before there are others. */
  prove(s: Script): Promise<void>
  /** Sends a call once nothing of its kind is there that might stay; rejects with `Withheld` where something stays. */
  send(call: Call, go: (call: Call) => Promise<Seen>): Promise<Seen>
  /** What the clean-ups in between and the last one have done. */
  endsWith(last: Swept): readonly Swept[]
  /** Requests that they took. */
  readonly requests: number
}

const kinds: Readonly<Record<string, Kind>> = {
  createUser: 'user',
  updateUser: 'user',
  createCustomField: 'customField',
  updateCustomField: 'customField',
}

const nameIn = ({ body }: Call) => (isObject(body) ? body.username : undefined)
/** Members with which a user may be out of reach, and what they usually are: tried on one who is disabled. */
const risks = ({ accessLevel }: Profile) =>
  [
    ['protected', true, false],
    ['access_level', 90, accessLevel],
  ] as const

export function createEnds(client: Client, profile: Profile): Ends {
  const { ledger } = client.guard
  const oracle = new Oracle(knowledgeOf(profile))
  const swept: Swept[] = []
  /** Users whose names the ledger does not have. */
  const unnamed = new Set<string>()
  /** Of what has been made as most are, one was removed. */
  const removable = new Set<Kind>()
  /** Something of the kind is left. */
  const stuck = new Set<Kind>()
  /** Members with which a user can be disabled still. */
  const harmless = new Set<string>()
  /** The member that is tried now. */
  let tried: string | null = null
  /** Made or changed in such a way that it may stay. */
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

  /** What comes of it is found and removed as those are that were. */
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

  /** The document demands a refusal. */
  function isRefused({ operation: id, path = {}, query, body, rawBody, as, authorization }: Call): boolean {
    const { method, path: template } = operation(id)
    const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
    const foreseen = oracle.foresee({
      ...{ n: 0, caller: authorization === undefined ? (as ?? 'administrator') : 'nobody', method },
      ...{ path: `/plugins/${client.ext}${filled}`, query: query ?? '' },
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

  /** A user who may never be found again, or be out of reach, is made or renamed disabled. */
  function disabled(call: Call): Call {
    const name = nameIn(call)
    if (name === undefined && call.operation !== 'createUser') return call
    // The first of all is enabled, to show what disabling does.
    if (!removable.has('user') && isNamed(name)) return call
    if (!isObject(call.body))
      throw new Withheld('not sent, since an enabled user without a name may come of it')
    return { ...call, body: { ...call.body, enabled: false } }
  }

  /** A name that is no text, or none, is in no entry of the ledger: the report has it from here. */
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
        // One that was refused before may be there now.
        for (const one of openOf(kind)) if (changed.includes(one) || !before.has(one)) doubtful.add(one)
      }
    },
  }
}
