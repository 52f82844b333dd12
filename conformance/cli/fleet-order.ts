/** What a fleet and the process of one of its trackers tell each other. */
import type { FlagValues } from './usage.js'

export interface Order {
  readonly profile: Record<string, unknown>
  readonly source: string
  readonly flags: FlagValues
}

export interface Done {
  readonly code: number
  /** Why there was no run to judge. */
  readonly because: string | null
}
