import type { Scenario } from '../script.js'
import { accounts } from './accounts.js'
import { fields } from './fields.js'
import { management } from './management.js'
import { reading } from './reading.js'
import { users } from './users.js'

/** In the order in which they are run: what only reads comes first, so that a run that ends early has learnt something. */
export const scenarios: readonly Scenario[] = [...reading, ...users, ...fields, ...management, ...accounts]
