/** Scenarios run at length on the simulator, to see which of their calls are worth sending to the target. */
import { isObject } from '../../client/look.js'
import {
  createScript,
  namesIn,
  type Recorded,
  type Scenario,
  type Sender,
  type Setting,
  type Step,
  sessionOf,
} from '../ask/script.js'
import type { Replayed, Simulator, State } from '../copy/copy.js'

/** A call of a rehearsal. */
export interface Candidate {
  readonly recorded: Recorded
  readonly replayed: Replayed
  readonly read: ReadonlySet<string>
  /** What the simulator stored before it and after it. */
  readonly before: State
  readonly after: State
  /** Positions of the calls of the same rehearsal that it builds on. */
  readonly needs: readonly number[]
}

export interface Rehearsal {
  readonly scenario: Scenario
  readonly setting: Setting
  readonly calls: readonly Candidate[]
}

/** Under a name of its own, so that what it makes is its own too. */
export const anew = (scenario: Scenario): Scenario => ({ ...scenario, id: `more-${scenario.id}` })

export async function rehearsed(
  scenario: Scenario,
  asked: Setting,
  simulator: Simulator,
): Promise<Rehearsal> {
  const fixed = asked.random()
  const setting: Setting = { ...asked, thorough: true, disposable: [], random: () => fixed }
  const calls: Candidate[] = []
  const { start } = simulator
  let last: Pick<Candidate, 'read' | 'before' | 'after'> & Pick<Replayed, 'cause'> = {
    ...{ cause: null, read: new Set(), before: start, after: start },
  }
  const sender: Sender = {
    async send(call) {
      const before = simulator.state()
      const { seen, cause } = await simulator.send(call)
      last = { cause, read: simulator.takeRead(), before, after: simulator.state() }
      return seen
    },
    async find({ kind, of }, seen) {
      if (kind === 'session') return sessionOf(seen)
      const id = simulator.idOf(kind, of)
      return id === null ? null : String(id)
    },
  }
  const made = new Map<string, number>()
  const record = (recorded: Recorded) => {
    const { step, seen, bound } = recorded
    calls.push({
      recorded,
      replayed: { seen, bound, cause: last.cause },
      read: last.read,
      before: last.before,
      after: last.after,
      needs: [...new Set([...wordsOf(step), ...namesIn(step)].flatMap((word) => made.get(word) ?? []))],
    })
    if (seen.status >= 300) return
    for (const word of madeBy(step)) made.set(word, calls.length - 1)
  }
  simulator.restore(simulator.start)
  simulator.takeRead()
  await scenario.run(createScript(scenario, setting, sender, record))
  return { scenario, setting, calls }
}

/** By what later calls speak of the thing that a call makes. */
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
  leaves([path, body, headers]).flatMap((text) => [text, text.trim(), text.toLowerCase()])

const leaves = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(leaves)
      : []
