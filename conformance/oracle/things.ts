/** What a trace tells of: things, the facts about them, and the answers that show them. */
import type { OperationId } from '../contract/index.js'
import type { Kind } from './operations.js'

/**
 * How a fact came about. Creations, changes of one attribute alone and of some together teach places apart from each
 * other, and so do links to several projects at once.
 */
export type Way = 'creation' | 'change' | 'together' | 'several'

/** What is known of one attribute of a thing. */
export interface Fact {
  /** The values that are possible, usually one; null where any is. */
  readonly possible: readonly unknown[] | null
  /** The value in the request, where the tracker may have stored another. */
  readonly given?: unknown
  /** The values that were possible before. */
  readonly earlier?: readonly unknown[]
  /** The operation that established it; absent for what was so before the trace. */
  readonly by?: OperationId
  /** The exchange that established it; 0 for what the profile promises. */
  readonly n: number
  readonly way?: Way
}

/** `known`: the user of the profile. `columns` and `settings`: those of one caller. */
export type ThingKind = Kind | 'known' | 'columns' | 'settings'

export interface Thing {
  readonly kind: ThingKind
  /** Order of appearance. */
  readonly serial: number
  /** Whose it is; the administrator's where it is nobody's own. */
  readonly caller: string
  /** The creating exchange; 0 for what was there before. */
  readonly born: number
  /** The name that addresses it now. */
  name: string
  id?: string
  /** Every name that it has had. */
  readonly names: Set<string>
  /** Replaced as a whole, so that a sight may keep it. */
  facts: ReadonlyMap<string, Fact>
  isGone: boolean
  /** Whether it is there, and under this name, is not known. */
  isUnsure: boolean
  /** How often each operation succeeded on it, and each member was changed. */
  readonly changes: Map<string, number>
  /** Exchanges that may have changed it. */
  readonly log: number[]
  /** The last exchange that showed it. */
  seen?: number
  /** Values that were refused while the attribute was unknown: a tracker may refuse the current value. */
  readonly refused: Map<string, { readonly n: number; readonly value: unknown }>
  /** The exchange that deleted it. */
  ended?: number
  /** Integers that may be its id. */
  candidates: readonly string[]
}

export type Leaf = string | number | boolean | null | readonly string[]

/** What one answer shows of one thing, beside all that was known of the thing then. */
export interface Sight {
  readonly n: number
  /** The last exchange before it that could have changed anything. */
  readonly lastChange: number
  /** Operation, and the form of the address where it matters. */
  readonly view: string
  readonly op: OperationId
  readonly thing: Thing
  /** What was known of the thing that was changed last, if that is another. */
  readonly others?: ReadonlyMap<string, Fact>
  readonly leaves: ReadonlyMap<string, Leaf>
  readonly facts: ReadonlyMap<string, Fact>
  readonly text: string
}

export type Sights = readonly Sight[]
export type Paths = readonly string[]

/** Something that a request addressed and that is not there. */
export interface Absence {
  readonly n: number
  /** The operation to blame where it is there after all. */
  readonly op?: OperationId
  /** That operation was refused, so only a read blames it. */
  readonly isTried?: true
  /** Its creation was refused. */
  readonly isRefused?: true
}

/** Users of the profile are users, too. */
export const groupOf = ({ kind }: Thing): string => (kind === 'known' ? 'user' : kind)

/** The one possible value of a fact, or undefined. */
export function knownValue(thing: Thing | undefined, name: string): unknown {
  const possible = thing?.facts.get(name)?.possible
  return possible?.length === 1 ? possible[0] : undefined
}

export const isSet = (fact: Fact | undefined): boolean => fact?.possible?.length === 1
