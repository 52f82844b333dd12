/** The whole state of a tracker as plain JSON, and as an image that trackers may share. */
import { z } from 'zod'
import {
  type Collation,
  type CollectionName,
  collectionNames,
  collections,
  type State,
} from './collections.js'
import { type TableImage, tableImageOf, writableCopy } from './image.js'
import { type LastIds, lastIds } from './records.js'
import { checkReferences } from './references.js'

const SCHEMA = 'tracker-kit/state@1'

export const stateSchema = z.strictObject({
  schema: z.literal(SCHEMA),
  lastIds,
  ...Object.fromEntries(collectionNames.map((name) => [name, z.array(collections[name].schema)])),
})

/** The state in `input`; throws one line that says what is wrong with it. */
export function parseState(input: unknown, collation: Collation): State {
  const result = stateSchema.safeParse(input)
  if (!result.success) {
    const [issue] = result.error.issues
    throw new TypeError(
      `Not a tracker's state: ${z.core.toDotPath(issue?.path ?? []) || 'it'}: ${issue?.message}`,
    )
  }
  const state = result.data as unknown as State
  checkReferences(state, collation)
  return state
}

/** All that a tracker stores at one moment. Costs a few references; trackers may share it. */
export interface Image {
  readonly lastIds: LastIds
  readonly tables: Readonly<Record<CollectionName, TableImage>>
}

/** The image of a state that is known to be one: `parseState` tells. */
export function imageOf(state: State): Image {
  const tables = collectionNames.map((name) => [name, tableImageOf<object>(state[name])])
  return { lastIds: { ...state.lastIds }, tables: Object.fromEntries(tables) }
}

/** An image as plain JSON, which nobody else holds. */
export function stateOf({ lastIds, tables }: Image): State {
  return { schema: SCHEMA, lastIds: { ...lastIds }, ...writableCopy(tables) } as unknown as State
}
