import type { Scenario } from '../script.js'
import { accounts } from './accounts.js'
import { management } from './management.js'
import { reading } from './reading.js'
import { writing } from './writing.js'

/** Scenarios in the order of a run: those that only read come first, so that a run that ends early has learnt something. */
export const scenarios: readonly Scenario[] = [...reading, ...writing, ...management, ...accounts]
