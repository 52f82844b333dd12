/** Scenarios are scripts of calls with names in the place of what only an answer tells, so that they run on any target. */

import type { Call } from '../../client/call.js'
import { Withheld } from '../../client/judge.js'
import { isObject } from '../../client/look.js'
import type { OperationId, Profile, Safety } from '../../contract/index.js'
import type { Seen } from '../trace/recorded.js'

/** A call in which `{{name}}` stands for what an earlier call of its scenario bound. */
export interface Step extends Omit<Call, 'path'> {
  readonly path?: Readonly<Record<string, string>>
  /** What its answer, or else the target's state, is to be remembered for. */
  readonly bind?: Binding
  /** Sent also where only some calls of the scenario are: it prepares the others, or puts back what they change. */
  readonly keep?: boolean
}

export interface Binding {
  readonly name: string
  readonly kind: 'field' | 'user' | 'session'
  /** Username or name of the field. */
  readonly of: string
}

/** A step that was sent, with values for its names. */
export interface Asked {
  readonly step: Step
  readonly call: Call
  readonly seen: Seen
}

/** What scenarios are made of: the profile, a tag for all that they make, and random numbers. */
export interface Setting {
  readonly profile: Profile
  readonly tag: string
  readonly random: () => number
  /** Of all users that the run makes. */
  readonly password: string
  /** Fields of the profile that may be deleted, and have not been used yet. */
  readonly disposable: number[]
  /** Whether there may be more than five hundred requests. */
  readonly thorough: boolean
  readonly names: Readonly<Partial<Record<'administrator' | 'restricted' | 'password', string>>>
  /** Answers to calls that are not sent, so that what follows them is what it would be; undefined for those that are. */
  readonly instead?: (step: Step) => Seen | null | undefined
}

export interface Script extends Setting {
  /** Sends a call; null where a name in it stands for nothing, because an earlier call did not come out. */
  send(operation: OperationId, request?: Request): Promise<Seen | null>
  name(): string
  user(overrides?: object): Promise<string>
  field(overrides?: object, projects?: readonly string[]): Promise<string>
  userBody(overrides?: object): Record<string, unknown> & { username: string; email: string }
  fieldBody(overrides?: object): { custom_field: Record<string, unknown> & { name: string } }
  pick<T>(items: readonly T[]): T
  /** All of them in a thorough run, else a few: the most telling stand first. */
  few<T>(count: number, items: readonly T[], from?: number): readonly T[]
}

export type Request = Omit<Step, 'operation'>

export interface Scenario {
  readonly id: string
  readonly safety: Safety
  /** The profile's field without which there is nothing to ask. */
  readonly needs?: keyof Profile | 'tokens.restricted' | 'tokens.password'
  run(s: Script): Promise<void>
}

/** Sends the calls of one scenario. */
export interface Sender {
  send(call: Call): Promise<Seen>
  /** The id of what a scenario made, where the target tells it: in the answer itself, or else by further requests. */
  find(binding: Binding, seen: Seen, further: boolean): Promise<string | null>
}

export function createScript(
  scenario: Scenario,
  setting: Setting,
  sender: Sender,
  record: (asked: Asked) => void = () => undefined,
): Script {
  const { profile, tag, random, disposable } = setting
  const bound: Record<string, string> = tokensOf(profile)
  /** What was made and whose id no answer has told yet. Asked for once a call needs it. */
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
      // A field is known by its id at once, so that the clean-up can remove it.
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

/** What the guard does not let out is not asked. */
export function unlessWithheld(error: unknown): null {
  if (error instanceof Withheld) return null
  throw error
}

/** The names that stand for something in a call. */
export const namesIn = (step: Step): string[] =>
  [...JSON.stringify(step).matchAll(/\{\{([^}]+)\}\}/g)].map(([, name = '']) => name)

export function tokensOf({ tokens }: Profile): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tokens).flatMap(([role, token]) => (token ? [[`token.${role}`, token]] : [])),
  )
}

/** The call with values for its names; null where one of them has none. */
export function resolved(step: Step, bound: Readonly<Record<string, string>>): Call | null {
  const { bind: _, keep: __, ...call } = step
  let missing = false
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value.replace(/\{\{([^}]+)\}\}/g, (whole, name: string) => {
        if (bound[name] === undefined) missing = true
        return bound[name] ?? whole
      })
    if (Array.isArray(value)) return value.map(fill)
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item)]))
      : value
  }
  const filled = fill(call) as Call
  return missing ? null : filled
}
