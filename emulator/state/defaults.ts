/** The defaults of new records, both in starting states and in records that a test inserts. */
import { levels } from './levels.js'
import { each } from './records.js'

const START = '2025-01-01T00:00:00Z'

const plainField = {
  type: 0,
  ...each('', 'possible_values', 'default_value', 'valid_regexp'),
  access_level_r: levels.viewer as number,
  access_level_rw: levels.reporter as number,
  ...each(0, 'length_min', 'length_max'),
  display_report: false,
  display_update: true,
  ...each(false, 'display_resolved', 'display_closed'),
  ...each(false, 'require_report', 'require_update', 'require_resolved', 'require_closed'),
  filter_by: true,
}

export const defaults = {
  user: ({ username }: { readonly username?: unknown }) => ({
    realname: '',
    email: `${String(username).replace(/[^\w.-]/g, '.')}@example.org`,
    email_pending: null,
    password: 'Sunny-Day-2024',
    access_level: levels.reporter as number,
    enabled: true,
    protected: false,
    client_preferred: null,
    avatar: null,
    failed_logins: 0,
    created_at: START,
    last_visit: null,
  }),
  /** `owner`: the name of the user, or the id if there is no such user. */
  token: (owner: unknown) => ({
    name: 'seed',
    secret: `token-of-${owner}`,
    kind: 'api' as const,
    created_at: START,
    used_at: null,
  }),
  project: () => ({ description: '', enabled: true, public: true }),
  membership: () => ({ access_level: levels.reporter as number }),
  customField: () => ({ ...plainField }),
  customFieldLink: () => ({ sequence: 0 }),
  plugin: ({ basename, installed }: { readonly basename?: unknown; readonly installed?: unknown }) => ({
    name: String(basename),
    version: '1.0.0',
    ...each('', 'description', 'author', 'contact', 'url', 'page'),
    requires: {},
    uses: {},
    installed: false,
    enabled: installed === true,
    protected: false,
    priority: 3,
    forced: false,
    needs_upgrade: false,
  }),
  recipient: ({ id, name }: { readonly id?: unknown; readonly name?: unknown }) => ({
    name: `Recipient ${id}`,
    email: `${name ?? `recipient.${id}`}@helpdesk.example.org`,
  }),
  columnConfiguration: () => ({ project_id: 0, type: 'view' as const }),
  extensionSetting: ({ value }: { readonly value?: unknown }) => ({
    default: value ?? null,
    value: null,
    file_only: false,
  }),
  notification: () => ({ at: START, changes: [] }),
}
