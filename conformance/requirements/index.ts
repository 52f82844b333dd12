/** The catalogue, in the order in which a run takes it. */

import { authenticationProperty } from '../properties/authentication.js'
import { bodiesProperty } from '../properties/bodies.js'
import { hostileProperty } from '../properties/hostile.js'
import { models } from '../properties/model.js'
import type { Requirement } from '../suite/types.js'
import { account } from './account.js'
import { answers } from './answers.js'
import { columnConfigurations } from './columns.js'
import { customFieldDefinitions } from './custom-field-definitions.js'
import { customFieldLists } from './custom-field-lists.js'
import { customFieldMembers } from './custom-field-members.js'
import { customFieldOrder } from './custom-field-order.js'
import { customFields } from './custom-fields.js'
import { addresses } from './differences/addresses.js'
import { bodies } from './differences/bodies.js'
import { credentials, repeatedly } from './differences/credentials.js'
import { permissions } from './differences/permissions.js'
import { refusals } from './differences/refusals.js'
import { strangeInput } from './differences/strange.js'
import { memberTypes } from './differences/types.js'
import { impersonation } from './impersonation.js'
import { madeAsAnswered } from './made-as-answered.js'
import { management } from './management.js'
import { oddRequests } from './odd.js'
import { ownPages } from './own-pages.js'
import { ownSettings } from './own-settings.js'
import { password } from './password.js'
import { permission } from './permission.js'
import { pluginLists } from './plugin-lists.js'
import { plugins } from './plugins.js'
import { repetition } from './repetition.js'
import { specialTexts } from './special-texts.js'
import { spelling } from './spelling.js'
import { texts } from './texts.js'
import { userActions } from './user-actions.js'
import { userAddresses } from './user-addresses.js'
import { userChanges } from './user-changes.js'
import { userEffects } from './user-effects.js'
import { userMembersShown } from './user-members.js'
import { userProjects } from './user-projects.js'
import { users } from './users.js'

const isSpending = ({ id }: Requirement) => id === 'recipients.delete'

/**
 * By what was measured to find most for the fewest requests (`npm run self-test -- --only faulty` has the curve), so that a
 * run with a limit is worth something.
 */
export const requirements: readonly Requirement[] = [
  ...customFieldMembers,
  ...addresses,
  ...plugins,
  ...users,
  ...management.filter((one) => !isSpending(one)),
  ...permissions,
  ...account,
  ...bodies,
  // While the disposable things of the profile were still there they were refused on; and a change of the password may end
  // its token.
  ...management.filter(isSpending),
  ...password,
  ...customFields,
  ...userChanges,
  ...ownPages,
  ...userProjects,
  ...userMembersShown,
  ...userActions,
  ...customFieldLists,
  ...credentials.slice(0, 1),
  ...customFieldDefinitions,
  ...texts,
  ...pluginLists,
  ...specialTexts,
  ...permission,
  ...columnConfigurations,
  ...ownSettings,
  ...refusals,
  ...userAddresses,
  ...credentials.slice(1),
  ...userEffects,
  ...madeAsAnswered,
  ...spelling,
  ...memberTypes,
  ...strangeInput,
  ...oddRequests,
  authenticationProperty,
  bodiesProperty,
  ...models,
  ...repeatedly,
  ...repetition,
  hostileProperty,
  // When many have been made, ids have different numbers of digits.
  ...customFieldOrder,
  ...impersonation,
  ...answers,
]
