/** A story sends related requests. */
import type { OperationId, Safety } from '../../contract/index.js'
import type { Driver } from '../driver.js'

export interface Story {
  readonly id: string
  /** The operations that the story is about; absent: all. */
  readonly of?: readonly OperationId[]
  /** The lowest safety level at which the story sends anything. */
  readonly level: Safety
  run(driver: Driver, given: Given): Promise<void>
  /** It uses up disposable resources of the profile, so it runs only once. */
  readonly isOnce?: true
}

export interface Given {
  readonly runs: number
  readonly seed: number
}
