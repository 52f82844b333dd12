import type { OperationId } from '../../conformance/contract/operations.js'
import type { Operation } from '../request/operation.js'
import { changeOwnPassword, getAccountPage, getTokensPage } from './account.js'
import { manageColumns } from './columns.js'
import {
  createCustomField,
  deleteCustomField,
  getCustomFieldCreatePage,
  getCustomFieldUpdatePage,
  listCustomFields,
  updateCustomField,
} from './custom-fields.js'
import { installPlugin, listPlugins, uninstallPlugin, updatePlugin } from './plugins.js'
import { deleteHelpdeskRecipient } from './recipients.js'
import { updateSettings } from './settings.js'
import { addUserToProjects, impersonateUser, resetUser } from './user-admin.js'
import { getUserSettingsPage, updateUserSettings } from './user-settings.js'
import { createUser, getUser, getUserCreatePage, getUserEditPage, updateUser } from './users.js'

/** Every operation of the contract; a missing one does not compile. */
export const operations: Readonly<Record<OperationId, Operation>> = {
  getAccountPage,
  changeOwnPassword,
  getTokensPage,
  getUserSettingsPage,
  updateUserSettings,
  createUser,
  getUserCreatePage,
  getUser,
  updateUser,
  impersonateUser,
  getUserEditPage,
  addUserToProjects,
  resetUser,
  listCustomFields,
  createCustomField,
  getCustomFieldCreatePage,
  updateCustomField,
  deleteCustomField,
  getCustomFieldUpdatePage,
  deleteHelpdeskRecipient,
  manageColumns,
  updatePlugin,
  installPlugin,
  uninstallPlugin,
  listPlugins,
  updateSettings,
}
