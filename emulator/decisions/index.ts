/** The ledger of decisions, and how one value is found for each entry. */
export type { Decision } from './define.js'
export { type Exclusion, exclusions } from './exclusions.js'
export * from './ledger.js'
export { type DecisionFile, resolveDecisions, valuesOf } from './resolve.js'
export { drawOf, groupOf, VARIABLE, type Variation, type VaryGroup, variationIn, varyGroups } from './vary.js'
