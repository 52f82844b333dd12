/** The catalogue, in the order in which a run takes it. */

import { authenticationProperty } from '../properties/authentication.js'
import { bodiesProperty } from '../properties/bodies.js'
import { hostileProperty } from '../properties/hostile.js'
import { models } from '../properties/model.js'
import type { Requirement } from '../suite/types.js'
import { account } from './account.js'
import { answers } from './answers.js'
import { bothWays } from './both-ways.js'
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
import { userFields } from './user-fields.js'
import { userProjects } from './user-projects.js'
import { users } from './users.js'

export const requirements: readonly Requirement[] = [
  // Refusals come first, while the disposable things of the profile are still there to be refused on,
  // and before a change of the password may end its token.
  ...credentials,
  ...permissions,
  ...permission,
  ...addresses,
  ...bodies,
  authenticationProperty,
  bodiesProperty,
  ...password,
  ...account,
  ...ownPages,
  ...spelling,
  ...users,
  ...userAddresses,
  ...userChanges,
  ...userEffects,
  ...userFields,
  ...userProjects,
  ...userActions,
  ...bothWays,
  ...madeAsAnswered,
  ...customFields,
  ...customFieldMembers,
  ...customFieldLists,
  ...customFieldDefinitions,
  ...specialTexts,
  ...texts,
  ...plugins,
  ...pluginLists,
  ...management,
  ...columnConfigurations,
  ...ownSettings,
  ...refusals,
  ...models,
  ...repeatedly,
  ...repetition,
  ...strangeInput,
  ...memberTypes,
  ...oddRequests,
  hostileProperty,
  // When many have been made, ids have different numbers of digits.
  ...customFieldOrder,
  ...impersonation,
  ...answers,
]
