/** Sections 4.1 and 4.2: who may read a page reads it. Nothing is different: the plain request is judged. */

import { type Row, requirementOf } from '../../suite/engine.js'
import { group } from '../../suite/requirement.js'

const common = {
  level: 'must',
  safety: 'read',
  allowed: [200],
  plain: true,
  change: () => [{ what: 'reading as administrator', call: {} }],
} as const satisfies Partial<Row>

const rows: readonly Row[] = [
  {
    ...common,
    id: 'account.pages',
    section: '4.1',
    statement: 'An authenticated user reads its own account, tokens and settings pages.',
    operations: ['getAccountPage', 'getTokensPage', 'getUserSettingsPage'],
    change: (_, { profile }) => [
      { what: 'the own page, as administrator', call: {} },
      ...(profile.tokens.restricted === undefined
        ? []
        : [{ what: 'the own page, as ordinary user', call: { as: 'restricted' as const } }]),
    ],
  },
  {
    ...common,
    id: 'pages.user-create',
    section: '4.1',
    statement: 'An administrator reads the user create page.',
    operations: ['getUserCreatePage'],
  },
  {
    ...common,
    id: 'custom-fields.read',
    section: '4.2',
    statement: 'An administrator lists custom fields and reads the create page.',
    operations: ['listCustomFields', 'getCustomFieldCreatePage'],
  },
  {
    ...common,
    id: 'plugins.list',
    section: '4.2',
    statement: 'An administrator lists the installed plugins.',
    operations: ['listPlugins'],
  },
]

export const reads = group({ rank: 30 }, rows.map(requirementOf))
