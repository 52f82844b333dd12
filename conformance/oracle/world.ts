/** What a trace shows of a tracker: things, facts, absent names, and what was accepted before. */
import type { OperationId } from '../contract/index.js'
import { isObject } from './json.js'
import type { Knowledge } from './knowledge.js'
import { type About, partOf, type Request } from './request.js'
import { type Absence, type Fact, groupOf, type Sight, type Thing, type ThingKind } from './things.js'
import { proofOf, type Value, valuesOf } from './values.js'

export class World {
  readonly things: Thing[] = []
  readonly requests: Request[] = []
  /** What reads have shown of known things. */
  readonly sights: Sight[] = []
  /** Absent things, by kind and address. */
  readonly absent = new Map<string, Absence>()
  /** Forms of values that were accepted before. */
  readonly accepted = new Set<string>()
  /** What pages and the profile offer for a choice. */
  readonly offered: Set<unknown>
  /** Members under which a text was accepted. */
  readonly texts = new Map<unknown, Set<string>>()
  /** Names and addresses that something has or had, folded. */
  readonly taken = new Set<string>()
  /** Members that were enough for an operation, each time that it was accepted. */
  readonly enough = new Map<OperationId, (readonly string[])[]>()
  /** `operation caller` of what was answered 200 once. */
  readonly served = new Set<string>()
  /** Accepted values of self-service settings, by option. */
  readonly options = new Map<string, Set<unknown>>()
  /** Callers whose identity is unknown since an impersonation. */
  readonly unsettled = new Set<string>()
  /** Callers whose rights are unknown since an impersonation. */
  readonly doubted = new Set<string>()
  /** Callers who may be users whose rights a request has changed since. Each operation may demand other rights. */
  readonly changed = new Set<string>()
  /** Whether a token stays its caller's own after an impersonation; undefined until an account page has told. */
  keepsCallers: boolean | undefined
  /** Whom each impersonation that succeeded was of. */
  readonly impersonated: (Thing | undefined)[] = []
  /** The texts of each caller's last account page. */
  readonly ownTexts = new Map<string, ReadonlySet<string>>()
  /** Texts and numbers of the last list of fields. */
  listedTexts: readonly string[] = []
  /** The password of the password account; undefined where it is not known. */
  password: string | undefined
  /** How often the own password was changed; tokens may have ended with that. */
  passwordChanges = 0
  /** How many wrong passwords were refused since the last right one. */
  wrongPasswords = 0
  /** The last thing of each kind that was changed. */
  readonly lastChanged = new Map<string, Thing>()
  /** The last exchange that could change anything. */
  lastChange = 0
  readonly projects: readonly string[]
  readonly #promised: ReadonlySet<string>

  constructor(readonly knowledge: Knowledge) {
    const { user, plugin, recipients = [], userSetting, columns, settings, customField } = knowledge
    const { accessLevel, projectAccessLevel, projects = [] } = knowledge
    this.projects = projects
    this.password = knowledge.passwordAccount?.current
    this.offered = new Set([customField?.type, accessLevel, projectAccessLevel])
    if (user) this.add('known', user.username, { id: String(user.id) })
    if (plugin)
      this.establish(this.add('plugin', plugin.name), 'installed', {
        ...{ possible: [false], n: 0, by: 'installPlugin', way: 'creation' },
      })
    for (const id of recipients) this.add('recipient', String(id), { id: String(id) })
    for (const id of customField?.ids ?? []) this.add('field', '', { id: String(id), isUnsure: true })
    if (userSetting) this.options.set(userSetting.option, new Set([userSetting.value]))
    this.#prove([
      ...valuesOf('columns', columns),
      ...valuesOf('settings', settings),
      ...valuesOf('assignment', { project_ids: projects, access_level: projectAccessLevel }),
      ...valuesOf('field', { projects }),
      ...valuesOf('password', { password: knowledge.passwordAccount?.next }),
      ...valuesOf('user', { access_level: accessLevel }),
    ])
    this.#promised = new Set(this.accepted)
  }

  add(kind: ThingKind, name: string, more: Partial<Thing> = {}): Thing {
    const thing: Thing = {
      ...{ kind, name, names: new Set(name === '' ? [] : [name]), serial: this.things.length, born: 0 },
      ...{ caller: 'administrator', facts: new Map(), isGone: false, isUnsure: false },
      ...{ changes: new Map<string, number>(), refused: new Map(), log: [], candidates: [] },
      ...more,
    }
    this.things.push(thing)
    return thing
  }

  /** The thing that a request is about: by its address, or by its caller where the path has no address. */
  subjectOf({ op, kind, address = '', caller, body }: About): Thing | undefined {
    // A number is the id of a user.
    const isName = kind === 'plugin' || (kind === 'user' && !/^\d+$/.test(address))
    const isNamed = ({ name, id }: Thing) => id === address || (isName && name === address)
    if (kind) return this.#find((one) => groupOf(one) === kind && isNamed(one))
    if (op === 'getUserSettingsPage' || op === 'updateUserSettings')
      return this.#ownOf('settings', 'settings', caller)
    if (op !== 'manageColumns' || !isObject(body) || body.project === undefined) return undefined
    const { project, type = 'view' } = body
    const id = isObject(project) ? (project.id ?? project) : project
    return this.#ownOf('columns', JSON.stringify([String(id), type]), caller)
  }
  /** Gives a field its id. The profile may know the same field by its id alone. */
  giveId(field: Thing, id: string): void {
    for (const one of this.of('field')) if (one.name === '' && one.id === id) one.isGone = true
    field.id = id
  }
  /** The user whose session a caller has alone, without a token beside it. */
  targetOf(caller: string): Thing | undefined {
    const [, session] = /^session:(\d+)$/.exec(caller) ?? []
    return this.impersonated[Number(session) - 1]
  }
  #ownOf(kind: ThingKind, name: string, caller: string): Thing | undefined {
    // Several callers may be unknown.
    if (caller === 'unknown') return undefined
    const isIt = (one: Thing) => one.kind === kind && one.name === name && one.caller === caller
    return this.#find(isIt) ?? this.add(kind, name, { caller })
  }
  /** The latest that is surely there, or may be, or was. */
  #find(isIt: (thing: Thing) => boolean): Thing | undefined {
    const found = this.things.filter(isIt)
    const isSure = (one: Thing) => !one.isGone && !one.isUnsure
    return found.findLast(isSure) ?? found.findLast((one) => !one.isGone) ?? found.at(-1)
  }
  of(kind: ThingKind): Thing[] {
    return this.things.filter((one) => one.kind === kind)
  }

  establish(thing: Thing, name: string, fact: Fact): void {
    thing.facts = new Map(thing.facts).set(name, fact)
  }
  /** Both the former value and the new one are possible. */
  fork(thing: Thing, name: string, fact: Fact): void {
    const before = thing.facts.get(name)?.possible
    const possible = before && fact.possible ? [...before, ...fact.possible] : null
    this.establish(thing, name, { ...fact, possible })
  }
  /** Nothing is known of these attributes until they are established again. */
  forget(thing: Thing, names: Iterable<string>, { op: by, n }: Pick<Request, 'op' | 'n'>): void {
    const facts = new Map(thing.facts)
    for (const name of names) facts.set(name, { possible: null, by, n })
    thing.facts = facts
  }
  /** The state of a thing is unknown from now on. */
  taint(thing: Thing, names: Iterable<string>, request: Pick<Request, 'op' | 'n'>): void {
    this.forget(thing, [...thing.facts.keys(), ...names], request)
    thing.isUnsure = true
  }

  /** What was accepted once is proven: the values, and that its caller may use the operation. */
  accept(request: Request): void {
    const { op, gate, caller, values, body } = request
    const names = Object.keys(partOf(request) ?? {})
    const before = this.enough.get(op) ?? []
    if (!before.some((least) => least.every((name) => names.includes(name))))
      this.enough.set(op, [...before, names])
    this.#prove(values, op)
    for (const { member, value } of values)
      if (typeof value === 'string') this.texts.set(value, (this.texts.get(value) ?? new Set()).add(member))
    const isProven = gate === 'gated' && !this.unsettled.has(caller) && !this.changed.has(caller)
    if (isProven) this.doubted.delete(caller)
    this.served.add(`${op} ${caller}`)
    if (op === 'updateUserSettings' && isObject(body) && Array.isArray(body.configs))
      for (const one of body.configs.filter(isObject))
        this.options.set(String(one.option), new Set(this.options.get(String(one.option))).add(one.value))
  }
  #proofOf = (value: Value, op?: OperationId): string =>
    proofOf(value, op, this.knowledge.customField?.nameLimit)
  #prove(values: readonly Value[], op?: OperationId): void {
    for (const value of values) this.accepted.add(this.#proofOf(value, op))
  }
  isProven(value: Value, op: OperationId): boolean {
    return this.accepted.has(this.#proofOf(value, op))
  }
  isPromised(value: Value, op: OperationId): boolean {
    return this.#promised.has(this.#proofOf(value, op))
  }
}
