/** What a story is, and what it is given. */
import type { OperationId, Safety } from '../../contract/index.js'
import type { Driver } from '../driver.js'

export interface Story {
  readonly id: string
  /** The operations that it is about; absent where it is about all. */
  readonly of?: readonly OperationId[]
  /** Below it the story has nothing to send. */
  readonly level: Safety
  run(driver: Driver, given: Given): Promise<void>
  /** It uses up what the profile gives away. */
  readonly isOnce?: true
}

export interface Given {
  readonly runs: number
  readonly seed: number
}
