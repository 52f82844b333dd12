/** Faults that a test injects. */
import { z } from 'zod'
import { checked } from '../../conformance/contract/checked.js'
import { noSuch } from '../../conformance/contract/nearest.js'
import { operation, operationIds, operations } from '../../conformance/contract/operations.js'
import { contains } from '../observe/subset.js'
import { generator } from '../random.js'
import { type Duration, milliseconds, type TrackerClock } from './clock.js'

const faultCall = z.strictObject({
  operation: z.enum(operationIds),
  path: z.record(z.string(), z.string()).readonly(),
  body: z.unknown(),
  caller: z.string().nullable(),
})

/** What the matcher of a fault knows of a call: `body` is parsed JSON or null; `caller` is a username or null. */
export type FaultCall = Readonly<z.infer<typeof faultCall>>

const whole = (from: number, to: number, error: string) =>
  z.int({ error }).min(from, { error }).max(to, { error })
const count = whole(1, Number.MAX_SAFE_INTEGER, 'must be a whole number from 1 on')

/** Checks single fields; `check` checks whether they make sense together. The inspector and the reference describe them so. */
export const faultSchema = z
  .strictObject({
    operation: z.enum(operationIds).describe('The operation that it hits; absent: all'),
    status: whole(200, 599, 'must be a status from 200 to 599').describe(
      "200 to 599; absent: the tracker's own answer, delayed or broken",
    ),
    body: z
      .unknown()
      .describe(
        'The body, sent as JSON; a text is sent as it stands if `headers` name another content type. Needs `status`. Default: an error',
      ),
    headers: z.record(z.string(), z.string()).describe('Added to the answer; needs `status`'),
    delay: (z.union([z.number(), z.string()]) as z.ZodType<Duration>).describe(
      "Delays the answer by the tracker's clock: `2s`, or a number of milliseconds",
    ),
    transport: z
      .enum(['drop', 'truncate'])
      .describe('`drop` ends the connection without an answer, `truncate` in the middle of its body'),
    phase: z
      .enum(['before', 'after'])
      .describe(
        '`before` (default): the operation does not take place; `after`: it has taken place, and its effects are stored',
      ),
    when: (z.unknown() as z.ZodType<((call: FaultCall) => boolean) | Partial<FaultCall>>).describe(
      'Which calls: a part of `{ operation, path, body, caller }`, such as `{ "path": { "user_id": "nina" } }`; `caller` is a username; in code also a function of this',
    ),
    nth: count.describe('Skips the calls before the n-th, then hits one, or `times` calls'),
    times: count.describe('How many calls it hits; default all, or one with `nth`'),
    probability: z
      .number()
      .refine((value) => value >= 0 && value <= 1, 'must be from 0 to 1')
      .describe('From 0 to 1: hits by chance, the same calls in each run'),
    seed: z.number().describe('Seed of the chance, default 1'),
  })
  .partial()

/**
 * Something that goes wrong with a call: a `status`, a `delay`, a `transport`, or several of them. `operation` and
 * `when` select calls; `nth`, `times` and `probability` select some of these. `body` and `headers` need a `status`. With
 * the phase `after`, the fault strikes once the effects are stored. On a connection that was used before, a browser
 * repeats a dropped request by itself, even a POST. The reference lists the fields.
 */
export type Fault = Readonly<z.infer<typeof faultSchema>>

export interface ActiveFault {
  readonly hits: number
  clear(): void
}

export interface Faults {
  /** Throws one line if the fault contradicts itself or names something that does not exist. */
  inject(fault: Fault): ActiveFault
  /** Removes all faults and releases delayed answers; with an id, removes only that fault. */
  clear(id?: number): void
  /** Faults that may still strike. */
  readonly active: readonly (Fault & { readonly id: number; readonly hits: number })[]
}

/**
 * The error of a client whose connection ended: `fetch` rejects with it, or, after a truncated body, the body's stream
 * does. A server that gets it as a rejection must send `sent`, if there is any, and then end the connection.
 */
export class ConnectionDropped extends TypeError {
  /** The beginning of the answer; its headers announce the length of the whole. */
  readonly sent: { readonly status: number; readonly headers: Headers; readonly body: string } | null

  constructor(sent: ConnectionDropped['sent'] = null) {
    // The message of Node's global fetch.
    super(sent ? 'terminated' : 'fetch failed', {
      cause: Object.assign(new Error('A fault dropped the connection'), { code: 'ECONNRESET' }),
    })
    this.sent = sent
  }
}

export type FaultBox = ReturnType<typeof createFaults>

type Injected = { id: number; fault: Fault; random: () => number; calls: number; hits: number }

export function createFaults(clock: TrackerClock, onChange: () => void) {
  let injected: Injected[] = []
  let last = 0
  const clear = (id?: number) => {
    injected = id === undefined ? [] : injected.filter((one) => one.id !== id)
    if (id === undefined) clock.release()
    onChange()
  }

  function strikes(one: Injected, phase: 'before' | 'after', call: FaultCall): boolean {
    const { fault } = one
    if (phaseOf(fault) !== phase) return false
    if (fault.operation !== undefined && fault.operation !== call.operation) return false
    if (typeof fault.when === 'function' ? !fault.when(call) : !contains(call, fault.when ?? {})) return false
    one.calls += 1
    if (one.calls < (fault.nth ?? 1)) return false
    return fault.probability === undefined || one.random() < fault.probability
  }

  return {
    inject(fault: Fault): ActiveFault {
      check(fault)
      last += 1
      const one = { id: last, fault: { ...fault }, random: generator(fault.seed ?? 1), calls: 0, hits: 0 }
      injected.push(one)
      onChange()
      return {
        get hits() {
          return one.hits
        },
        clear: () => clear(one.id),
      }
    },
    clear,
    get active(): Faults['active'] {
      return injected.map(({ id, fault, hits }) => ({ ...fault, id, hits }))
    },
    /** The fault that strikes this call in this phase; counts as a hit. */
    take(phase: 'before' | 'after', call: FaultCall): Fault | null {
      const one = injected.find((candidate) => strikes(candidate, phase, call))
      if (!one) return null
      one.hits += 1
      const { fault } = one
      const most = fault.times ?? (fault.nth === undefined ? undefined : 1)
      if (one.hits === most) injected = injected.filter((other) => other !== one)
      return fault
    },
  }
}

/** The tracker's own answer can be truncated only once it exists. */
const phaseOf = ({ phase, status, transport }: Fault) =>
  phase ?? (transport === 'truncate' && status === undefined ? 'after' : 'before')

function check(fault: Fault): void {
  checked(faultSchema, fault, 'fault')
  const { status, delay, transport, phase, when } = fault
  if (typeof when === 'object') checkWhen(when, fault.operation)
  if (status === undefined && delay === undefined && transport === undefined)
    throw new RangeError('A fault needs a status, a delay or a transport; it would do nothing')
  if ((fault.body ?? fault.headers) !== undefined && status === undefined)
    throw new RangeError('A fault with a body or headers needs a status')
  if (delay !== undefined) milliseconds(delay)
  if (transport === 'drop' && status !== undefined)
    throw new RangeError('A fault that drops the connection has no status, since nothing is answered')
  if (transport === 'truncate' && status === undefined && phase === 'before')
    throw new RangeError('A fault that truncates an answer before the operation needs a status')
}

/** Throws also on a parameter that the path of the operation lacks, or the paths of all: no call would match it. */
function checkWhen(when: Partial<FaultCall>, hit = when.operation): void {
  checked(faultCall.partial(), when, 'fault: when')
  const parameters = (hit === undefined ? operations : [operation(hit)]).flatMap((one) => one.parameters)
  const names = new Set(parameters.map(({ name }) => name as string))
  const wrong = Object.keys(when.path ?? {}).find((name) => !names.has(name))
  const noun = hit === undefined ? 'parameter' : `parameter of ${hit}`
  if (wrong !== undefined) throw new TypeError(`fault: when: path: ${noSuch(noun, wrong, [...names])}`)
}

export function faultText({ operation, status, delay, transport, phase }: Fault, struck: string): string {
  const parts = [
    operation ?? struck,
    status,
    delay !== undefined && `delayed ${delay}`,
    transport && (transport === 'drop' ? 'dropped' : 'truncated'),
    phase === 'after' && 'after the operation',
  ]
  return parts.filter(Boolean).join(' ')
}
