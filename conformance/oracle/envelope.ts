/** What the document allows as the answer to one request. */
import type { Held, Level } from './held.js'
import type { Request } from './request.js'
import { stages } from './stages.js'
import type { Stage } from './statement.js'
import type { World } from './world.js'

export interface Envelope {
  readonly statuses: ReadonlySet<number>
  readonly violated: readonly Stage[]
  readonly open: readonly Stage[]
  readonly level: Level
}

/**
 * A tracker may report any of several defects. 200 is allowed unless one stage is certainly violated. A caller who is not
 * authenticated learns only of defects that a tracker may check before the authentication.
 */
export function allowed(request: Request, world: World): Envelope {
  const found: Record<Held, Stage[]> = { violated: [], open: [], satisfied: [] }
  for (const stage of stages) found[stage.holds(request, world)].push(stage)
  const { violated } = found
  const isStrange = violated.some(({ id }) => id === 'authentication')
  const isBarred = violated.some(({ id }) => id === 'permission')
  const mayCount = ({ isEarly, isLate }: Stage) => (isStrange ? isEarly : !isBarred || !isLate)
  const open = found.open.filter(mayCount)
  const statuses = new Set([...violated, ...open].flatMap((stage) => stage.statuses))
  if (isStrange) statuses.delete(403)
  if (violated.length === 0) statuses.add(200)
  const levelOf = (stage: Stage) => stage.levelOf?.(request, world) ?? stage.level
  const isShould = violated.length > 0 && violated.every((stage) => levelOf(stage) === 'should')
  return { statuses, violated, open, level: isShould ? 'should' : 'must' }
}
