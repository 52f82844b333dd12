/** The ledger of decisions, and how each entry gets its value. */
export { type Decision, type VaryGroup, varyGroups } from './define.js'
export * from './ledger.js'
export * from './resolve.js'
