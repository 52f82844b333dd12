/** What goes wrong because a test wants it to. */
import { z } from 'zod'
import { checked } from '../../conformance/contract/checked.js'
import { type OperationId, operationIds } from '../../conformance/contract/operations.js'
import { contains } from '../observe/subset.js'
import { generator } from '../random.js'
import { type Duration, milliseconds, type TrackerClock } from './clock.js'

/** What a fault's matcher sees of a call. */
export interface FaultCall {
  readonly operation: OperationId
  readonly path: Readonly<Record<string, string>>
  /** Parsed JSON; null where there is none. */
  readonly body: unknown
  /** Username; null without valid credentials. */
  readonly caller: string | null
}

/** Something that goes wrong with a call. It has a `status`, a `delay`, a `transport`, or several of them. */
export interface Fault {
  /** Which operation it strikes; without it, all. */
  readonly operation?: OperationId
  /** Which calls: a function, or part of what it would be given, for example `{ path: { user_id: 'nina' } }`. */
  readonly when?: ((call: FaultCall) => boolean) | Partial<FaultCall>
  /** 200 to 599. Without it the tracker's own answer is given: late, or broken. */
  readonly status?: number
  /** Default: an error that says it was injected. Needs a status. */
  readonly body?: unknown
  /** Added to the answer, for example `retry-after`. Needs a status. */
  readonly headers?: Readonly<Record<string, string>>
  /** How long the answer is held back by the tracker's clock; where a test holds it, until it is advanced. */
  readonly delay?: Duration
  /**
   * `drop` ends the connection without an answer, `truncate` in the middle of its body. Where its connection had been used
   * before, a browser sends a dropped request again by itself, POST too.
   */
  readonly transport?: 'drop' | 'truncate'
  /** `before` (the default) strikes in the place of the operation; `after`, once its effects are stored. */
  readonly phase?: 'before' | 'after'
  /** Passes over the calls before the n-th, and then strikes once, unless `times` says how often. */
  readonly nth?: number
  /** How often it strikes; without it (and without `nth`), until it is cleared. */
  readonly times?: number
  /** From 0 to 1: strikes by chance, reproducibly. */
  readonly probability?: number
  /** Seed of the chance, default 1. */
  readonly seed?: number
}

export interface ActiveFault {
  readonly hits: number
  clear(): void
}

export interface Faults {
  /** Throws one line where the fault contradicts itself or names what does not exist. */
  inject(fault: Fault): ActiveFault
  /** Takes all of them back, and gives the answers that are held back; with the id of one, only that one. */
  clear(id?: number): void
  /** Those that may still strike. */
  readonly active: readonly (Fault & { readonly id: number; readonly hits: number })[]
}

/**
 * What a client is left with whose connection ended. `fetch` rejects with it; after a truncated body, the body's stream
 * does. A server that finds it as a rejection has to send what is in `sent`, if anything, and then to end the connection.
 */
export class ConnectionDropped extends TypeError {
  /** The beginning of the answer, which was on its way; its headers announce the length of the whole. */
  readonly sent: { readonly status: number; readonly headers: Headers; readonly body: string } | null

  constructor(sent: ConnectionDropped['sent'] = null) {
    // As the global fetch of Node says it.
    super(sent ? 'terminated' : 'fetch failed', {
      cause: Object.assign(new Error('A fault dropped the connection'), { code: 'ECONNRESET' }),
    })
    this.sent = sent
  }
}

export interface FaultBox extends Faults {
  /** The fault that strikes this call in this phase, counted as a hit. */
  take(phase: 'before' | 'after', call: FaultCall): Fault | null
  /** Whether a call's matcher could be asked at all: nothing is prepared for it otherwise. */
  readonly any: boolean
}

interface Injected {
  readonly id: number
  readonly fault: Fault
  readonly random: () => number
  calls: number
  hits: number
}

/** `onChange` hears of what is injected and taken back. */
export function createFaults(clock: TrackerClock, onChange: () => void): FaultBox {
  let injected: Injected[] = []
  let last = 0
  const remove = (one: Injected) => {
    injected = injected.filter((other) => other !== one)
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
    inject(fault) {
      check(fault)
      last += 1
      const one = { id: last, fault: { ...fault }, random: generator(fault.seed ?? 1), calls: 0, hits: 0 }
      injected.push(one)
      onChange()
      return {
        get hits() {
          return one.hits
        },
        clear() {
          remove(one)
          onChange()
        },
      }
    },
    clear(id) {
      injected = id === undefined ? [] : injected.filter((one) => one.id !== id)
      if (id === undefined) clock.release()
      onChange()
    },
    get active() {
      return injected.map(({ id, fault, hits }) => ({ ...fault, id, hits }))
    },
    get any() {
      return injected.length > 0
    },
    take(phase, call) {
      const one = injected.find((candidate) => strikes(candidate, phase, call))
      if (!one) return null
      one.hits += 1
      const { fault } = one
      if (one.hits === (fault.times ?? (fault.nth === undefined ? undefined : 1))) remove(one)
      return fault
    },
  }
}

/** The tracker's own answer can only be cut once it is there. */
const phaseOf = ({ phase, status, transport }: Fault) =>
  phase ?? (transport === 'truncate' && status === undefined ? 'after' : 'before')

const whole = (value: number, from: number, to = Number.POSITIVE_INFINITY) =>
  Number.isInteger(value) && value >= from && value <= to

const count = z.number().refine((value) => whole(value, 1), 'must be a whole number from 1 on')

const fields = {
  operation: z.enum(operationIds),
  when: z.unknown(),
  status: z.number().refine((value) => whole(value, 200, 599), 'must be a status from 200 to 599'),
  body: z.unknown(),
  headers: z.record(z.string(), z.string()),
  delay: z.union([z.number(), z.string()]),
  transport: z.enum(['drop', 'truncate']),
  phase: z.enum(['before', 'after']),
  nth: count,
  times: count,
  probability: z.number().refine((value) => value >= 0 && value <= 1, 'must be from 0 to 1'),
  seed: z.number(),
} satisfies Record<keyof Fault, z.ZodType>

/** The label of each field in the inspector's form, and what the reference says of it. */
const words: Readonly<Record<keyof Fault, readonly [title: string, description: string]>> = {
  operation: ['Applies to', 'Which operation it strikes; without it, all'],
  when: [
    'Only calls like this, as JSON',
    'Which calls: part of `{ operation, path, body, caller }`, such as `{ "path": { "user_id": "nina" } }`; in code also a function of it',
  ],
  status: ['Status', '200 to 599; without it the own answer of the tracker is given, late or broken'],
  body: ['Body, as JSON', 'The body; needs `status`. Default: an error that says it was injected'],
  headers: ['Headers, as JSON', 'Added to the answer; needs `status`'],
  delay: [
    'Delay (250ms, 2s, 5m)',
    "Holds the answer back by the tracker's clock: `2s`, or a number of milliseconds",
  ],
  transport: [
    'Connection',
    '`drop` ends the connection without an answer, `truncate` in the middle of its body',
  ],
  phase: [
    'When',
    '`before` (default): the operation does not take place; `after`: it has taken place, and its effects are stored',
  ],
  nth: ['From the n-th call on', 'Passes over the calls before the n-th, and then strikes once, or `times`'],
  times: ['How often (empty: always)', 'How often it strikes; without it and `nth`, until it is cleared'],
  probability: ['Probability, 0 to 1', 'From 0 to 1: strikes by chance, the same each time'],
  seed: ['Seed of the chance', 'Seed of the chance, default 1'],
}

/** The form shows these at once, and the others when somebody asks for more. */
const usual: readonly string[] = ['operation', 'status', 'delay', 'transport', 'phase', 'times']

/** The values alone: `check` says which of them make sense together. */
export const faultSchema = z.strictObject(
  Object.fromEntries(
    Object.entries<z.ZodType>(fields).map(([name, schema]) => {
      const [title, description] = words[name as keyof Fault]
      return [name, schema.optional().meta({ title, description, usual: usual.includes(name) })]
    }),
  ),
)

const faultCallSchema = z.strictObject({
  operation: z.enum(operationIds).optional(),
  path: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
  caller: z.string().nullish(),
})

function check(fault: Fault): void {
  checked(faultSchema, fault, 'fault')
  if (typeof fault.when === 'object') checked(faultCallSchema, fault.when, 'fault: when')
  const { status, delay, transport, phase } = fault
  if (status === undefined && delay === undefined && transport === undefined)
    throw new RangeError('A fault needs a status, a delay or a transport; it would do nothing')
  if (fault.body !== undefined && status === undefined)
    throw new RangeError('A fault with a body needs a status')
  if (fault.headers !== undefined && status === undefined)
    throw new RangeError('A fault with headers needs a status')
  if (delay !== undefined) milliseconds(delay)
  if (transport === 'drop' && status !== undefined)
    throw new RangeError('A fault that drops the connection has no status, since nothing is answered')
  if (transport === 'truncate' && status === undefined && phase === 'before')
    throw new RangeError('A fault that truncates an answer before the operation needs a status')
}

export function faultText({ operation, status, delay, transport, phase }: Fault, struck: string): string {
  const parts = [
    operation ?? struck,
    status,
    delay !== undefined && `delayed ${delay}`,
    transport && (transport === 'drop' ? 'dropped' : 'truncated'),
    phase === 'after' && 'after the operation',
  ]
  return parts.filter((part) => part !== undefined && part !== false).join(' ')
}
