/**
 * Checks beside each other: those of one requirement in their order, since they learn from each other, and each requirement in
 * a lane of its own. What does not pass there says nothing yet. It is run again alone before anything that follows begins, so
 * that a target is never blamed for what checks may do to each other.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { Step } from './plan.js'

export interface Takers {
  /** How many lanes there may be by now. */
  width(): number
  cancelled(): boolean
  /** Whether it is done; false where it must be run alone. */
  beside(step: Step): Promise<boolean>
  alone(step: Step): Promise<void>
}

export async function takeInLanes(steps: readonly Step[], takers: Takers): Promise<void> {
  const isInARow = ({ requirement }: Step) => requirement.inARow === true
  const plain = steps.filter((step) => !isInARow(step))
  await takeAll(
    groupsBy(plain, ({ requirement }) => requirement.id),
    takers,
  )
  await takeAll(
    groupsBy(steps.filter(isInARow), ({ operation }) => operation),
    takers,
  )
}

async function takeAll(groups: readonly Step[][], takers: Takers): Promise<void> {
  while (!takers.cancelled() && groups.some((group) => group.length > 0))
    for (const group of await takeUntilInDoubt(groups, takers)) {
      await turn()
      const step = group.shift()
      if (step && !takers.cancelled()) await takers.alone(step)
    }
}

/** Takes steps off the groups. Returns those whose next one is to be run alone, in the order of the plan. */
async function takeUntilInDoubt(groups: readonly Step[][], takers: Takers): Promise<readonly Step[][]> {
  const begun = new Set<Step[]>()
  const doubtful = new Set<Step[]>()
  const next = () => groups.find((group) => group.length > 0 && !begun.has(group))

  async function lane(): Promise<void> {
    for (let group = next(); group !== undefined; group = next()) {
      begun.add(group)
      for (let step = group[0]; step !== undefined; step = group[0]) {
        // Steps that send nothing would keep a signal, and a target in the same process, from their turn.
        await turn()
        if (takers.cancelled() || doubtful.size > 0) return
        if (takers.width() === 1 || !(await takers.beside(step))) {
          doubtful.add(group)
          return
        }
        group.shift()
      }
    }
  }

  await Promise.all(Array.from({ length: takers.width() }, lane))
  return groups.filter((group) => doubtful.has(group))
}

function groupsBy(steps: readonly Step[], keyOf: (step: Step) => string): Step[][] {
  const groups = new Map<string, Step[]>()
  for (const step of steps) {
    const group = groups.get(keyOf(step)) ?? []
    groups.set(keyOf(step), group)
    group.push(step)
  }
  return [...groups.values()]
}
