import type { OperationId } from '../../conformance/contract/operations.js'
import type { Operation } from '../request/operation.js'
import {
  changeOwnPassword,
  getAccountPage,
  getTokensPage,
  getUserSettingsPage,
  updateUserSettings,
} from './account.js'
import { manageColumns } from './columns.js'
import {
  createCustomField,
  deleteCustomField,
  getCustomFieldCreatePage,
  getCustomFieldUpdatePage,
  listCustomFields,
  updateCustomField,
} from './custom-fields.js'
import {
  deleteHelpdeskRecipient,
  installPlugin,
  listPlugins,
  uninstallPlugin,
  updatePlugin,
} from './plugins.js'
import { updateSettings } from './settings.js'
import { addUserToProjects, impersonateUser } from './user-actions.js'
import { createUser, getUser, getUserCreatePage, getUserEditPage, resetUser, updateUser } from './users.js'

/** Every operation of the contract. A namespace import would add Node's module loader to a bundle for the browser. */
export const operations: Readonly<Record<OperationId, Operation>> = {
  ...{ getAccountPage, changeOwnPassword, getTokensPage, getUserSettingsPage, updateUserSettings },
  ...{ impersonateUser, addUserToProjects, resetUser },
  ...{ deleteHelpdeskRecipient, manageColumns, updateSettings },
  ...{ createUser, getUser, updateUser, getUserCreatePage, getUserEditPage },
  ...{ listCustomFields, createCustomField, updateCustomField, deleteCustomField },
  ...{ getCustomFieldCreatePage, getCustomFieldUpdatePage },
  ...{ installPlugin, updatePlugin, uninstallPlugin, listPlugins },
}
