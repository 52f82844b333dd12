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
  /** Default: the tracker's error form with a message that says the fault was injected. Needs a status. */
  readonly body?: unknown
  /** Added to the answer, for example `retry-after`. Needs a status. */
  readonly headers?: Readonly<Record<string, string>>
  /** How long the answer is held back by the tracker's clock; where a test holds it, until it is advanced. */
  readonly delay?: Duration
  /**
   * `drop` ends the connection without an answer, `truncate` in the middle of its body. Over HTTP a browser sends a dropped
   * request again by itself, POST too, where its connection had been used before.
   */
  readonly transport?: 'drop' | 'truncate'
  /**
   * `before` (the default) strikes in the place of the operation, which then does not take place; `after` strikes once the
   * operation has succeeded and its effects are stored. What breaks or delays the tracker's own answer: see `status`.
   */
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

/** How a fault is getting on. */
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

const count = z
  .number()
  .refine((value) => Number.isInteger(value) && value > 0, 'must be a whole number from 1 on')

/**
 * The values, the words of the reference, and the labels of the inspector's form, which shows what is `usual` at once:
 * `check` says which of them make sense together.
 */
export const faultSchema = z.strictObject({
  operation: z
    .enum(operationIds)
    .optional()
    .meta({ title: 'Applies to', description: 'Which operation it strikes; without it, all', usual: true }),
  when: z.unknown().optional().meta({
    title: 'Only calls like this, as JSON',
    description:
      'Which calls: part of `{ operation, path, body, caller }`, such as `{ "path": { "user_id": "nina" } }`; in code also a function of it',
  }),
  status: z
    .number()
    .refine(
      (value) => Number.isInteger(value) && value >= 200 && value <= 599,
      'must be a status from 200 to 599',
    )
    .optional()
    .meta({
      title: 'Status',
      description: '200 to 599; without it the own answer of the tracker is given, late or broken',
      usual: true,
    }),
  body: z.unknown().optional().meta({
    title: 'Body, as JSON',
    description: 'The body; needs `status`. Default: an error that says it was injected',
  }),
  headers: z
    .record(z.string(), z.string())
    .optional()
    .meta({ title: 'Headers, as JSON', description: 'Added to the answer; needs `status`' }),
  delay: z.union([z.number(), z.string()]).optional().meta({
    title: 'Delay (250ms, 2s, 5m)',
    description: "Holds the answer back by the tracker's clock: `2s`, or a number of milliseconds",
    usual: true,
  }),
  transport: z.enum(['drop', 'truncate']).optional().meta({
    title: 'Connection',
    description: '`drop` ends the connection without an answer, `truncate` in the middle of its body',
    usual: true,
  }),
  phase: z.enum(['before', 'after']).optional().meta({
    title: 'When',
    description:
      '`before` (default): the operation does not take place; `after`: it has taken place, and its effects are stored',
    usual: true,
  }),
  nth: count.optional().meta({
    title: 'From the n-th call on',
    description: 'Passes over the calls before the n-th, and then strikes once, or `times`',
  }),
  times: count.optional().meta({
    title: 'How often (empty: always)',
    description: 'How often it strikes; without it and `nth`, until it is cleared',
    usual: true,
  }),
  probability: z
    .number()
    .refine((value) => value >= 0 && value <= 1, 'must be from 0 to 1')
    .optional()
    .meta({
      title: 'Probability, 0 to 1',
      description: 'From 0 to 1: strikes by chance, the same each time',
    }),
  seed: z.number().optional().meta({
    title: 'Seed of the chance',
    description: 'Seed of the chance, default 1',
  }),
})

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
  for (const name of ['body', 'headers'] as const) {
    if (fault[name] !== undefined && status === undefined)
      throw new RangeError(`A fault with ${name === 'body' ? 'a body' : 'headers'} needs a status`)
  }
  if (delay !== undefined) milliseconds(delay)
  if (transport === 'drop' && status !== undefined)
    throw new RangeError('A fault that drops the connection has no status, since nothing is answered')
  if (transport === 'truncate' && status === undefined && phase === 'before')
    throw new RangeError('A fault that truncates an answer before the operation needs a status')
}

/** What a fault did, for the journal. */
export function faultText({ operation, status, delay, transport, phase }: Fault, struck: string): string {
  const done = [
    ...(delay === undefined ? [] : [`delayed ${delay}`]),
    ...(transport === undefined ? [] : [transport === 'drop' ? 'dropped' : 'truncated']),
    ...(phase === 'after' ? ['after the operation'] : []),
  ]
  return [operation ?? struck, ...(status === undefined ? [] : [status]), ...done].join(' ')
}
