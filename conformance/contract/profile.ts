/**
 * The profile: everything that the suite may know and use of a target. Only `baseUrl` and `tokens.administrator` are
 * required. Checks that need an absent field are skipped, with the field's name as the reason.
 */
import { z } from 'zod'
import { operationIds } from './operations.js'

export const safetyLevels = ['read', 'write', 'destructive'] as const
export type Safety = (typeof safetyLevels)[number]

/** What a run may do at each level, in addition to the levels before. */
export const safetyMeans: Readonly<Record<Safety, string>> = {
  read: 'changes nothing: mutating requests go only to addresses proven empty, or have bodies that are cut off',
  write:
    'also creates users and custom fields under made-up names, changes only these, then deletes the fields and disables the users',
  destructive:
    'also changes the resources that the profile marks as disposable, the users of its tokens, and the extension settings; restores what it can, and lists the rest',
}

const text = z.string().min(1)

/** An object that may be absent, and what it is. */
const parts = <Shape extends z.core.$ZodLooseShape>(about: string, shape: Shape) =>
  z.strictObject(shape).optional().describe(about)

export const profileSchema = z.strictObject({
  baseUrl: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .describe('The REST root, `{base_url}` of the document'),
  ext: text.optional().describe('Extension path segment, `Ext` when absent'),
  notImplemented: z
    .array(z.enum(operationIds))
    .optional()
    .describe('Operations that this tracker does not have: neither asked nor judged'),
  safety: z.enum(safetyLevels).optional().describe('The most that a run may ever do on this target'),
  tokens: z.strictObject({
    administrator: text.describe('Token that may use every operation'),
    restricted: text.optional().describe('Token of an enabled user without any administrative permission'),
    password: text.optional().describe('Token of an account kept to have its own password changed'),
    disabled: text.optional().describe('Token of a disabled user, to be refused'),
  }),
  passwordAccount: parts("That account's password, and another acceptable one", {
    current: text.describe('The password that it has'),
    next: text.describe('Another one that the rules accept'),
  }),
  user: parts("An existing enabled ordinary user, other than the tokens' owners", {
    id: z.int().describe('Its number, as `{user_id}` takes it'),
    username: text.describe('Its username, as `{user_id}` takes it too'),
  }),
  emailDomain: text.optional().describe('Domain of made-up e-mail addresses, `example.org` when absent'),
  accessLevel: z.int().optional().describe('Accepted as `access_level` in a user body'),
  projectAccessLevel: text.optional().describe('Accepted as `access_level` in a project assignment'),
  projects: z.array(text).optional().describe('Ids of existing projects'),
  customField: parts('An accepted type, the name length limit, and disposable fields', {
    type: text.optional().describe('A type that createCustomField accepts, as its body names it'),
    nameLimit: z.int().positive().optional().describe('The longest name, in characters'),
    ids: z.array(z.int()).optional().describe('Fields that a run may change and delete'),
  }),
  plugin: parts('Available, not installed; may be installed and uninstalled', {
    name: text.describe('Its name, as `{plugin_name}` takes it'),
    priority: z
      .strictObject({ min: z.int().describe('The lowest'), max: z.int().describe('The highest') })
      .refine(({ min, max }) => min <= max, { path: ['max'], error: 'it is below min; swap them' })
      .optional()
      .describe('The range of priorities that updatePlugin accepts'),
  }),
  recipients: z.array(z.int()).optional().describe('Helpdesk recipients that may be deleted'),
  columns: z
    .looseObject({ columns: z.array(text).describe('Identifiers of columns, in order') })
    .optional()
    .describe('A body that manageColumns accepts, with its `project`'),
  userSetting: parts('A permitted self-service setting', {
    option: text.describe('Its name'),
    value: z.string().describe('A value that updateUserSettings accepts for it'),
  }),
  settings: z
    .array(z.unknown().describe('One setting, in the form that the tracker takes'))
    .optional()
    .describe('Accepted by updateSettings as its whole body'),
  password: parts("A password that the instance's rules accept, and one that they refuse", {
    valid: text.optional().describe('One that the rules accept'),
    invalid: z.string().optional().describe('One that they refuse'),
  }),
})

export type Profile = z.infer<typeof profileSchema>

const { tokens } = profileSchema.shape
const { administrator } = tokens.shape

/** A profile in a file: the administrator's token may come from the environment instead. */
export const profileFileSchema = profileSchema.extend({
  $schema: z.string().optional(),
  tokens: tokens
    .extend({
      administrator: administrator
        .optional()
        .describe(`${administrator.description}; without it, the variable TRACKER_TOKEN or --token`),
    })
    .optional(),
})
