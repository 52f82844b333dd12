/** Scenarios are scripts of calls; names stand for values that only an answer shows, so that they run on any target. */

import type { Call } from '../../client/call.js'
import { Withheld } from '../../client/judge.js'
import type { OperationId, Profile, Safety } from '../../contract/index.js'
import { deep } from '../fit/template.js'
import type { Seen } from '../trace/recorded.js'

/** A call in which `{{name}}` stands for a value from an earlier call of its scenario. */
export interface Step extends Omit<Call, 'path'> {
  readonly path?: Readonly<Record<string, string>>
  /** The value that gets a name: it comes from the answer, or else from the target's state. */
  readonly bind?: Binding
  /** Whether it is sent even if only some calls are: it prepares other calls, or it restores what they change. */
  readonly keep?: boolean
}

export interface Binding {
  readonly name: string
  readonly kind: 'field' | 'user' | 'session'
  /** The username, or the name of the field. */
  readonly of: string
}

/** A step that was sent, its call with values for the names, and the answer. */
export interface Asked {
  readonly step: Step
  readonly call: Call
  readonly seen: Seen
}

/** What scenarios use: the profile, a tag for everything that they create, and random numbers. */
export interface Setting {
  readonly profile: Profile
  readonly tag: string
  readonly random: () => number
  /** The password of all users that the run creates. */
  readonly password: string
  /** Fields of the profile that may be deleted and that no scenario has used yet. */
  readonly disposable: number[]
  /** Whether the budget is large enough to run all scenarios in full length. */
  readonly thorough: boolean
  readonly names: Readonly<Partial<Record<'administrator' | 'restricted' | 'password', string>>>
  /** The answer to a call that is not sent, so that later calls stay the same; undefined for a call that is sent. */
  readonly instead?: (step: Step) => Seen | null | undefined
}

export interface Script extends Setting {
  /** Sends a call; null if the guard withholds it, or if a name has no value because an earlier call failed. */
  send(operation: OperationId, request?: Request): Promise<Seen | null>
  name(): string
  user(overrides?: object): Promise<string>
  field(overrides?: object, projects?: readonly string[]): Promise<string>
  userBody(overrides?: object): Record<string, unknown> & { username: string; email: string }
  fieldBody(overrides?: object): { custom_field: Record<string, unknown> & { name: string } }
  pick<T>(items: readonly T[]): T
  /** All items in a thorough run, otherwise `count` of them; the most informative ones stand first. */
  few<T>(count: number, items: readonly T[], from?: number): readonly T[]
}

export type Request = Omit<Step, 'operation'>

export interface Scenario {
  readonly id: string
  readonly safety: Safety
  /** The profile's field that the scenario cannot do without. */
  readonly needs?: keyof Profile | 'tokens.restricted' | 'tokens.password'
  run(s: Script): Promise<void>
}

/** Sends the calls of one scenario. */
export interface Sender {
  send(call: Call): Promise<Seen>
  /** The id of what a scenario created: from its answer or, with `further`, from more requests; null where none shows it. */
  find(binding: Binding, seen: Seen, further: boolean): Promise<string | null>
}

export function createScript(
  scenario: Scenario,
  setting: Setting,
  sender: Sender,
  record: (asked: Asked) => void = () => undefined,
): Script {
  const { profile, tag, random, disposable } = setting
  const bound: Record<string, string> = {}
  /** Things whose id no answer has shown yet. The id is looked up when a call needs it. */
  const pending = new Map<string, { binding: Binding; seen: Seen }>()
  let counter = 0
  const prefix = `${tag}${scenario.id.replace(/\W/g, '')}`
  const name = () => `${prefix}${(++counter).toString(36)}`

  async function send(operation: OperationId, request: Request = {}): Promise<Seen | null> {
    const step: Step = { operation, ...request }
    const instead = setting.instead?.(step)
    if (instead !== undefined) return instead
    for (const name of namesIn(step)) {
      const { binding, seen } = pending.get(name) ?? {}
      if (!binding || !seen) continue
      pending.delete(name)
      const id = await sender.find(binding, seen, true)
      if (id !== null) bound[name] = id
    }
    const call = resolved(step, bound)
    if (call === null) return null
    const seen = await sender.send(call).catch(unlessWithheld)
    if (seen === null) return null
    if (step.bind) {
      // The id of a field is looked up at once, so that the clean-up can remove the field.
      const id = await sender.find(step.bind, seen, step.bind.kind !== 'user')
      if (id !== null) bound[step.bind.name] = id
      else if (step.bind.kind === 'user') pending.set(step.bind.name, { binding: step.bind, seen })
    }
    record({ step, call, seen })
    return seen
  }

  function userBody(overrides: object = {}) {
    const username = name()
    return {
      username,
      email: `${username}@${profile.emailDomain ?? 'example.org'}`,
      realname: `Kit ${username}`,
      password: setting.password,
      ...(profile.accessLevel === undefined ? {} : { access_level: profile.accessLevel }),
      enabled: true,
      ...overrides,
    }
  }

  function fieldBody(overrides: object = {}) {
    const type = profile.customField?.type
    return { custom_field: { name: name(), ...(type === undefined ? {} : { type }), ...overrides } }
  }

  return {
    ...setting,
    send,
    name,
    userBody,
    fieldBody,
    pick: (items) => items[Math.floor(random() * items.length)] as (typeof items)[number],
    few: (count, items, from = 0) => (setting.thorough ? items : items.slice(from, from + count)),
    async user(overrides = {}) {
      const body = userBody(overrides)
      await send('createUser', {
        body,
        bind: { name: `id.${body.username}`, kind: 'user', of: body.username },
      })
      return body.username
    },
    async field(overrides = {}, projects) {
      const body = fieldBody(overrides)
      const bind = { name: body.custom_field.name, kind: 'field', of: body.custom_field.name } as const
      await send('createCustomField', { body: projects ? { ...body, projects } : body, bind })
      const { name: given } = body.custom_field
      if (bound[given] !== undefined || setting.instead) return `{{${given}}}`
      const id = disposable.pop()
      return id === undefined ? `{{${given}}}` : String(id)
    },
  }
}

/** Returns null for a call that the guard withholds; rethrows other errors. */
export function unlessWithheld(error: unknown): null {
  if (error instanceof Withheld) return null
  throw error
}

/** The names in a call that stand for values. */
export const namesIn = (step: Step): string[] =>
  [...JSON.stringify(step).matchAll(/\{\{([^}]+)\}\}/g)].map(([, name = '']) => name)

/** The call with values for its names; null where a name has no value. */
export function resolved(step: Step, bound: Readonly<Record<string, string>>): Call | null {
  const { bind: _, keep: __, ...call } = step
  let missing = false
  const filled = deep(call, (text) =>
    text.replace(/\{\{([^}]+)\}\}/g, (whole, name: string) => {
      if (bound[name] === undefined) missing = true
      return bound[name] ?? whole
    }),
  ) as Call
  return missing ? null : filled
}
