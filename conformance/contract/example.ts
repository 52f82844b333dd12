/** The types of the examples in the OpenAPI document. */
import type { ErrorStatus } from './errors.js'

/** A call that succeeds on the emulator in its starting state. */
export interface Example {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: unknown
  /** Lists have only their first two elements. */
  readonly answer: unknown
  /** The answer without the query, if that shows more. */
  readonly unselected?: unknown
}

export type ExampleError = Readonly<{ status: ErrorStatus; answer: unknown }>
