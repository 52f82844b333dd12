import type { OperationId } from '../../conformance/contract/operations.js'
import type { Operation } from '../request/operation.js'
import { changeOwnPassword, getAccountPage, getTokensPage } from './account.js'
import { addUserToProjects } from './assignment.js'
import { manageColumns } from './columns.js'
import * as customFields from './custom-fields.js'
import { impersonateUser } from './impersonation.js'
import * as plugins from './plugins.js'
import { deleteHelpdeskRecipient } from './recipients.js'
import { resetUser } from './reset.js'
import { updateSettings } from './settings.js'
import * as userPages from './user-pages.js'
import { getUserSettingsPage, updateUserSettings } from './user-settings.js'
import * as users from './users.js'

/** Every operation of the contract; a missing one does not compile. */
export const operations: Readonly<Record<OperationId, Operation>> = {
  ...{ getAccountPage, changeOwnPassword, getTokensPage, getUserSettingsPage, updateUserSettings },
  ...{ impersonateUser, addUserToProjects, resetUser },
  ...{ deleteHelpdeskRecipient, manageColumns, updateSettings },
  ...users,
  ...userPages,
  ...customFields,
  ...plugins,
}
