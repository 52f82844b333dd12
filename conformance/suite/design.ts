/** A series of bodies in which each member has one of two values, so that no two members are alike. */
import type { Value } from './series.js'

export type Pair = readonly [Value, Value]

export interface Design {
  /** Members that may be given: those that have two values, and were not refused. */
  readonly usable: Set<string>
  /** `patterns`: of each member an A or a B for each body. */
  valuesAt(patterns: Readonly<Record<string, string>>, index: number): Record<string, Value>
  /**
   * Creates one after the other; each says whether it was accepted. Where the first is refused, each member is tried `alone`,
   * what is refused then is given no more, and the first is asked for again.
   */
  createAll(
    count: number,
    create: (index: number) => Promise<boolean>,
    alone: (member: string) => Promise<boolean>,
  ): Promise<void>
}

/** `others`: members whose values are not two. */
export function designOf(
  pairs: Readonly<Record<string, Pair | null>>,
  others: readonly string[] = [],
): Design {
  const usable = new Set([...Object.keys(pairs).filter((member) => pairs[member] !== null), ...others])
  return {
    usable,
    valuesAt: (patterns, index) =>
      Object.fromEntries(
        Object.entries(patterns).flatMap(([member, pattern]) => {
          const pair = usable.has(member) ? pairs[member] : null
          return pair ? [[member, pair[pattern[index] === 'A' ? 0 : 1]]] : []
        }),
      ),
    async createAll(count, create, alone) {
      for (let index = 0; index < count; index += 1) {
        if ((await create(index)) || index > 0) continue
        for (const member of usable) if (!(await alone(member))) usable.delete(member)
        await create(index)
      }
    },
  }
}
