/**
 * Checks beside each other: those of one requirement in their order, since they learn from each other, and each requirement in
 * a lane of its own. What does not pass there says nothing yet. It is run again alone before anything that follows begins, so
 * that a target is never blamed for what checks may do to each other.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { Step } from './plan.js'
import { changeTheSame, mayOverlap, type Uses } from './resources.js'

export interface Takers {
  /** How many lanes there may be by now. */
  width(): number
  cancelled(): boolean
  uses(step: Step): Uses
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
  const running = new Map<Step[], { readonly uses: Uses; readonly ended: Promise<void> }>()
  const doubtful = new Set<Step[]>()

  async function take(group: Step[], step: Step): Promise<void> {
    // Steps that send nothing would keep a signal, and a target in the same process, from their turn.
    await turn()
    if (await takers.beside(step)) group.shift()
    else doubtful.add(group)
    running.delete(group)
  }

  /** Of the first group, in the order of the plan, whose next step may be under way with all that are. */
  function begin(): boolean {
    const waiting: Uses[] = []
    for (const group of groups) {
      const [step] = group
      if (step === undefined || running.has(group)) continue
      const uses = takers.uses(step)
      if (uses.alone || takers.width() === 1) {
        if (running.size > 0) continue
        doubtful.add(group)
        return false
      }
      // Those that change one thing keep their order, lest the first of them comes last.
      const isNext = !waiting.some((other) => changeTheSame(uses, other))
      if (!isNext || ![...running.values()].every((other) => mayOverlap(uses, other.uses))) {
        waiting.push(uses)
        continue
      }
      running.set(group, { uses, ended: take(group, step) })
      return true
    }
    return false
  }

  for (;;) {
    while (!takers.cancelled() && doubtful.size === 0 && running.size < takers.width() && begin());
    if (running.size === 0) return groups.filter((group) => doubtful.has(group))
    await Promise.race([...running.values()].map(({ ended }) => ended))
  }
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
