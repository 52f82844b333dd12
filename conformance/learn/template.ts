/** Error answers with names in the place of what they repeat of the request. */
import { isObject } from '../target/look.js'
import type { Recorded } from './script.js'
import type { Cause, Replayed } from './simulate.js'

export interface LiteralAnswer {
  readonly status: number
  readonly code: number | 'status' | null
  readonly message: string
  readonly localized: string | null
  readonly members: Readonly<Record<string, unknown>>
}

export function templateOf(
  { status, json }: Recorded['seen'],
  bound: Readonly<Record<string, string>>,
  replayed: Replayed,
  { parameters }: Cause,
  always: boolean,
): LiteralAnswer {
  const { message, code, localized, ...members } = json as Record<string, unknown>
  const text = (value: string) => templated(value, bound, replayed.bound, parameters)
  return {
    status,
    code: typeof code !== 'number' ? null : always ? 'status' : code,
    message: text(String(message ?? '')),
    localized: typeof localized === 'string' ? text(localized) : null,
    members: deep(members, text) as Record<string, unknown>,
  }
}

function templated(
  value: string,
  bound: Readonly<Record<string, string>>,
  simulated: Readonly<Record<string, string>>,
  parameters: Readonly<Record<string, string>>,
): string {
  let text = value
  const rank = (name: string) =>
    /^\d$/.test(name) ? 0 : name.startsWith('path') ? 1 : name.startsWith('caller') ? 3 : 2
  const entries = Object.entries(parameters).sort(
    ([a, x], [b, y]) => y.length - x.length || rank(a) - rank(b),
  )
  for (const [name, own] of entries) {
    // The simulator knows by another id what the target made.
    const bind = Object.keys(simulated).find((key) => simulated[key] === own)
    const theirs = (bind === undefined ? undefined : bound[bind]) ?? own
    for (const literal of new Set([own, theirs]))
      if (literal.length > 1 && literal.length < 200)
        text = text.replace(new RegExp(`(?<![\\w{.])${escaped(literal)}(?![\\w}])`, 'g'), `{${name}}`)
  }
  return text
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

function deep(value: unknown, text: (value: string) => string): unknown {
  if (typeof value === 'string') return text(value)
  if (Array.isArray(value)) return value.map((item) => deep(item, text))
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, deep(item, text)]))
    : value
}
