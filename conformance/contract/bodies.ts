/**
 * Request bodies of the interface document, section 2, without rules beyond types: the tracker decides about passwords,
 * known projects and the length of names. The document does not mention unknown members, so every schema allows them.
 */
import { z } from 'zod'

const password = z.string().meta({ format: 'password' })

/** An object without required members. */
const optional = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.looseObject(shape).partial()

/** Section 2.1: create (POST) and update (PATCH) share one field set, and no field is required. */
export const userBody = optional({
  username: z.string().describe('Unique account username'),
  email: z.email().describe('User e-mail address'),
  realname: z.string().describe('Display name'),
  password: password.describe('Account password when creating or changing a user'),
  access_level: z.int().describe('Global access level'),
  enabled: z.boolean().describe('Whether the account is enabled'),
  protected: z.boolean().describe('Whether the account is protected from ordinary administration'),
  language: z.string().describe('Preferred language'),
  timezone: z.string().describe('Preferred timezone'),
  client_preferred: z.boolean().describe('Whether the user prefers the client-specific interface'),
  avatar: z.string().describe('Avatar data for the configured avatar integration'),
  notify_user: z.boolean().describe('Whether to notify the user about the update'),
  password_current: password.describe('Current password, where a password change requires it'),
})

/** Section 2.2. */
export const passwordBody = z.looseObject({
  password_current: password.describe('Current password of the authenticated user'),
  password: password.describe("New password under the instance's password rules"),
})

/** Section 2.3: a non-empty list of settings, each with a name and a new value. */
export const userSettingsBody = z.looseObject({
  configs: z
    .array(
      z.looseObject({ option: z.string().describe('Setting name'), value: z.string().describe('New value') }),
    )
    .min(1),
})

/** Section 2.4. */
export const projectAssignmentBody = z.looseObject({
  project_ids: z.array(z.string()).describe('Projects to which the user is added'),
  access_level: z.string().describe('Access level in each of those projects'),
})

/** Section 2.5: `projects` is beside `custom_field`, not inside it. */
export const customFieldBody = z.looseObject({
  custom_field: optional({
    name: z.string().describe("Name, no longer than the tracker's limit"),
    type: z.string().describe('Custom-field type of the tracker'),
    possible_values: z.string().describe('Allowed values of enumerated types'),
    default_value: z.string().describe('Default value'),
    display_report: z.boolean().describe('Show on issue creation'),
    display_update: z.boolean().describe('Show on issue updates'),
  }),
  projects: z.array(z.string()).optional().describe('Projects to link the field to'),
})

/** Section 2.6. */
export const pluginBody = optional({
  protected: z.boolean().describe('Whether the installed plugin is protected'),
  priority: z.int().describe('Load priority within the configured range'),
})

/** Section 2.7: the schema says string, the prose says "normally an object containing `id`". */
export const columnsBody = optional({
  project: z
    .union([z.string(), z.looseObject({ id: z.union([z.string(), z.int()]) })])
    .describe('Project reference'),
  type: z.string().describe('Column configuration type, `view` when absent'),
  columns: z.array(z.string()).describe('Ordered column identifiers to save'),
})

/** Operation 26: an array; the document does not show the form of its elements (section 4.3). */
export const settingsBody = z.array(z.unknown())
