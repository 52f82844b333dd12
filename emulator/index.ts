export { type DecisionId, type DecisionInput, type Decisions, exclusions, ledger } from './decisions/index.js'
export type { Collections, State } from './state/store.js'
export { createTracker, seeds } from './tracker.js'
export type * from './types.js'
