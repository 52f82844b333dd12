/** Runs scenarios at full length on the simulator, to find the calls that are worth sending to the target. */
import { isObject, scalars } from '../../oracle/json.js'
import type { Cause, Simulator } from '../copy/copy.js'
import { sentOf, sessionOf } from '../trace/recorded.js'
import {
  type Asked,
  createScript,
  namesIn,
  type Scenario,
  type Sender,
  type Setting,
  type Step,
} from './script.js'

/** A call of a rehearsal. */
export interface Candidate extends Asked {
  readonly cause: Cause | null
  /** Positions of the calls of the same rehearsal that it depends on. */
  readonly needs: readonly number[]
}

export interface Rehearsal {
  readonly scenario: Scenario
  readonly setting: Setting
  readonly calls: readonly Candidate[]
}

/** The scenario under another id, so that the things that it creates have other names. */
export const anew = (scenario: Scenario): Scenario => ({ ...scenario, id: `more-${scenario.id}` })

export async function rehearsed(
  scenario: Scenario,
  asked: Setting,
  simulator: Simulator,
): Promise<Rehearsal> {
  const fixed = asked.random()
  const setting: Setting = { ...asked, thorough: true, disposable: [], random: () => fixed }
  const calls: Candidate[] = []
  let state = simulator.start(0)
  let cause: Cause | null = null
  const sender: Sender = {
    async send(call) {
      const sent = simulator.send(sentOf(call, asked.profile), state, {})
      state = sent.after
      cause = sent.cause
      return sent.seen
    },
    async find({ kind, of }, seen) {
      if (kind === 'session') return sessionOf(seen)
      const { users, customFields } = state.tables
      const named = (row: object) => [Reflect.get(row, 'username'), Reflect.get(row, 'name')].includes(of)
      const row = (kind === 'user' ? users : customFields).find(named)
      return row === undefined ? null : String(Reflect.get(row, 'id'))
    },
  }
  const made = new Map<string, number>()
  const record = (one: Asked) => {
    const { step, seen } = one
    const needs = [...new Set([...wordsOf(step), ...namesIn(step)].flatMap((word) => made.get(word) ?? []))]
    calls.push({ ...one, cause, needs })
    if (seen.status >= 300) return
    for (const word of madeBy(step)) made.set(word, calls.length - 1)
  }
  await scenario.run(createScript(scenario, setting, sender, record))
  return { scenario, setting, calls }
}

/** The texts by which later calls refer to the thing that a call creates. */
function madeBy({ operation, body, bind }: Step): string[] {
  const { username, email, realname, custom_field } = (isObject(body) ? body : {}) as Record<string, unknown>
  const names =
    operation === 'createUser'
      ? [username, email, realname]
      : operation === 'createCustomField' && isObject(custom_field)
        ? [custom_field.name]
        : []
  const words = names.filter((name): name is string => typeof name === 'string' && name.length > 5)
  return bind ? [bind.name, ...words] : words
}

const wordsOf = ({ path, body, headers }: Step): string[] =>
  scalars([path, body, headers])
    .map(String)
    .flatMap((text) => [text, text.trim(), text.toLowerCase()])
