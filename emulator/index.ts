export type { OperationId, RequestBodies } from '../conformance/contract/index.js'
export type { Clock, Duration, Now } from './arrange/clock.js'
export { ConnectionDropped } from './arrange/faults.js'
export { type PartialSeed, type Seed, seeds } from './arrange/seed.js'
export {
  type DecisionFile,
  type DecisionId,
  type DecisionInput,
  type Decisions,
  exclusions,
  ledger,
  type Variation,
  type VaryGroup,
} from './decisions/index.js'
export type { Coverage } from './observe/coverage.js'
export type { CollectionDiff, StateDiff } from './observe/diff.js'
export { Call } from './request/call.js'
export type { Bytes, HeaderList, Outgoing, ReadHeaders } from './request/message.js'
export type { Responses } from './responses.js'
export type { Collections, State } from './state/store.js'
export { createTracker } from './tracker.js'
export type * from './types.js'
