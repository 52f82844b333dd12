/** The catalogue, in the order in which a run takes it: by rank. */

import { authenticationProperty } from '../properties/authentication.js'
import { bodiesProperty } from '../properties/bodies.js'
import { hostileProperty } from '../properties/hostile.js'
import { models } from '../properties/model.js'
import type { Requirement } from '../suite/types.js'
import { answers } from './answers.js'
import { columns } from './columns.js'
import { customFieldDefinitions } from './custom-field-definitions.js'
import { customFieldLists } from './custom-field-lists.js'
import { customFieldMembers } from './custom-field-members.js'
import { customFieldOrder } from './custom-field-order.js'
import { customFields } from './custom-fields.js'
import { addresses } from './differences/addresses.js'
import { bodies } from './differences/bodies.js'
import { credentials } from './differences/credentials.js'
import { oddRequests } from './differences/odd.js'
import { permissions } from './differences/permissions.js'
import { reads } from './differences/reads.js'
import { refusals } from './differences/refusals.js'
import { settings } from './differences/settings.js'
import { strangeInput } from './differences/strange.js'
import { memberTypes } from './differences/types.js'
import { impersonation } from './impersonation.js'
import { madeAsAnswered } from './made-as-answered.js'
import { management } from './management.js'
import { ownPages } from './own-pages.js'
import { ownSettings } from './own-settings.js'
import { password } from './password.js'
import { permission } from './permission.js'
import { pluginLists } from './plugin-lists.js'
import { plugins } from './plugins.js'
import { repetition } from './repetition.js'
import { spelling } from './spelling.js'
import { texts } from './texts.js'
import { userAddresses } from './user-addresses.js'
import { userChanges } from './user-changes.js'
import { userEffects } from './user-effects.js'
import { userMembersShown } from './user-members.js'
import { userProjects } from './user-projects.js'
import { users } from './users.js'

/**
 * By what was measured to find most for the fewest requests (`npm run self-test -- --only faulty` has the curve), so that a
 * run with a limit is worth something.
 */
export const requirements: readonly Requirement[] = [
  ...addresses,
  ...answers,
  authenticationProperty,
  ...bodies,
  bodiesProperty,
  ...columns,
  ...credentials,
  ...customFieldDefinitions,
  ...customFieldLists,
  ...customFieldMembers,
  ...customFieldOrder,
  ...customFields,
  hostileProperty,
  ...impersonation,
  ...madeAsAnswered,
  ...management,
  ...memberTypes,
  ...models,
  ...oddRequests,
  ...ownPages,
  ...ownSettings,
  ...password,
  ...permission,
  ...permissions,
  ...pluginLists,
  ...plugins,
  ...reads,
  ...refusals,
  ...repetition,
  ...settings,
  ...spelling,
  ...strangeInput,
  ...texts,
  ...userAddresses,
  ...userChanges,
  ...userEffects,
  ...userMembersShown,
  ...userProjects,
  ...users,
].toSorted((one, other) => (one.rank ?? 0) - (other.rank ?? 0))
